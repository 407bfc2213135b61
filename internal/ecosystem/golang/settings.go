package golang

import (
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/program"
	"github.com/docent-mcp/docent/internal/project"
)

// settings are the settings of the go command. In order of precedence, they come from the
// environment, the user's GOENV file, and GOROOT/go.env. The go command is run only if it is a
// wrapper, because only the wrapper knows where Go is installed.
type settings struct {
	env   environ.Env
	files map[string]string // variables from GOENV and GOROOT/go.env
	user  map[string]string // variables from GOENV alone

	goenv     string // path of the user's settings file, empty if switched off
	goroot    string // empty if no Go installation was found
	goVersion string // "go1.26.8", from GOROOT/VERSION
	goCommand string // path of the go command, empty if there is none
	modCache  string // GOMODCACHE, empty if there is no home directory
}

// get returns the value that `go env NAME` prints, except for defaults that the go command
// computes.
func (s *settings) get(name string) string {
	if v := s.env.Get(name); v != "" {
		return v
	}
	return s.files[name]
}

// chosen is like get but ignores the defaults in GOROOT/go.env.
func (s *settings) chosen(name string) string {
	if v := s.env.Get(name); v != "" {
		return v
	}
	return s.user[name]
}

// goflag returns the value of a flag in GOFLAGS, such as "vendor" for "mod" if GOFLAGS is
// -mod=vendor.
func (s *settings) goflag(name string) string {
	var value string
	for f := range strings.FieldsSeq(s.get("GOFLAGS")) {
		f = strings.TrimPrefix(strings.TrimPrefix(f, "-"), "-")
		if v, ok := strings.CutPrefix(f, name+"="); ok {
			value = v
		}
	}
	return value
}

// private returns the list of patterns in the variable override, or else the
// list in GOPRIVATE.
func (s *settings) private(override string) string {
	if v := s.get(override); v != "" {
		return v
	}
	return s.get("GOPRIVATE")
}

// maxEnvFile is the maximum size of a settings file in bytes. A larger file is ignored, as is a
// damaged one.
const maxEnvFile = 1 << 20

func loadSettings(env environ.Env, wrapper *program.Wrapper) *settings {
	s := &settings{env: env, files: map[string]string{}}
	switch s.goenv = env.Get("GOENV"); s.goenv {
	case "":
		s.goenv = environ.Below(env.ConfigDir(), "go", "env")
	case "off":
		s.goenv = ""
	}
	if data, err := project.ReadSettings(s.goenv, maxEnvFile); err == nil {
		parseEnvFile(data, s.files)
	}
	s.user = maps.Clone(s.files)
	s.goroot, s.goCommand = findGo(s, wrapper)
	if s.goroot != "" {
		if data, err := project.ReadSettings(filepath.Join(s.goroot, "go.env"), maxEnvFile); err == nil {
			parseEnvFile(data, s.files) // The user's own settings take precedence.
		}
		s.goVersion = readGoVersion(s.goroot)
	}
	if s.modCache = s.get("GOMODCACHE"); s.modCache == "" {
		if gopath := s.gopath(); gopath != "" {
			s.modCache = filepath.Join(gopath, "pkg", "mod")
		}
	}
	return s
}

// gopath returns the first directory of GOPATH.
func (s *settings) gopath() string {
	for _, dir := range filepath.SplitList(s.get("GOPATH")) {
		if dir != "" {
			return dir
		}
	}
	return environ.Below(s.env.Home(), "go")
}

// parseEnvFile adds the settings of a GOENV or go.env file to into, unless they
// are set there already. Like the go command it skips lines that are not
// NAME=value.
func parseEnvFile(data []byte, into map[string]string) {
	found := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		name, value, ok := strings.Cut(line, "=")
		if !ok || name == "" || name[0] < 'A' || name[0] > 'Z' {
			continue
		}
		found[name] = strings.TrimSuffix(value, "\r")
	}
	for name, value := range found {
		if _, ok := into[name]; !ok {
			into[name] = value
		}
	}
}

// settingsCache caches settings until one of the files that they come from
// changes, so that `go env -w` takes effect in a running server.
type settingsCache struct {
	mu      sync.Mutex
	cached  *settings
	stamps  [3]project.Stamp
	wrapper program.Wrapper
}

func (c *settingsCache) load(env environ.Env) *settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cached != nil && c.stamps == settingsStamps(c.cached) && !c.wrapper.Expired() {
		return c.cached
	}
	c.cached = loadSettings(env, &c.wrapper)
	c.stamps = settingsStamps(c.cached)
	return c.cached
}

func settingsStamps(s *settings) [3]project.Stamp {
	return [3]project.Stamp{
		project.StampOf(s.goenv),
		project.StampOf(environ.Below(s.goroot, "go.env")),
		project.StampOf(environ.Below(s.goroot, "VERSION")),
	}
}
