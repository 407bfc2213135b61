package npm

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

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

// credential is how to log in at one registry. Its String tells nothing.
type credential struct {
	authorization string
	secret        string // the part of it that nobody may see
	cert, key     found  // PEM, or files of it
	// setting and by tell users where it stands: "//host/:_authToken" of a file.
	setting, by string
	// own is true if no file of a project has a part in it.
	own bool
	// lacks is a variable of the environment that it should come from.
	lacks lacking
	// withheld tells of one that is not sent, since it names no host, and
	// nothing of the user's own says that it is for this registry.
	withheld string
}

func (credential) String() string { return "a credential" }

// GoString keeps %#v from telling.
func (credential) GoString() string { return "a credential" }

// present tells whether there is anything to log in with.
func (c credential) present() bool { return c.authorization != "" || c.cert.set() }

// where tells users where a credential stands.
func (c credential) where() string { return c.setting + " in " + c.by }

// credentialFor finds what is configured for a URL: under its host and path,
// or the longest part of the path that there is something for,
// "//host/path/:_authToken"; then what stands under no host, which belongs to
// the registry that its own file and those of the user name, and to no other.
// name is the package's, for tools that keep credentials by its scope.
func (c *config) credentialFor(r *registry, name string, u *url.URL) credential {
	atRegistry := r != nil && sameOrigin(r.url, u)
	cred := c.loginFor(r, name, u, atRegistry)
	if !cred.cert.set() && atRegistry {
		all := c.credentialAt("", func(l layer) bool { return c.belongs(l, r, registryKeys(name)) })
		cred = cred.withCertificate(all.cert, all.key)
	}
	if !cred.found() && atRegistry {
		scope, _, _ := strings.Cut(name, "/")
		for _, key := range []string{scope + ":_authToken", scope + ":_auth", "_authToken", "_auth", "_password"} {
			if f := c.find(key, ofAny); f.set() && cred.withheld == "" {
				cred.withheld = f.key + " in " + f.layer.name
			}
		}
	}
	return cred
}

func (c *config) loginFor(r *registry, name string, u *url.URL, atRegistry bool) credential {
	if scope, _, ok := strings.Cut(name, "/"); ok && atRegistry {
		if cred := c.credentialAt(scope+":", func(l layer) bool { return c.belongs(l, r, registryKeys(name)) }); cred.found() {
			return cred
		}
	}
	host, path := strings.ToLower(u.Host), u.Path
	for more := true; more; {
		at := strings.LastIndexByte(path, '/')
		more = at > 0
		path = path[:max(at, 0)]
		for _, prefix := range []string{"//" + host + path + "/:", "//" + host + path + ":"} {
			if cred := c.credentialAt(prefix, ofAny); cred.found() {
				return cred
			}
		}
	}
	if !atRegistry {
		return credential{}
	}
	if r.userinfo != nil {
		if password, ok := r.userinfo.Password(); ok {
			return credential{
				authorization: fetch.Basic(r.userinfo.Username(), password), secret: password,
				setting: "the address of " + r.key, by: r.by, own: !r.project,
			}
		}
	}
	return c.credentialAt("", func(l layer) bool { return c.belongs(l, r, []string{"registry"}) })
}

func (c credential) found() bool { return c.present() || c.lacks.any() }

// belongs tells whether a credential that names no host may go to a registry:
// if it is the one that the settings name which are no less the user's own.
// Else a project would name a host and be sent what the user has for another.
func (c *config) belongs(l layer, r *registry, keys []string) bool {
	may := ofUser
	if l.project {
		may = ofAny
	}
	for _, key := range keys {
		if f := c.find(key, may); f.set() {
			named, err := f.registry()
			return err == nil && named.url.String() == r.url.String()
		}
	}
	return r.standard
}

