// Package pipconf reads the settings of pip, uv, Poetry, pdm and pipenv: which indexes serve a
// package, and which credential, proxy and certificates to use for them. Files in a project are
// written by its author, so they are trusted less than the user's own.
//
//	files and variables -> layers         config.go, pip.go, uv.go, others.go
//	layers -> indexes of a package        index.go
//	credentials, and who receives them    credential.go
//	proxies and certificates              network.go
package pipconf

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// Config is the configuration for one project, merged from the environment and
// from files. A new Config is made for each query.
type Config struct {
	layers []layer // the settings by their sources, in order of precedence, highest first
	// Problems are sentences about files that could not be read.
	Problems []string

	env     environ.Env
	root    string // "/", the root of system paths
	project *pylock.Project
	logins  []fetch.Login // logins in netrc
	netrc   string        // path of the netrc file
	stored  []storedLogin // logins stored by uv and Poetry
}

// layer contains the settings for one package manager from one file or from the environment.
type layer struct {
	tool    string // the tool that the settings belong to: "pip", "uv", "poetry", "pdm" or "pipenv"
	name    string // path of the file, or "the environment"
	dir     string // directory to which paths are relative
	project bool   // whether it was written by the project's author rather than the user
	indexes []pylock.Index
	links   []string // directories and pages of files
	noIndex bool
	// strategy is uv's index-strategy.
	strategy              string
	cert, clientCert      string
	proxy                 string
	trusted               []string // hosts whose certificates are not verified
	extrasSet, defaultSet bool
}

const maxFile = 4 << 20 // maximum size in bytes of one file of settings

// reader adds files to a Config.
type reader struct {
	*Config
	seen map[string]bool
}

// read returns the content of a file. It returns nil if the file does not exist
// or has been read before, and adds a problem if it cannot be read.
func (r *reader) read(file string) []byte {
	if file == "" || r.seen[file] {
		return nil
	}
	r.seen[file] = true
	open := project.ReadSettings
	if r.inProject(file) {
		open = project.ReadFile
	}
	data, err := open(file, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		r.Problems = append(r.Problems, file+" cannot be read")
		return nil
	}
	return data
}

// decode reads a TOML file. It returns false if there is nothing to read or the file is malformed.
// It does not show the library's error message, because the message may quote a secret.
func (r *reader) decode(file string, v any) bool {
	data := r.read(file)
	if data == nil {
		return false
	}
	if toml.Unmarshal(data, v) != nil {
		r.Problems = append(r.Problems, file+" is not valid TOML")
		return false
	}
	return true
}

func (r *reader) add(l layer) {
	if len(l.indexes) > 0 || len(l.links) > 0 || l.noIndex || l.cert != "" || l.clientCert != "" || l.proxy != "" || len(l.trusted) > 0 || l.strategy != "" {
		r.layers = append(r.layers, l)
	}
}

// Read merges the settings for a project, which is nil if there is none. root is "/", the root of
// system paths. prefix is the prefix of the environment in use, or "" if there is none. The
// settings of the project's own package manager come first.
func Read(env environ.Env, root string, p *pylock.Project, prefix string) *Config {
	r := &reader{&Config{env: env, root: root, project: p}, map[string]bool{}}
	tool := ToolOf(p)
	tools := []string{"uv", "poetry", "pdm", "pipenv", "pip"}
	slices.SortStableFunc(tools, func(a, b string) int {
		return rank(b, tool) - rank(a, tool)
	})
	if tool != "uv" { // The environment variables of uv precede the project's files.
		r.manifest(tool)
	}
	for _, t := range tools {
		switch t {
		case "uv":
			r.uv()
		case "poetry":
			r.poetry()
		case "pdm":
			r.pdm()
		case "pip":
			r.pip(prefix)
		}
	}
	r.readNetrc()
	return r.Config
}

func rank(t, tool string) int {
	if t == tool {
		return 1
	}
	return 0
}

// ToolOf returns the package manager of a project: "uv", "poetry", "pdm", "pipenv" or, by
// default, "pip".
func ToolOf(p *pylock.Project) string {
	if p == nil {
		return "pip"
	}
	switch p.LockName() {
	case "uv.lock":
		return "uv"
	case "poetry.lock":
		return "poetry"
	case "pdm.lock":
		return "pdm"
	case "Pipfile.lock":
		return "pipenv"
	}
	switch tool := p.RootManifest.Tool; {
	case tool == "uv" || tool == "poetry" || tool == "pdm":
		return tool
	case project.Exists(filepath.Join(p.Dir, "Pipfile")):
		return "pipenv"
	}
	return "pip"
}

// manifest adds the indexes that the project's own files name, for any package
// manager.
func (r *reader) manifest(tool string) {
	if r.project == nil {
		return
	}
	manifests := []*pylock.Manifest{r.project.Manifest}
	if r.project.RootManifest != r.project.Manifest {
		manifests = append(manifests, r.project.RootManifest)
	}
	for i, m := range manifests {
		dir := r.project.Dir
		if i > 0 {
			dir = r.project.Root
		}
		l := layer{tool: tool, name: "the project", dir: dir, project: true, indexes: m.Indexes, links: m.FindLinks, noIndex: m.NoIndex, strategy: m.IndexStrategy}
		if len(m.Indexes) > 0 {
			l.name = m.Indexes[0].By + " of " + filepath.Base(dir)
		}
		r.add(l)
	}
}

// Files returns the files that contain settings, in order of precedence,
// highest first.
func (c *Config) Files() []string {
	var files []string
	for _, l := range c.layers {
		if !slices.Contains(files, l.name) {
			files = append(files, l.name)
		}
	}
	if c.netrc != "" {
		files = append(files, c.netrc)
	}
	return files
}

// systemDirs returns the directories with settings for the whole machine.
func (c *Config) systemDirs() []string {
	switch runtime.GOOS {
	case "windows":
		return []string{c.env.Get("PROGRAMDATA")}
	case "darwin":
		return []string{filepath.Join(c.root, "Library", "Application Support")}
	}
	dirs := filepath.SplitList(c.env.Get("XDG_CONFIG_DIRS"))
	if len(dirs) == 0 {
		dirs = []string{filepath.Join(c.root, "etc", "xdg")}
	}
	return append(dirs, filepath.Join(c.root, "etc"))
}
