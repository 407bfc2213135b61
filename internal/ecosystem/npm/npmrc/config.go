// Package npmrc reads the settings of npm, pnpm, yarn and bun: which registry
// serves a package, and which credential, proxy and certificates are used for it.
// A project's files are written by its author, so they are trusted less than the
// user's own files.
//
//	one file -> settings                           npmrc.go, yarnrc.go, bunfig.go
//	environment variables -> settings              variables.go
//	all of them in their order -> registries       config.go
//	credentials, and the hosts that receive them   credential.go
//	proxies and certificates                       network.go
package npmrc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
	"github.com/docent-mcp/docent/internal/quote"
)

// Config is the configuration of one project's package manager, merged from the
// environment and from files. A new Config is made for each query.
type Config struct {
	layers []layer // the settings of each source, in order of precedence, highest first
	// Problems are sentences about files that could not be read.
	Problems []string
	root     string // root directory of the project, or empty
	env      variables
}

// layer is one source of settings: the environment, or a file.
type layer struct {
	name string // "the environment", or the path of the file
	dir  string // directory to which relative paths in the layer refer
	// project is true for a file in a project, which was written by the project's author and not by
	// the user.
	project  bool
	settings map[string][]value
}

// value is one value of a setting.
type value struct {
	text string
	// missing is an environment variable that the value refers to but that is
	// unavailable.
	missing MissingVariable
	// misplaced is true for an address that would send the value of a variable to
	// a host that the project chooses. In that case, text is empty.
	misplaced bool
}

// isAddress reports whether a setting is the address of a registry or proxy.
func isAddress(key string) bool {
	return key == "registry" || strings.HasSuffix(key, ":registry") || key == "proxy" || key == "https-proxy"
}

func newLayer(name, dir string, project bool, settings []setting, env variables, k kind) layer {
	l := layer{name: name, dir: dir, project: project, settings: map[string][]value{}}
	all := env
	if project {
		env = env.forProjects()
	}
	for _, s := range settings {
		key, _ := k.expand(env, s.key)
		text, unset := k.expand(env, s.value)
		v := value{text: text, missing: MissingVariable{unset, all.Get(unset) != ""}}
		if project && isAddress(key) && misplaced(s.value, k.sigil) {
			v = value{misplaced: true}
		}
		l.settings[key] = append(l.settings[key], v)
	}
	return l
}

// reader adds files to a Config as layers.
type reader struct {
	*Config
	ctx  context.Context //nolint:containedctx // a reader lives for one call
	env  variables
	seen map[string]bool // files that were already read
}

// kind is a kind of settings file.
type kind struct {
	parse  func(context.Context, []byte) ([]setting, error)
	expand expander
	sigil  string // the character with which references to variables begin
}

var (
	npmrc  = kind{func(_ context.Context, b []byte) ([]setting, error) { return parseNpmrc(string(b)), nil }, variables.expandNpm, "${"}
	yarnrc = kind{func(_ context.Context, b []byte) ([]setting, error) { return parseYarnrc(string(b)), nil }, variables.expandNothing, "${"}
	berry  = kind{parseYarnrcYML, variables.expandYarn, "${"}
	pnpm   = kind{parsePnpmYAML, variables.expandYarn, "${"}
	bunfig = kind{parseBunfig, variables.expandBun, "$"}
)

// add reads a file, if it exists, as the next weaker layer. ofProject is true for a file in a
// project.
func (r *reader) add(file string, ofProject bool, k kind) {
	if file == "" || r.seen[file] {
		return
	}
	r.seen[file] = true
	read := project.ReadSettings
	if ofProject {
		read = project.ReadFile
	}
	data, err := read(file, maxNpmrc)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	settings := []setting(nil)
	if err == nil {
		settings, err = k.parse(r.ctx, data)
	}
	if err != nil {
		r.Problems = append(r.Problems, fmt.Sprintf("%s cannot be read: %v", file, quote.Error(WithoutPath(err))))
		return
	}
	r.layers = append(r.layers, newLayer(file, filepath.Dir(file), ofProject, settings, r.env, k))
}

