package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
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

// raiseTags adds sums to the lines of tags, within the bound of each key and day. It takes them in order, so that the same rows have the same
// lines whenever they are shipped.
func (s *shipping) raiseTags(ctx context.Context, lines map[ledger.TagLine]*ledger.Sums) error {
	args := make([]any, 0, len(lines)*tagColumnCount)
	for _, of := range slices.SortedFunc(maps.Keys(lines), compareTagLines) {
		sums := lines[of]
		key, _, err := s.names.number(ctx, keyName, of.Key)
		if err != nil {
			return err
		}
		line := tagLine{int64(of.Day), key, of.Tag}
		if err := s.placeTag(ctx, &line); err != nil {
			return err
		}
		args = appendSums(append(args, line.day, line.key, line.tag), sums)
	}
	return s.tags.run(ctx, s.tx, args)
}

func compareTagLines(a, b ledger.TagLine) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Tag, b.Tag))
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
