package npm

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
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
	"github.com/docent-mcp/docent/internal/quote"
)

// config is what the tool of one project would be configured with. It is made
// for one question and shared with no other.
type config struct {
	layers   []layer  // the strongest first
	problems []string // files that could not be read, as sentences
	root     string   // of the project, empty without one
}

// layer is one source of settings: the environment, or a file.
type layer struct {
	name string // "the environment", or the file
	dir  string // that relative paths in it begin from
	// project is true of a file that came with a project, which whoever wrote
	// the project has filled, and not the user.
	project  bool
	settings map[string][]value
}

// value is one value of a setting.
type value struct {
	text string
	// lacks is a variable of the environment that it asks for in vain.
	lacks lacking
	// misplaced is true of an address that would tell a variable to a host of
	// a project's choice; the text is then empty.
	misplaced bool
}

// isAddress tells whether a setting says where requests go.
func isAddress(key string) bool {
	return key == "registry" || strings.HasSuffix(key, ":registry") || key == "proxy" || key == "https-proxy"
}

func newLayer(name, dir string, ofProject bool, settings []setting, env variables, k kind) layer {
	l := layer{name: name, dir: dir, project: ofProject, settings: map[string][]value{}}
	all := env
	if ofProject {
		env = env.forProjects()
	}
	for _, s := range settings {
		key, _ := k.expand(env, s.key)
		text, unset := k.expand(env, s.value)
		v := value{text: text, lacks: lacking{unset, all.Get(unset) != ""}}
		if ofProject && isAddress(key) && misplaced(s.value, k.sigil) {
			v = value{misplaced: true}
		}
		l.settings[key] = append(l.settings[key], v)
	}
	return l
}

// reader adds files to a configuration as layers.
type reader struct {
	*config
	ctx  context.Context //nolint:containedctx // a reader lives for one call
	env  variables
	seen map[string]bool // files
}

// kind is a kind of file with settings.
type kind struct {
	parse  func(context.Context, []byte) ([]setting, error)
	expand expander
	sigil  string // that variables begin with
}

var (
	npmrc  = kind{func(_ context.Context, b []byte) ([]setting, error) { return parseNpmrc(string(b)), nil }, variables.expandNpm, "${"}
	yarnrc = kind{func(_ context.Context, b []byte) ([]setting, error) { return parseYarnrc(string(b)), nil }, variables.expandNothing, "${"}
	berry  = kind{parseYarnrcYML, variables.expandYarn, "${"}
	pnpm   = kind{parsePnpmYAML, variables.expandYarn, "${"}
	bunfig = kind{parseBunfig, variables.expandBun, "$"}
)

// add reads a file, if it is there, as the next weaker layer.
func (r *reader) add(file string, ofProject bool, k kind) {
	if file == "" || r.seen[file] {
		return
	}
	r.seen[file] = true
	data, err := project.ReadFile(file, maxNpmrc)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	settings := []setting(nil)
	if err == nil {
		settings, err = k.parse(r.ctx, data)
	}
	if err != nil {
		r.problems = append(r.problems, fmt.Sprintf("%s cannot be read: %v", file, quote.Error(plain(err))))
		return
	}
	r.layers = append(r.layers, newLayer(file, filepath.Dir(file), ofProject, settings, r.env, k))
}

