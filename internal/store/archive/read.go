package archive

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Reader reads a file. What it has returned is to be believed only when Next has said that the file is whole.
type Reader struct {
	Head Head

	zip     *gzip.Reader
	lines   *bufio.Reader
	line    []byte // for a line that is longer than the buffer
	table   Table
	rows    int64 // of the table
	all     int64
	reading bool // a table
	values  []any
}

// NewReader begins to read a file. It refuses one that is not an archive, and one of a later form.
func NewReader(r io.Reader) (*Reader, error) {
	zip, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("it is no file of weir export (%w)", err)
	}
	a := &Reader{zip: zip, lines: bufio.NewReaderSize(zip, 64<<10)}
	line, err := a.next()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(line, &a.Head); err != nil || a.Head.Format < 1 {
		return nil, errors.New("it is no file of weir export")
	}
	if a.Head.Format > Format {
		return nil, fmt.Errorf("it has format %d, of Weir %q, and this Weir reads format %d: import it with that version", a.Head.Format, a.Head.Program, Format)
	}
	return a, nil
}

// next is the next line. It is valid until the next call.
func (a *Reader) next() ([]byte, error) {
	line, err := a.lines.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		a.line = a.line[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			if a.line = append(a.line, line...); len(a.line) > maxLine {
				return nil, damaged("a line is too long")
			}
			line, err = a.lines.ReadSlice('\n')
		}
		a.line = append(a.line, line...)
		line = a.line
	}
	switch {
	case errors.Is(err, io.EOF):
		return nil, damaged("it ends too early")
	case err != nil:
		return nil, damaged("%v", err)
	}
	return line[:len(line)-1], nil
}

// Next begins the next table, and returns nil when the file has ended and is whole. The rows of the table before must have been read.
func (a *Reader) Next() (*Table, error) {
	if a.reading {
		return nil, errors.New("the rows of the table before were not read")
	}
	line, err := a.next()
	if err != nil {
		return nil, err
	}
	var last tail
	if err := json.Unmarshal(line, &last); err == nil && last.Whole != nil {
		return nil, a.ended(*last.Whole)
	}
	a.table, a.rows = Table{}, 0
	if err := json.Unmarshal(line, &a.table); err != nil || a.table.Name == "" {
		return nil, damaged("a table should begin")
	}
	a.reading = true
	return &a.table, nil
}

// ended checks what follows the last line: nothing. The checksum of all is compared when it is read.
func (a *Reader) ended(rows int64) error {
	if rows != a.all {
		return damaged("it has %d rows of %d", a.all, rows)
	}
	switch _, err := a.lines.ReadByte(); {
	case err == nil:
		return damaged("something follows its end")
	case !errors.Is(err, io.EOF):
		return damaged("%v", err)
	}
	return nil
}

// Row is the next row of the table: an int64, a string, a bool or nil for each column. It is valid until the next call. After the last
// row it is nil, and end says what the table had.
func (a *Reader) Row() (values []any, end *End, err error) {
	line, err := a.next()
	if err != nil {
		return nil, nil, err
	}
	if len(line) > 0 && line[0] == '[' {
		if a.values, err = scalars(a.values[:0], line, len(a.table.Columns)); err != nil || len(a.values) != len(a.table.Columns) {
			return nil, nil, damaged("row %d of %q cannot be read", a.rows+1, a.table.Name)
		}
		a.rows++
		a.all++
		return a.values, nil, nil
	}
	end = new(End)
	if err := json.Unmarshal(line, end); err != nil || end.Name != a.table.Name || end.Rows != a.rows {
		return nil, nil, damaged("%q does not end where it should", a.table.Name)
	}
	a.reading = false
	return nil, end, nil
}

var errRow = errors.New("no row")

// scalars reads an array of values that have none inside, up to so many.
func scalars(to []any, line []byte, most int) ([]any, error) {
	rest := line[1:]
	for len(rest) > 0 && len(to) < most {
		n := scalarEnd(rest)
		value, err := scalar(rest[:n])
		if err != nil {
			return to, err
		}
		to = append(to, value)
		if rest = rest[n:]; len(rest) == 0 {
			break
		}
		if rest[0] == ']' && len(rest) == 1 {
			return to, nil
		}
		if rest[0] != ',' {
			break
		}
		rest = rest[1:]
	}
	return to, errRow
}

// scalarEnd is the length of the value that a text begins with.
func scalarEnd(text []byte) int {
	if len(text) == 0 || text[0] != '"' {
		if n := bytes.IndexAny(text, ",]"); n >= 0 {
			return n
		}
		return len(text)
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func scalar(text []byte) (any, error) {
	switch {
	case len(text) == 0:
		return nil, errRow
	case text[0] == '"':
		if len(text) >= 2 && bytes.IndexByte(text, '\\') < 0 && text[len(text)-1] == '"' {
			return string(text[1 : len(text)-1]), nil
		}
		var s string
		err := json.Unmarshal(text, &s)
		return s, err
	}
	switch string(text) {
	case "null":
		return nil, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return strconv.ParseInt(string(text), 10, 64)
}
