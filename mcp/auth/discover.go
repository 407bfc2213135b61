package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// ServerMetadata is the part of an authorization server's metadata that this
// package uses (RFC 8414, OpenID Connect Discovery).
type ServerMetadata struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RegistrationEndpoint  string   `json:"registration_endpoint"`
	IntrospectionEndpoint string   `json:"introspection_endpoint"`
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	JWKSURI               string   `json:"jwks_uri"`
	CodeChallengeMethods  []string `json:"code_challenge_methods_supported"`
	Scopes                []string `json:"scopes_supported"`
	// TokenAuthMethods are the methods with which clients may authenticate at TokenEndpoint; nil
	// means only client_secret_basic.
	TokenAuthMethods    []string `json:"token_endpoint_auth_methods_supported"`
	TokenAuthAlgorithms []string `json:"token_endpoint_auth_signing_alg_values_supported"`
	// ClientIDDocuments is true if the server supports Client ID Metadata Documents.
	ClientIDDocuments bool `json:"client_id_metadata_document_supported"`
	// ResponseIssuer is true if authorization responses have the parameter iss (RFC 9207).
	ResponseIssuer bool `json:"authorization_response_iss_parameter_supported"`
	// DPoPAlgorithms are the signature algorithms that proofs of possession may use (RFC 9449).
	DPoPAlgorithms []string `json:"dpop_signing_alg_values_supported"`
	// JSON is the whole metadata document.
	JSON json.RawMessage `json:"-"`
}

// Discover fetches the metadata of the authorization server whose URL is issuer. It tries the URLs
// that the specification lists, in that order (2025-11-25: Authorization Server Metadata
// Discovery). A document from another issuer is an error. A nil client means SafeClient.
func Discover(ctx context.Context, client *http.Client, issuer string) (*ServerMetadata, error) {
	u, err := endpoint(issuer)
	if err != nil {
		return nil, fmt.Errorf("auth: issuer: %w", err)
	}
	if client == nil {
		client = SafeClient()
	}
	var failed []error
	for _, address := range metadataAddresses(u) {
		m, err := readServer(ctx, client, address, nil)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if m.Issuer != issuer {
			return nil, fmt.Errorf("auth: %s contains metadata of another issuer, %.200q", address, m.Issuer)
		}
		return m, nil
	}
	return nil, fmt.Errorf("auth: the metadata of the authorization server %s cannot be read: %w", issuer, errors.Join(failed...))
}

func readServer(ctx context.Context, client *http.Client, address string, header http.Header) (*ServerMetadata, error) {
	body, err := get(ctx, client, address, maxDocument, header)
	if err != nil {
		return nil, err
	}
	m := &ServerMetadata{JSON: body}
	if err := json.Unmarshal(body, m); err != nil {
		return nil, fmt.Errorf("%s: %w", address, errNoDocument)
	}
	return m, nil
}

// metadataAddresses returns the possible URLs of an issuer's metadata.
func metadataAddresses(u *url.URL) []string {
	onHost := func(path string) string { return u.Scheme + "://" + u.Host + path }
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	if path == "" {
		return []string{onHost("/.well-known/oauth-authorization-server"), onHost("/.well-known/openid-configuration")}
	}
	return []string{
		onHost("/.well-known/oauth-authorization-server" + path),
		onHost("/.well-known/openid-configuration" + path),
		onHost(path + "/.well-known/openid-configuration"),
	}
}

// maxDocument is the maximum size in bytes of a document from an authorization
// server.
const maxDocument = 1 << 20

// get reads a JSON document of at most bound bytes. header is sent in addition
// to Accept.
func get(ctx context.Context, client *http.Client, address string, bound int64, header http.Header) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, header)
	req.Header.Set("Accept", "application/json")
	return do(client, req, bound)
}

// statusError is the error for a response with a status other than 200.
type statusError struct {
	address string
	code    int
	status  string
}

func (e *statusError) Error() string { return e.address + " answered " + e.status }

// errNoDocument is the error for a response that is not a metadata document.
var errNoDocument = errors.New("not a metadata document")

// isMissing reports whether err means that a server does not have a document. Some servers send an
// HTML page for every path, so a response that is not metadata also counts.
func isMissing(err error) bool {
	if errors.Is(err, errNoDocument) {
		return true
	}
	e, ok := errors.AsType[*statusError](err)
	return ok && e.code/100 == 4 && e.code != http.StatusTooManyRequests
}

// do sends a request and reads the response, which must have status 200 and at
// most bound bytes.
func do(client *http.Client, req *http.Request, bound int64) ([]byte, error) {
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, &statusError{req.URL.Redacted(), res.StatusCode, res.Status}
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, bound+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", req.URL.Redacted(), err)
	}
	if int64(len(body)) > bound {
		return nil, fmt.Errorf("%s is larger than %d bytes", req.URL.Redacted(), bound)
	}
	return body, nil
}
