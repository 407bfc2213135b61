package python

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/python/pipconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// what returns the name of the offer's file for use in errors.
func (o *offer) what() string { return o.file.File }

// cacheFile returns the name of the file in the cache, which is derived from its hash or, if that
// is unknown, from its address.
func (o *offer) cacheFile() string {
	ending := ".whl"
	if !o.name.Wheel {
		ending = path.Ext(o.file.File)
	}
	if o.file.SHA256 != "" {
		return "python/files/sha256-" + strings.ToLower(o.file.SHA256) + ending
	}
	sum := sha256.Sum256([]byte(o.file.URL))
	return "python/files/url-" + hex.EncodeToString(sum[:]) + ending
}

// provenance returns where the file comes from.
func (o *offer) provenance() apidoc.Provenance {
	p := apidoc.Provenance{Source: "index", Location: fetch.Redact(o.file.URL), Integrity: "not verified: the index does not provide a hash"}
	switch {
	case strings.HasPrefix(o.file.URL, "file:"):
		p.Source, p.Location, p.Integrity = "directory of files", fileOf(o.file.URL), "not verified: docent used the files on this machine"
	case o.file.SHA256 != "":
		p.Integrity = "sha256 of " + o.vouched
	}
	return p
}

// partsOnly is the integrity of a wheel that was fetched only in part.
const partsOnly = "not verified: docent downloaded only parts of the wheel, but the hash is for the whole wheel"

// openOffer opens the file of an offer and sets the missing fields of l.
func (f *finder) openOffer(ctx context.Context, o *offer, l *located) error {
	files, err := f.filesOf(ctx, o, l)
	if err != nil {
		return err
	}
	if o.name.Wheel {
		return f.openWheel(ctx, o, files, l)
	}
	return f.openSdist(o, files, l)
}

// filesOf returns the content of a file: from this machine, the cache or the
// index.
func (f *finder) filesOf(ctx context.Context, o *offer, l *located) (*archive.FS, error) {
	if file := fileOf(o.file.URL); file != "" {
		f.seen.Add(file)
		opened, err := rootfs.OpenAnywhere(file)
		if err != nil {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "%s cannot be opened", file).WithErr(err)
		}
		f.closers = append(f.closers, opened)
		info, err := opened.Stat()
		if err != nil {
			return nil, err
		}
		return f.unpack(o, opened, info.Size(), isNeeded)
	}
	limit := f.py.options.MaxDownload
	if !o.name.Wheel {
		limit = maxSdist
	}
	inParts := func() (*archive.FS, error) {
		// The wheel's hash cannot be checked with only parts of the wheel, but the hash of its
		// metadata can.
		if _, err := f.coreMetadata(ctx, o); err != nil {
			return nil, err
		}
		return f.partsOf(ctx, o, l)
	}
	if o.name.Wheel && o.file.Size > limit {
		return inParts()
	}
	files, err := f.whole(ctx, o, limit)
	if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Kind == fetch.TooLarge && o.name.Wheel {
		return inParts()
	}
	if err != nil {
		return nil, f.downloadError(o, err)
	}
	return files, nil
}

// connectTo connects to the host of an offer's file.
func (f *finder) connectTo(o *offer) (connection, *url.URL, error) {
	u, err := url.Parse(o.file.URL)
	if err != nil {
		return connection{}, nil, ecosystem.Fail(ecosystem.Unreadable, "the address of %s is not a URL", o.what()).WithErr(err)
	}
	w, err := f.connect(o.index, u)
	return w, u, err
}

// whole downloads a file, verifies it before any of it is parsed, and stores it
// in the cache.
func (f *finder) whole(ctx context.Context, o *offer, limit int64) (*archive.FS, error) {
	cached, err := f.download(ctx, o, o.cacheFile(), limit)
	if err != nil {
		return nil, err
	}
	f.closers = append(f.closers, cached)
	files, err := f.unpack(o, cached, cached.Size(), isNeeded)
	if err != nil {
		f.py.options.Cache.Drop(o.cacheFile())
	}
	return files, err
}

