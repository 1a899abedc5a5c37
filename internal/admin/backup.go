package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// How long a copy may take. The store cannot reuse what is written to its log meanwhile, so a client must not hold it for as long as it likes.
const (
	backupTimeout = time.Hour
	pieceTimeout  = 30 * time.Second // for each piece of it
)

// backup sends a copy of the store. That reads all of it, so it goes on for one caller at a time. What fails after the first byte can only
// break the connection off: the client notices, because it knows the length.
func (h *Handler) backup(r *http.Request) (any, error) {
	return http.HandlerFunc(h.copyStore), readQuery(r)
}

// copyStore writes the answer of backup.
func (h *Handler) copyStore(w http.ResponseWriter, r *http.Request) {
	if !h.copying.TryLock() {
		render(w, r, &llm.Error{Kind: llm.Conflict, Message: "The store is being copied for another caller. Ask again when that has ended."})
		return
	}
	defer h.copying.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), backupTimeout) // r's context ends when no body has come for a while
	defer cancel()
	began, length := false, int64(0)
	err := h.Backup(ctx, func(size int64) (io.Writer, error) {
		began, length = true, size
		header := w.Header()
		header.Set("Content-Type", "application/vnd.sqlite3")
		header.Set("Content-Length", strconv.FormatInt(size, 10))
		header.Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusOK)
		if r.Method == http.MethodHead {
			return nil, errHeadOnly
		}
		return pieces{w, http.NewResponseController(w)}, nil
	})
	switch {
	case errors.Is(err, errHeadOnly):
	case err == nil:
		h.Log.Info("the store was copied for a backup", "bytes", length, "remote", r.RemoteAddr)
	default:
		h.Log.Warn("a backup has failed", "reason", err.Error(), "remote", r.RemoteAddr)
		if began {
			panic(http.ErrAbortHandler)
		}
		render(w, r, &llm.Error{Kind: llm.LedgerUnavailable, RetryAfter: time.Second, Message: fmt.Sprintf("No copy was made: %v.", err), Cause: err})
	}
}

var errHeadOnly = errors.New("only the length was asked for")

// pieces writes an answer in pieces, each of which has its own time.
type pieces struct {
	io.Writer
	response *http.ResponseController
}

// Write implements io.Writer.
func (p pieces) Write(b []byte) (int, error) {
	_ = p.response.SetWriteDeadline(time.Now().Add(pieceTimeout)) // a server that knows no deadlines has no slow clients
	return p.Writer.Write(b)
}

// Backup writes a copy of the store, and returns its size. If it returns an error, what was written is no whole copy.
func (c *Client) Backup(ctx context.Context, w io.Writer) (int64, error) {
	response, err := c.send(ctx, http.MethodGet, "/admin/v1/backup", nil)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		answer, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
		if err != nil {
			return 0, c.unreachable(err)
		}
		return 0, c.refused(response.StatusCode, answer)
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "application/vnd.sqlite3") || response.ContentLength < 0 {
		return 0, c.stranger(response.StatusCode)
	}
	out := &noting{Writer: w}
	n, err := io.CopyBuffer(out, response.Body, make([]byte, 256<<10))
	switch {
	case out.err != nil:
		return n, out.err
	case err != nil:
		return n, fmt.Errorf("the copy broke off after %d bytes of %d; the log of the Weir at %s may say why: %w", n, response.ContentLength, c.BaseURL, err)
	}
	return n, nil
}

// noting is a writer that keeps its last error, so that it is not taken for one of the reader.
type noting struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (n *noting) Write(b []byte) (int, error) {
	done, err := n.Writer.Write(b)
	n.err = err
	return done, err
}
