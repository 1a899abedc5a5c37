package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	"strings"

	"github.com/weirproxy/weir/internal/secret"
)

// A key reads sk-weir-<id>-<secret><check>. The id may be shown, and the secret is 256 random bits. The check is
// the CRC-32 of everything before it: it reveals mistyped or cut keys without a lookup, and lets scanners of
// leaked secrets recognise real keys.
const (
	keyPrefix   = secret.KeyPrefix
	idLen       = 12
	secretLen   = 43 // 62^43 > 2^256
	checkLen    = 6  // 62^6 > 2^32
	secretStart = len(keyPrefix) + idLen + 1
	checkStart  = secretStart + secretLen
	keyLen      = checkStart + checkLen

	base62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// Digest is the SHA-256 of a whole key. Keys are stored in this form only. A random 256-bit secret cannot be
// guessed, so it needs no salt and no slow hash.
type Digest [sha256.Size]byte

// digestScheme precedes the hexadecimal digits of a digest in text.
const digestScheme = "sha256:"

// DigestOf is the digest of key, which may be any string.
func DigestOf(key string) Digest {
	var room [128]byte // on the stack; most keys fit
	return sha256.Sum256(append(room[:0], key...))
}

// ParseDigest reads the form that String writes: "sha256:" and 64 hexadecimal digits.
func ParseDigest(text string) (Digest, error) {
	var d Digest
	digits, ok := strings.CutPrefix(text, digestScheme)
	if !ok || len(digits) != hex.EncodedLen(len(d)) {
		return Digest{}, errors.New(`a key digest is "sha256:" and 64 hexadecimal digits; "weir keys create --offline" prints one`)
	}
	if _, err := hex.Decode(d[:], []byte(digits)); err != nil {
		return Digest{}, errors.New(`a key digest has only hexadecimal digits after "sha256:"`)
	}
	return d, nil
}

// String is the digest as config files hold it: "sha256:" and 64 hexadecimal digits.
func (d Digest) String() string { return digestScheme + hex.EncodeToString(d[:]) }

// MarshalText and UnmarshalText let files have digests in that form.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (d *Digest) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDigest(string(text))
	return err
}

// IsZero reports whether d is no digest at all.
func (d Digest) IsZero() bool { return d == Digest{} }

// Mint makes a key from 256 bits of random. An empty id mints that too; a given one must be the id of an
// earlier key, which rotation keeps.
func Mint(random io.Reader, id string) (string, secret.Text, error) {
	if id == "" {
		minted, err := mintID(random)
		if err != nil {
			return "", secret.Text{}, err
		}
		id = minted
	}
	if len(id) != idLen || !isBase62(id) {
		return "", secret.Text{}, fmt.Errorf("a key's id is %d letters and digits, %q is not", idLen, id)
	}
	var bits [32]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return "", secret.Text{}, fmt.Errorf("no random bits for a key: %w", err)
	}
	digits := new(big.Int).SetBytes(bits[:]).Text(62) // big's digits are base62's, in the same order
	body := keyPrefix + id + "-" + strings.Repeat("0", secretLen-len(digits)) + digits
	check := checkOf(body)
	return id, secret.New(body + string(check[:])), nil
}

// mintID draws base62 characters, each equally likely: bytes that would favour the first few are dropped.
func mintID(random io.Reader) (string, error) {
	const fair = 256 / len(base62) * len(base62)
	id := make([]byte, 0, idLen)
	var b [1]byte
	for len(id) < idLen {
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", fmt.Errorf("no random bits for a key: %w", err)
		}
		if int(b[0]) < fair {
			id = append(id, base62[int(b[0])%len(base62)])
		}
	}
	return string(id), nil
}

// ParseKey returns the id in a key that Weir minted, and whether its shape and its check are right. It
// knows nothing of whether the key was ever issued. The work depends on the length alone.
func ParseKey(presented string) (id string, ok bool) {
	if len(presented) != keyLen || !strings.HasPrefix(presented, keyPrefix) || presented[secretStart-1] != '-' {
		return "", false
	}
	id = presented[len(keyPrefix) : secretStart-1]
	check := checkOf(presented[:checkStart])
	if !isBase62(id) || !isBase62(presented[secretStart:checkStart]) || presented[checkStart:] != string(check[:]) {
		return "", false
	}
	return id, true
}

// checkOf is the CRC-32 (IEEE) of body in base62, most significant digit first.
func checkOf(body string) [checkLen]byte {
	// The package's own function would have the bytes of every presented key copied to the heap.
	sum := ^uint32(0)
	for i := range len(body) {
		sum = crc32.IEEETable[byte(sum)^body[i]] ^ sum>>8
	}
	rest := uint64(^sum)
	var digits [checkLen]byte
	for i := checkLen - 1; i >= 0; i-- {
		digits[i] = base62[rest%uint64(len(base62))]
		rest /= uint64(len(base62))
	}
	return digits
}

func isBase62(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}
