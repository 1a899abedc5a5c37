package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/weirproxy/weir/internal/secret"
)

// EntraConfig says as whom to sign in. What is empty is looked for in the environment.
type EntraConfig struct {
	Tenant, ClientID string
	ClientSecret     secret.Text
	TokenFile        string
	Scope            string
}

// NewEntra returns tokens of Microsoft Entra. Sources:
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow,
// https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token and
// https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference.
func NewEntra(way Way, cfg EntraConfig) *Bearer {
	e := &entra{way: way, client: way.client(), EntraConfig: cfg}
	return &Bearer{newKeeper(e.fetch)}
}

type entra struct {
	EntraConfig
	way    Way
	client *http.Client
}

const setEntra = "set entra: {tenant, client_id, client_secret or token_file} for the provider, or give the process an identity (AZURE_… in its environment, or a managed identity)"

// fetch gets a token. The environment names and the token file are read every time, since what is in them may have changed.
func (e *entra) fetch(ctx context.Context) (*lease[secret.Text], error) {
	or := func(own, variable string) string {
		if own != "" {
			return own
		}
		return e.way.env(variable)
	}
	tenant, client := or(e.Tenant, "AZURE_TENANT_ID"), or(e.ClientID, "AZURE_CLIENT_ID")
	key, file := e.ClientSecret.Reveal(), e.TokenFile
	if key == "" && file == "" {
		key, file = e.way.env("AZURE_CLIENT_SECRET"), e.way.env("AZURE_FEDERATED_TOKEN_FILE")
	}
	if key == "" && file == "" {
		return e.managed(ctx, client)
	}
	if tenant == "" || client == "" {
		return nil, &Error{"Microsoft Entra", "there is a secret or a token file, but no tenant or no client id", setEntra}
	}
	authority := or("", "AZURE_AUTHORITY_HOST")
	if authority == "" {
		authority = "https://login.microsoftonline.com"
	}
	grant := clientcredentials.Config{
		ClientID: client, ClientSecret: key, Scopes: []string{e.Scope}, AuthStyle: oauth2.AuthStyleInParams,
		TokenURL: strings.TrimRight(authority, "/") + "/" + url.PathEscape(tenant) + "/oauth2/v2.0/token",
	}
	source := "a client secret"
	if key == "" {
		token, err := os.ReadFile(file)
		if err != nil {
			return nil, &Error{"Microsoft Entra", "the token file cannot be read: " + err.Error(), setEntra}
		}
		source = "the token file " + file
		grant.EndpointParams = url.Values{
			"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
			"client_assertion":      {strings.TrimSpace(string(token))},
		}
	}
	token, err := grant.Token(context.WithValue(ctx, oauth2.HTTPClient, e.client))
	if err != nil {
		return nil, &Error{"Microsoft Entra", oauthCause(err), setEntra}
	}
	return &lease[secret.Text]{secret.New(token.AccessToken), source, token.Expiry}, nil
}

// managed gets a token of the identity that the platform gave to this app or machine.
func (e *entra) managed(ctx context.Context, client string) (*lease[secret.Text], error) {
	query := url.Values{"resource": {strings.TrimSuffix(e.Scope, "/.default")}}
	if client != "" {
		query.Set("client_id", client)
	}
	address, header, value, source := "http://169.254.169.254/metadata/identity/oauth2/token", "Metadata", "true", "the machine's managed identity"
	query.Set("api-version", "2018-02-01")
	if own := e.way.env("IDENTITY_ENDPOINT"); own != "" && e.way.env("IDENTITY_HEADER") != "" {
		address, header, value, source = own, "X-Identity-Header", e.way.env("IDENTITY_HEADER"), "the app's managed identity"
		query.Set("api-version", "2019-08-01")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"?"+query.Encode(), nil)
	if err != nil {
		return nil, &Error{"Microsoft Entra", "IDENTITY_ENDPOINT is no URL", setEntra}
	}
	req.Header.Set(header, value)
	got, err := askMachine(e.client, req)
	if err != nil {
		return nil, &Error{"Microsoft Entra", source + ": " + err.Error(), setEntra}
	}
	got.source = source
	return got, nil
}

// machineToken is a token as the metadata services of Azure and Google send it; Azure writes the numbers as
// strings.
type machineToken struct {
	AccessToken string          `json:"access_token"`
	ExpiresIn   json.RawMessage `json:"expires_in"` // seconds
	ExpiresOn   json.RawMessage `json:"expires_on"` // Unix seconds
	Error       string          `json:"error"`
}

// askMachine asks a metadata service for a token. If the service refuses, the error holds only its codes.
func askMachine(client *http.Client, req *http.Request) (*lease[secret.Text], error) {
	resp, err := client.Do(req)
	if err != nil {
		cause, ok := unreachable(err)
		if !ok {
			cause = "no answer"
		}
		return nil, errors.New(cause)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("%s broke off its answer", req.URL.Host)
	}
	var answered machineToken
	err = json.Unmarshal(body, &answered)
	switch {
	case resp.StatusCode != http.StatusOK && err == nil && codeShape.MatchString(answered.Error):
		return nil, fmt.Errorf("%s answered %d, %s", req.URL.Host, resp.StatusCode, answered.Error)
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answered %d", req.URL.Host, resp.StatusCode)
	case err != nil || answered.AccessToken == "":
		return nil, fmt.Errorf("%s answered with something that is no token", req.URL.Host)
	}
	got := &lease[secret.Text]{value: secret.New(answered.AccessToken)}
	if seconds, ok := number(answered.ExpiresIn); ok {
		got.until = time.Now().Add(time.Duration(seconds) * time.Second)
	} else if seconds, ok := number(answered.ExpiresOn); ok {
		got.until = time.Unix(seconds, 0)
	}
	return got, nil
}

// number reads a number of seconds, or a string with one.
func number(raw json.RawMessage) (int64, bool) {
	n, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
	return n, err == nil && n >= 0 && n < 1<<33
}

// entraCode is how Entra numbers its errors, in a text with much else.
var entraCode = regexp.MustCompile(`^AADSTS\d{1,9}`)

// oauthCause is what an operator needs of an error of a token endpoint: its codes, not what else the answer said.
func oauthCause(err error) string {
	var said *oauth2.RetrieveError
	if !errors.As(err, &said) {
		if cause, ok := unreachable(err); ok {
			return cause
		}
		return firstLine(err)
	}
	cause := "the token endpoint answered"
	if said.Response != nil {
		cause += " " + strconv.Itoa(said.Response.StatusCode)
	}
	var answered struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if json.Unmarshal(said.Body, &answered) == nil && codeShape.MatchString(answered.Error) {
		cause += ", " + answered.Error
	}
	if code := entraCode.FindString(answered.Description); code != "" {
		cause += ", " + code
	}
	return cause
}
