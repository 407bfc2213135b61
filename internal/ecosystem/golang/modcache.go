package golang

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// openModule is an open module at one version.
type openModule struct {
	version    module.Version
	files      fs.FS
	closer     io.Closer // nil for a directory
	provenance apidoc.Provenance
}

// source returns a Source for one of the module's packages. modulePath is the
// path in imports, which a replaced module keeps.
func (m *openModule) source(modulePath, importPath string) *godoc.Source {
	return &godoc.Source{
		ImportPath: importPath,
		Module:     modulePath,
		Version:    m.version.Version,
		FS:         m.files,
		Dir:        relativeTo(modulePath, importPath),
		Provenance: m.provenance,
		Closer:     m.closer,
	}
}

// openLocal opens a module version that is on this machine: unpacked or zipped
// in the module cache, or downloaded by docent. It returns nil if the version
// is not on this machine, and an error if the hash of the module differs from
// the hash in the project's go.sum.
func (f *finder) openLocal(m module.Version) (*openModule, error) {
	path, version := escaped(m)
	if path == "" {
		return nil, nil // No cache can contain such a path or version.
	}
	if cache := f.st.modCache; cache != "" {
		dir := filepath.Join(cache, filepath.FromSlash(path)+"@"+version)
		stem := filepath.Join(cache, "cache", "download", filepath.FromSlash(path), "@v", version)
		// While the go command unpacks a module, there is a ".partial" file.
		if project.IsDir(dir) && !project.IsFile(stem+".partial") {
			open := &openModule{version: m, files: openTree(dir), provenance: apidoc.Provenance{Source: "module cache", Location: dir}}
			return open, f.vouch(open, hashIn(stem+".ziphash"), "checked by the go command when it filled the module cache")
		}
		if open, err := f.openZip(m, stem+".zip", archive.Limits{Packed: 500 << 20, Unpacked: 1 << 30}); open != nil || err != nil {
			if err != nil {
				return nil, err
			}
			open.provenance.Source = "module cache"
			return open, f.vouch(open, hashIn(stem+".ziphash"), "checked by the go command when it filled the module cache")
		}
	}
	open, hash := f.openDownload(m)
	if open == nil {
		return nil, nil
	}
	return open, f.vouch(open, func() ([]byte, error) { return hash, nil }, "")
}

// downloadDir returns the path of the directory of a module's versions in docent's cache, which is
// laid out like GOMODCACHE/cache/download.
func downloadDir(escapedPath string) string { return "go/download/" + escapedPath + "/@v/" }

// openDownload opens a module version that docent downloaded and returns the
// hash of its zip file, or nil if there is no complete download.
func (f *finder) openDownload(m module.Version) (open *openModule, hash []byte) {
	path, version := escaped(m)
	cache, name := f.g.options.Cache, downloadDir(path)+version+".zip"
	hash, err := cache.Read(name+"hash", maxHash)
	var file *cachedir.File
	if err == nil {
		file, err = cache.Open(name)
	}
	if errors.Is(err, cachedir.ErrDamaged) {
		f.tried = append(f.tried, "docent's downloads, where "+m.String()+" was damaged and has been removed")
	}
	if err != nil {
		return nil, nil
	}
	if open, err = f.g.openFile(m, file); err != nil {
		cache.Drop(name)
		return nil, nil
	}
	open.provenance.Source = "docent's downloads"
	return open, hash
}

// openFile opens a zip file that docent downloaded. Closing the module closes
// the file. If openFile fails, it closes the file.
func (g *Golang) openFile(m module.Version, file *cachedir.File) (*openModule, error) {
	files, err := archive.OpenZip(file, file.Size(), g.zipOptions(m.String()+"/"))
	if err != nil {
		file.Close()
		return nil, err
	}
	return &openModule{version: m, files: files, closer: file, provenance: apidoc.Provenance{Location: file.Name()}}, nil
}

// escaped returns the path and version of a module as they appear in file names of a cache, or
// empty strings if no cache can contain the module.
func escaped(m module.Version) (path, version string) {
	path, errPath := module.EscapePath(m.Path)
	version, errVersion := module.EscapeVersion(m.Version)
	if errPath != nil || errVersion != nil {
		return "", ""
	}
	return path, version
}

