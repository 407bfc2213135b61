package npm

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// located is a package that was found. A package from a registry is not unpacked until it is read.
// Until then, pkg and manifest are nil.
type located struct {
	pkg      *modules.Package
	manifest *npmlock.Manifest
	tarball  *download
	fetch    func(context.Context) (*located, error)
	name     string // the name to show, if it differs from the one in the manifest
	// dir is the package's directory with links resolved, or "" if it does not have one.
	dir        string
	inProject  bool // whether it is part of the user's project
	deprecated string
	provenance apidoc.Provenance
}

// version returns the exact version, if it is known.
func (l *located) version() string {
	if l.manifest == nil {
		return l.tarball.version
	}
	return l.manifest.Version
}

// finder answers one query. It must not be used concurrently.
type finder struct {
	n         *NPM
	ask       question
	project   *npmlock.Project // nil outside a project
	places    map[string]*located
	byPackage map[any]*located // keyed by *modules.Package
	closers   []io.Closer
	tried     []string
	warnings  []string
	seen      *fingerprint.Fingerprint
	config    *npmrc.Config             // read at the first use
	choice    *ecosystem.MissingRelease // the release that the project chose, if it is not on this machine
	remotes   map[remoteSpec]*located   // dependencies from registries; nil values for those that cannot be fetched
	maxOpen   int                       // maximum number of installed packages that are opened
}

func (f *finder) close() {
	for _, c := range f.closers {
		c.Close()
	}
}

const (
	// maxOpen is the maximum number of installed packages that one query opens.
	maxOpen = 400
	// maxProgramPackages is the maximum number of installed packages that a check of a project opens.
	maxProgramPackages = 20_000
)

// openDir opens the package in a directory. It returns nil if the directory does
// not contain a package.
func (f *finder) openDir(dir, name string) *located {
	f.seen.Add(filepath.Join(dir, "package.json")) // Use the name of the link, because its target may change.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if known, ok := f.places[dir]; ok {
		return known
	}
	if len(f.places) >= f.maxOpen {
		return nil
	}
	m, err := npmlock.ReadManifest(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil
	}
	tree, err := fingerprint.OpenTree(dir, f.seen)
	if err != nil {
		return nil
	}
	l := f.put(&located{
		pkg:      &modules.Package{Name: name, Version: m.Version, FS: tree},
		manifest: m, dir: dir, inProject: !strings.Contains(filepath.ToSlash(dir)+"/", "/node_modules/"),
		deprecated: m.Deprecated,
		provenance: apidoc.Provenance{Source: "node_modules", Location: dir, Integrity: "not verified: docent read the installed files"},
	})
	if l.inProject {
		l.provenance.Source, l.provenance.Integrity = "workspace", ""
	}
	f.places[dir] = l
	return l
}

func (f *finder) put(l *located) *located {
	f.byPackage[l.pkg] = l
	return l
}

