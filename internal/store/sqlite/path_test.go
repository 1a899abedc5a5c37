package sqlite

import (
	"net/url"
	"testing"
)

func TestPathsOfEverySystemAreFileURLs(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/var/lib/weir/weir.db":  "file:///var/lib/weir/weir.db?mode=rw",
		"C:/Users/A B/weir.db":   "file:///C:/Users/A%20B/weir.db?mode=rw",
		"//server/share/weir.db": "file:////server/share/weir.db?mode=rw",
	} {
		if got := fileURL(path, url.Values{"mode": {"rw"}}); got != want {
			t.Errorf("%s is %s", path, got)
		}
	}
}
