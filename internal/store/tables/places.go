package tables

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

const (
	inStretch = `l.id >= ? AND l.id < ?`

	newestFirst = ` ORDER BY l.id DESC LIMIT ?`

	// Which times have lines that match. A filter follows, and for a key it is found one time after another.
	sqlTimes      = `SELECT DISTINCT l.at FROM %s AS l WHERE l.at >= ? AND l.at < ?`
	sqlTimesOfKey = eachTime + `SELECT DISTINCT l.at FROM spans CROSS JOIN %s AS l WHERE l.at = spans.at`

	// The same of hours, with the minutes in which their key has rows.
	sqlMinutesOfKey = eachTime + `SELECT l.at, m.minutes FROM spans CROSS JOIN %s AS l CROSS JOIN key_hours AS m WHERE l.at = spans.at AND m.at = l.at AND m.key = l.key`
)

const (
	quartersADay      = 24 * quartersOfAnHour
	quartersOfAnHour  = 4
	minutesOfAnHour   = 60
	minutesOfAQuarter = 15

	everyMinute uint64 = 1<<minutesOfAnHour - 1
)

// A search by the hour looks at one day first, and then at twice as many each time. A statement reads a few minutes first, and then twice as many, too: one that
// reads several stretches reads all of each.
const (
	mostDaysAtOnce                    = 16
	minutesAtFirst, mostMinutesAtOnce = 4, 64
)

// stretch is a range of ids, up to but not at upto, of so many minutes.
type stretch struct{ least, upto, minutes int64 }

// byHours reads the rows of those hours that have what the filter admits, the newest first. Of a key, it reads only the minutes in which there are rows of it.
func (r *rowsReader) byHours(from, to int64) error {
	day := func(id int64) int64 { return int64(ledger.DayOf(ledger.Seq(id >> instanceBits).Time().UTC())) }
	days, err := r.times(daily, day(from)-1, day(to)+2)
	if err != nil {
		return err
	}
	r.atOnce = minutesAtFirst
	end := int64(math.MaxInt64) // hours before it are left
	for length := int64(1); len(days) > 0 && len(r.list) <= r.q.Limit; length = min(2*length, mostDaysAtOnce) {
		newest, n := days[0], 1
		for n < len(days) && newest-days[n] < length {
			n++
		}
		begin := (days[n-1] - 1) * quartersADay // the days are those of any time zone
		end = min(end, (newest+2)*quartersADay)
		minutes, err := r.minutes(begin-quartersOfAnHour+1, end)
		if err != nil {
			return err
		}
		if err := r.stretches(stretchesOf(minutes, max(from, idAtMinute(begin*minutesOfAQuarter)), min(to, idAtMinute(end*minutesOfAQuarter)))); err != nil {
			return err
		}
		days, end = days[n:], begin
	}
	return nil
}

// times are the days or hours, from one and before another, of which there are sums that the filter admits, the last first.
func (r *rowsReader) times(of unit, from, to int64) (list []int64, err error) {
	query := sqlTimes
	if r.filter.need&byKey != 0 {
		query = sqlTimesOfKey
	}
	rows, err := r.tx.QueryContext(r.ctx, dollars(inTable(query, narrowest(of, r.filter.need, r.filter.mark))+r.filter.text+` ORDER BY 1 DESC`), append([]any{from, to}, r.filter.args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var at int64
		if err := rows.Scan(&at); err != nil {
			return nil, err
		}
		list = append(list, at)
	}
	return list, rows.Err()
}

// minutes are those, since 1970, in which there may be rows that the filter admits, of hours from one and before another. The last come first.
func (r *rowsReader) minutes(from, to int64) (list []int64, err error) {
	if r.filter.need&byKey == 0 {
		hours, err := r.times(hourly, from, to)
		for _, hour := range hours {
			list = appendMinutes(list, hour, everyMinute)
		}
		return lastFirst(list), err
	}
	rows, err := r.tx.QueryContext(r.ctx, dollars(inTable(sqlMinutesOfKey, narrowest(hourly, r.filter.need, r.filter.mark))+r.filter.text), append([]any{from, to}, r.filter.args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var hour, minutes int64
		if err := rows.Scan(&hour, &minutes); err != nil {
			return nil, err
		}
		list = appendMinutes(list, hour, uint64(minutes)&everyMinute)
	}
	return lastFirst(list), rows.Err()
}

// appendMinutes appends those of an hour, which it has as bits.
func appendMinutes(list []int64, hour int64, minutes uint64) []int64 {
	for ; minutes != 0; minutes &= minutes - 1 {
		list = append(list, hour*minutesOfAQuarter+int64(bits.TrailingZeros64(minutes)))
	}
	return list
}

// lastFirst are minutes in the order of rows, each once: hours overlap where the time zone was changed.
func lastFirst(minutes []int64) []int64 {
	slices.SortFunc(minutes, func(a, b int64) int { return cmp.Compare(b, a) })
	return slices.Compact(minutes)
}

// stretchesOf are the stretches of ids of minutes, within bounds, in the order of rows. Minutes that follow each other are one.
func stretchesOf(minutes []int64, from, to int64) (list []stretch) {
	for len(minutes) > 0 {
		n := 1
		for n < len(minutes) && minutes[n] == minutes[0]-int64(n) {
			n++
		}
		s := stretch{max(idAtMinute(minutes[n-1]), from), min(idAtMinute(minutes[0]+1), to), int64(n)}
		if s.least < s.upto {
			list = append(list, s)
		}
		minutes = minutes[n:]
	}
	return list
}

// idAtMinute is the least id of a row of a minute since 1970 or later.
func idAtMinute(minute int64) int64 {
	return idAt(time.Unix(minute*int64(time.Minute/time.Second), 0))
}

// stretches appends rows of stretches, which come in the order of rows, until there is one more than the limit.
func (r *rowsReader) stretches(list []stretch) error {
	for len(list) > 0 && len(r.list) <= r.q.Limit {
		n, minutes := 1, list[0].minutes
		for n < min(len(list), r.db.engine.Stretches) && minutes+list[n].minutes <= r.atOnce {
			minutes += list[n].minutes
			n++
		}
		r.atOnce = min(2*r.atOnce, mostMinutesAtOnce)
		if err := r.scan(list[:n]...); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// scan appends the rows of stretches that the filter admits, until there is one more than the limit. One stretch is read no further than that.
func (r *rowsReader) scan(list ...stretch) error {
	args := []any{list[0].least, list[0].upto}
	for _, s := range list[1:] {
		args = append(args, s.least, s.upto)
	}
	query := sqlRows + ` AND (` + inStretch + strings.Repeat(` OR `+inStretch, len(list)-1) + `)`
	args = append(append(args, r.filter.args...), min(int64(r.q.Limit), math.MaxInt32)+1-int64(len(r.list)))
	rows, err := r.tx.QueryContext(r.ctx, dollars(query+r.filter.text+newestFirst), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := r.db.row(rows, r.instances)
		if err != nil {
			return err
		}
		r.list = append(r.list, row.Row)
	}
	return rows.Err()
}
