package npmrc

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

// Credential is a login for one registry: an Authorization header, a client
// certificate, or both. Formatting it does not print secrets.
type Credential struct {
	Authorization string // value of the header; empty if there is none
	secret        string // the token or password in Authorization
	cert, key     found  // PEM text, or the name of a file that contains it
	// setting and source describe where it is configured, such as "//host/:_authToken" and a file.
	setting, source string
	// userOwned is true if no part of the credential comes from a file in the project.
	userOwned bool
	// Missing is an environment variable that the credential refers to but that
	// is unavailable.
	Missing MissingVariable
	// Withheld describes a configured credential that is not sent, because it does not specify a host
	// and the user's settings do not contain this registry.
	Withheld string
}

func (Credential) String() string { return "a credential" }

// GoString prevents %#v from printing the secret.
func (Credential) GoString() string { return "a credential" }

// Present reports whether the credential has a header or a certificate to send.
func (c Credential) Present() bool { return c.Authorization != "" || c.cert.set() }

// Where returns where the credential is configured, as "KEY in FILE".
func (c Credential) Where() string { return c.setting + " in " + c.source }

// CertificateName identifies the client certificate. It is empty if there is none.
func (c Credential) CertificateName() string { return c.cert.text }

// CredentialFor returns the credential for requests to u about the package called
// name. It prefers a credential for u's host and path, "//host/path/:_authToken",
// and among these the longest path. Next comes a credential without a host, which
// is sent only to the registry that both its own file and the user's files name.
// In yarn's files, credentials may be configured for the scope of name.
func (c *Config) CredentialFor(r *Registry, name string, u *url.URL) Credential {
	atRegistry := r != nil && sameOrigin(r.URL, u)
	cred := c.loginFor(r, name, u, atRegistry)
	if !cred.cert.set() && atRegistry {
		all := c.credentialAt("", func(l layer) bool { return c.belongs(l, r, registryKeys(name)) })
		cred = cred.withCertificate(all.cert, all.key)
	}
	if !cred.found() && atRegistry {
		scope, _, _ := strings.Cut(name, "/")
		for _, key := range []string{scope + ":_authToken", scope + ":_auth", "_authToken", "_auth", "_password"} {
			if f := c.find(key, anyLayer); f.set() && cred.Withheld == "" {
				cred.Withheld = f.key + " in " + f.layer.name
			}
		}
	}
	return cred
}

func (c *Config) loginFor(r *Registry, name string, u *url.URL, atRegistry bool) Credential {
	if scope, _, ok := strings.Cut(name, "/"); ok && atRegistry {
		if cred := c.credentialAt(scope+":", func(l layer) bool { return c.belongs(l, r, registryKeys(name)) }); cred.found() {
			return cred
		}
	}
	host, path := strings.ToLower(u.Host), u.Path
	for more := true; more; {
		slash := strings.LastIndexByte(path, '/')
		more = slash > 0
		path = path[:max(slash, 0)]
		for _, prefix := range []string{"//" + host + path + "/:", "//" + host + path + ":"} {
			if cred := c.credentialAt(prefix, anyLayer); cred.found() {
				return cred
			}
		}
	}
	if !atRegistry {
		return Credential{}
	}
	if r.userinfo != nil {
		if password, ok := r.userinfo.Password(); ok {
			return Credential{
				Authorization: fetch.Basic(r.userinfo.Username(), password), secret: password,
				setting: "the address of " + r.Key, source: r.Source, userOwned: !r.project,
			}
		}
	}
	return c.credentialAt("", func(l layer) bool { return c.belongs(l, r, []string{"registry"}) })
}

func (c Credential) found() bool { return c.Present() || c.Missing.Any() }

// belongs reports whether a credential without a host, configured in l, may be
// sent to r. The user's own credential is sent only to the registry that the
// user's settings name. Otherwise, a project could name its own host and receive
// the credential for another one.
func (c *Config) belongs(l layer, r *Registry, keys []string) bool {
	allowed := userLayer
	if l.project {
		allowed = anyLayer
	}
	for _, key := range keys {
		if f := c.find(key, allowed); f.set() {
			named, err := f.registry()
			return err == nil && named.URL.String() == r.URL.String()
		}
	}
	return r.Standard
}

