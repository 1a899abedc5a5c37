package auth

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/llm"
)

const (
	maxName   = 256 // bytes
	maxModels = 1000
	maxGrace  = 365 * 24 * time.Hour
)

// noun is what a message is about.
type noun string

const (
	aKey  noun = "key"
	aTeam noun = "team"
)

// checkName holds the rule for names of keys and teams. Those that are nothing but dots would be folded away in a
// URL's path.
func checkName(of noun, name string) error {
	switch {
	case name == "":
		return &llm.Error{Kind: llm.MissingParameter, Param: "name", Message: fmt.Sprintf("A %s needs a name.", of)}
	case !isWord(name):
		return invalid("name", "A %s's name is printable, without spaces, and at most %d bytes long.", of, maxName)
	case name == "." || name == "..":
		return invalid("name", "A %s cannot be named %q.", of, name)
	}
	return nil
}

func checkModels(of noun, models []string) error {
	if len(models) > maxModels {
		return invalid("models", "A %s has at most %d model patterns; * matches any run of characters.", of, maxModels)
	}
	for _, pattern := range models {
		if !isModelPattern(pattern) {
			return invalid("models", "%q is not a model pattern. A pattern is printable and at most %d bytes long; * matches any run of characters, and spaces are allowed inside.", pattern, maxName)
		}
	}
	return nil
}

func checkExpiry(at, now time.Time) error {
	if !at.IsZero() && !at.After(now) {
		return invalid("expires_at", "expires_at is in the past: give a later time; to end a key now, revoke it.")
	}
	return nil
}

// isWord reports whether s is printable, without spaces, and not too long.
func isWord(s string) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) || r == ' ' {
			return false
		}
	}
	return len(s) <= maxName && utf8.ValidString(s)
}

// isModelPattern reports whether s can match names of models, which may have spaces inside.
func isModelPattern(s string) bool {
	return s != "" && strings.TrimSpace(s) == s && isWord(strings.ReplaceAll(s, " ", "_"))
}

// checkFree reports, as a Conflict, that another key has this name. That key is alive, or in the config file, or
// has name as its id, because both find keys. The caller holds k.writing. k.writing is held.
func (k *Keys) checkFree(name, self string) error {
	if k.index.taken(name, self, false) != nil {
		return nameTaken(aKey, name)
	}
	return nil
}

// checkFile reports the first clash among the keys of the config file, or of one with a living stored
// key. k.mu is held.
func (k *Keys) checkFile(file []Key) error {
	names, digests := map[string]bool{}, map[Digest]string{}
	for _, key := range file {
		if names[key.Name] || names[key.ID] || k.index.taken(key.Name, "", true) != nil || k.index.taken(key.ID, "", true) != nil {
			return fmt.Errorf("keys: the name %q is in use twice, in the config file or by a stored key: rename the one in the file, or revoke the stored one with weir keys revoke", key.Name)
		}
		if r, _ := k.index.admit(&key.Digest); r != nil && !r.principal.fromFile {
			digests[key.Digest] = r.principal.KeyName
		}
		if other, ok := digests[key.Digest]; ok {
			return fmt.Errorf("keys: %q and %q are the same API key: remove one", key.Name, other)
		}
		if key.Digest.IsZero() {
			return fmt.Errorf("keys: %q has no digest", key.Name)
		}
		names[key.Name], names[key.ID] = true, true
		digests[key.Digest] = key.Name
	}
	return nil
}

// translate gives a store's error the words that its caller can use.
func translate(err error, of noun, name string) error {
	switch {
	case errors.Is(err, ErrNameTaken):
		return nameTaken(of, name)
	case errors.Is(err, ErrNotFound):
		return &llm.Error{Kind: llm.NotFound, Message: fmt.Sprintf("The %s %q is gone from the store.", of, name), Cause: err}
	}
	var refusal *llm.Error
	if errors.As(err, &refusal) {
		return err
	}
	return &StoreError{err}
}

func nameTaken(of noun, name string) error {
	return &llm.Error{Kind: llm.Conflict, Param: "name", Message: fmt.Sprintf("There is a %s named %q already: take another name, or revoke that %s first.", of, name, of)}
}

func revokedConflict(of noun, name, id, verb string) error {
	return &llm.Error{Kind: llm.Conflict, Message: fmt.Sprintf("The %s %q (%s) is revoked and can no longer be %s: make a new one.", of, name, id, verb)}
}

func invalid(param, format string, args ...any) error {
	return &llm.Error{Kind: llm.InvalidValue, Param: param, Message: fmt.Sprintf(format, args...)}
}
