package python

import (
	"encoding/csv"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// distribution is an installed distribution.
type distribution struct {
	name, version string // taken from the name of its directory
	site          string // the directory in which it is installed
	info          string // path of its .dist-info or .egg-info, a directory or a file

	once    sync.Once
	files   []string // files in RECORD, relative to site; nil if there is no RECORD
	modules []string // top-level modules
}

// siteIndex lists the distributions in a directory of installed packages.
type siteIndex struct {
	project.Files

	dir     string
	names   map[string]bool            // names of all entries in the directory
	stubs   []string                   // the modules that have a directory of stubs here
	byName  map[string][]*distribution // keyed by normalized name
	ordered []*distribution
}

// site returns the index of a directory, which is cached until the directory
// changes.
func (py *Python) site(dir string) *siteIndex {
	s, _ := py.sites.Get(dir, func() (*siteIndex, error) { return readSite(dir), nil })
	return s
}

func readSite(dir string) *siteIndex {
	s := &siteIndex{dir: dir, names: map[string]bool{}, byName: map[string][]*distribution{}}
	s.Add(dir)
	for _, entry := range project.DirNames(dir) {
		s.names[entry] = true
		if top, ok := strings.CutSuffix(entry, stubsMark); ok && top != "" {
			s.stubs = append(s.stubs, top)
		}
		d := &distribution{site: dir, info: filepath.Join(dir, entry)}
		if stem, ok := strings.CutSuffix(entry, ".dist-info"); ok {
			d.name, d.version, _ = strings.Cut(stem, "-")
		} else if stem, ok := strings.CutSuffix(entry, ".egg-info"); ok {
			d.name, d.version = splitEggInfo(stem)
			if d.version == "" {
				d.version = readInfo(d.info).Version
			}
		} else if stem, ok := strings.CutSuffix(entry, ".egg"); ok && project.IsDir(filepath.Join(dir, entry, "EGG-INFO")) {
			d.name, d.version = splitEggInfo(stem)
			d.site, d.info = filepath.Join(dir, entry), filepath.Join(dir, entry, "EGG-INFO")
		}
		if !pep508.ValidName(d.name) {
			continue
		}
		name := pep508.Normalize(d.name)
		s.byName[name] = append(s.byName[name], d)
		s.ordered = append(s.ordered, d)
	}
	return s
}

var eggPython = lazyregexp.New(`-py\d[\d.]*(?:-.*)?$`)

// splitEggInfo splits a name such as "six-1.16.0-py3.11" into name and version, ignoring the part
// about Python. The version is empty if there is none.
func splitEggInfo(stem string) (name, version string) {
	stem = eggPython().ReplaceAllString(stem, "")
	name, version, _ = strings.Cut(stem, "-")
	return name, version
}

// readInfo reads the metadata of a .dist-info or .egg-info.
func readInfo(info string) *metadata {
	dir, name := filepath.Split(info)
	for _, file := range []string{name + "/METADATA", name + "/PKG-INFO", name} {
		if data, err := project.ReadBelow(dir, file, maxMetadata); err == nil {
			return parseMetadata(string(data))
		}
	}
	return &metadata{}
}

const (
	maxRecord      = 64 << 20 // maximum size in bytes of RECORD
	maxRecordLines = 500_000  // maximum number of lines of RECORD
)

// read reads a file of the distribution's metadata.
func (d *distribution) read(name string, limit int64) ([]byte, error) {
	dir, info := filepath.Split(d.info)
	return project.ReadBelow(dir, info+"/"+name, limit)
}

// load reads the list of files and the top-level modules.
func (d *distribution) load() {
	d.once.Do(func() {
		if data, err := d.read("RECORD", maxRecord); err == nil {
			d.files = parseRecord(string(data))
		} else if data, err := d.read("installed-files.txt", maxRecord); err == nil {
			for line := range strings.Lines(string(data)) {
				if name := strings.TrimPrefix(strings.TrimSpace(line), "../"); fs.ValidPath(name) {
					d.files = append(d.files, name)
				}
			}
		} else if data, err := d.read("SOURCES.txt", maxRecord); err == nil {
			d.files = strings.Fields(string(data))
		}
		d.modules = topModules(d.files)
		if data, err := d.read("top_level.txt", maxConfig); err == nil && len(d.modules) == 0 {
			for name := range strings.FieldsSeq(string(data)) {
				if name = strings.ReplaceAll(name, "/", "."); validModule(name) {
					d.modules = append(d.modules, name)
				}
			}
		}
	})
}

// parseRecord returns the names of the files in a RECORD that are inside the
// directory of packages.
func parseRecord(text string) []string {
	var files []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		name := line
		if strings.HasPrefix(line, `"`) {
			record, err := csv.NewReader(strings.NewReader(line)).Read()
			if err != nil || len(record) == 0 {
				continue
			}
			name = record[0]
		} else if i := strings.IndexByte(line, ','); i >= 0 {
			name = line[:i]
		}
		if name = strings.ReplaceAll(name, `\`, "/"); !fs.ValidPath(name) || len(files) >= maxRecordLines {
			continue // a script outside of the directory, or a false entry
		}
		files = append(files, name)
	}
	return files
}

// topModules returns the sorted names of the top-level modules of a distribution with these files,
// such as "_yaml" and "yaml".
func topModules(files []string) []string {
	seen := map[string]bool{}
	for _, file := range files {
		top, rest, nested := strings.Cut(file, "/")
		switch {
		case nested && (strings.HasSuffix(top, ".dist-info") || strings.HasSuffix(top, ".data") || strings.HasSuffix(top, ".egg-info") || top == "__pycache__"):
			continue
		case nested && (seen[strings.TrimSuffix(top, "-stubs")] || moduleOf(rest[strings.LastIndexByte(rest, '/')+1:]) == ""):
			continue
		case !nested:
			top = moduleOf(top)
		}
		top = strings.TrimSuffix(top, "-stubs")
		if validModule(top) {
			seen[top] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// moduleOf returns the module name in a file name such as json.py, json.pyi, json.so or
// json.cpython-311-x86_64-linux-gnu.so, or "" if the file is not a module.
func moduleOf(file string) string {
	n := 0
	for n < len(file) && (file[n] == '_' || isAlphanumeric(file[n])) {
		n++
	}
	ending := file[n:]
	switch ending {
	case ".py", ".pyi", ".so", ".pyd":
		return file[:n]
	}
	tag, ok := strings.CutSuffix(ending, ".so")
	if !ok {
		tag, ok = strings.CutSuffix(ending, ".pyd")
	}
	if !ok || len(tag) < 2 || tag[0] != '.' {
		return ""
	}
	for i := 1; i < len(tag); i++ {
		if tag[i] != '_' && tag[i] != '-' && !isAlphanumeric(tag[i]) {
			return ""
		}
	}
	return file[:n]
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

var moduleName = lazyregexp.New(`^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$`)

// validModule reports whether a dotted name can be imported.
func validModule(name string) bool { return len(name) <= 500 && moduleName().MatchString(name) }

// owns returns how many leading parts of a dotted module name are directories or files of the
// distribution.
func (d *distribution) owns(module string) int {
	d.load()
	parts := strings.Split(module, ".")
	if !slices.Contains(d.modules, parts[0]) {
		return 0
	}
	if d.files == nil {
		return 1
	}
	best := 0
	for n := len(parts); n > 0; n-- {
		dir := strings.Join(parts[:n], "/")
		for _, file := range d.files {
			rest, ok := strings.CutPrefix(file, dir)
			if !ok && n == 1 {
				rest, ok = strings.CutPrefix(file, dir+"-stubs")
			}
			if ok && (strings.HasPrefix(rest, "/") && moduleOf(filepath.Base(rest)) != "" || moduleOf(filepath.Base(dir)+rest) == parts[n-1]) {
				best = n
				break
			}
		}
		if best > 0 {
			break
		}
	}
	return best
}

// owner returns the distribution that a module belongs to, or nil if there is none. If several
// distributions share a namespace, it is the one that owns the longest part of the name.
func (s *siteIndex) owner(module string) *distribution {
	top, _, _ := strings.Cut(module, ".")
	if !s.has(top) {
		return nil
	}
	var best *distribution
	length := 0
	// The most likely distributions are those with names similar to the module's.
	var likely, others []*distribution
	for _, d := range s.ordered {
		if name := pep508.Normalize(d.name); name == pep508.Normalize(module) || name == pep508.Normalize(top) {
			likely = append(likely, d)
		} else {
			others = append(others, d)
		}
	}
	whole := strings.Count(module, ".") + 1
	for _, d := range append(likely, others...) {
		n := d.owns(module)
		if n > length || n == length && n > 0 && stubsOnly(best) && !stubsOnly(d) {
			best, length = d, n
		}
		if n == whole && !stubsOnly(d) {
			break
		}
	}
	return best
}

// stubsOnly reports whether a distribution contains only stubs for another one.
func stubsOnly(d *distribution) bool {
	name := pep508.Normalize(d.name)
	return strings.HasPrefix(name, "types-") || strings.HasSuffix(name, "-stubs")
}

// has reports whether the directory contains a top-level module or package.
func (s *siteIndex) has(top string) bool {
	if s.names[top] || s.names[top+".py"] || s.names[top+".pyi"] || s.names[top+"-stubs"] {
		return true
	}
	for name := range s.names {
		if strings.HasPrefix(name, top+".") && moduleOf(name) == top {
			return true
		}
	}
	return false
}

// directURL is the content of direct_url.json: the origin of a distribution
// that was not installed from an index.
type directURL struct {
	URL string `json:"url"`
	Dir *struct {
		Editable bool `json:"editable"`
	} `json:"dir_info"`
	VCS *struct {
		Commit string `json:"commit_id"`
	} `json:"vcs_info"`
}

// direct reads direct_url.json. It returns nil if there is none.
func (d *distribution) direct() *directURL {
	data, err := d.read("direct_url.json", maxConfig)
	if err != nil {
		return nil
	}
	var u directURL
	if json.Unmarshal(data, &u, lenient) != nil || u.URL == "" {
		return nil
	}
	return &u
}

// editableDir returns the directory of the project of which the distribution is an
// editable installation, or "" if it is not one.
func (d *distribution) editableDir() string {
	direct := d.direct()
	if direct == nil || direct.Dir == nil || !direct.Dir.Editable {
		return ""
	}
	return fileOf(direct.URL)
}

// fileOf returns the path of a file: URL, or "" for other URLs.
func fileOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}

const (
	maxPth     = 1000 // maximum number of .pth files in a directory
	maxPthDirs = 500  // maximum number of directories that .pth files add
)

// followPth adds the directories that .pth files in the site directories name, and the
// directories to which finders of editable installations map modules.
func (f *finder) followPth(e *environment) {
	for _, dir := range slices.Clone(e.site) {
		f.seen.Add(dir)
		read := 0
		for _, name := range project.DirNames(dir) {
			if !strings.HasSuffix(name, ".pth") || read >= maxPth {
				continue
			}
			read++
			file := filepath.Join(dir, name)
			f.seen.Add(file)
			data, err := project.ReadFile(file, maxConfig)
			if err != nil {
				continue
			}
			for line := range strings.Lines(string(data)) {
				line = strings.TrimSpace(line)
				if line == "" || line[0] == '#' || strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "import\t") {
					continue
				}
				if line = absolute(filepath.FromSlash(line), dir); project.IsDir(line) && len(e.site) < maxPthDirs && !e.hasSite(line) {
					e.site = append(e.site, line)
				}
			}
		}
	}
}

// finderMapping finds the table of modules in the finder that setuptools writes for an editable
// installation. The other expression finds the entries of the table.
var (
	finderMapping = lazyregexp.New(`(?m)^(?:MAPPING|NAMESPACES)[^=\n]*=\s*(\{.*\})`)
	finderEntry   = lazyregexp.New(`'((?:[^'\\]|\\.)*)':\s*\[?'((?:[^'\\]|\\.)*)'`)
)

// editableModules returns, by dotted name, the directories or files to which
// finders of editable installations in a directory map modules.
func editableModules(site *siteIndex) map[string]string {
	found := map[string]string{}
	for name := range site.names {
		if !strings.HasPrefix(name, "__editable__") || !strings.HasSuffix(name, "_finder.py") || len(found) > maxPthDirs {
			continue
		}
		data, err := project.ReadFile(filepath.Join(site.dir, name), maxConfig)
		if err != nil {
			continue
		}
		for _, table := range finderMapping().FindAllStringSubmatch(string(data), 4) {
			for _, entry := range finderEntry().FindAllStringSubmatch(table[1], maxPthDirs) {
				if path := strings.ReplaceAll(entry[2], `\\`, `\`); filepath.IsAbs(path) && validModule(entry[1]) {
					found[entry[1]] = path
				}
			}
		}
	}
	return found
}
