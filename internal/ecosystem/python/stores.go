package python

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// stores lists the virtual environments that Poetry, pipenv and hatch keep outside the project's
// directory.
func (py *Python) stores(p *pylock.Project) []candidate {
	var all []candidate
	for _, dir := range []string{p.Dir, p.Root} {
		all = append(all, py.poetryEnvironments(p, dir)...)
		all = append(all, py.pipenvEnvironments(dir)...)
		all = append(all, py.hatchEnvironments(p, dir)...)
		if p.Dir == p.Root {
			break
		}
	}
	return all
}

// shortHash returns eight characters of the SHA-256 of text in URL-safe base64, as package managers
// use them in names.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.URLEncoding.EncodeToString(sum[:])[:8]
}

var unsafeInPoetry = lazyregexp.New("[ $`!*@\"\\\\\\r\\n\\t]")

// poetryEnvironments returns the environments of Poetry, which are named after the project and a
// hash of its directory. The active environment is in envs.toml. Without that file, it is the
// newest one.
func (py *Python) poetryEnvironments(p *pylock.Project, dir string) []candidate {
	store := py.poetryStore(dir)
	real, err := filepath.EvalSymlinks(dir)
	if store == "" || err != nil {
		return nil
	}
	name := strings.ToLower(cmp.Or(p.Manifest.Name, filepath.Base(dir)))
	name = unsafeInPoetry().ReplaceAllString(name, "_")
	name = name[:min(len(name), 42)] + "-" + shortHash(real)
	var active map[string]struct {
		Minor string `toml:"minor"`
	}
	if data, err := project.ReadFile(filepath.Join(store, "envs.toml"), maxConfig); err == nil {
		_ = toml.Unmarshal(data, &active) // if this fails, no environment is active
	}
	var all []candidate
	for _, entry := range project.DirNames(store) {
		minor, ok := strings.CutPrefix(entry, name+"-py")
		if !ok {
			continue
		}
		c := candidate{filepath.Join(store, entry), "Poetry's environment of " + p.Name()}
		if active[name].Minor == minor || active[name].Minor == "" {
			all = append([]candidate{c}, all...)
		} else {
			all = append(all, c)
		}
	}
	return all
}

// poetryStore returns the directory of Poetry's virtual environments.
func (py *Python) poetryStore(dir string) string {
	env := py.env
	cache := env.Get("POETRY_CACHE_DIR")
	path := env.Get("POETRY_VIRTUALENVS_PATH")
	for _, file := range []string{filepath.Join(dir, "poetry.toml"), environ.Below(py.poetryConfig(), "config.toml")} {
		var config struct {
			CacheDir    string `toml:"cache-dir"`
			Virtualenvs struct {
				Path string `toml:"path"`
			} `toml:"virtualenvs"`
		}
		if data, err := project.ReadFile(file, maxConfig); err == nil && toml.Unmarshal(data, &config) == nil {
			path, cache = cmp.Or(path, config.Virtualenvs.Path), cmp.Or(cache, config.CacheDir)
		}
	}
	cache = cmp.Or(cache, environ.Below(py.userDir("Caches", "XDG_CACHE_HOME", ".cache"), "pypoetry"))
	path = strings.ReplaceAll(path, "{cache-dir}", cache)
	return cmp.Or(path, environ.Below(cache, "virtualenvs"))
}

// poetryConfig returns the directory of Poetry's settings.
func (py *Python) poetryConfig() string {
	if dir := py.env.Get("POETRY_CONFIG_DIR"); dir != "" {
		return dir
	}
	return environ.Below(py.env.ConfigDir(), "pypoetry")
}

// dataHome returns the directory for the user's data.
func (py *Python) dataHome() string {
	return py.userDir("Application Support", "XDG_DATA_HOME", filepath.Join(".local", "share"))
}

// userDir returns a user's directory in the same way as platformdirs: below Library on macOS, and
// elsewhere the value of a variable or its default.
func (py *Python) userDir(library, variable, below string) string {
	switch runtime.GOOS {
	case "windows":
		return py.env.Get("LOCALAPPDATA")
	case "darwin":
		return environ.Below(py.env.Home(), "Library", library)
	}
	return cmp.Or(py.env.Get(variable), environ.Below(py.env.Home(), below))
}