// openZip opens a module's zip file without unpacking it. It returns nil if the
// file does not exist.
func (f *finder) openZip(m module.Version, path string, limits archive.Limits) (*openModule, error) {
	file, err := rootfs.OpenAnywhere(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			f.tried = append(f.tried, path+": "+plainError(err))
		}
		return nil, nil
	}
	info, err := file.Stat()
	if err == nil {
		var files *archive.FS
		files, err = archive.OpenZip(file, info.Size(), archive.Options{Prefix: m.String() + "/", Limits: limits})
		if err == nil {
			return &openModule{version: m, files: files, closer: file, provenance: apidoc.Provenance{Location: path}}, nil
		}
	}
	file.Close()
	return nil, ecosystem.Fail(ecosystem.Unreadable, "the zip file of %s %s", m, quote.Error(err)).WithErr(err).
		WithTried(path).WithNext("delete the file, so that docent can download it again")
}

// maxHash is the maximum size, in bytes, of a file that contains the hash of a zip file.
const maxHash = 1024

func hashIn(file string) func() ([]byte, error) {
	return func() ([]byte, error) { return project.ReadFile(file, maxHash) }
}

// vouch compares the recorded hash of a module's zip file with the project's go.sum. It sets the
// module's integrity to a phrase that describes what verified the hash: go.sum, or the given phrase
// if go.sum does not contain a hash of the module.
func (f *finder) vouch(m *openModule, recorded func() ([]byte, error), otherwise string) error {
	m.provenance.Integrity = otherwise
	if otherwise == "" {
		m.provenance.Integrity = nobody
	}
	if f.project == nil {
		return nil
	}
	sums := f.project.Sums(m.version)
	if len(sums) == 0 {
		return nil
	}
	data, err := recorded()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // there is no recorded hash to compare with
	}
	if err != nil || !slices.Contains(sums, strings.TrimSpace(string(data))) {
		if m.closer != nil {
			m.closer.Close()
		}
		return ecosystem.Fail(ecosystem.Unreadable, "the checksum of %s on this machine differs from the one in go.sum of %s", m.version, f.project.Mains[0].Path).
			WithTried(m.provenance.Location).
			WithNext("determine which of them is incorrect (go clean -modcache empties the module cache)")
	}
	m.provenance.Integrity = "as recorded in go.sum of " + f.project.Mains[0].Path
	return nil
}

// nobody is the integrity value for a module whose hash is unknown.
const nobody = "not verified: no go.sum on this machine contains it, and docent did not query the checksum database"

// cached finds a version on this machine that no project requires.
func (f *finder) cached(ctx context.Context) (*godoc.Source, error) {
	if exact := exactVersion(f.ask.version); exact != "" {
		return f.cachedAt(exact)
	}
	if f.ask.version != "" && (!f.networkOff(ctx) || fetch.HasUpstream(ctx)) || f.ask.version == "" && f.isPrivate(f.ask.path) {
		return nil, nil // Ranges, branches and "latest" need the network.
	}
	for _, path := range prefixes(f.ask.path, "") {
		versions := f.usable(path, f.cachedVersions(path))
		version, kind := pickVersion(versions, f.ask.version)
		if version == "" {
			continue
		}
		m, err := f.openLocal(module.Version{Path: path, Version: version})
		if err != nil {
			return nil, err
		}
		if m == nil {
			continue
		}
		src, err := f.packageOf(m, path, f.cachedChoice(m.provenance.Source, kind))
		if src != nil {
			src.Provenance.Unused = f.ask.version == "" && f.project != nil
		}
		if src != nil || err != nil {
			return src, err
		}
	}
	f.tried = append(f.tried, "module cache")
	return nil, nil
}

func (f *finder) cachedAt(version string) (*godoc.Source, error) {
	for _, path := range prefixes(f.ask.path, version) {
		m, err := f.openLocal(module.Version{Path: path, Version: version})
		if m == nil && err == nil && !strings.HasSuffix(version, incompatible) {
			m, err = f.openLocal(module.Version{Path: path, Version: version + incompatible})
		}
		if err != nil {
			return nil, err
		}
		if m == nil {
			continue
		}
		src, err := f.packageOf(m, path, "requested")
		if src != nil || err != nil {
			return src, err
		}
	}
	f.tried = append(f.tried, "module cache")
	return nil, nil
}

