package draft

import (
	"bytes"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// DataURL splits data:MEDIA;base64,DATA; data is nil if the text is something else.
func DataURL(text llm.JSON) (media string, data []byte) {
	inner := text.Inner()
	if bytes.IndexByte(inner[:min(len(inner), 256)], '\\') >= 0 || bytes.Contains(inner, []byte(`\/`)) {
		inner = []byte(text.Text())
	}
	if len(inner) < 5 || !bytes.EqualFold(inner[:5], []byte("data:")) {
		return "", nil
	}
	head, data, ok := bytes.Cut(inner[5:], []byte(","))
	media, isBase64 := strings.CutSuffix(string(head), ";base64")
	if !ok || !isBase64 || !Base64(data) {
		return "", nil
	}
	media, _, _ = strings.Cut(media, ";")
	return strings.ToLower(media), data
}

// Base64 reports whether data has only characters of base64, so that JSON needs no escapes.
func Base64(data []byte) bool {
	for _, c := range data {
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '=' || c == '-' || c == '_') {
			return false
		}
	}
	return len(data) > 0
}