// readConfig reads the environment and the files of the project, the user and
// the machine: as npm orders them, and with what else the project's own tool
// reads. Files of other tools that are the user's own come last.
func readConfig(ctx context.Context, env variables, p *npmlock.Project) *config {
	r := &reader{&config{}, ctx, env, map[string]bool{}}
	home, tool := env.Home(), toolOf(p)
	below := func(dir, name string) string {
		if dir == "" {
			return ""
		}
		return filepath.Join(dir, name)
	}
	var user string // what npm takes for the user's own file; only the environment can say so
	npmEnv := newLayer("the environment", "", false, env.npmSettings(), env, npmrc)
	if v := npmEnv.settings["userconfig"]; len(v) > 0 {
		user = env.path(v[len(v)-1].text, "")
	}
	user = cmp.Or(user, below(home, ".npmrc"))
	// ofProject reads a file of the project's directories, each above the last.
	ofProject := func(name string, k kind, dirs ...string) {
		for _, dir := range dirs {
			if file := filepath.Join(dir, name); file != user {
				r.add(file, dir != home, k)
			}
		}
	}
	own, up := []string(nil), []string(nil) // of the project's files
	if p != nil {
		r.root = p.Root
		up = upwards(p.Dir)
		if own = []string{p.Dir, p.Root}; tool == "npm" {
			own = own[1:] // npm passes over the .npmrc of a workspace's package
		}
	}
	pnpmDir := env.pnpmDir()

	switch tool {
	case "yarn":
		r.layers = append(r.layers, newLayer("the environment", "", false, env.yarnSettings(), env, berry))
		ofProject(".yarnrc.yml", berry, up...)
		r.add(below(home, ".yarnrc.yml"), false, berry)
	case "pnpm":
		ofProject("pnpm-workspace.yaml", pnpm, p.Root)
	case "bun":
		r.layers = append(r.layers, newLayer("the environment", "", false, env.bunSettings(), env, bunfig))
		ofProject("bunfig.toml", bunfig, own...)
		r.add(below(env.xdgConfig(), ".bunfig.toml"), false, bunfig)
		r.add(below(home, ".bunfig.toml"), false, bunfig)
	}
	r.layers = append(r.layers, npmEnv)
	ofProject(".npmrc", npmrc, own...)
	if tool == "pnpm" {
		r.add(below(pnpmDir, "auth.ini"), false, npmrc)
	}
	r.add(user, false, npmrc)
	builtin := env.builtinConfig()
	r.add(r.globalConfig(builtin), false, npmrc)
	r.add(builtin, false, npmrc)
	if tool == "yarn" {
		ofProject(".yarnrc", yarnrc, up...) // yarn 1 asks npm's files first
	}
	r.add(below(home, ".yarnrc.yml"), false, berry)
	r.add(below(home, ".yarnrc"), false, yarnrc)
	r.add(below(pnpmDir, "auth.ini"), false, npmrc)
	r.add(below(pnpmDir, "config.yaml"), false, pnpm)
	r.add(below(pnpmDir, "rc"), false, npmrc)
	r.add(below(env.xdgConfig(), ".bunfig.toml"), false, bunfig)
	r.add(below(home, ".bunfig.toml"), false, bunfig)
	return r.config
}

// toolOf is the tool that a project is installed with, as its lock file, its
// package.json or its settings tell; npm if nothing does, empty without a project.
func toolOf(p *npmlock.Project) string {
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
	for _, of := range []struct{ file, tool string }{
		{"pnpm-workspace.yaml", "pnpm"}, {".yarnrc.yml", "yarn"}, {".yarnrc", "yarn"}, {"bunfig.toml", "bun"},
	} {
		if isFile(filepath.Join(p.Root, of.file)) || isFile(filepath.Join(p.Dir, of.file)) {
			return of.tool
		}
	}
	return "npm"
}

// upwards lists a directory and those above it.
func upwards(dir string) []string {
	dirs := []string{dir}
	for len(dirs) < 64 && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
		dirs = append(dirs, dir)
	}
	return dirs
}

// globalConfig is npm's file for all users: what the user's own settings name,
// or etc/npmrc below the directory that node is installed in. A project has no
// say in it.
func (r *reader) globalConfig(builtin string) string {
	if f := r.find("globalconfig", ofUser); f.text != "" {
		return r.env.path(f.text, f.layer.dir)
	}
	prefix := r.find("prefix", ofUser).text
	if prefix == "" && builtin != "" {
		// npm's own file is weaker, but tells where the global one is.
		if data, err := project.ReadFile(builtin, maxNpmrc); err == nil {
			own := newLayer(builtin, "", false, parseNpmrc(string(data)), r.env, npmrc)
			prefix = (&config{layers: []layer{own}}).find("prefix", ofUser).text
		}
	}
	if prefix = cmp.Or(prefix, r.env.Get("PREFIX"), r.env.nodePrefix()); prefix == "" {
		return ""
	}
	return filepath.Join(r.env.path(prefix, ""), "etc", "npmrc")
}

