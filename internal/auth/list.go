package auth

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// maxPage is the most keys that one page of a list holds.
const maxPage = 1000

// Page is a part of the list of keys.
type Page struct {
	Keys []Key
	Next string // the cursor of the next page, "" after the last
}

// List returns up to limit keys (1 to 1000) after cursor ("" for the start). The config file's keys come first,
// then the stored keys by time of creation, including revoked ones. A cursor stays good when keys come and go. It
// reads memory only.
func (k *Keys) List(cursor string, limit int) (Page, error) {
	if limit < 1 || limit > maxPage {
		return Page{}, invalid("limit", "limit is a number from 1 to %d.", maxPage)
	}
	var last *record
	if cursor != "" {
		var ok bool
		if last, ok = parseCursor(cursor); !ok {
			return Page{}, invalid("cursor", "No list returned this cursor as next; omit it to start from the beginning.")
		}
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	keys, more := k.index.page(last, limit)
	page := Page{Keys: keys}
	if more {
		page.Next = cursorOf(keys[limit-1])
	}
	return page, nil
}

// cursorOf is a key's place in the order of the list: its time of creation and its id.
func cursorOf(key Key) string { return placeOf(key.CreatedAt, key.ID) }

// placeOf is a place in the order of a list, as a cursor.
func placeOf(created time.Time, id string) string {
	micros := int64(0)
	if !created.IsZero() {
		micros = created.UnixMicro()
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(micros, 10) + " " + id))
}

// parseCursor returns a record at the place that a cursor names.
func parseCursor(cursor string) (*record, bool) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return nil, false
	}
	micros, id, ok := strings.Cut(string(text), " ")
	n, err := strconv.ParseInt(micros, 10, 64)
	if !ok || err != nil {
		return nil, false
	}
	r := &record{principal: Principal{KeyID: id}, created: none}
	if n != 0 {
		r.created = moment(n)
	}
	return r, true
}
