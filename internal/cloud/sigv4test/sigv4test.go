// Package sigv4test verifies the signatures of AWS's calls as its servers do. It is test support.
package sigv4test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Verify computes the signature of a call as it arrived, by the definition
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html), and says what is wrong with it.
func Verify(r *http.Request, body []byte, key string) error {
	auth := r.Header.Get("Authorization")
	rest, ok := strings.CutPrefix(auth, "AWS4-HMAC-SHA256 ")
	if !ok {
		return fmt.Errorf("authorization %q", auth)
	}
	part := map[string]string{}
	for field := range strings.SplitSeq(rest, ", ") {
		name, value, _ := strings.Cut(field, "=")
		part[name] = value
	}
	_, scope, _ := strings.Cut(part["Credential"], "/")
	var headers strings.Builder
	for name := range strings.SplitSeq(part["SignedHeaders"], ";") {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		headers.WriteString(name + ":" + value + "\n")
	}
	segments := strings.Split(strings.Split(r.RequestURI, "?")[0], "/")
	for i, s := range segments {
		segments[i] = strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
	}
	sum := sha256.Sum256(body)
	canonical := strings.Join([]string{r.Method, strings.Join(segments, "/"), r.URL.RawQuery, headers.String(), part["SignedHeaders"], hex.EncodeToString(sum[:])}, "\n")
	whole := sha256.Sum256([]byte(canonical))
	text := strings.Join([]string{"AWS4-HMAC-SHA256", r.Header.Get("X-Amz-Date"), scope, hex.EncodeToString(whole[:])}, "\n")
	mac := []byte("AWS4" + key)
	for step := range strings.SplitSeq(scope, "/") {
		mac = sign(mac, step)
	}
	if want := hex.EncodeToString(sign(mac, text)); part["Signature"] != want {
		return fmt.Errorf("the signature is %s, not %s, of\n%s", part["Signature"], want, canonical)
	}
	return nil
}

func sign(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = io.WriteString(h, text)
	return h.Sum(nil)
}
