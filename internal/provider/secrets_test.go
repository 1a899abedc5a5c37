package provider

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
)

// A credential may be in other places than api_key. A header of the config may hold it, after a scheme that upstreams leave out when
// they repeat it, and the proxy may have one.
func TestCredentialsInHeadersAndForTheProxyAreSecret(t *testing.T) {
	t.Parallel()
	inBase64 := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	p := newProvider(t, config.Provider{
		Kind: "openai", BaseURL: "http://upstream.example/v1", Proxy: secret.New("http://puser:pPassw0rd77@127.0.0.1:3128"),
		Headers: map[string]secret.Text{
			"Authorization": secret.New("Bearer t0ken-Zq8Xw3Lk5Tn7Bv"), "X-Auth": secret.New("Token 5Tn7Bv-Qx9Lm2"),
			"X-Gate": secret.New("Basic " + inBase64("gate:Kp4vW8zR")), "X-Title": secret.New("My Application"),
		},
	})
	for name, said := range map[string]string{
		"the token": "t0ken-Zq8Xw3Lk5Tn7Bv", "its end": "w3Lk5Tn7Bv", "a token of another header": "5Tn7Bv-Qx9Lm2", "a basic one": inBase64("gate:Kp4vW8zR"),
		"its password": "Kp4vW8zR", "the proxy's account": "puser:pPassw0rd77", "its password alone": "pPassw0rd77", "as it is sent": inBase64("puser:pPassw0rd77"),
	} {
		if told := secret.HideKnown(p.Secrets(), "you sent "+said+" to us"); strings.Contains(told, said[:len(said)-3]) || !strings.Contains(told, "[hidden]") {
			t.Errorf("%s: %s", name, told)
		}
	}
	if told := secret.HideKnown(p.Secrets(), "this Application is unknown"); told != "this Application is unknown" {
		t.Errorf("a word of an ordinary header: %s", told)
	}
}
