package admin

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/weirproxy/weir/internal/secret"
)

// minToken is the least length of a token, in bytes. A configured one may be anything that long.
const minToken = 16

// TokenFile is where the token of the admin API is kept if the config sets none.
func TokenFile(dataDir string) string { return filepath.Join(dataDir, "admin.token") }

// Token is the token of the admin API: the configured one, or else the one in TokenFile. The first start makes
// that file, with 256 random bits and mode 0600. Only the process that holds the lock of dataDir may call it.
func Token(dataDir string, configured secret.Text, random io.Reader) (secret.Text, error) {
	if !configured.IsZero() {
		if len(configured.Reveal()) < minToken || strings.ContainsAny(configured.Reveal(), " \t\r\n") {
			return secret.Text{}, fmt.Errorf("admin.token in the config is too weak: give it at least %d characters, no spaces", minToken)
		}
		return configured, nil
	}
	path := TokenFile(dataDir)
	token, err := OwnToken(dataDir)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	var bits [32]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return secret.Text{}, fmt.Errorf("no random bits for the admin token: %w", err)
	}
	text := secret.AdminTokenPrefix + base64.RawURLEncoding.EncodeToString(bits[:])
	if err := writeOnce(path, text+"\n"); err != nil {
		return secret.Text{}, fmt.Errorf("cannot keep the admin token: %w", err)
	}
	return secret.New(text), nil
}

// OwnToken reads TokenFile. Other users must not be able to read that file: the token allows making keys. Its error
// satisfies errors.Is(err, fs.ErrNotExist) if the file is missing.
func OwnToken(dataDir string) (secret.Text, error) {
	path := TokenFile(dataDir)
	info, err := os.Stat(path)
	if err != nil {
		return secret.Text{}, fmt.Errorf("cannot read the admin token: %w", err)
	}
	if exposed(info) {
		return secret.Text{}, fmt.Errorf("the admin token in %s is open to other users of this machine (mode %04o): run  chmod 600 %q  or, if one of them may have read it, remove the file, and the next weir serve makes a new one. "+
			"Where the system sets such modes itself, give the token as admin.token in the config", path, info.Mode().Perm(), path)
	}
	return ReadToken(path)
}

// ReadToken reads a file with a token. Its error satisfies errors.Is(err, fs.ErrNotExist) if the file is missing.
func ReadToken(path string) (secret.Text, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return secret.Text{}, fmt.Errorf("cannot read the admin token: %w", err)
	}
	text := strings.TrimSpace(string(content))
	if len(text) < minToken || strings.ContainsAny(text, " \t\r\n") {
		return secret.Text{}, fmt.Errorf("the file %s holds no admin token: remove it, and the next weir serve makes a new one", path)
	}
	return secret.New(text), nil
}

// writeOnce makes the file with all of its content or not at all, whenever the process ends.
func writeOnce(path, content string) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".admin.token-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, content)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
