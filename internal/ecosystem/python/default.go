package python

import (
	"archive/zip"
	"bufio"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/pipconf"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// buildDefault is pip's default index on the machine where a release was built. The linker sets it. It
// is empty in other builds.
var buildDefault string

// defaultIndex is an installed package manager's default index.
type defaultIndex struct {
	address, from string
	stamp         project.Stamp
}

// standardIndex returns the index that pip or uv uses if none is configured, according to their own
// files, or else the default index of pip on the machine where this docent was built.
func (f *finder) standardIndex() (*pipconf.Index, error) {
	s := f.settings()
	if s.standard != nil {
		return s.standard, nil
	}
	found := f.py.findDefault(f.trustedEnvironment())
	i, err := pipconf.ParseIndex(found.address, found.from)
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreachable, "no package index is configured, and neither pip nor uv is installed to provide a default").
			WithTried(f.tried...).WithNext("set PIP_INDEX_URL to the URL of your index, or index-url in pip.conf")
	}
	i.Standard = true
	s.standard = i
	return i, nil
}

// trustedEnvironment returns the environment without paths in the project,
// because the project's author must not choose the default index.
func (f *finder) trustedEnvironment() *environment {
	if f.env == nil || f.project == nil {
		return f.env
	}
	inProject := func(dir string) bool {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return true
		}
		rel, err := filepath.Rel(f.project.Root, real)
		return err == nil && filepath.IsLocal(rel)
	}
	e := &environment{site: slices.DeleteFunc(slices.Clone(f.env.site), inProject)}
	if f.env.base != "" && !inProject(f.env.base) {
		e.stdlib = f.env.stdlib
		e.site = append(e.site, filepath.Join(f.env.stdlib, "site-packages"))
	}
	return e
}

// findDefault reads the default index from the files of pip or uv. The address is
// empty if neither is installed.
func (py *Python) findDefault(e *environment) defaultIndex {
	py.mu.Lock()
	known := py.index
	py.mu.Unlock()
	if known != nil && project.StampOf(known.from) == known.stamp {
		return *known
	}
	found := defaultIndex{address: buildDefault, from: "this build of docent"}
	for _, source := range []func(*environment) defaultIndex{py.pipDefault, py.wheelDefault, py.uvDefault} {
		if l := source(e); l.address != "" {
			found = l
			found.stamp = project.StampOf(l.from)
			break
		}
	}
	py.mu.Lock()
	defer py.mu.Unlock()
	py.index = &found
	return found
}

// pipIndex finds the default index in pip's own source.
var pipIndex = lazyregexp.New(`(?m)^PyPI\s*=\s*PackageIndex\(\s*["'](https://[^"'\s]+)["']`)

// pipModule is the file in pip's source that contains the URL of its default index.
const pipModule = "pip/_internal/models/index.py"

func pipAddress(source []byte) string {
	m := pipIndex().FindSubmatch(source)
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(string(m[1]), "/") + "/simple/"
}

// pipDefault reads the default index from the files of an installed pip.
func (py *Python) pipDefault(e *environment) defaultIndex {
	var sites []string
	if e != nil {
		sites = append(sites, e.site...)
	}
	for _, prefix := range py.installedPythons() {
		for _, name := range project.DirNames(filepath.Join(prefix, "lib")) {
			sites = append(sites, filepath.Join(prefix, "lib", name, "site-packages"))
		}
	}
	for _, name := range []string{"pip3", "pip"} {
		if file := py.env.LookPath(name); file != "" {
			for _, lib := range project.DirNames(filepath.Join(prefixOf(file), "lib")) {
				sites = append(sites, filepath.Join(prefixOf(file), "lib", lib, "site-packages"))
			}
		}
	}
	sites = append(sites, py.system("/usr/lib/python3/dist-packages"))
	for _, site := range sites {
		file := filepath.Join(site, filepath.FromSlash(pipModule))
		if data, err := project.ReadSettings(file, maxConfig); err == nil {
			if address := pipAddress(data); address != "" {
				return defaultIndex{address: address, from: file}
			}
		}
	}
	return defaultIndex{}
}

// wheelDefault reads the default index from the pip wheel that an interpreter includes for
// installation into new environments.
func (py *Python) wheelDefault(e *environment) defaultIndex {
	dirs := []string{py.system("/usr/share/python-wheels")}
	if e != nil && e.stdlib != "" {
		dirs = append([]string{filepath.Join(e.stdlib, "ensurepip", "_bundled")}, dirs...)
	}
	for _, dir := range dirs {
		for _, name := range project.DirNames(dir) {
			if !strings.HasPrefix(name, "pip-") || !strings.HasSuffix(name, ".whl") {
				continue
			}
			file := filepath.Join(dir, name)
			if address := pipAddress(readFromZip(file, pipModule)); address != "" {
				return defaultIndex{address: address, from: file}
			}
		}
	}
	return defaultIndex{}
}

// readFromZip returns the beginning of a file in a zip archive on this machine, or nil if
// it cannot be read.
func readFromZip(file, name string) []byte {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil
	}
	defer z.Close()
	f, err := z.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, maxConfig))
	return data
}

// uvIndex finds the addresses of indexes in the uv executable.
var uvIndex = lazyregexp.New(`https://[a-z0-9.-]{3,60}/simple`)

// maxProgram is the maximum number of bytes of the uv executable that are searched.
const maxProgram = 256 << 20

// uvDefault searches the uv executable for the address of its index, which is the address
// that occurs most often.
func (py *Python) uvDefault(*environment) defaultIndex {
	file := py.env.LookPath("uv")
	if file == "" {
		name := "uv"
		if runtime.GOOS == "windows" {
			name = "uv.exe"
		}
		if file = environ.Below(py.env.Home(), ".local", "bin", name); !project.IsFile(file) {
			return defaultIndex{}
		}
	}
	f, err := rootfs.OpenAnywhere(file)
	if err != nil {
		return defaultIndex{}
	}
	defer f.Close()
	count := map[string]int{}
	reader := bufio.NewReaderSize(io.LimitReader(f, maxProgram), 1<<20)
	for {
		window, err := reader.Peek(1 << 20)
		for _, m := range uvIndex().FindAll(window, 1000) {
			if len(count) < 100 {
				count[string(m)]++
			}
		}
		const overlap = 128
		if _, discarded := reader.Discard(max(len(window)-overlap, 1)); err != nil || discarded != nil {
			break
		}
	}
	best := ""
	for address, n := range count {
		if best == "" || n > count[best] || n == count[best] && address < best {
			best = address
		}
	}
	if best == "" || strings.Contains(best, "example") {
		return defaultIndex{}
	}
	return defaultIndex{address: best + "/", from: file}
}
