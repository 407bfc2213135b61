package python

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// interpreter returns the interpreter that runs without a virtual environment: the one that
// .python-version selects, or pyenv's default, or the first in PATH. It returns nil if there is
// none.
func (f *finder) interpreter(p *pylock.Project) *environment {
	env := f.py.env
	request, by := env.Get("PYENV_VERSION"), "PYENV_VERSION"
	if p != nil && request == "" {
		for _, dir := range project.Upwards(p.Dir) {
			file := filepath.Join(dir, ".python-version")
			f.seen.Add(file)
			if data, err := project.ReadFile(file, maxConfig); err == nil {
				request, by = firstLine(data), ".python-version of "+filepath.Base(dir)
				break
			}
		}
	}
	if request == "" && p != nil {
		if e := f.suitable(p); e != nil {
			return e
		}
	}
	if request != "" {
		for _, prefix := range f.py.installedPythons() {
			if version := fullVersion(prefix, ""); version == request || strings.HasPrefix(version, request+".") || filepath.Base(prefix) == request {
				if e := f.openInterpreter(prefix, minorOf(cmp.Or(version, request)), by); e != nil {
					return e
				}
			}
		}
		if file := env.LookPath("python" + minorOf(request)); file != "" && !isShim(env, file) {
			if e := f.openExecutable(file, by); e != nil {
				return e
			}
		}
	}
	return f.inPath()
}

// suitable returns the interpreter in PATH. If a project's requires-python excludes that
// interpreter, suitable returns the newest installed interpreter that is allowed, if there is one.
func (f *finder) suitable(p *pylock.Project) *environment {
	allowed := p.Manifest.RequiresPython
	first := f.inPath()
	if allowed == nil || first == nil || allowed.Contains(first.version) {
		return first
	}
	var best *environment
	for _, prefix := range f.py.installedPythons() {
		version := fullVersion(prefix, "")
		if version == "" || !allowed.Contains(version) || best != nil && pep440.Compare(version, best.version) <= 0 {
			continue
		}
		if e := f.openInterpreter(prefix, minorOf(version), "requires-python of "+p.Name()); e != nil {
			best = e
		}
	}
	if best != nil {
		return best
	}
	return first
}

// inPath returns the first interpreter in PATH, or nil if there is none.
func (f *finder) inPath() *environment {
	env := f.py.env
	for _, name := range []string{"python3", "python"} {
		file := env.LookPath(name)
		switch {
		case file == "":
		case isShim(env, file):
			if e := f.pyenvGlobal(); e != nil {
				return e
			}
		default:
			if e := f.behindScript(file); e != nil {
				return e
			}
			if e := f.openExecutable(file, file); e != nil {
				return e
			}
		}
	}
	return f.pyenvGlobal()
}

// pyenvGlobal returns the interpreter that pyenv uses by default, or nil if there is
// none.
func (f *finder) pyenvGlobal() *environment {
	root := pyenvRoot(f.py.env)
	data, err := project.ReadFile(environ.Below(root, "version"), maxConfig)
	if err != nil {
		return nil
	}
	name := firstLine(data)
	if name == "" || name != filepath.Base(name) {
		return nil
	}
	return f.openInterpreter(filepath.Join(root, "versions", name), "", "pyenv")
}

func pyenvRoot(env environ.Env) string {
	return cmp.Or(env.Get("PYENV_ROOT"), environ.Below(env.Home(), ".pyenv"))
}

// isShim reports whether a program is a script of pyenv that starts the
// interpreter selected by pyenv.
func isShim(env environ.Env, file string) bool {
	return filepath.Dir(file) == filepath.Join(pyenvRoot(env), "shims")
}

// installedPythons returns the prefixes of interpreters that pyenv and uv have
// installed, the newest last.
func (py *Python) installedPythons() []string {
	env := py.env
	data := cmp.Or(env.Get("XDG_DATA_HOME"), environ.Below(env.Home(), ".local", "share"))
	if runtime.GOOS == "windows" {
		data = env.Get("APPDATA")
	}
	var prefixes []string
	for _, dir := range []string{
		environ.Below(pyenvRoot(env), "versions"),
		cmp.Or(env.Get("UV_PYTHON_INSTALL_DIR"), environ.Below(data, "uv", "python")),
	} {
		for _, name := range project.DirNames(dir) {
			if !strings.HasPrefix(name, ".") && project.IsDir(filepath.Join(dir, name)) {
				prefixes = append(prefixes, filepath.Join(dir, name))
			}
		}
	}
	slices.SortStableFunc(prefixes, func(a, b string) int { return pep440.Compare(fullVersion(a, ""), fullVersion(b, "")) })
	return prefixes
}

// openExecutable opens the installation of an interpreter. It returns nil if
// there is none.
func (f *finder) openExecutable(file, by string) *environment {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return nil
	}
	minor, _ := libraryVersion(strings.TrimSuffix(filepath.Base(real), ".exe"))
	prefix := prefixOf(file)
	if project.IsFile(filepath.Join(filepath.Dir(filepath.Dir(file)), "pyvenv.cfg")) { // The environment is in PATH but not active.
		return f.openEnvironment(filepath.Dir(filepath.Dir(file)), by)
	}
	return f.openInterpreter(prefix, minor, by)
}

// openInterpreter opens the installation in a prefix. minor may be empty. It
// returns nil if there is no interpreter.
func (f *finder) openInterpreter(prefix, minor, by string) *environment {
	if prefix == "" {
		return nil
	}
	e := &environment{prefix: prefix, base: prefix, version: minor, by: by}
	if minor == "" {
		e.version = minorOf(fullVersion(prefix, ""))
	}
	e.findLibraries()
	f.py.addDebian(e)
	if home := f.py.env.Home(); home != "" && f.py.env.Get("PYTHONNOUSERSITE") == "" && !project.IsDir(filepath.Join(prefix, "conda-meta")) {
		if user := filepath.Join(cmp.Or(f.py.env.Get("PYTHONUSERBASE"), filepath.Join(home, ".local")), "lib", "python"+e.minor(), "site-packages"); project.IsDir(user) {
			e.site = append([]string{user}, e.site...)
		}
	}
	if e.stdlib == "" && len(e.site) == 0 {
		return nil
	}
	f.followPth(e)
	return e
}

// addDebian adds the directories that Debian's interpreters use instead of
// site-packages.
func (py *Python) addDebian(e *environment) {
	usr := py.system("/usr")
	if e.prefix != usr || !project.IsDir(filepath.Join(usr, "lib/python3/dist-packages")) {
		return
	}
	if e.version == e.minor() {
		e.version = cmp.Or(py.debianVersion(e.version), e.version)
	}
	e.site = nil
	for _, dir := range []string{
		filepath.Join(usr, "local/lib", "python"+e.minor(), "dist-packages"),
		filepath.Join(usr, "lib/python3/dist-packages"), filepath.Join(usr, "lib", "python"+e.minor(), "dist-packages"),
	} {
		if project.IsDir(dir) {
			e.site = append(e.site, dir)
		}
	}
}