// download downloads the file of an offer to a file in the cache and verifies it.
func (f *finder) download(ctx context.Context, o *offer, name string, limit int64) (*cachedir.File, error) {
	var check fetch.Check
	if o.file.SHA256 != "" {
		digest, err := fetch.ParseHex("sha256", strings.ToLower(o.file.SHA256))
		if err != nil {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "the sha256 of %s that %s gives is not valid", o.what(), o.vouched).WithErr(err)
		}
		check.AnyOf = []fetch.Digest{digest}
	}
	w, u, err := f.connectTo(o)
	if err != nil {
		return nil, err
	}
	ask := w.request(u.String(), limit)
	ask.Local = o.local
	return f.py.options.Cache.Fetch(ctx, name, func(file *os.File) error {
		ctx, cancel := f.timeout(ctx)
		defer cancel()
		return w.client.Save(ctx, ask, file, check)
	})
}

// coreMetadata fetches the METADATA of a wheel that its index serves as a separate file
// (PEP 658). It returns nil if there is none. The file is small, so it can be read before
// the wheel is downloaded.
func (f *finder) coreMetadata(ctx context.Context, o *offer) (*metadata, error) {
	if !o.file.Metadata || !o.name.Wheel || fileOf(o.file.URL) != "" {
		return nil, nil
	}
	if o.meta != nil {
		return o.meta, nil
	}
	beside := *o
	u, err := url.Parse(o.file.URL)
	if err != nil {
		return nil, nil //nolint:nilerr // an error of the wheel's address is returned when the wheel is opened
	}
	u = u.JoinPath("../" + path.Base(u.Path) + ".metadata")
	beside.file = release{File: o.file.File + ".metadata", URL: u.String(), SHA256: o.file.MetadataSHA256}
	cached, err := f.download(ctx, &beside, "python/metadata/"+path.Base(beside.cacheFile()), maxMetadata)
	if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Kind != fetch.Mismatch {
		return nil, nil // The caller then reads the metadata in the wheel instead.
	}
	if err != nil {
		return nil, f.downloadError(&beside, err)
	}
	f.closers = append(f.closers, cached)
	data := make([]byte, cached.Size())
	if _, err := cached.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	o.meta = parseMetadata(string(data))
	return o.meta, checkMetadata(o, &beside, o.meta)
}

// downloadError converts a failed download to an error for users.
func (f *finder) downloadError(o *offer, err error) error {
	if bad, ok := errors.AsType[*archive.Error](err); ok {
		return ecosystem.Fail(ecosystem.Unreadable, "%s %s", o.what(), bad.Problem).WithErr(err).WithNext("docent discarded the download; request another version")
	}
	failed, ok := errors.AsType[*fetch.Error](err)
	if ok && (failed.Kind == fetch.NotFound || failed.Kind == fetch.Gone) {
		return ecosystem.Fail(ecosystem.Unreadable, "the index lists %s, but %s does not have it (%d)", o.what(), failed.URL, failed.Status).WithErr(err).
			WithNext("request another version, or inform the operator of the index")
	}
	if ok && failed.Kind == fetch.Mismatch {
		return ecosystem.Fail(ecosystem.Unreadable, "%s does not match the sha256 that %s gives", o.what(), o.vouched).WithErr(err).
			WithNext("docent discarded the download; check that the index is correct")
	}
	if _, ok := errors.AsType[*ecosystem.Error](err); ok {
		return err
	}
	w, u, unusable := f.connectTo(o)
	if unusable != nil {
		return unusable
	}
	var i *pipconf.Index
	if o.index != nil && o.index.URL != nil && o.index.URL.Host == u.Host {
		i = o.index
	}
	return f.indexError(i, w, o.what(), err)
}

// These constants limit the contents of wheels and source distributions. Files in a wheel are
// unpacked when they are read, so a wheel may contain large libraries at no cost.
const (
	maxWheelFile     = 4 << 30   // maximum size in bytes of one file in a wheel
	maxWheelUnpacked = 16 << 30  // maximum size in bytes of all files in a wheel
	maxSourceFile    = 32 << 20  // maximum size in bytes of a file that is read
	maxSdist         = 128 << 20 // maximum size in bytes of a source distribution
	maxRatio         = 1000      // maximum number of unpacked bytes for each packed byte
)

