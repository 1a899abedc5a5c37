package archive

import (
	"bufio"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Writer writes a file.
type Writer struct {
	zip   *gzip.Writer
	lines *bufio.Writer
	table Table // that is written
	rows  int64 // of the table
	all   int64
	line  []byte // for room
}

// NewWriter begins a file. The caller closes the Writer when all tables are written.
func NewWriter(w io.Writer, head Head) (*Writer, error) {
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	head.Format = Format
	a := &Writer{zip: zip, lines: bufio.NewWriterSize(zip, 64<<10)}
	return a, a.json(head)
}

func (a *Writer) json(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = a.lines.Write(append(text, '\n'))
	return err
}

// Begin begins a table.
func (a *Writer) Begin(t Table) error {
	a.table, a.rows = t, 0
	return a.json(t)
}

// Row writes a row of the table: an int64, a string, bytes, a bool or nil for each column.
func (a *Writer) Row(values []any) error {
	a.line = append(a.line[:0], '[')
	for i, value := range values {
		if i > 0 {
			a.line = append(a.line, ',')
		}
		switch v := value.(type) {
		case nil:
			a.line = append(a.line, "null"...)
		case int64:
			a.line = strconv.AppendInt(a.line, v, 10)
		case bool:
			a.line = strconv.AppendBool(a.line, v)
		case string:
			a.line = appendText(a.line, v)
		case []byte:
			a.line = append(base64.StdEncoding.AppendEncode(append(a.line, '"'), v), '"')
		default:
			return fmt.Errorf("a row of %s has a value of type %T", a.table.Name, value)
		}
	}
	a.line = append(a.line, ']', '\n')
	a.rows++
	a.all++
	_, err := a.lines.Write(a.line)
	return err
}

// appendText appends a text as JSON. Most need no escapes.
func appendText(line []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(text) // a string can always be written
			return append(line, quoted...)
		}
	}
	return append(append(append(line, '"'), text...), '"')
}

// End ends the table, and says what columns of it add up to.
func (a *Writer) End(sums []int64) error { return a.json(End{a.table.Name, a.rows, sums}) }

// Close ends the file. It does not close what is below.
func (a *Writer) Close() error {
	if err := a.json(tail{&a.all}); err != nil {
		return err
	}
	if err := a.lines.Flush(); err != nil {
		return err
	}
	return a.zip.Close()
}
