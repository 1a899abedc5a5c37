package admin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// inCSV reports whether a caller wants a list as CSV, and takes the parameter that says so from the query.
func inCSV(r *http.Request) (bool, error) {
	query := r.URL.Query()
	if !query.Has("format") {
		return false, nil
	}
	format := query["format"]
	if len(format) != 1 || format[0] != "json" && format[0] != "csv" {
		return false, &llm.Error{Kind: llm.InvalidValue, Param: "format", Message: "format is json or csv, once."}
	}
	query.Del("format")
	r.URL.RawQuery = query.Encode()
	return format[0] == "csv", nil
}

// tabular is a list whose lines are not of one kind, which makes its own table.
type tabular interface{ table() [][]string }

// answerCSV sends the data of a list: a column for each member, and one for each member of these. Where it is a page, the cursor of the next
// one is in the header weir-next.
func answerCSV(w http.ResponseWriter, r *http.Request, list any) {
	of := reflect.ValueOf(list)
	var body bytes.Buffer
	write := func() error { return writeTable(&body, of.FieldByName("Data")) }
	if own, ok := list.(tabular); ok {
		write = func() error { return WriteCSV(&body, own.table()) }
	}
	if err := write(); err != nil {
		render(w, r, shown(err))
		return
	}
	if next := of.FieldByName("Next"); next.IsValid() && !next.IsNil() {
		w.Header().Set("Weir-Next", next.Elem().String())
	}
	sendAs(w, r, "text/csv; charset=utf-8", http.StatusOK, body.Bytes())
}

// WriteTable writes a list of what the API answers as CSV, as the API itself does.
func WriteTable[T any](w io.Writer, list []T) error { return writeTable(w, reflect.ValueOf(list)) }

func writeTable(w io.Writer, list reflect.Value) error {
	rows, err := csvOf(list)
	if err != nil {
		return err
	}
	return WriteCSV(w, rows)
}

// csvOf is a list of structs as CSV. Columns that are left out of every line are left out.
func csvOf(list reflect.Value) ([][]string, error) {
	names := columnNames(list.Type().Elem(), "")
	lines, used := make([][]string, list.Len()), map[int]bool{}
	for i := range lines {
		cells, err := cellsOf(list.Index(i), nil)
		if err != nil {
			return nil, err
		}
		lines[i] = cells
	}
	for n, name := range names {
		used[n] = !name.optional
		for _, line := range lines {
			used[n] = used[n] || line[n] != ""
		}
	}
	head := []string{}
	for n, name := range names {
		if used[n] {
			head = append(head, name.text)
		}
	}
	all := [][]string{head}
	for _, line := range lines {
		kept := []string{}
		for n, cell := range line {
			if used[n] {
				kept = append(kept, cell)
			}
		}
		all = append(all, kept)
	}
	return all, nil
}

// column is a column of CSV.
type column struct {
	text     string
	optional bool
}

// nested reports whether a type's members have columns of their own.
func nested(of reflect.Type) bool {
	return of.Kind() == reflect.Struct && of != reflect.TypeFor[time.Time]()
}

// pointed is what a pointer leads to, or the type itself.
func pointed(of reflect.Type) reflect.Type {
	if of.Kind() == reflect.Pointer {
		return of.Elem()
	}
	return of
}

// columnNames are those of a struct, in the order of its members.
func columnNames(of reflect.Type, prefix string) (names []column) {
	for i := range of.NumField() {
		field := of.Field(i)
		name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch inner := pointed(field.Type); {
		case field.Anonymous:
			names = append(names, columnNames(inner, prefix)...)
		case nested(inner):
			names = append(names, columnNames(inner, prefix+name+"_")...)
		default:
			names = append(names, column{prefix + name, rest != ""})
		}
	}
	return names
}

// cellsOf are the values of these columns. A value that is not there is empty.
func cellsOf(of reflect.Value, cells []string) (_ []string, err error) {
	for i := range of.NumField() {
		field := of.Field(i)
		inner := pointed(field.Type())
		missing := field.Kind() == reflect.Pointer && field.IsNil()
		if field.Kind() == reflect.Pointer && !missing {
			field = field.Elem()
		}
		switch {
		case missing && nested(inner):
			cells = append(cells, make([]string, len(columnNames(inner, "")))...)
		case missing:
			cells = append(cells, "")
		case nested(inner):
			cells, err = cellsOf(field, cells)
		default:
			cells, err = appendCell(cells, field)
		}
		if err != nil {
			return nil, err
		}
	}
	return cells, nil
}

// appendCell appends a value: texts of a list have spaces between them, and what is no text or number is JSON.
func appendCell(cells []string, value reflect.Value) ([]string, error) {
	switch plain := value.Interface().(type) {
	case []string:
		return append(cells, strings.Join(plain, " ")), nil
	case time.Time:
		return append(cells, plain.Format(time.RFC3339Nano)), nil
	case fmt.Stringer, string, int, int64, float64, bool:
		return append(cells, fmt.Sprint(plain)), nil
	}
	if value.Kind() == reflect.String {
		return append(cells, value.String()), nil
	}
	text, err := json.Marshal(value.Interface())
	return append(cells, string(text)), err
}