// unpack opens a wheel or source distribution.
func (f *finder) unpack(o *offer, r io.ReaderAt, size int64, keep func(string, int64) archive.Want) (*archive.FS, error) {
	options := archive.Options{SkipLinks: true, Keep: keep}
	options.Limits = archive.Limits{Packed: max(f.py.options.MaxDownload, maxSdist), File: maxWheelFile, Unpacked: maxWheelUnpacked, Ratio: maxRatio}
	if o.name.Wheel {
		return archive.OpenZip(r, size, options)
	}
	options.StripFirst = true
	if strings.HasSuffix(o.file.File, ".zip") {
		return archive.OpenZip(r, size, options)
	}
	data := make([]byte, size)
	if _, err := r.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	options.Limits = archive.Limits{Packed: maxSdist, File: 512 << 20, Unpacked: 2 << 30}
	return archive.ReadTarGz(data, options)
}

// isNeeded selects the files from which documentation is read.
func isNeeded(name string, size int64) archive.Want {
	if size > maxSourceFile {
		if moduleOf(path.Base(name)) != "" && !strings.HasSuffix(name, ".py") && !strings.HasSuffix(name, ".pyi") {
			return archive.Later // the name alone shows that there is a compiled module
		}
		return archive.Never
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".pyi", ".pyx", ".pxi", ".pxd", ".md", ".rst", ".txt", ".markdown", ".toml", ".cfg", "":
		return archive.Now
	case ".so", ".pyd":
		return archive.Later
	}
	if dir := path.Dir(name); strings.HasSuffix(dir, ".dist-info") || strings.HasSuffix(dir, ".egg-info") {
		return archive.Now
	}
	return archive.Never
}

// openWheel reads the metadata of a wheel and finds its modules.
func (f *finder) openWheel(ctx context.Context, o *offer, files *archive.FS, l *located) error {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return err
	}
	var root fs.FS = files
	info := ""
	for _, e := range entries {
		name := e.Name()
		if stem, ok := strings.CutSuffix(name, ".dist-info"); ok && e.IsDir() {
			if dist, _, _ := strings.Cut(stem, "-"); pep508.Normalize(dist) == o.name.Name {
				info = name
			}
		}
		if strings.HasSuffix(name, ".data") && e.IsDir() {
			for _, lib := range []string{"purelib", "platlib"} {
				if sub, err := fs.Sub(files, name+"/"+lib); err == nil && isDirIn(files, name+"/"+lib) {
					root = union{root, sub}
				}
			}
		}
	}
	if info == "" {
		return ecosystem.Fail(ecosystem.Unreadable, "%s contains no metadata under its own name", o.what()).WithNext("docent cannot describe it; request another version")
	}
	if l.meta = o.meta; l.meta == nil {
		if l.meta, err = f.checkedMetadata(o, files, info+"/METADATA"); err != nil {
			return err
		}
	}
	var names []string
	for name := range files.Files {
		if _, rest, ok := strings.Cut(name, ".data/"); ok {
			_, name, _ = strings.Cut(rest, "/")
		}
		names = append(names, name)
	}
	if len(topModules(names)) == 0 && f.openFront(ctx, l) {
		return nil
	}
	return f.openModules(o, root, names, l)
}

// maxFronts is the maximum number of distributions without modules that are followed, one leading
// to the next.
const maxFronts = 3

// openFront opens the distribution that contains the modules of l, which does not contain any
// itself. It is one of the distributions that l requires at an exact version. If there are several,
// openFront chooses the distribution whose module has the name of l. It returns false if none of
// them has the module.
func (f *finder) openFront(ctx context.Context, l *located) bool {
	if f.fronts >= maxFronts {
		return false
	}
	f.fronts++
	e := f.target.environment()
	exact := slices.DeleteFunc(slices.Clone(l.meta.Requires), func(r pep508.Requirement) bool {
		return len(r.Specifiers) != 1 || r.Specifiers[0].Operator != "==" || strings.HasSuffix(r.Specifiers[0].Text, ".*") || !r.Marker.Holds(e)
	})
	candidates := []string{l.module}
	if own := strings.ReplaceAll(pep508.Normalize(l.meta.Name), "-", "_"); len(exact) > 1 && (l.module == "" || l.module == l.dist) {
		candidates = []string{own, l.module}
	}
	for _, module := range candidates {
		for _, r := range exact {
			behind := f.dependency(ctx, r, module)
			if behind == nil || module != l.module && behind.module != module {
				continue
			}
			l.module, l.source = behind.module, behind.source
			l.provenance.Location += ", whose modules are in " + behind.provenance.Location
			return true
		}
	}
	return false
}

