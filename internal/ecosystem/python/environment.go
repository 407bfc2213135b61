package python

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// environment is an installed interpreter or a virtual environment, as described
// by its files.
type environment struct {
	prefix string // the value of sys.prefix
	base   string // the value of sys.base_prefix, empty if unknown
	// version is a version such as "3.11.7", or "3.11" if the files do not contain the full version.
	version string
	pypy    bool
	stdlib  string   // directory of the standard library, empty if unknown
	site    []string // directories of installed packages, in the order of sys.path
	by      string   // description for users, such as ".venv of shop"
}

// minor returns "3.11" for "3.11.7".
func (e *environment) minor() string { return minorOf(e.version) }

func minorOf(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

// maxConfig is the maximum size in bytes of the small files that describe environments.
const maxConfig = 1 << 20

// environmentOf returns the environment that a project uses or, without a project, the environment
// of the shell. It returns nil if there is none.
func (f *finder) environmentOf(p *pylock.Project) *environment {
	for _, c := range f.candidates(p) {
		if c.dir == "" {
			continue
		}
		f.seen.Add(filepath.Join(c.dir, "pyvenv.cfg"))
		if e := f.openEnvironment(c.dir, c.by); e != nil {
			return e
		}
	}
	return f.interpreter(p)
}

// candidate is a directory that may be a virtual environment.
type candidate struct{ dir, by string }

// candidates lists the possible locations of virtual environments, the most likely first.
func (f *finder) candidates(p *pylock.Project) []candidate {
	env := f.py.env
	active := []candidate{{env.Get("VIRTUAL_ENV"), "VIRTUAL_ENV"}, {env.Get("CONDA_PREFIX"), "CONDA_PREFIX"}}
	if env.Get("CONDA_DEFAULT_ENV") == "base" && p != nil {
		active = active[:1] // the base environment is active in every shell
	}
	if p == nil {
		return active
	}
	var all []candidate
	add := func(dir, by string) { all = append(all, candidate{dir, by}) }
	if dir := env.Get("UV_PROJECT_ENVIRONMENT"); dir != "" {
		add(absolute(dir, p.Root), "UV_PROJECT_ENVIRONMENT")
	}
	for _, dir := range project.Upwards(p.Dir) {
		if dir == env.Home() && dir != p.Dir {
			break
		}
		for _, name := range []string{".venv", "venv", "env", ".env", "virtualenv"} {
			f.seen.Add(filepath.Join(dir, name))
			add(filepath.Join(dir, name), name+" of "+filepath.Base(dir))
		}
		if data, err := project.ReadFile(filepath.Join(dir, ".venv"), maxConfig); err == nil { // The file contains a path or the name of an environment.
			name := firstLine(data)
			add(absolute(name, dir), ".venv of "+filepath.Base(dir))
			for _, home := range f.py.pipenvHomes() {
				add(filepath.Join(home, name), ".venv of "+filepath.Base(dir))
			}
		}
		if data, err := project.ReadFile(filepath.Join(dir, ".pdm-python"), maxConfig); err == nil {
			add(filepath.Dir(filepath.Dir(firstLine(data))), ".pdm-python of "+filepath.Base(dir))
		}
		if project.IsDir(filepath.Join(dir, "__pypackages__")) {
			add(filepath.Join(dir, "__pypackages__"), "__pypackages__ of "+filepath.Base(dir))
		}
	}
	all = append(all, f.py.stores(p)...)
	all = append(all, active...)
	return append(all, f.py.condaEnvironments(p)...)
}

func absolute(dir, base string) string {
	if dir == "" || filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(base, dir)
}

func firstLine(data []byte) string {
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}

// openEnvironment reads the virtual or conda environment in a directory. It returns nil
// if there is none.
func (f *finder) openEnvironment(prefix, by string) *environment {
	if filepath.Base(prefix) == "__pypackages__" {
		return f.pypackages(prefix, by)
	}
	config := readVenvConfig(filepath.Join(prefix, "pyvenv.cfg"))
	conda := project.IsDir(filepath.Join(prefix, "conda-meta"))
	if config == nil && !conda {
		return nil
	}
	e := &environment{prefix: prefix, by: by, version: cmp.Or(config["version_info"], config["version"])}
	e.version = cleanVersion(e.version)
	switch {
	case conda:
		e.base = prefix
	case config["base-prefix"] != "":
		e.base = config["base-prefix"]
	case config["home"] != "":
		e.base = prefixOf(filepath.Join(config["home"], "python3"))
	}
	e.findLibraries()
	if strings.EqualFold(config["include-system-site-packages"], "true") {
		if base := f.openInterpreter(e.base, e.minor(), ""); base != nil {
			e.site = append(e.site, base.site...)
		}
	}
	if len(e.site) == 0 {
		return nil
	}
	f.followPth(e)
	return e
}

// pypackages reads the directory of PEP 582, which contains packages by version of the
// interpreter. It returns nil if there is none.
func (f *finder) pypackages(dir, by string) *environment {
	for _, version := range project.DirNames(dir) {
		lib := filepath.Join(dir, version, "lib")
		if pythonMinor().MatchString(version) && project.IsDir(lib) {
			e := &environment{prefix: filepath.Join(dir, version), by: by, version: version, site: []string{lib}}
			f.followPth(e)
			return e
		}
	}
	return nil
}

var pythonMinor = lazyregexp.New(`^\d+\.\d+$`)

// readVenvConfig reads pyvenv.cfg. It returns nil if it cannot be read.
func readVenvConfig(file string) map[string]string {
	data, err := project.ReadFile(file, maxConfig)
	if err != nil {
		return nil
	}
	config := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, "="); ok {
			config[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(value)
		}
	}
	return config
}