// pipenvHomes returns the directories in which pipenv keeps environments.
func (py *Python) pipenvHomes() []string {
	env := py.env
	if dir := env.Get("WORKON_HOME"); dir != "" {
		return []string{dir}
	}
	data := cmp.Or(env.Get("XDG_DATA_HOME"), environ.Below(env.Home(), ".local", "share"))
	homes := []string{environ.Below(data, "virtualenvs")}
	if runtime.GOOS == "windows" {
		homes = []string{environ.Below(env.Home(), ".virtualenvs")}
	}
	return homes
}

var unsafeInPipenv = lazyregexp.New("[ &$`!*@\"()\\[\\]\\\\\\r\\n\\t]")

// pipenvEnvironments returns the environments of pipenv, which are named after the directory and a
// hash of the path of its Pipfile. A file .project in each contains the path of the project.
func (py *Python) pipenvEnvironments(dir string) []candidate {
	pipfile := filepath.Join(dir, "Pipfile")
	if !project.IsFile(pipfile) {
		return nil
	}
	by := "pipenv's environment of " + filepath.Base(dir)
	name := unsafeInPipenv().ReplaceAllString(filepath.Base(dir), "_")
	name = name[:min(len(name), 42)] + "-" + shortHash(pipfile)
	var all []candidate
	for _, home := range py.pipenvHomes() {
		if custom := py.env.Get("PIPENV_CUSTOM_VENV_NAME"); custom != "" {
			all = append(all, candidate{filepath.Join(home, custom), by})
		}
		all = append(all, candidate{filepath.Join(home, name), by})
		for _, entry := range project.DirNames(home) {
			data, err := project.ReadFile(filepath.Join(home, entry, ".project"), maxConfig)
			if err == nil && firstLine(data) == dir {
				all = append(all, candidate{filepath.Join(home, entry), by})
			}
		}
	}
	return all
}

// hatchEnvironments returns the environments of hatch, which are in a directory that is named after
// the project and a hash of its path.
func (py *Python) hatchEnvironments(p *pylock.Project, dir string) []candidate {
	if p.Manifest.Name == "" {
		return nil
	}
	data := cmp.Or(py.env.Get("HATCH_DATA_DIR"), environ.Below(py.dataHome(), "hatch"))
	if data == "" {
		return nil
	}
	name := p.Manifest.Name
	base := filepath.Join(data, "env", "virtual", name, shortHash(dir))
	all := []candidate{{filepath.Join(base, name), "hatch's environment of " + name}}
	for _, entry := range project.DirNames(base) {
		all = append(all, candidate{filepath.Join(base, entry), "hatch's environment " + entry + " of " + name})
	}
	return all
}

// condaEnvironments returns the environments that environment.yml specifies.
func (py *Python) condaEnvironments(p *pylock.Project) []candidate {
	name := ""
	for _, file := range []string{"environment.yml", "environment.yaml"} {
		data, err := project.ReadFile(filepath.Join(p.Dir, file), maxConfig)
		if err != nil {
			continue
		}
		for line := range bytes.Lines(data) {
			if value, ok := bytes.CutPrefix(line, []byte("name:")); ok {
				name = strings.Trim(strings.TrimSpace(string(value)), `"'`)
			}
		}
	}
	if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return nil
	}
	var all []candidate
	for _, root := range py.condaRoots() {
		all = append(all, candidate{filepath.Join(root, "envs", name), "conda environment " + name})
	}
	return all
}

// condaRoots returns the directories in which conda and mamba are installed.
func (py *Python) condaRoots() []string {
	env := py.env
	var roots []string
	for _, dir := range []string{env.Get("MAMBA_ROOT_PREFIX"), prefixOfConda(env.Get("CONDA_EXE"))} {
		if dir != "" {
			roots = append(roots, dir)
		}
	}
	if home := env.Home(); home != "" {
		for _, name := range []string{"miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".conda"} {
			roots = append(roots, filepath.Join(home, name))
		}
	}
	return append(roots, py.system("/opt/conda"), py.system("/opt/miniconda3"))
}

func prefixOfConda(executable string) string {
	if executable == "" {
		return ""
	}
	return filepath.Dir(filepath.Dir(executable))
}
