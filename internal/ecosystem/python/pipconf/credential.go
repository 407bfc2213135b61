package pipconf

import (
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
)

// storedLogin is a credential that a package manager stores separately from its
// settings.
type storedLogin struct {
	index          string // name of its index
	url            string // or a prefix of the index's URLs
	user, password string
	token          string
	file           string
}

// Credential is a login for one host in the form of an Authorization header. Formatting it does not
// print the secret.
type Credential struct {
	Authorization string // value of the header; empty if there is none
	secret        string
	where         string
	// userOwned is true if no part of it comes from a file in a project.
	userOwned bool
}

func (Credential) String() string { return "a credential" }

// GoString keeps the secret out of %#v.
func (Credential) GoString() string { return "a credential" }

// Present reports whether there is a header to send.
func (c Credential) Present() bool { return c.Authorization != "" }

// Where returns the place where the credential is configured.
func (c Credential) Where() string { return c.where }

func (c *Config) readNetrc() {
	file := c.env.Get("NETRC")
	if file == "" {
		file = environ.Below(c.env.Home(), ".netrc")
		if runtime.GOOS == "windows" && !project.Exists(file) {
			file = environ.Below(c.env.Home(), "_netrc")
		}
	}
	r := &reader{c, map[string]bool{}}
	if data := r.read(file); data != nil {
		c.logins, c.netrc = fetch.ParseNetrc(data), file
	}
}

// CredentialFor returns the credential for requests to u about a package of index i. As in the
// package managers, the order is: the address and name of the index, addresses of other indexes
// with the same origin, uv's store, and netrc.
func (c *Config) CredentialFor(i *Index, u *url.URL) Credential {
	if i != nil && i.URL != nil && sameOrigin(i.URL, u) {
		if cred := c.ofIndex(i); cred.Present() {
			return cred
		}
	}
	for _, l := range c.layers {
		for _, raw := range l.indexes {
			other, err := c.index(l, raw)
			if err != nil || other.URL == nil || !sameOrigin(other.URL, u) {
				continue
			}
			if cred := c.ofIndex(other); cred.Present() {
				return cred
			}
		}
	}
	covers := func(service, u *url.URL) bool {
		return sameOrigin(service, u) && strings.HasPrefix(u.Path, strings.TrimSuffix(service.Path, "/"))
	}
	for _, s := range c.stored {
		service, err := url.Parse(s.url)
		if err != nil || s.url == "" {
			continue
		}
		// A credential for the index is also used for its files.
		if covers(service, u) || i != nil && i.URL != nil && sameOrigin(i.URL, u) && covers(service, i.URL) {
			if s.token != "" {
				return Credential{"Bearer " + s.token, s.token, s.file, true}
			}
			return Credential{fetch.Basic(s.user, s.password), s.password, s.file, true}
		}
	}
	return c.ofNetrc(i, u)
}

// ofIndex returns the credential that is configured with the index itself.
func (c *Config) ofIndex(i *Index) Credential {
	if i.userinfo != nil {
		password, _ := i.userinfo.Password()
		secret := password
		if password == "" {
			secret = i.userinfo.Username()
		}
		return Credential{fetch.Basic(i.userinfo.Username(), password), secret, "the address in " + i.Source, !i.project}
	}
	if i.user != "" && i.password != "" {
		return Credential{fetch.Basic(i.user, i.password), i.password, "username and password in " + i.Source, !i.project}
	}
	if i.Name == "" {
		return Credential{}
	}
	for _, prefix := range []string{"UV_INDEX_" + variableName(i.Name) + "_", "POETRY_HTTP_BASIC_" + variableName(i.Name) + "_"} {
		user, _ := c.variable(prefix+"USERNAME", i.project)
		if password, _ := c.variable(prefix+"PASSWORD", i.project); user != "" || password != "" {
			return Credential{fetch.Basic(user, password), password, prefix + "PASSWORD", !i.project}
		}
	}
	for _, s := range c.stored {
		if s.index != "" && strings.EqualFold(s.index, i.Name) {
			return Credential{fetch.Basic(s.user, s.password), s.password, s.index + " in " + s.file, !i.project}
		}
	}
	return Credential{}
}

// ofNetrc returns the login for a host. For hosts that only a project specifies, it does not use
// the default entry.
func (c *Config) ofNetrc(i *Index, u *url.URL) Credential {
	login, ok := fetch.LoginFor(c.logins, u.Hostname())
	if !ok || login.Machine == "" && (i == nil || i.project || i.URL == nil || !sameOrigin(i.URL, u)) {
		return Credential{}
	}
	return Credential{fetch.Basic(login.User, login.Password), login.Password, c.netrc, true}
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Host, b.Host) && a.Scheme == b.Scheme
}

// AllowPlain reports whether a credential may be sent to u over plain HTTP because the user's own
// settings contain the host with http://. It returns an error if u uses plain HTTP and the settings
// do not allow it. Requests to this machine are always allowed.
func (c *Config) AllowPlain(u *url.URL, cred Credential) (bool, error) {
	if !cred.Present() || u.Scheme != "http" || fetch.Loopback(u.Hostname()) {
		return false, nil
	}
	for _, l := range c.layers {
		for _, raw := range l.indexes {
			if i, err := c.index(l, raw); err == nil && !l.project && i.URL != nil && sameOrigin(i.URL, u) {
				return true, nil
			}
		}
	}
	return false, ecosystem.Fail(ecosystem.Refused, "the credential for %s (%s) is not sent without encryption", u.Host, cred.Where()).
		WithNext("use https:// for the index, or allow plain HTTP by configuring the http:// URL in your own pip.conf or uv.toml")
}

// Expired returns when the token expired. ok is false if the token has not expired or does not
// contain an expiry time.
func (c Credential) Expired() (on time.Time, ok bool) { return fetch.Expired(c.secret) }