// credentialAt reads the credential under one prefix, in npm's order: a token,
// a ready pair of user and password, or the two apart; and a certificate beside
// or instead of it.
func (c *config) credentialAt(prefix string, may func(layer) bool) credential {
	get := func(key string) found { return c.find(prefix+key, may) }
	out := credential{own: true}
	take := func(f found) {
		out.setting, out.by, out.own = f.key, f.layer.name, out.own && !f.layer.project
		if !out.lacks.any() {
			out.lacks = f.lacks
		}
	}
	token, pair, user, encoded, password := get("_authToken"), get("_auth"), get("username"), get("_password"), get("password")
	switch {
	case token.set():
		take(token)
		out.authorization, out.secret = "Bearer "+token.text, token.text
	case pair.set():
		take(pair)
		out.secret = pair.text
		if strings.Contains(pair.text, ":") { // yarn takes it unencoded, too
			pair.text = base64.StdEncoding.EncodeToString([]byte(pair.text))
		}
		out.authorization = "Basic " + pair.text
	case user.set() && encoded.set():
		take(user)
		take(encoded)
		out.secret = decodeBase64(encoded.text)
		out.authorization = fetch.Basic(user.text, out.secret)
	case user.set() && password.set():
		take(user)
		take(password)
		out.authorization, out.secret = fetch.Basic(user.text, password.text), password.text
	}
	if out.lacks.any() {
		out.authorization = ""
	}
	for _, names := range [][2]string{{"certfile", "keyfile"}, {"cert", "key"}} {
		if cert, key := get(names[0]), get(names[1]); cert.text != "" && key.text != "" && cert.text != "null" {
			return out.withCertificate(cert, key)
		}
	}
	return out
}

// decodeBase64 is as lenient as npm is: padding may be missing, the alphabet be
// that of URLs, and what is in neither is passed over.
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

func (c credential) withCertificate(cert, key found) credential {
	if !cert.set() || !key.set() {
		return c
	}
	own := !cert.layer.project && !key.layer.project
	if c.setting == "" {
		c.setting, c.by, c.own = cert.key, cert.layer.name, own
	}
	c.cert, c.key, c.own = cert, key, c.own && own
	return c
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Host, b.Host) && a.Scheme == b.Scheme
}

// expiredOn reads from a token that tells it when it expired; ok is false if it
// has not, or does not tell.
func expiredOn(token string) (on time.Time, ok bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > 16<<10 {
		return on, false
	}
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return on, false
	}
	var told struct {
		Exp float64 `json:"exp"`
	}
	if json.Unmarshal(claims, &told, lenient) != nil || told.Exp <= 0 || told.Exp > 1<<40 {
		return on, false
	}
	on = time.Unix(int64(told.Exp), 0).UTC()
	return on, on.Before(time.Now())
}

// unencrypted refuses to send a credential over plain http, unless that is to
// this machine, or the user's own settings name the registry so.
func (c *config) unencrypted(r *registry, u *url.URL, cred credential) (allowed bool, err error) {
	if cred.authorization == "" || u.Scheme != "http" || fetch.Loopback(u.Hostname()) {
		return false, nil
	}
	if r != nil && r.standard && sameOrigin(r.url, u) {
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
				if named, err := parseRegistry(v.text, l.name); err == nil && sameOrigin(named.url, u) {
					return true, nil
				}
			}
		}
	}
	by := "the lock file"
	if r != nil && sameOrigin(r.url, u) {
		by = r.key + " in " + r.by
	}
	return false, &ecosystem.Error{
		Reason: ecosystem.Refused,
		What:   fmt.Sprintf("the credential for %s (%s) is not sent without encryption, as %s would have it with http://", u.Host, cred.where(), by),
		Next:   "name the registry with https://, or with http:// in your own ~/.npmrc",
	}
}

const maxPEM = 4 << 20

// pem reads what a setting names, or holds.
func (c *config) pem(env variables, f found) ([]byte, error) {
	if f.lacks.any() {
		return nil, c.badFile(f, errors.New("it is to be found in "+f.lacks.String()))
	}
	if !strings.HasSuffix(f.key, "file") {
		text := make([]string, 0, len(f.all))
		for _, v := range f.all {
			text = append(text, strings.ReplaceAll(v.text, `\n`, "\n"))
		}
		return []byte(strings.Join(text, "\n")), nil
	}
	file := env.path(f.text, f.layer.dir)
	if strings.HasSuffix(f.key, "keyfile") && f.layer.project && !within(c.root, file) {
		return nil, c.badFile(f, errors.New("a project may name keys of its own directory only; name this one in your own ~/.npmrc"))
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return nil, c.badFile(f, errors.New("it is not a regular file"))
	}
	data, err := project.ReadFile(file, maxPEM)
	if err != nil {
		return nil, c.badFile(f, err)
	}
	return data, nil
}

// within tells whether a file lies in a directory, links resolved.
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

// badFile does not tell the path: a project can put a variable into it.
func (c *config) badFile(f found, err error) error {
	return &ecosystem.Error{
		Reason: ecosystem.Refused, What: fmt.Sprintf("the %s that %s names cannot be used: %v", f.key, f.layer.name, quote.Error(plain(err))),
		Next: "correct it there", Err: err,
	}
}

// plain takes the path out of an error about a file.
func plain(err error) error {
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		return bad.Err
	}
	return err
}
