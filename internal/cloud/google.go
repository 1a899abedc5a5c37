package cloud

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/weirproxy/weir/internal/secret"
)

// NewGoogle returns tokens of Google's for file: the key of a service account, a user's sign-in, or the account of another cloud.
// Without a file it looks where all of Google's tools look: a file that the environment names, the one that gcloud writes, the
// metadata service of the machine. (Application default credentials,
// https://cloud.google.com/docs/authentication/application-default-credentials.)
func NewGoogle(way Way, file string) *Bearer {
	g := &googleSource{way: way, client: way.client(), file: file}
	return &Bearer{newKeeper(g.fetch)}
}

type googleSource struct {
	way    Way
	client *http.Client
	file   string
}

const (
	setGoogle   = "set credentials_file for the provider, or give the process an identity of Google (GOOGLE_APPLICATION_CREDENTIALS, gcloud auth application-default login, or the machine's service account)"
	googleScope = "https://www.googleapis.com/auth/cloud-platform"
)

// fetch gets a token. The file is read every time, since what is in it may have changed.
func (g *googleSource) fetch(ctx context.Context) (*lease[secret.Text], error) {
	file := cmp.Or(g.file, g.way.env("GOOGLE_APPLICATION_CREDENTIALS"))
	if file != "" {
		return g.ofFile(ctx, file)
	}
	file = g.wellKnown()
	if _, err := os.Stat(file); file != "" && !errors.Is(err, fs.ErrNotExist) {
		return g.ofFile(ctx, file)
	}
	return g.ofMachine(ctx)
}

// wellKnown is the file that gcloud writes, "" if nothing says where.
func (g *googleSource) wellKnown() string {
	const name = "application_default_credentials.json"
	if folder := g.way.env("CLOUDSDK_CONFIG"); folder != "" {
		return filepath.Join(folder, name)
	}
	home, below := g.way.env("HOME"), ".config"
	if runtime.GOOS == "windows" {
		home, below = g.way.env("APPDATA"), ""
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, below, "gcloud", name)
}

// googleFiles are the types of credentials that a file may hold, in words.
var googleFiles = map[google.CredentialsType]string{
	google.ServiceAccount: "the service account", google.AuthorizedUser: "the user", google.ImpersonatedServiceAccount: "the impersonated service account",
	google.ExternalAccount: "the account of another cloud", google.ExternalAccountAuthorizedUser: "the user of another cloud",
}

func (g *googleSource) ofFile(ctx context.Context, file string) (*lease[secret.Text], error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, &Error{"Google", "the credentials cannot be read: " + err.Error(), setGoogle}
	}
	var holds struct {
		Type google.CredentialsType `json:"type"`
	}
	if json.Unmarshal(data, &holds) != nil || googleFiles[holds.Type] == "" {
		return nil, &Error{"Google", file + " is no file of Google credentials", setGoogle}
	}
	source, err := google.CredentialsFromJSONWithType(context.WithValue(ctx, oauth2.HTTPClient, g.client), data, holds.Type, googleScope)
	if err != nil {
		return nil, &Error{"Google", file + " holds credentials that cannot be used", setGoogle}
	}
	token, err := source.TokenSource.Token()
	if err != nil {
		return nil, &Error{"Google", oauthCause(err), setGoogle}
	}
	return &lease[secret.Text]{secret.New(token.AccessToken), googleFiles[holds.Type] + " in " + file, token.Expiry}, nil
}

// ofMachine asks the metadata service, https://cloud.google.com/compute/docs/access/authenticate-workloads.
func (g *googleSource) ofMachine(ctx context.Context) (*lease[secret.Text], error) {
	host := cmp.Or(g.way.env("GCE_METADATA_HOST"), "169.254.169.254")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/computeMetadata/v1/instance/service-accounts/default/token", nil)
	if err != nil {
		return nil, &Error{"Google", "GCE_METADATA_HOST is no host", setGoogle}
	}
	req.Header.Set("Metadata-Flavor", "Google")
	got, err := askMachine(g.client, req)
	if err != nil {
		return nil, &Error{"Google", "no credentials file was found, and the machine's metadata service gives no token: " + err.Error(), setGoogle}
	}
	got.source = "the machine's service account"
	return got, nil
}
