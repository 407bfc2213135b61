// Package cargoconf reads cargo's configuration in the same way as cargo: the files config.toml in
// the project's directories and in CARGO_HOME, credentials.toml, and environment variables. It does
// not run any program.
package cargoconf

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

// maxConfig is the maximum size in bytes of one configuration file.
const maxConfig = 1 << 20

// Config is cargo's configuration for a directory.
type Config struct {
	// Home is CARGO_HOME, or "" if there is none.
	Home string
	// Looked lists the files that were read or looked for.
	Looked []string
	// Problems are sentences about files that could not be read.
	Problems []string

	env         environ.Env
	files       []file // files, the nearest first
	credentials file
}

type table = map[string]any

// file is a configuration file.
type file struct {
	path string
	// base is the directory to which paths in the file are relative.
	base string
	// user is true if the file is in CARGO_HOME rather than in a project.
	user  bool
	table table
}

// Home returns CARGO_HOME.
func Home(env environ.Env) string {
	if dir := env.Get("CARGO_HOME"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs
		}
	}
	return environ.Below(env.Home(), ".cargo")
}

// Read reads the configuration for a directory, an absolute path. For "" it
// reads only the user's own configuration.
func Read(env environ.Env, dir string) *Config {
	c := &Config{Home: Home(env), env: env}
	if dir != "" {
		for _, above := range project.Upwards(dir) {
			if c.Home != "" && filepath.Join(above, ".cargo") == c.Home {
				continue // The configuration in CARGO_HOME is read after this loop.
			}
			c.read(filepath.Join(above, ".cargo"), "config", false)
		}
	}
	if c.Home != "" {
		c.read(c.Home, "config", true)
		files := c.files
		c.files = nil
		c.read(c.Home, "credentials", true)
		if len(c.files) > 0 {
			c.credentials = c.files[0]
		}
		c.files = files
	}
	return c
}

// read reads a file in dir. As in cargo, the name is used without an extension if there
// is such a file, or else with ".toml". user is true if the file was written by the user
// rather than the project's author.
func (c *Config) read(dir, name string, user bool) {
	for _, path := range []string{filepath.Join(dir, name), filepath.Join(dir, name+".toml")} {
		c.Looked = append(c.Looked, path)
		var data []byte
		var err error
		if user {
			data, err = project.ReadSettings(path, maxConfig)
		} else {
			data, err = project.ReadBelow(filepath.Dir(dir), filepath.Join(filepath.Base(dir), filepath.Base(path)), maxConfig)
		}
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, os.ErrNotExist) {
			continue
		}
		t := table{}
		if err == nil {
			t, err = Parse(data)
		}
		if err != nil {
			c.Problems = append(c.Problems, "cargo's configuration "+path+" is ignored: "+quote.Error(err).Error()+".")
			continue
		}
		c.files = append(c.files, file{path: path, base: filepath.Dir(dir), user: user, table: t})
		return
	}
}

// Parse parses a configuration file.
func Parse(data []byte) (map[string]any, error) {
	t := table{}
	if err := toml.Unmarshal(data, &t); err != nil {
		return nil, errors.New("it is not valid TOML")
	}
	return t, nil
}

// Files lists the files that were read.
func (c *Config) Files() []string {
	var all []string
	for _, f := range c.files {
		all = append(all, f.path)
	}
	if c.credentials.path != "" {
		all = append(all, c.credentials.path)
	}
	return all
}

// variable returns the environment variable for a key, such as CARGO_REGISTRIES_MINE_TOKEN for
// registries.mine.token.
func variable(keys ...string) string {
	return "CARGO_" + strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(strings.Join(keys, "_")))
}

// value is a value of the configuration and its origin.
type value struct {
	any  any
	from string // file or variable that contains it
	base string
	user bool // whether it was set by the user rather than the project
}

// lookup returns the value of a key. An environment variable takes precedence over files, and the
// nearest file over others. lookup returns the zero value if the key is not set.
func (c *Config) lookup(keys ...string) value {
	if name := variable(keys...); c.env.Get(name) != "" {
		return value{any: c.env.Get(name), from: name, user: true}
	}
	for _, f := range c.files {
		if v, ok := descend(f.table, keys); ok {
			return value{any: v, from: f.path, base: f.base, user: f.user}
		}
	}
	return value{}
}

func descend(t table, keys []string) (any, bool) {
	for _, key := range keys[:len(keys)-1] {
		t, _ = t[key].(table)
	}
	v, ok := t[keys[len(keys)-1]]
	return v, ok
}

func (v value) text() string {
	s, _ := v.any.(string)
	return s
}

// path returns the absolute form of a value that is a path.
func (v value) path() string {
	s := filepath.FromSlash(v.text())
	if s == "" || filepath.IsAbs(s) || v.base == "" {
		return s
	}
	return filepath.Join(v.base, s)
}

// names returns the keys below a table in all files.
func (c *Config) names(section string) []string {
	var all []string
	seen := map[string]bool{}
	for _, f := range c.files {
		t, _ := f.table[section].(table)
		for name := range t {
			if !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	return all
}

// Offline reports whether the configuration switches the network off.
func (c *Config) Offline() bool {
	v := c.lookup("net", "offline")
	return v.any == true || v.text() == "true" || v.text() == "1"
}

// BuildTarget returns the target triple that the configuration builds for, or "" for the
// triple of this machine.
func (c *Config) BuildTarget() string {
	v := c.lookup("build", "target")
	if list, ok := v.any.([]any); ok && len(list) > 0 {
		s, _ := list[0].(string)
		return s
	}
	return v.text()
}

// TargetDir returns the configured directory for cargo's build results, or "" for the
// default.
func (c *Config) TargetDir() string {
	if dir := c.env.Get("CARGO_TARGET_DIR"); dir != "" {
		return dir
	}
	return c.lookup("build", "target-dir").path()
}

// Proxy returns the configured proxy, or "" if there is none.
func (c *Config) Proxy() string { return c.lookup("http", "proxy").text() }

// Certificates returns the configured file of root certificates, or "" if there is none.
func (c *Config) Certificates() string { return c.lookup("http", "cainfo").path() }

// Paths returns the directories of path overrides. A package there replaces other packages with the
// same name.
func (c *Config) Paths() []string {
	var all []string
	for _, f := range c.files {
		list, _ := f.table["paths"].([]any)
		for _, e := range list {
			s, _ := e.(string)
			if p := (value{any: s, base: f.base}).path(); p != "" {
				all = append(all, p)
			}
		}
	}
	return all
}

// PatchPaths returns the directories of packages that replace others through
// [patch] sections.
func (c *Config) PatchPaths() []string {
	var all []string
	for _, f := range c.files {
		sources, _ := f.table["patch"].(table)
		for _, source := range slices.Sorted(maps.Keys(sources)) {
			packages, _ := sources[source].(table)
			for _, name := range slices.Sorted(maps.Keys(packages)) {
				t, _ := packages[name].(table)
				if p := (value{any: t["path"], base: f.base}).path(); p != "" {
					all = append(all, p)
				}
			}
		}
	}
	return all
}
