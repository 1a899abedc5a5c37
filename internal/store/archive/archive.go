// Package archive is the file that carries a store's tables from one database to another: lines of JSON, compressed with gzip. It knows
// values, and nothing of what tables mean. A file is read and written row by row, so it may be of any size.
//
//	{"weir_archive":1,"program":"1.4.0","made":"2026-11-26T01:00:00Z"}
//	{"table":"names","columns":["id","kind","text"]}
//	[1,3,"smart"]
//	{"end":"names","rows":1}
//	{"whole":1}
//
// Integers have all their digits, and bytes are in base64. The last line counts the rows of all tables: a file without it was cut off.
package archive

import (
	"encoding/base64"
	"errors"
	"fmt"
	"time"
)

// Format is the form of the files that are written, and the latest that can be read.
const Format = 1

// maxLine is the longest line that is read, in bytes: far longer than any row.
const maxLine = 1 << 30

// Head is the first line.
type Head struct {
	Format  int       `json:"weir_archive"`
	Program string    `json:"program"` // the version of Weir that wrote the file
	Made    time.Time `json:"made"`
}

// Table begins the rows of a table.
type Table struct {
	Name    string   `json:"table"`
	Columns []string `json:"columns"`
}

// End ends them.
type End struct {
	Name string  `json:"end"`
	Rows int64   `json:"rows"`
	Sums []int64 `json:"sums,omitempty"` // of columns, as the writer chose them
}

// tail is the last line.
type tail struct {
	Whole *int64 `json:"whole"` // rows of all tables
}

// ErrDamaged is the error for a file that is not whole.
var ErrDamaged = errors.New("the file is damaged or was cut off: export again")

func damaged(why string, args ...any) error {
	return fmt.Errorf("%w (%s)", ErrDamaged, fmt.Sprintf(why, args...))
}

// Bytes are those that a text of a row stands for.
func Bytes(text string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, damaged("what should be bytes is not base64")
	}
	return b, nil
}