// Which layers a setting may come from.
func ofAny(layer) bool    { return true }
func ofUser(l layer) bool { return !l.project }

// found is a value and where it stands. Without one all is empty.
type found struct {
	value
	key   string
	all   []value // of a setting that may have several
	layer layer
}

// set tells whether there is such a setting, even one that is of no use.
func (f found) set() bool { return f.key != "" }

// find returns the value of the strongest layer that has one and may be asked.
func (c *config) find(key string, may func(layer) bool) found {
	for _, l := range c.layers {
		if v := l.settings[key]; len(v) > 0 && may(l) && v[len(v)-1] != (value{}) {
			return found{v[len(v)-1], key, v, l}
		}
	}
	return found{}
}

// registry is where packages of a scope come from.
type registry struct {
	url *url.URL // its path ends with a slash; it holds no user
	by  string   // what named it: a file
	key string   // of the setting: "registry", "@scope:registry"
	// project is true if a project's own file named it, and standard if
	// nothing did and a tool was asked.
	project, standard bool
	// userinfo is the user and password that stood in the URL.
	userinfo *url.Userinfo
}

// registryKeys are the settings that name the registry of a package, the
// strongest first.
func registryKeys(name string) []string {
	scope, _, ok := strings.Cut(name, "/")
	if !ok {
		return []string{"registry"}
	}
	keys := []string{scope + ":registry", "registry"}
	if lower := strings.ToLower(scope); lower != scope {
		// Variables of the environment have lost the case of their names.
		keys = slices.Insert(keys, 1, lower+":registry")
	}
	return keys
}

// registryFor is the registry of a package's scope, or the general one; nil if
// none is configured.
func (c *config) registryFor(name string) (*registry, error) {
	for _, key := range registryKeys(name) {
		if c.emptied(key) {
			continue
		}
		if f := c.find(key, ofAny); f.set() {
			return f.registry()
		}
	}
	return nil, nil
}

// emptied tells whether the strongest value of a scope's registry is empty,
// which means the general registry to npm.
func (c *config) emptied(key string) bool {
	for _, l := range c.layers {
		if v := l.settings[key]; len(v) > 0 && key != "registry" {
			return v[len(v)-1] == (value{})
		}
	}
	return false
}

// registry reads a setting that names one.
func (f found) registry() (*registry, error) {
	switch {
	case f.misplaced:
		return nil, &ecosystem.Error{
			Reason: ecosystem.Refused,
			What:   fmt.Sprintf("the %s that %s names puts a variable of the environment behind the beginning of an address, which would tell the variable to that host", f.key, f.layer.name),
			Next:   "write the address out, or let a variable hold all of it: " + f.key + "=${REGISTRY}",
		}
	case f.lacks.any():
		return nil, &ecosystem.Error{
			Reason: ecosystem.Invalid, What: fmt.Sprintf("the %s that %s names is to be found in %s", f.key, f.layer.name, f.lacks),
			Next: f.lacks.remedy(),
		}
	}
	r, err := parseRegistry(f.text, f.layer.name)
	if r != nil {
		r.key, r.project = f.key, f.layer.project
	}
	return r, err
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

// namedByProject tells whether a file of the project itself names a registry
// at a host.
func (c *config) namedByProject(host string) bool {
	for _, l := range c.layers {
		if !l.project {
			continue
		}
		for key, values := range l.settings {
			if key != "registry" && !strings.HasSuffix(key, ":registry") {
				continue
			}
			for _, v := range values {
				if r, err := parseRegistry(v.text, l.name); err == nil && strings.EqualFold(r.url.Host, host) {
					return true
				}
			}
		}
	}
	return false
}

// scopes lists the scopes that have a registry of their own.
func (c *config) scopes() []string {
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