// credentialAt returns the credential whose keys begin with prefix. As in npm, a
// token is preferred to an encoded "user:password", which is preferred to
// separate settings for user and password. A client certificate is independent of
// these.
func (c *Config) credentialAt(prefix string, allowed func(layer) bool) Credential {
	get := func(key string) found { return c.find(prefix+key, allowed) }
	out := Credential{userOwned: true}
	take := func(f found) {
		out.setting, out.source, out.userOwned = f.key, f.layer.name, out.userOwned && !f.layer.project
		if !out.Missing.Any() {
			out.Missing = f.missing
		}
	}
	token, pair, user, encoded, password := get("_authToken"), get("_auth"), get("username"), get("_password"), get("password")
	switch {
	case token.set():
		take(token)
		out.Authorization, out.secret = "Bearer "+token.text, token.text
	case pair.set():
		take(pair)
		out.secret = pair.text
		if strings.Contains(pair.text, ":") { // Some versions of yarn also accept user and password without encoding.
			pair.text = base64.StdEncoding.EncodeToString([]byte(pair.text))
		}
		out.Authorization = "Basic " + pair.text
	case user.set() && encoded.set():
		take(user)
		take(encoded)
		out.secret = decodeBase64(encoded.text)
		out.Authorization = fetch.Basic(user.text, out.secret)
	case user.set() && password.set():
		take(user)
		take(password)
		out.Authorization, out.secret = fetch.Basic(user.text, password.text), password.text
	}
	if out.Missing.Any() {
		out.Authorization = ""
	}
	for _, names := range [][2]string{{"certfile", "keyfile"}, {"cert", "key"}} {
		if cert, key := get(names[0]), get(names[1]); cert.text != "" && key.text != "" && cert.text != "null" {
			return out.withCertificate(cert, key)
		}
	}
	return out
}

// decodeBase64 decodes as leniently as npm: padding is optional, both alphabets
// are accepted, and other characters are skipped. It returns "" for invalid text.
func decodeBase64(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case r == '+', r == '/', '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return r
		}
		return -1
	}, s)
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	plain, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return ""
	}
	return string(plain)
}

func (c Credential) withCertificate(cert, key found) Credential {
	if !cert.set() || !key.set() {
		return c
	}
	userOwned := !cert.layer.project && !key.layer.project
	if c.setting == "" {
		c.setting, c.source, c.userOwned = cert.key, cert.layer.name, userOwned
	}
	c.cert, c.key, c.userOwned = cert, key, c.userOwned && userOwned
	return c
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Host, b.Host) && a.Scheme == b.Scheme
}

// Expired returns when the token expired. ok is false if the token has not
// expired or does not contain an expiry time.
func (c Credential) Expired() (on time.Time, ok bool) { return fetch.Expired(c.secret) }

// AllowPlain reports whether a credential for u may be sent over plain HTTP because the user's own
// settings configure the registry with http://. It returns an error if the credential must not be
// sent without encryption. Requests to this machine are always allowed.
func (c *Config) AllowPlain(r *Registry, u *url.URL, cred Credential) (allowed bool, err error) {
	if cred.Authorization == "" || u.Scheme != "http" || fetch.Loopback(u.Hostname()) {
		return false, nil
	}
	if r != nil && r.Standard && sameOrigin(r.URL, u) {
		return true, nil
	}
	for _, l := range c.layers {
		if l.project {
			continue
		}
		for key, values := range l.settings {
			if key != "registry" && !strings.HasSuffix(key, ":registry") {
				continue
			}
			for _, v := range values {
				if named, err := ParseRegistry(v.text, l.name); err == nil && sameOrigin(named.URL, u) {
					return true, nil
				}
			}
		}
	}
	source := "the lock file"
	if r != nil && sameOrigin(r.URL, u) {
		source = r.Key + " in " + r.Source
	}
	return false, &ecosystem.Error{
		Reason: ecosystem.Refused,
		What:   fmt.Sprintf("docent does not send the credential for %s (%s) without encryption, but %s uses http://", u.Host, cred.Where(), source),
		Next:   "use https:// for the registry, or allow plain HTTP by configuring the http:// URL in your own ~/.npmrc",
	}
}

const maxPEM = 4 << 20 // maximum size of a file in bytes

// pem returns the PEM text in a setting, or in the file that the setting refers to.
func (c *Config) pem(f found) ([]byte, error) {
	if f.missing.Any() {
		return nil, c.badFile(f, errors.New("it depends on "+f.missing.String()))
	}
	if !strings.HasSuffix(f.key, "file") {
		text := make([]string, 0, len(f.all))
		for _, v := range f.all {
			text = append(text, strings.ReplaceAll(v.text, `\n`, "\n"))
		}
		return []byte(strings.Join(text, "\n")), nil
	}
	file := c.env.path(f.text, f.layer.dir)
	if strings.HasSuffix(f.key, "keyfile") && f.layer.project && !within(c.root, file) {
		return nil, c.badFile(f, errors.New("a project can use only keys in its own directory; set this key in your own ~/.npmrc"))
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return nil, c.badFile(f, errors.New("it is not a regular file"))
	}
	data, err := project.ReadSettings(file, maxPEM)
	if err != nil {
		return nil, c.badFile(f, err)
	}
	return data, nil
}

// within reports whether file is below dir after symbolic links are resolved.
func within(dir, file string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// badFile returns the error for a certificate or key file that cannot be used. It
// omits the path, which may contain the value of a variable.
func (c *Config) badFile(f found, err error) error {
	return &ecosystem.Error{
		Reason: ecosystem.Refused, What: fmt.Sprintf("%s in %s cannot be used: %v", f.key, f.layer.name, quote.Error(WithoutPath(err))),
		Next: "correct it there", Err: err,
	}
}

// WithoutPath returns the cause of a file error, which does not contain the path.
func WithoutPath(err error) error {
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		return bad.Err
	}
	return err
}