// cleanVersion removes the suffix that virtualenv adds to a version, as in "3.11.7.final.0". It
// returns "" for an invalid version.
func cleanVersion(version string) string {
	if i := strings.Index(version, ".final"); i >= 0 {
		version = version[:i]
	}
	if _, err := pep440.Parse(version); err != nil {
		return ""
	}
	return version
}

// prefixOf returns the directory in which an interpreter is installed, such as /usr for
// /usr/bin/python3.
func prefixOf(executable string) string {
	if real, err := filepath.EvalSymlinks(executable); err == nil {
		executable = real
	}
	dir := filepath.Dir(executable)
	if filepath.Base(dir) == "bin" || filepath.Base(dir) == "Scripts" {
		return filepath.Dir(dir)
	}
	return dir // on Windows, the interpreter is in the prefix itself
}

// findLibraries finds the directories of installed packages and of the standard library, and
// determines the full version.
func (e *environment) findLibraries() {
	for _, lib := range []string{"lib", "lib64"} {
		for _, name := range project.DirNames(filepath.Join(e.prefix, lib)) {
			minor, pypy := libraryVersion(name)
			dir := filepath.Join(e.prefix, lib, name, "site-packages")
			if minor == "" || e.version != "" && minor != e.minor() && !pypy || !project.IsDir(dir) || e.hasSite(dir) {
				continue
			}
			e.pypy = e.pypy || pypy
			e.version = cmp.Or(e.version, minor)
			e.site = append(e.site, dir)
		}
	}
	for _, dir := range []string{filepath.Join(e.prefix, "Lib", "site-packages"), filepath.Join(e.prefix, "site-packages")} {
		if project.IsDir(dir) && !e.hasSite(dir) {
			e.site = append(e.site, dir)
		}
	}
	if e.base == "" {
		return
	}
	e.findStdlib()
	e.version = cmp.Or(fullVersion(e.base, e.version), e.version)
}

func (e *environment) findStdlib() {
	for _, dir := range []string{
		filepath.Join(e.base, "lib", "python"+e.minor()), filepath.Join(e.base, "lib", "pypy"+e.minor()), filepath.Join(e.base, "Lib"),
		filepath.Join(e.base, "lib64", "python"+e.minor()),
	} {
		if project.IsFile(filepath.Join(dir, "os.py")) {
			e.stdlib = dir
			return
		}
	}
}

// hasSite reports whether a directory is already in e.site, under the same or another name. For
// example, lib64 is often a link to lib.
func (e *environment) hasSite(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && slices.ContainsFunc(e.site, func(known string) bool {
		other, err := os.Stat(known)
		return err == nil && os.SameFile(info, other)
	})
}

// libraryVersion returns the version in the name of a library directory such as "python3.11",
// "python3.13t" or "pypy3.10". It returns "" for other names. pypy reports whether the interpreter
// is PyPy.
func libraryVersion(name string) (minor string, pypy bool) {
	rest, ok := strings.CutPrefix(name, "python")
	if !ok {
		if rest, pypy = strings.CutPrefix(name, "pypy"); !pypy {
			return "", false
		}
	}
	rest = strings.TrimSuffix(rest, "t")
	if !pythonMinor().MatchString(rest) {
		return "", false
	}
	return rest, pypy
}

var (
	patchLevel   = lazyregexp.New(`(?m)^#define\s+PY_VERSION\s+"([^"+]+)\+?"`)
	versionInDir = lazyregexp.New(`(?:^|[-@])(\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?)(?:$|[-+])`)
	condaPython  = lazyregexp.New(`^python-(\d+\.\d+\.\d+[a-z0-9]*)-[^-]+\.json$`)
)

// fullVersion finds the full version of the interpreter in a prefix. known is the part
// that is already known. It returns "" if the files do not contain the version.
func fullVersion(prefix, known string) string {
	if strings.Count(known, ".") >= 2 {
		return known
	}
	fits := func(version string) bool { return known == "" || minorOf(version) == known }
	for _, name := range project.DirNames(filepath.Join(prefix, "include")) {
		if !strings.HasPrefix(name, "python") {
			continue
		}
		data, err := project.ReadFile(filepath.Join(prefix, "include", name, "patchlevel.h"), maxConfig)
		if m := patchLevel().FindSubmatch(data); err == nil && m != nil && fits(string(m[1])) {
			return string(m[1])
		}
	}
	if m := versionInDir().FindStringSubmatch(filepath.Base(prefix)); m != nil && fits(m[1]) {
		return m[1]
	}
	for _, name := range project.DirNames(filepath.Join(prefix, "conda-meta")) {
		if m := condaPython().FindStringSubmatch(name); m != nil && fits(m[1]) {
			return m[1]
		}
	}
	return ""
}

// debianVersion returns the version of the python3.X package in dpkg's status. It
// returns "" if there is none.
func (py *Python) debianVersion(minor string) string {
	data, err := project.ReadFile(py.system("/var/lib/dpkg/status"), 64<<20)
	if err != nil {
		return ""
	}
	_, rest, ok := strings.Cut(string(data), "\nPackage: libpython"+minor+"-minimal\n")
	if !ok {
		return ""
	}
	paragraph, _, _ := strings.Cut(rest, "\n\n")
	_, version, ok := strings.Cut("\n"+paragraph, "\nVersion: ")
	if !ok {
		return ""
	}
	version, _, _ = strings.Cut(version, "\n")
	version, _, _ = strings.Cut(version, "-")
	version, _, _ = strings.Cut(version, "+")
	version, _, _ = strings.Cut(version, "~")
	return cleanVersion(version)
}
