package idempotency

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net/http"
)

// Answer is what a caller got.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// secret is known to callers that know both the API key's id and the Idempotency-Key. Everything about a record is derived from it.
type secret Hash

// secretOf is the secret of an Idempotency-Key. The length keeps one pair from looking like another.
func secretOf(keyID, idempotencyKey string) secret {
	text := binary.AppendUvarint([]byte("weir idempotency "), uint64(len(keyID)))
	return sha256.Sum256(append(append(text, keyID...), idempotencyKey...))
}

func (s secret) derive(purpose string, parts ...[]byte) (h Hash) {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(purpose))
	for _, part := range parts {
		mac.Write(binary.AppendUvarint(nil, uint64(len(part))))
		mac.Write(part)
	}
	mac.Sum(h[:0])
	return h
}

// seal encrypts answers.
func (s secret) aead() cipher.AEAD {
	key := s.derive("answer")
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // the length is a constant
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // as above
	}
	return aead
}

// head is what comes before the body of a sealed answer.
type head struct {
	Status int         `json:"status"`
	Header http.Header `json:"header"`
}

func (s secret) seal(a *Answer) ([]byte, error) {
	first, err := json.Marshal(head{a.Status, a.Header})
	if err != nil {
		return nil, err
	}
	plain := make([]byte, 0, binary.MaxVarintLen64+len(first)+len(a.Body))
	plain = binary.AppendUvarint(plain, uint64(len(first)))
	plain = append(append(plain, first...), a.Body...)
	return s.aead().Seal(nil, nil, plain, nil), nil
}

var errDamaged = errors.New("the stored answer is damaged")

func (s secret) open(sealed []byte) (*Answer, error) {
	plain, err := s.aead().Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, errors.Join(errDamaged, err)
	}
	n, read := binary.Uvarint(plain)
	if read <= 0 || n > uint64(len(plain)-read) {
		return nil, errDamaged
	}
	first, body := plain[read:read+int(n)], plain[read+int(n):]
	var h head
	if err := json.Unmarshal(first, &h); err != nil {
		return nil, errors.Join(errDamaged, err)
	}
	return &Answer{h.Status, h.Header, body}, nil
}
