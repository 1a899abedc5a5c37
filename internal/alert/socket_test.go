package alert

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/deliver"
	"github.com/weirproxy/weir/internal/dial"
)

// The signature is that of the vector in the libraries of Standard Webhooks.
func TestSignature(t *testing.T) {
	t.Parallel()
	key, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	h := headers("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 5e8), []byte(`{"test": 2432232314}`), key)
	if got := h.Get("Webhook-Signature"); got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" || h.Get("Webhook-Timestamp") != "1614265330" {
		t.Errorf("%v", h)
	}
}

// delivered tries an event once over real sockets.
func delivered(t *testing.T, to string) error {
	t.Helper()
	s := New(Options{Transport: deliver.Transport(dial.New(nil), nil), Agent: "weir/test", Now: time.Now})
	e := event("app", 50)
	return s.try(t.Context(), &waiting{Event: e, id: e.id(), body: e.body()}, &Terms{URL: to, Key: testKey})
}

// A receiver gets a request that it can verify with nothing but the secret.
func TestDelivery(t *testing.T) {
	t.Parallel()
	var agent, path string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, testKey)
		_, _ = io.WriteString(mac, r.Header.Get("webhook-id")+"."+r.Header.Get("webhook-timestamp")+"."+string(body))
		stamp, _ := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
		switch {
		case r.Method != "POST" || r.Header.Get("Content-Type") != "application/json" || time.Since(time.Unix(stamp, 0)).Abs() > time.Minute:
			w.WriteHeader(http.StatusBadRequest)
		case r.Header.Get("webhook-signature") != "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)):
			w.WriteHeader(http.StatusUnauthorized)
		default:
			agent, path = r.UserAgent(), r.URL.String()
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	t.Cleanup(server.Close)
	if err := delivered(t, server.URL+"/hook?channel=a"); err != nil || agent != "weir/test" || path != "/hook?channel=a" {
		t.Errorf("%v, %q, %q", err, agent, path)
	}
}

// What is no delivery has a reason that names neither the path nor the query, and no redirect is followed.
func TestNoDelivery(t *testing.T) {
	t.Parallel()
	var followed bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect-my-path":
			http.Redirect(w, r, "/followed", http.StatusTemporaryRedirect)
		case "/followed":
			followed = true
		case "/fail-my-path":
			w.WriteHeader(http.StatusInternalServerError)
		case "/break-my-path":
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	gibberish, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gibberish.Close() })
	go func() {
		for {
			conn, err := gibberish.Accept()
			if err != nil {
				return
			}
			head := make([]byte, 1024)
			n, _ := conn.Read(head)
			_, _ = conn.Write(head[:n]) // an echo shows what was sent
			_ = conn.Close()
		}
	}()
	for to, want := range map[string]string{
		server.URL + "/redirect-my-path":                       "answered 307, and redirects are not followed",
		server.URL + "/fail-my-path":                           "answered 500",
		server.URL + "/break-my-path":                          "broke off, or does not speak HTTP",
		"http://" + gibberish.Addr().String() + "/my-path?k=v": "broke off, or does not speak HTTP",
		"https://" + server.Listener.Addr().String() + "/":     "does not speak HTTP",
		"http://127.0.0.1:1/my-path":                           "cannot be reached: dial tcp",
		"http://169.254.169.254/my-path":                       "Weir never connects there",
		"http://[fe80::1]/my-path":                             "Weir never connects there",
	} {
		err := delivered(t, to)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "my-path") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if followed {
		t.Error("a redirect was followed")
	}
}
