package npm

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

// config is what npm would be configured with in one project. It is made for
// one question and shared with no other.
type config struct {
	layers []layer // the strongest first
}

type layer struct {
	name     string // "the environment", or a file
	dir      string // that relative paths in it begin from
	settings map[string][]string
}

func newLayer(name, dir string, settings []setting) layer {
	l := layer{name, dir, map[string][]string{}}
	for _, s := range settings {
		l.settings[s.key] = append(l.settings[s.key], s.value)
	}
	return l
}

// readConfig reads the environment and the files of the project, the user and
// the machine.
func readConfig(env environ, p *npmlock.Project) *config {
	c := &config{}
	c.layers = append(c.layers, newLayer("the environment", "", env.npmSettings()))
	read := func(file string) {
		if file == "" || slices.ContainsFunc(c.layers, func(l layer) bool { return l.name == file }) {
			return
		}
		data, err := project.ReadFile(file, maxNpmrc)
		if err != nil {
			return
		}
		lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
		c.layers = append(c.layers, newLayer(file, filepath.Dir(file), parseNpmrc(string(data), lookup)))
	}
	if p != nil {
		read(filepath.Join(p.Dir, ".npmrc"))
		read(filepath.Join(p.Root, ".npmrc"))
	}
	user := c.get("userconfig")
	if home := env.home(); user == "" && home != "" {
		user = filepath.Join(home, ".npmrc")
	}
	read(user)
	read(cmp.Or(c.get("globalconfig"), env.globalConfig(c.get("prefix"))))
	return c
}

// npmSettings are the settings that variables named NPM_CONFIG_ make.
func (e environ) npmSettings() []setting {
	var out []setting
	for name, value := range e {
		const prefix = "npm_config_"
		if len(name) <= len(prefix) || !strings.EqualFold(name[:len(prefix)], prefix) || value == "" {
			continue
		}
		key := name[len(prefix):]
		if !strings.HasPrefix(key, "//") {
			key = strings.ToLower(key)
			key = key[:1] + strings.ReplaceAll(key[1:], "_", "-")
		}
		out = append(out, setting{key, value})
	}
	return out
}

// globalConfig is the file for all users: etc/npmrc below the directory that
// node is installed in.
func (e environ) globalConfig(prefix string) string {
	prefix = cmp.Or(prefix, e["PREFIX"])
	if prefix == "" {
		node := e.lookPath("node")
		if node == "" {
			return ""
		}
		if real, err := filepath.EvalSymlinks(node); err == nil {
			node = real
		}
		prefix = filepath.Dir(node)
		if filepath.Base(prefix) == "bin" {
			prefix = filepath.Dir(prefix)
		}
	}
	return filepath.Join(prefix, "etc", "npmrc")
}

// lookPath finds a program in PATH; relative entries are passed over.
func (e environ) lookPath(name string) string {
	for _, dir := range filepath.SplitList(e["PATH"]) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, ext := range []string{"", ".exe", ".cmd"} {
			file := filepath.Join(dir, name+ext)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && (ext != "" || info.Mode()&0o111 != 0) {
				return file
			}
		}
	}
	return ""
}

// get is the value of the strongest layer that has one.
func (c *config) get(key string) string { return c.find(key).value }

// found is a value and where it stands.
type found struct {
	value string
	all   []string
	layer layer
}

func (c *config) find(key string) found {
	for _, l := range c.layers {
		if v := l.settings[key]; len(v) > 0 {
			return found{v[len(v)-1], v, l}
		}
	}
	return found{}
}

// path is a file that a setting names.
func (f found) path() string {
	if f.value == "" || filepath.IsAbs(f.value) || f.layer.dir == "" {
		return f.value
	}
	return filepath.Join(f.layer.dir, f.value)
}

// registry is where packages of a scope come from.
type registry struct {
	url *url.URL // its path ends with a slash; it holds no user
	by  string   // what named it
	// userinfo is the user and password that stood in the URL.
	userinfo *url.Userinfo
}

// registryFor is the registry of a package's scope, or the general one; nil if
// none is configured.
func (c *config) registryFor(name string) (*registry, error) {
	if scope, _, ok := strings.Cut(name, "/"); ok {
		if f := c.find(scope + ":registry"); f.value != "" {
			return parseRegistry(f.value, f.layer.name)
		}
		// Variables of the environment have lost the case of their names.
		if f := c.find(strings.ToLower(scope) + ":registry"); f.value != "" {
			return parseRegistry(f.value, f.layer.name)
		}
	}
	f := c.find("registry")
	if f.value == "" {
		return nil, nil
	}
	return parseRegistry(f.value, f.layer.name)
}

func parseRegistry(raw, by string) (*registry, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, &ecosystem.Error{
			Reason: ecosystem.Invalid, What: fmt.Sprintf("the registry that %s names is no http or https URL", by),
			Next: "correct it; an address begins with https://",
		}
	}
	r := &registry{url: u, by: by, userinfo: u.User}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	u.RawPath = ""
	return r, nil
}

// name tells the registry to users.
func (r *registry) name() string { return fetch.Redact(r.url.String()) }

// credential is how to log in at one registry. Its String tells nothing.
type credential struct {
	authorization     string
	certFile, keyFile string
}

func (credential) String() string { return "a credential" }

// GoString keeps %#v from telling.
func (credential) GoString() string { return "a credential" }

// credentialFor finds what is configured for a URL: under its host and path,
// or under its host and a part of the path, "//host/path/:_authToken".
func (c *config) credentialFor(u *url.URL) credential {
	host := strings.ToLower(u.Host)
	path := u.Path
	for {
		at := strings.LastIndexByte(path, '/')
		if at < 0 {
			path = ""
		} else {
			path = path[:at]
		}
		for _, prefix := range []string{"//" + host + path + "/:", "//" + host + path + ":"} {
			if cred, ok := c.credentialAt(prefix); ok {
				return cred
			}
		}
		if path == "" {
			return credential{}
		}
	}
}

// credentialAt reads the credential under one prefix. All of it must come from
// the same layer as its name, so that a project does not lend a registry
// another's password.
func (c *config) credentialAt(prefix string) (credential, bool) {
	var out credential
	ok := false
	for _, l := range c.layers {
		get := func(key string) string {
			v := l.settings[prefix+key]
			if len(v) == 0 {
				return ""
			}
			return v[len(v)-1]
		}
		if out.authorization == "" {
			switch token, basic, user, password := get("_authToken"), get("_auth"), get("username"), get("_password"); {
			case token != "":
				out.authorization = "Bearer " + token
			case basic != "":
				out.authorization = "Basic " + basic
			case user != "" && password != "":
				if plain, err := base64.StdEncoding.DecodeString(password); err == nil {
					out.authorization = fetch.Basic(user, string(plain))
				}
			}
			ok = ok || out.authorization != ""
		}
		if cert, key := get("certfile"), get("keyfile"); out.certFile == "" && cert != "" && key != "" {
			out.certFile, out.keyFile, ok = found{value: cert, layer: l}.path(), found{value: key, layer: l}.path(), true
		}
	}
	return out, ok
}
