package auth

import (
	"encoding/base64"
	"slices"
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

// List returns up to limit keys (1 to 1000) behind cursor ("" for the start), the config file's first,
// then those of the store by time of creation, the revoked ones too. A cursor stays good when keys come
// and go. It reads memory only.
func (k *Keys) List(cursor string, limit int) (Page, error) {
	if limit < 1 || limit > maxPage {
		return Page{}, invalid("limit", "limit is a number from 1 to %d.", maxPage)
	}
	keys := k.current.Load().keys
	if cursor != "" {
		last, ok := parseCursor(cursor)
		if !ok {
			return Page{}, invalid("cursor", "This cursor is none that a list returned as next; leave it out to start from the beginning.")
		}
		at, found := slices.BinarySearchFunc(keys, last, compareKeys)
		if found {
			at++
		}
		keys = keys[at:]
	}
	if len(keys) <= limit {
		return Page{Keys: slices.Clone(keys)}, nil
	}
	return Page{Keys: slices.Clone(keys[:limit]), Next: cursorOf(keys[limit-1])}, nil
}

// cursorOf is a key's place in the order of the list: its time of creation and its id.
func cursorOf(key Key) string {
	micros := int64(0)
	if !key.CreatedAt.IsZero() {
		micros = key.CreatedAt.UnixMicro()
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(micros, 10) + " " + key.ID))
}

func parseCursor(cursor string) (Key, bool) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return Key{}, false
	}
	micros, id, ok := strings.Cut(string(text), " ")
	n, err := strconv.ParseInt(micros, 10, 64)
	if !ok || err != nil {
		return Key{}, false
	}
	key := Key{ID: id}
	if n != 0 {
		key.CreatedAt = time.UnixMicro(n).UTC()
	}
	return key, true
}
