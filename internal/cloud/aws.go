package cloud

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/endpointcreds"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"

	"github.com/weirproxy/weir/internal/secret"
)

// AWSConfig says whose credentials sign. Without keys and profile, they come from where all of AWS's tools look: the environment,
// the shared files, a web identity, or a container's or an instance's role.
type AWSConfig struct {
	Region  string
	Service string // that the calls are signed for

	AccessKeyID, SecretAccessKey, SessionToken secret.Text
	Profile                                    string
}

// AWS signs calls (Signature Version 4, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html). It is safe for
// concurrent use. Close stops it.
type AWS struct {
	config AWSConfig
	client *http.Client
	keys   *keeper[aws.Credentials]
	signer *v4.Signer
}

// NewAWS returns a signer; it fetches nothing yet.
func NewAWS(way Way, cfg AWSConfig) *AWS {
	a := &AWS{config: cfg, client: way.client(), signer: v4.NewSigner()}
	a.keys = newKeeper(a.fetch)
	return a
}

const setAWS = "set aws: {access_key_id, secret_access_key} or aws: {profile} for the provider, or give the process an identity of AWS (its environment, ~/.aws, a role)"

// fetch gets keys. The files and the environment are read every time, since what is in them may have changed.
func (a *AWS) fetch(ctx context.Context) (*lease[aws.Credentials], error) {
	if !a.config.AccessKeyID.IsZero() {
		return &lease[aws.Credentials]{source: "the config", value: aws.Credentials{
			AccessKeyID: a.config.AccessKeyID.Reveal(), SecretAccessKey: a.config.SecretAccessKey.Reveal(), SessionToken: a.config.SessionToken.Reveal(),
		}}, nil
	}
	options := []func(*config.LoadOptions) error{
		config.WithHTTPClient(a.client), config.WithRegion(a.config.Region), config.WithLogger(logging.Nop{}),
		config.WithEndpointCredentialOptions(func(o *endpointcreds.Options) { o.HTTPClient = a.client }), // it would use one of its own
	}
	if a.config.Profile != "" {
		options = append(options, config.WithSharedConfigProfile(a.config.Profile))
	}
	loaded, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, &Error{"AWS", awsCause(err), setAWS}
	}
	keys, err := loaded.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, &Error{"AWS", awsCause(err), setAWS}
	}
	got := &lease[aws.Credentials]{value: keys, source: keys.Source}
	if keys.CanExpire {
		got.until = keys.Expires
	}
	return got, nil
}

// awsCause is the part of an error that an operator needs: which call failed with which code, and not the rest of
// the answer.
func awsCause(err error) string {
	var call *smithy.OperationError
	var said smithy.APIError
	switch cause, lost := unreachable(err); {
	case errors.As(err, &said) && codeShape.MatchString(said.ErrorCode()):
		if errors.As(err, &call) {
			return call.ServiceID + " " + call.OperationName + " answered " + said.ErrorCode()
		}
		return "AWS answered " + said.ErrorCode()
	case errors.As(err, &call) && call.ServiceID == "ec2imds":
		return "the environment and ~/.aws hold none, and this machine has no role (its metadata service does not give one)"
	case lost:
		return cause
	}
	return firstLine(err)
}

// Authorize signs req, whose body is body. It waits only if no valid keys are at hand.
func (a *AWS) Authorize(ctx context.Context, req *http.Request, body io.Reader) error {
	keys, err := a.keys.get(ctx)
	if err != nil {
		return err
	}
	sum := sha256.New()
	if body != nil {
		if _, err := io.Copy(sum, body); err != nil {
			return err
		}
	}
	// What is signed must arrive unchanged. Proxies may change Via and similar headers, so the signer does not see them.
	bare := &http.Request{Method: req.Method, URL: req.URL, Host: req.Host, Header: http.Header{}}
	if typ := req.Header["Content-Type"]; len(typ) > 0 {
		bare.Header["Content-Type"] = typ
	}
	err = a.signer.SignHTTP(ctx, keys.value, bare, hex.EncodeToString(sum.Sum(nil)), a.config.Service, a.config.Region, time.Now())
	if err != nil {
		return &Error{"AWS", "the call cannot be signed", setAWS}
	}
	for _, name := range [...]string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token"} {
		if value := bare.Header[name]; len(value) > 0 {
			req.Header[name] = value
		}
	}
	return nil
}

// Refused records that the signature in the headers of a call was refused, and reports whether other keys are available.
func (a *AWS) Refused(h http.Header) bool {
	return a.config.AccessKeyID.IsZero() && a.keys.refused(func(keys aws.Credentials) bool {
		return strings.Contains(h.Get("Authorization"), " Credential="+keys.AccessKeyID+"/")
	})
}

// State is where the keys are from. It fetches them if it has none.
func (a *AWS) State(ctx context.Context) (State, error) {
	keys, err := a.keys.get(ctx)
	if err != nil {
		return State{}, err
	}
	return State{awsSource(keys.source), keys.until}, nil
}

// awsSource is what the SDK calls a source, in words.
func awsSource(name string) string {
	for sign, words := range map[string]string{
		"EnvConfigCredentials": "the environment", "SharedConfigCredentials": "a shared file of AWS's tools",
		"WebIdentityCredentials": "a web identity", "AssumeRoleProvider": "an assumed role", "SSOProvider": "AWS SSO",
		"ProcessProvider": "a program that a shared file names", "CredentialsEndpointProvider": "the container's role", "EC2RoleProvider": "the machine's role",
	} {
		if strings.Contains(name, sign) {
			return words
		}
	}
	return name
}

// Private returns what must not be shown: an answer that refuses a signature repeats what was signed.
func (a *AWS) Private() []string {
	keys := a.keys.peek()
	if keys == nil {
		return nil
	}
	return []string{keys.value.SessionToken, keys.value.AccessKeyID, keys.value.SecretAccessKey}
}

// Close stops a fetch that is under way.
func (a *AWS) Close() { a.keys.close() }