// Read merges the environment with the files of the project, the user and the
// machine, in npm's order, and with the files that only the project's package
// manager reads. The user's files for other package managers come last. p may be
// nil.
func Read(ctx context.Context, environment environ.Env, p *npmlock.Project) *Config {
	env := variables{environment}
	r := &reader{&Config{env: env}, ctx, env, map[string]bool{}}
	home, tool := env.Home(), ToolOf(p)
	below := func(dir, name string) string {
		if dir == "" {
			return ""
		}
		return filepath.Join(dir, name)
	}
	var user string // user is the user's settings file for npm, whose path only the environment can change.
	npmEnv := newLayer("the environment", "", false, env.npmSettings(), env, npmrc)
	if v := npmEnv.settings["userconfig"]; len(v) > 0 {
		user = env.path(v[len(v)-1].text, "")
	}
	user = cmp.Or(user, below(home, ".npmrc"))
	// ofProject reads the files called name in the project's directories.
	ofProject := func(name string, k kind, dirs ...string) {
		for _, dir := range dirs {
			if file := filepath.Join(dir, name); file != user {
				r.add(file, dir != home, k)
			}
		}
	}
	var dirs, parents []string // dirs and parents are the directories of the project's files.
	if p != nil {
		r.root = p.Root
		parents = project.Upwards(p.Dir)
		if dirs = []string{p.Dir, p.Root}; tool == "npm" {
			dirs = dirs[1:] // npm ignores .npmrc in the packages of a workspace
		}
	}
	pnpmDir := env.pnpmDir()

	switch tool {
	case "yarn":
		r.layers = append(r.layers, newLayer("the environment", "", false, env.yarnSettings(), env, berry))
		ofProject(".yarnrc.yml", berry, parents...)
		r.add(below(home, ".yarnrc.yml"), false, berry)
	case "pnpm":
		ofProject("pnpm-workspace.yaml", pnpm, p.Root)
	case "bun":
		r.layers = append(r.layers, newLayer("the environment", "", false, env.bunSettings(), env, bunfig))
		ofProject("bunfig.toml", bunfig, dirs...)
		r.add(below(env.xdgConfig(), ".bunfig.toml"), false, bunfig)
		r.add(below(home, ".bunfig.toml"), false, bunfig)
	}
	r.layers = append(r.layers, npmEnv)
	ofProject(".npmrc", npmrc, dirs...)
	if tool == "pnpm" {
		r.add(below(pnpmDir, "auth.ini"), false, npmrc)
	}
	r.add(user, false, npmrc)
	builtin := env.builtinConfig()
	r.add(r.globalConfig(builtin), false, npmrc)
	r.add(builtin, false, npmrc)
	if tool == "yarn" {
		ofProject(".yarnrc", yarnrc, parents...) // Version 1 of yarn reads npm's files first.
	}
	r.add(below(home, ".yarnrc.yml"), false, berry)
	r.add(below(home, ".yarnrc"), false, yarnrc)
	r.add(below(pnpmDir, "auth.ini"), false, npmrc)
	r.add(below(pnpmDir, "config.yaml"), false, pnpm)
	r.add(below(pnpmDir, "rc"), false, npmrc)
	r.add(below(env.xdgConfig(), ".bunfig.toml"), false, bunfig)
	r.add(below(home, ".bunfig.toml"), false, bunfig)
	return r.Config
}

// ToolOf returns the package manager of a project: npm, pnpm, yarn or bun. It
// looks at the lock file, package.json and settings. It returns "npm" if these do
// not determine it, and "" if p is nil.
func ToolOf(p *npmlock.Project) string {
	if p == nil {
		return ""
	}
	switch filepath.Base(p.LockFile) {
	case "package-lock.json", "npm-shrinkwrap.json":
		return "npm"
	case "pnpm-lock.yaml":
		return "pnpm"
	case "yarn.lock":
		return "yarn"
	case "bun.lock":
		return "bun"
	}
	manager := p.Manifest.Manager
	if m, err := npmlock.ReadManifest(filepath.Join(p.Root, "package.json")); err == nil && m.Manager != "" {
		manager = m.Manager
	}
	tool, _, _ := strings.Cut(manager, "@")
	switch tool {
	case "npm", "pnpm", "yarn", "bun":
		return tool
	}
	for _, hint := range []struct{ file, tool string }{
		{"pnpm-workspace.yaml", "pnpm"}, {".yarnrc.yml", "yarn"}, {".yarnrc", "yarn"}, {"bunfig.toml", "bun"},
	} {
		if project.IsFile(filepath.Join(p.Root, hint.file)) || project.IsFile(filepath.Join(p.Dir, hint.file)) {
			return hint.tool
		}
	}
	return "npm"
}

// globalConfig returns npm's settings file for all users of the machine. That is
// the file named in the user's settings, or etc/npmrc below the directory in
// which node is installed. Settings of a project are ignored. globalConfig
// returns "" if that directory is unknown.
func (r *reader) globalConfig(builtin string) string {
	if f := r.find("globalconfig", userLayer); f.text != "" {
		return r.env.path(f.text, f.layer.dir)
	}
	prefix := r.find("prefix", userLayer).text
	if prefix == "" && builtin != "" {
		// The builtin file is the weakest layer, but its prefix is used to find the global file.
		if data, err := project.ReadSettings(builtin, maxNpmrc); err == nil {
			l := newLayer(builtin, "", false, parseNpmrc(string(data)), r.env, npmrc)
			prefix = (&Config{layers: []layer{l}}).find("prefix", userLayer).text
		}
	}
	if prefix = cmp.Or(prefix, r.env.Get("PREFIX"), r.env.nodePrefix()); prefix == "" {
		return ""
	}
	return filepath.Join(r.env.path(prefix, ""), "etc", "npmrc")
}

// anyLayer and userLayer specify which layers a setting may come from.
func anyLayer(layer) bool    { return true }
func userLayer(l layer) bool { return !l.project }

