package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"

	"github.com/weirproxy/weir/internal/ledger"
)

// tagsSeen are lines of tags that are in the file, so that most are not looked up again. The last day's are enough.
type tagsSeen struct {
	mu    sync.Mutex
	lines map[tagLine]bool
}

// maxTagsSeen is how many lines are remembered.
const maxTagsSeen = 20_000

func (t *tagsSeen) has(line tagLine) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lines[line]
}

func (t *tagsSeen) add(lines []tagLine) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lines == nil || len(t.lines)+len(lines) > maxTagsSeen {
		t.lines = map[tagLine]bool{}
	}
	for _, line := range lines {
		t.lines[line] = true
	}
}

// tagLine names a line of tags.
type tagLine struct {
	day, key int64
	tag      string
}

// raiseTags adds rows to the lines of their tags, within the bound of each key and day. It takes them in order, so that the same rows have the
// same lines whenever they are shipped.
func (s *shipping) raiseTags(ctx context.Context, rows []ledger.Row, in *clock) error {
	lines, days := newAdding[tagLine](0), newAdding[tagLine](0)
	for i := range rows {
		r := &rows[i]
		if len(r.Tags) == 0 {
			continue
		}
		key, err := s.names.number(ctx, keyName, r.Key)
		if err != nil {
			return err
		}
		_, day, _ := in.of(r.Seq)
		sums := r.Sums()
		for tag := range r.TagTexts() {
			lines.add(tagLine{day, key, tag}, &sums, marks{})
		}
	}
	slices.SortFunc(lines.lines, func(a, b added[tagLine]) int { return a.line.compare(b.line) })
	args := make([]any, 0, len(lines.lines)*tagColumnCount)
	for i := range lines.lines {
		l := &lines.lines[i]
		if err := s.placeTag(ctx, &l.line); err != nil {
			return err
		}
		if l.line.tag == "" {
			s.unnamed.Tags += l.sums.Attempts
		}
		args = appendSums(append(args, l.line.day, l.line.key, l.line.tag), &l.sums)
		days.add(tagLine{day: l.line.day, tag: l.line.tag}, &l.sums, marks{})
	}
	if err := s.tags.run(ctx, s.tx, args); err != nil {
		return err
	}
	slices.SortFunc(days.lines, func(a, b added[tagLine]) int { return a.line.compare(b.line) })
	args = args[:0]
	for i := range days.lines {
		l := &days.lines[i]
		args = appendSums(append(args, l.line.day, l.line.tag), &l.sums)
	}
	return s.tagDays.run(ctx, s.tx, args)
}

func (l tagLine) compare(o tagLine) int {
	return cmp.Or(cmp.Compare(l.day, o.day), cmp.Compare(l.key, o.key), cmp.Compare(l.tag, o.tag))
}

// placeTag makes a line that of all other tags if it has none of its own and may have none.
func (s *shipping) placeTag(ctx context.Context, line *tagLine) error {
	if s.seen.has(*line) {
		return nil
	}
	var found int
	err := s.tx.StmtContext(ctx, s.hasTag).QueryRowContext(ctx, line.day, line.key, line.tag).Scan(&found)
	if err == nil {
		s.tagLines = append(s.tagLines, *line)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	var lines int
	err = s.tx.StmtContext(ctx, s.countTags).QueryRowContext(ctx, line.day, line.key).Scan(&lines)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if lines >= maxTagLines {
		line.tag = ""
		return nil
	}
	s.tagLines = append(s.tagLines, *line)
	_, err = s.tx.StmtContext(ctx, s.setTags).ExecContext(ctx, line.day, line.key, lines+1)
	return err
}