// installedFrom finds a package as Node.js does, in node_modules of dir and of
// every directory above it. It returns nil if none of them has the package.
func (f *finder) installedFrom(dir, name string) *located {
	for {
		if filepath.Base(dir) != "node_modules" {
			if l := f.openDir(filepath.Join(dir, "node_modules", filepath.FromSlash(name)), name); l != nil {
				return l
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
}

// installed finds a package that the project has installed, at the given version
// unless it is empty. It also looks in the stores of pnpm, yarn and bun.
func (f *finder) installed(name, published, version string) *located {
	if f.project == nil {
		return nil
	}
	found := f.installedFrom(f.project.Dir, name)
	if found != nil && (version == "" || found.manifest.Version == version) {
		return found
	}
	published = cmp.Or(published, name)
	if l := f.isolated(published, version); l != nil {
		return l
	}
	if l := f.zipCache(published, version); l != nil {
		return l
	}
	return nil
}

// isolated finds a transitive dependency in the store below node_modules where
// package managers keep one copy of each package and link to it:
//
//	.pnpm/@a+b@1.2.3_peers/node_modules/@a/b    pnpm
//	.bun/@a+b@1.2.3+hash/node_modules/@a/b      bun
//	.store/@a/b@1.2.3-hash/node_modules/@a/b    npm, install-strategy=linked
//	.store/@a-b-npm-1.2.3-hash/package          yarn, nodeLinker: pnpm
//	.store/@a-b-virtual-hash/package            yarn, packages with peers
func (f *finder) isolated(name, version string) *located {
	inside := filepath.Join("node_modules", filepath.FromSlash(name))
	plus, slug := strings.ReplaceAll(name, "/", "+"), strings.ReplaceAll(name, "/", "-")
	scope, base := path.Split(name)
	for _, in := range []struct {
		store, prefix, inside string
		versioned             bool
	}{
		{".pnpm", plus + "@", inside, true},
		{".bun", plus + "@", inside, true},
		{filepath.Join(".store", scope), base + "@", inside, true},
		{".store", slug + "-npm-", "package", true},
		{".store", slug + "-virtual-", "package", false},
	} {
		start := in.prefix
		if in.versioned {
			start += version
		}
		if l := f.stored(filepath.Join(f.project.Root, "node_modules", in.store), start, in.inside, name, version); l != nil {
			return l
		}
	}
	return nil
}

// stored finds a package in the directories of a store whose names begin with
// start. It returns nil if several versions match and none is requested.
func (f *finder) stored(store, start, inside, name, version string) *located {
	f.seen.Add(store)
	var found *located
	for _, entry := range project.DirNames(store) {
		if !strings.HasPrefix(entry, start) {
			continue
		}
		l := f.openDir(filepath.Join(store, entry, inside), name)
		if l == nil || version != "" && l.manifest.Version != version {
			continue
		}
		if found != nil && found.manifest.Version != l.manifest.Version {
			return nil
		}
		found = l
	}
	return found
}

// zipCache finds a package in the zip files of yarn's Plug'n'Play, such as
// ".yarn/cache/ms-npm-2.1.2-<hash>-<hash>.zip", which contains node_modules/ms.
// It returns nil if there is none.
func (f *finder) zipCache(name, version string) *located {
	if version == "" || strings.ContainsAny(version, "*?[\\/") {
		return nil
	}
	slug := strings.ReplaceAll(name, "/", "-")
	for _, dir := range []string{filepath.Join(f.project.Root, ".yarn", "cache"), filepath.Join(f.n.env.Home(), ".yarn", "berry", "cache")} {
		f.seen.Add(dir)
		for _, entry := range project.DirNames(dir) {
			rest, ok := strings.CutPrefix(entry, slug+"-npm-"+version+"-")
			if !ok || !strings.HasSuffix(rest, ".zip") || strings.Count(rest, "-") > 1 {
				continue
			}
			if l := f.openZip(filepath.Join(dir, entry), name); l != nil && l.manifest.Version == version {
				return l
			}
		}
	}
	return nil
}

func (f *finder) openZip(file, name string) *located {
	if known, ok := f.places[file]; ok {
		return known
	}
	f.seen.Add(file)
	data, err := rootfs.OpenAnywhere(file) // The files may be links to yarn's global cache.
	if err != nil {
		return nil
	}
	f.closers = append(f.closers, data)
	info, err := data.Stat()
	if err != nil || len(f.places) > f.maxOpen {
		return nil
	}
	all, err := archive.OpenZip(data, info.Size(), archive.Options{
		Limits: archive.Limits{Packed: f.n.options.MaxDownload}, SkipLinks: true, FoldCase: true,
	})
	if err != nil {
		return nil
	}
	files, err := fs.Sub(all, "node_modules/"+name)
	if err != nil {
		return nil
	}
	l := f.openFS(files, name)
	if l != nil {
		l.provenance = apidoc.Provenance{Source: "yarn cache", Location: file, Integrity: "not verified: docent read the installed files"}
		f.places[file] = l
	}
	return l
}

// openFS opens the package with the given files. It returns nil if the files
// are not a package.
func (f *finder) openFS(files fs.FS, name string) *located {
	data, err := fs.ReadFile(files, "package.json")
	if err != nil {
		return nil
	}
	m, err := npmlock.ParseManifest(data)
	if err != nil {
		return nil
	}
	return f.put(&located{
		pkg: &modules.Package{Name: name, Version: m.Version, FS: files}, manifest: m, deprecated: m.Deprecated,
	})
}

// open implements modules.Opener for a query.
func (f *finder) open(ctx context.Context, from *modules.Package, name string) (*modules.Package, error) {
	if !npmlock.ValidName(name) {
		return nil, fs.ErrNotExist
	}
	if l := f.dependency(ctx, f.byPackage[from], name); l != nil {
		return l.pkg, nil
	}
	return nil, fs.ErrNotExist
}

// dependency finds a dependency that the package from imports. It returns nil if
// it is not installed.
func (f *finder) dependency(ctx context.Context, from *located, name string) *located {
	if from != nil && from.dir != "" {
		if l := f.installedFrom(from.dir, name); l != nil {
			return l
		}
	}
	// The project may provide types that a package does not list as
	// dependencies: @types/x, and TypeScript's own library.
	if from == nil || strings.HasPrefix(name, "@types/") || name == "typescript" {
		if l := f.installed(name, "", ""); l != nil && f.serves(l, from) {
			return l
		}
	}
	if from == nil || from.dir != "" {
		return nil
	}
	return f.remoteDependency(ctx, from, name)
}

// serves reports whether installed types are those of a package that imports them. The project may
// use another version of that package.
func (f *finder) serves(types, from *located) bool {
	if from == nil || from.dir != "" {
		return true
	}
	if types.pkg.Name == typesName(from.pkg.Name) {
		return major(types.manifest.Version) == major(from.pkg.Version)
	}
	r, ok := parseRange(from.manifest.Dependencies[types.pkg.Name])
	return !ok || r.matches(types.manifest.Version)
}