func isDirIn(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.IsDir()
}

// checkedMetadata reads METADATA or PKG-INFO and compares the name and version with those
// in the name of the file.
func (f *finder) checkedMetadata(o *offer, files fs.FS, name string) (*metadata, error) {
	data, err := project.ReadFS(files, name, maxMetadata)
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "%s contains no readable %s", o.what(), path.Base(name)).WithErr(err).WithNext("request another version")
	}
	m := parseMetadata(string(data))
	return m, checkMetadata(o, o, m)
}

// madeModule reports whether a module that has no file may exist when a program runs, because a module above
// it is a file rather than a directory. Only code can create modules below such a module.
func madeModule(src *modules.Source, module string) bool {
	for part := parentModule(module); part != ""; part = parentModule(part) {
		if _, err := fs.Stat(src.Root, strings.ReplaceAll(part, ".", "/")+".py"); err == nil {
			return true
		}
	}
	return false
}

// checkMetadata compares the name and version in metadata, which comes from file, with those of the
// offer o.
func checkMetadata(o, file *offer, m *metadata) error {
	if pep508.Normalize(m.Name) != o.name.Name || !sameVersion(m.Version, o.version) {
		return ecosystem.Fail(ecosystem.Unreadable, "%s claims to be %.100s %.100s", file.what(), m.Name, m.Version).
			WithNext("request another version")
	}
	return nil
}

// openModules finds the module of a distribution in its files.
func (f *finder) openModules(o *offer, root fs.FS, names []string, l *located) error {
	top := topModules(names)
	if l.module == "" || pep508.Normalize(l.module) == o.name.Name && !validModule(l.module) {
		l.module = ""
	}
	src := &modules.Source{Root: root, Modules: top, Python: f.target.minor(), Platform: f.target.platform}
	if l.module != "" && !hasModule(f.withStubs(src, l.module), l.module) {
		if pep508.Normalize(l.module) != o.name.Name {
			err := ecosystem.Fail(ecosystem.NotFound, "%s has no module %s", o.what(), l.module).WithNear(top[:min(len(top), 5)]...).
				WithNext("request one of its modules, or the distribution by its name")
			first, _, _ := strings.Cut(l.module, ".")
			err.Unsure = l.provenance.Unused || importNames[first] == o.name.Name || madeModule(src, l.module)
			return err
		}
		l.module = ""
	}
	if l.module == "" {
		if l.module = primaryModule(o.name.Name, top, names); l.module == "" {
			return ecosystem.Fail(ecosystem.NoneExported, "%s contains no Python modules", o.what()).WithNext("it may contain a program or data; read the sections of its documentation")
		}
	}
	src.Module = l.module
	l.source = f.withStubs(src, l.module)
	l.dist, l.version = cmp.Or(l.meta.Name, o.name.Name), cmp.Or(l.meta.Version, o.version)
	return nil
}

// withStubs sets the stubs of a module that are in the same distribution.
func (f *finder) withStubs(src *modules.Source, module string) *modules.Source {
	top, _, _ := strings.Cut(module, ".")
	src.Stubs = nil
	if isDirIn(src.Root, top+stubsMark) {
		src.Stubs = stubTree{src.Root, []string{top}}
	}
	return src
}

// union is a file system that contains the files in two others. A file in first hides a file with
// the same name in second.
type union struct{ first, second fs.FS }

// Open implements fs.FS.
func (u union) Open(name string) (fs.File, error) {
	if file, err := u.first.Open(name); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	return u.second.Open(name)
}

// ReadDir implements fs.ReadDirFS.
func (u union) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(u.first, name)
	others, otherErr := fs.ReadDir(u.second, name)
	if err != nil {
		return others, otherErr
	}
	seen := map[string]bool{}
	for _, e := range entries {
		seen[e.Name()] = true
	}
	for _, e := range others {
		if !seen[e.Name()] {
			entries = append(entries, e)
		}
	}
	sortEntries(entries)
	return entries, nil
}

// Stat implements fs.StatFS.
func (u union) Stat(name string) (fs.FileInfo, error) {
	if info, err := fs.Stat(u.first, name); err == nil {
		return info, nil
	}
	return fs.Stat(u.second, name)
}
