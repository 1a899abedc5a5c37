package config

import "github.com/weirproxy/weir/internal/secret"

// Cloud is where a kind's credentials are from when they are no key.
type Cloud uint8

// The clouds.
const (
	NoCloud Cloud = iota
	AWSCloud
	GoogleCloud
	EntraCloud // Microsoft's; only where the config says so
)

// AWS says whose credentials sign the calls to a provider.
type AWS struct {
	// The id of an access key. Example: `"${AWS_ACCESS_KEY_ID}"`.
	AccessKeyID secret.Text `yaml:"access_key_id"`

	// The secret of the access key. Example: `"${AWS_SECRET_ACCESS_KEY}"`.
	SecretAccessKey secret.Text `yaml:"secret_access_key"`

	// The session token of an access key that is good for a while only. Example: `"${AWS_SESSION_TOKEN}"`.
	SessionToken secret.Text `yaml:"session_token"`

	// A profile of the shared files of AWS's tools (~/.aws), in place of an access key. Example: `production`.
	Profile string `yaml:"profile"`
}

// Entra says as whom to sign in to Microsoft Entra. What is not set here is read from AZURE_TENANT_ID, AZURE_CLIENT_ID,
// AZURE_CLIENT_SECRET and AZURE_FEDERATED_TOKEN_FILE. Without a secret and a token file, Weir uses the managed identity of
// the machine or of the app.
type Entra struct {
	// The tenant: its id or one of its domains. Example: `contoso.onmicrosoft.com`.
	Tenant string `yaml:"tenant"`

	// The id of the application, or of a managed identity that is not the machine's own. Example:
	// `00000000-0000-0000-0000-000000000000`.
	ClientID string `yaml:"client_id"`

	// A secret of the application. Example: `"${AZURE_CLIENT_SECRET}"`.
	ClientSecret secret.Text `yaml:"client_secret"`

	// Path of a file with a token of another issuer that the application trusts (workload identity federation), in place of
	// a secret. It is read for each sign-in. Relative to the config file.
	// Example: `/var/run/secrets/azure/tokens/azure-identity-token`.
	TokenFile string `yaml:"token_file"`

	// What the token is for. National clouds have others. Default `https://cognitiveservices.azure.com/.default`.
	Scope string `yaml:"scope"`
}
