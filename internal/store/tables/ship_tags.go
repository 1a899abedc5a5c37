package tables

import (
	"cmp"
	"context"
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
	lines, days, weeks := newAdding[tagLine](0), newAdding[tagLine](0), newAdding[tagLine](0)
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
			lines.add(tagLine{day, key, storable(tag)}, &sums, marks{})
		}
	}
	slices.SortFunc(lines.lines, func(a, b added[tagLine]) int { return a.line.compare(b.line) })
	placed, err := s.placeTags(ctx, lines.lines)
	if err != nil {
		return err
	}
	slices.SortFunc(placed, func(a, b added[tagLine]) int { return a.line.compare(b.line) })
	args := make([]any, 0, len(placed)*len(tagsUpsert.Columns))
	for i := range placed {
		l := &placed[i]
		if l.line.tag == "" {
			s.unnamed.Tags += l.sums.Attempts
		}
		args = appendSums(append(args, l.line.day, l.line.key, l.line.tag), &l.sums)
		days.add(tagLine{day: l.line.day, tag: l.line.tag}, &l.sums, marks{})
		weeks.add(tagLine{day: weekOf(l.line.day), tag: l.line.tag}, &l.sums, marks{})
	}
	if err := s.tags.Run(ctx, s.tx, args); err != nil {
		return err
	}
	if err := s.raiseTagsOfAll(ctx, s.tagDays, days.lines); err != nil {
		return err
	}
	return s.raiseTagsOfAll(ctx, s.tagWeeks, weeks.lines)
}

// raiseTagsOfAll adds to the lines of tags of all keys.
func (s *shipping) raiseTagsOfAll(ctx context.Context, to Bulk, lines []added[tagLine]) error {
	slices.SortFunc(lines, func(a, b added[tagLine]) int { return a.line.compare(b.line) })
	args := s.args[:0]
	for i := range lines {
		l := &lines[i]
		args = appendSums(append(args, l.line.day, l.line.tag), &l.sums)
	}
	s.args = args
	return to.Run(ctx, s.tx, args)
}

func (l tagLine) compare(o tagLine) int {
	return cmp.Or(cmp.Compare(l.day, o.day), cmp.Compare(l.key, o.key), cmp.Compare(l.tag, o.tag))
}

// placeTags makes those lines one, for all other tags of their key and day, that have none of their own and may have none. lines are sorted.
func (s *shipping) placeTags(ctx context.Context, lines []added[tagLine]) ([]added[tagLine], error) {
	placed := newAdding[tagLine](len(lines))
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].line.day == lines[0].line.day && lines[n].line.key == lines[0].line.key {
			n++
		}
		own, err := s.ownLines(ctx, lines[:n])
		if err != nil {
			return nil, err
		}
		for i := range lines[:n] {
			to := lines[i].line
			if !own[to.tag] {
				to.tag = ""
			}
			placed.add(to, &lines[i].sums, marks{})
		}
		lines = lines[n:]
	}
	return placed.lines, nil
}

// ownLines are the tags of a key and a day that have a line of their own from now on.
func (s *shipping) ownLines(ctx context.Context, lines []added[tagLine]) (own map[string]bool, err error) {
	own = make(map[string]bool, len(lines))
	unseen := false
	for i := range lines {
		own[lines[i].line.tag] = s.seen.has(lines[i].line)
		unseen = unseen || !own[lines[i].line.tag]
	}
	if !unseen {
		return own, nil
	}
	day, key := lines[0].line.day, lines[0].line.key
	var count int // who adds lines of the key waits here for the others that do
	if err := s.tx.QueryRowContext(ctx, sqlCountTagLines, day, key).Scan(&count); err != nil {
		return nil, err
	}
	there, err := s.tagsOf(ctx, day, key)
	if err != nil {
		return nil, err
	}
	before := count
	for i := range lines {
		l := lines[i].line
		if own[l.tag] {
			continue
		}
		if !there[l.tag] {
			if count >= maxTagLines {
				continue
			}
			count++
		}
		own[l.tag] = true
		s.tagLines = append(s.tagLines, l)
	}
	if count > before {
		_, err = s.tx.ExecContext(ctx, sqlSetTagLines, day, key, count)
	}
	return own, err
}

// tagsOf are the tags of a key and a day that have a line.
func (s *shipping) tagsOf(ctx context.Context, day, key int64) (map[string]bool, error) {
	rows, err := s.tx.QueryContext(ctx, sqlTagsOf, day, key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	there := map[string]bool{}
	for rows.Next() {
		var tag string
		if err := rows.Scan(&tag); err != nil {
			return nil, err
		}
		there[tag] = true
	}
	return there, rows.Err()
}

const (
	sqlCountTagLines = `
		INSERT INTO taglines AS t (at, key, lines) VALUES ($1, $2, 0) ON CONFLICT (at, key) DO UPDATE SET lines = t.lines RETURNING lines`

	sqlTagsOf = `SELECT tag FROM tagdays WHERE at = $1 AND key = $2`

	sqlSetTagLines = `UPDATE taglines SET lines = $3 WHERE at = $1 AND key = $2`
)
