package admin_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/secret"
)

type opener = func(size int64) (io.Writer, error)

// copies is an API whose store is copied so, and a client of it.
func copies(t *testing.T, backup func(context.Context, opener) error) (*server, *admin.Client) {
	t.Helper()
	s := newServer(t, func(o *admin.Options) { o.Backup = backup })
	return s, &admin.Client{BaseURL: s.URL, Token: secret.New(token), HTTP: s.Client()}
}

// TestBackup: a copy comes whole, of one caller at a time, and leaves a line in the log.
func TestBackup(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("page"), 1<<18)
	var other error
	var client *admin.Client
	s, client := copies(t, func(_ context.Context, open opener) error {
		_, other = client.Backup(t.Context(), io.Discard)
		w, err := open(int64(len(content)))
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	})
	var got bytes.Buffer
	if n, err := client.Backup(t.Context(), &got); err != nil || n != int64(len(content)) || !bytes.Equal(got.Bytes(), content) {
		t.Errorf("%d bytes, %v", n, err)
	}
	var refusal *admin.APIError
	if !errors.As(other, &refusal) || refusal.Status != http.StatusConflict {
		t.Errorf("a second one at the same time: %v", other)
	}
	for url, status := range map[string]int{"/admin/v1/backup?file=x": 400, "/admin/v1/backup": 401} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if status == 400 {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		response, err := s.Client().Do(request)
		if err != nil || response.StatusCode != status || response.Body.Close() != nil {
			t.Errorf("%s: %v, %v", url, response, err)
		}
	}
	s.Close() // waits for the call, which logs after its last byte
	if said := s.log.String(); !strings.Contains(said, `"msg":"the store was copied for a backup","bytes":1048576,"remote":"127.0.0.1:`) {
		t.Errorf("the log says %s", said)
	}
}

// TestBackupFails: what fails before the first byte is said, and what fails after it breaks the connection off.
func TestBackupFails(t *testing.T) {
	t.Parallel()
	cause := errors.New("the journal is locked")
	s, client := copies(t, func(context.Context, opener) error { return cause })
	if _, err := client.Backup(t.Context(), io.Discard); err == nil || err.Error() != "No copy was made: the journal is locked." {
		t.Errorf("%v", err)
	}
	_, client = copies(t, func(_ context.Context, open opener) error {
		w, err := open(1 << 20)
		if err == nil {
			_, err = w.Write(make([]byte, 1<<19))
		}
		return errors.Join(err, cause)
	})
	if n, err := client.Backup(t.Context(), io.Discard); err == nil || n >= 1<<20 || !strings.Contains(err.Error(), "of 1048576; the log of the Weir at "+client.BaseURL+" may say why: ") {
		t.Errorf("%d bytes, %v", n, err)
	}
	full := errors.New("no space left")
	_, client = copies(t, func(_ context.Context, open opener) error {
		w, err := open(1)
		if err == nil {
			_, err = w.Write([]byte{1})
		}
		return err
	})
	if _, err := client.Backup(t.Context(), failing{full}); !errors.Is(err, full) || err.Error() != full.Error() {
		t.Errorf("%v", err)
	}
	if response, err := s.Client().Head(s.URL + "/admin/v1/backup"); err != nil || response.StatusCode != 401 || response.Body.Close() != nil {
		t.Errorf("%v, %v", response, err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