// found is the value of a setting and the layer that it comes from. The zero
// value means that no layer contains the setting.
type found struct {
	value
	key   string
	all   []value // all values of the setting if it is a list
	layer layer
}

// set reports whether a layer contains the setting, even if its value is unusable.
func (f found) set() bool { return f.key != "" }

func (f found) String() string { return f.key + " of " + f.layer.name }

// find returns a setting from the allowed layer of the highest precedence that
// contains it.
func (c *Config) find(key string, allowed func(layer) bool) found {
	for _, l := range c.layers {
		if v := l.settings[key]; len(v) > 0 && allowed(l) && v[len(v)-1] != (value{}) {
			return found{v[len(v)-1], key, v, l}
		}
	}
	return found{}
}

// Registry is a registry of packages, and the setting that specifies it.
type Registry struct {
	URL    *url.URL // its path ends with a slash; it has no user information
	Source string   // the file or program that names the registry
	Key    string   // key of the setting, such as "registry" or "@scope:registry"
	// Standard is true for the default registry, which is used if no setting specifies one.
	Standard bool
	project  bool // whether a project's file names it
	// userinfo is the user name and password in the configured URL.
	userinfo *url.Userinfo
}

// registryKeys returns the settings that can name a package's registry, in order
// of precedence, highest first.
func registryKeys(name string) []string {
	scope, _, ok := strings.Cut(name, "/")
	if !ok {
		return []string{"registry"}
	}
	keys := []string{scope + ":registry", "registry"}
	if lower := strings.ToLower(scope); lower != scope {
		// Settings from environment variables are in lower case.
		keys = slices.Insert(keys, 1, lower+":registry")
	}
	return keys
}

// RegistryFor returns the registry of a package's scope, or else the general
// registry. It returns nil if neither is configured.
func (c *Config) RegistryFor(name string) (*Registry, error) {
	for _, key := range registryKeys(name) {
		if c.emptied(key) {
			continue
		}
		if f := c.find(key, anyLayer); f.set() {
			return f.registry()
		}
	}
	return nil, nil
}

// emptied reports whether the value that takes precedence for a scope's registry
// is empty, in which case npm uses the general registry.
func (c *Config) emptied(key string) bool {
	for _, l := range c.layers {
		if v := l.settings[key]; len(v) > 0 && key != "registry" {
			return v[len(v)-1] == (value{})
		}
	}
	return false
}

// registry parses a setting that contains the URL of a registry.
func (f found) registry() (*Registry, error) {
	switch {
	case f.misplaced:
		return nil, &ecosystem.Error{
			Reason: ecosystem.Refused,
			What:   fmt.Sprintf("%s in %s uses an environment variable after the beginning of a URL, which would send its value to that host", f.key, f.layer.name),
			Next:   "write the URL without variables, or use one variable for the whole URL: " + f.key + "=${REGISTRY}",
		}
	case f.missing.Any():
		return nil, &ecosystem.Error{
			Reason: ecosystem.Invalid, What: fmt.Sprintf("%s in %s depends on %s", f.key, f.layer.name, f.missing),
			Next: f.missing.Remedy(),
		}
	}
	r, err := ParseRegistry(f.text, f.layer.name)
	if r != nil {
		r.Key, r.project = f.key, f.layer.project
	}
	return r, err
}

// ParseRegistry parses the URL of a registry. source is the file or program that specifies it.
func ParseRegistry(raw, source string) (*Registry, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, &ecosystem.Error{
			Reason: ecosystem.Invalid, What: fmt.Sprintf("the registry in %s is not an http or https URL", source),
			Next: "correct it; a registry URL begins with https://",
		}
	}
	r := &Registry{URL: u, Source: source, userinfo: u.User}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	u.RawPath = ""
	return r, nil
}

// String returns the URL without secrets.
func (r *Registry) String() string { return fetch.Redact(r.URL.String()) }

// namedByProject reports whether a file in the project specifies a registry at host.
func (c *Config) namedByProject(host string) bool {
	for _, l := range c.layers {
		if !l.project {
			continue
		}
		for key, values := range l.settings {
			if key != "registry" && !strings.HasSuffix(key, ":registry") {
				continue
			}
			for _, v := range values {
				if r, err := ParseRegistry(v.text, l.name); err == nil && strings.EqualFold(r.URL.Host, host) {
					return true
				}
			}
		}
	}
	return false
}

// Scopes returns the scopes that have their own registry, sorted.
func (c *Config) Scopes() []string {
	all := map[string]bool{}
	for _, l := range c.layers {
		for key := range l.settings {
			if scope, ok := strings.CutSuffix(key, ":registry"); ok && strings.HasPrefix(scope, "@") {
				all[scope] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Files returns the files from which settings were read, in order of
// precedence, highest first.
func (c *Config) Files() []string {
	var files []string
	for _, l := range c.layers {
		if l.dir != "" {
			files = append(files, l.name)
		}
	}
	return files
}