// cachedChoice explains why a version was chosen from those on this machine.
func (f *finder) cachedChoice(place, kind string) string {
	if place == "module cache" {
		place = "the module cache"
	}
	s := "newest in " + place
	if kind != "" {
		s += " (" + kind + ")"
	}
	switch {
	case f.ask.version != "":
		return s + " that matches " + f.ask.version + "; network access is disabled"
	case f.project != nil:
		s += "; " + f.project.Name() + " does not require it"
	default:
		s += ", no project given"
	}
	return s + "; use @latest to look up the newest version"
}

// cachedVersions lists the versions of a module that are on this machine. It
// reads two or three directories and never the whole cache.
func (f *finder) cachedVersions(modulePath string) []string {
	path, err := module.EscapePath(modulePath)
	if err != nil {
		return nil
	}
	var versions []string
	add := func(escaped string, ok bool) {
		if v, err := module.UnescapeVersion(escaped); ok && err == nil && semver.IsValid(v) && !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
	}
	zips := func(names []string) {
		for _, name := range names {
			add(strings.CutSuffix(name, ".zip"))
		}
	}
	zips(f.g.options.Cache.List(downloadDir(path)))
	path = filepath.FromSlash(path)
	if f.st.modCache != "" {
		zips(project.DirNames(filepath.Join(f.st.modCache, "cache", "download", path, "@v")))
		dir, base := filepath.Split(filepath.Join(f.st.modCache, path))
		for _, name := range project.DirNames(dir) {
			add(strings.CutPrefix(name, base+"@"))
		}
	}
	return versions
}

// usable omits versions that the project excludes or the author retracted.
func (f *finder) usable(path string, versions []string) []string {
	if len(versions) == 0 {
		return nil
	}
	notice := f.notice(path)
	return slices.DeleteFunc(versions, func(v string) bool {
		_, retracted := notice.retraction(v)
		return retracted || f.project != nil && f.project.Excluded(module.Version{Path: path, Version: v})
	})
}

// notice contains a module's deprecation and retractions, from the newest
// go.mod file on this machine.
type notice struct {
	retract    []*modfile.Retract
	deprecated string
}

func (f *finder) notice(modulePath string) notice {
	path, err := module.EscapePath(modulePath)
	if err != nil {
		return notice{}
	}
	dir, cache, download := environ.Below(f.st.modCache, "cache", "download", filepath.FromSlash(path), "@v"), f.g.options.Cache, downloadDir(path)
	name := newestModFile(append(project.DirNames(dir), cache.List(download)...))
	if name == "" {
		return notice{}
	}
	data, err := project.ReadFile(filepath.Join(dir, name), maxModFile)
	if err != nil {
		data, err = cache.Read(download+name, maxModFile)
	}
	if err != nil {
		return notice{}
	}
	return parseNotice(data)
}

// maxModFile is the maximum size of a go.mod file, in bytes.
const maxModFile = 16 << 20

// newestModFile returns the go.mod file of the newest version, or "" if there
// is none.
func newestModFile(names []string) (name string) {
	newest := ""
	for _, n := range names {
		escaped, ok := strings.CutSuffix(n, ".mod")
		if v, err := module.UnescapeVersion(escaped); ok && err == nil && (newest == "" || newer(v, newest)) {
			newest, name = v, n
		}
	}
	return name
}

func parseNotice(data []byte) notice {
	mod, err := modfile.ParseLax("go.mod", data, nil)
	if err != nil {
		return notice{}
	}
	n := notice{retract: mod.Retract}
	if mod.Module != nil {
		n.deprecated = mod.Module.Deprecated
	}
	return n
}

// retraction reports whether the author has retracted a version, and returns
// the reason, if any.
func (n notice) retraction(version string) (reason string, retracted bool) {
	for _, r := range n.retract {
		if semver.Compare(r.Low, version) <= 0 && semver.Compare(version, r.High) <= 0 {
			return r.Rationale, true
		}
	}
	return "", false
}

// moduleWarnings returns warnings about the deprecation and retraction of a module version.
func (f *finder) moduleWarnings(m module.Version) []string {
	var list []string
	n := f.notice(m.Path)
	if reason, ok := n.retraction(m.Version); ok {
		list = append(list, authorSays(m.String()+" is retracted", reason))
	}
	if n.deprecated != "" {
		list = append(list, authorSays("The module "+m.Path+" is deprecated", n.deprecated))
	}
	return list
}

func authorSays(what, why string) string {
	if why = quote.Line(why, 400); why == "" {
		return what + " by its author."
	}
	return what + " by its author: " + why
}
