package python

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/pipconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
	"github.com/docent-mcp/docent/internal/project/pylock"
	"github.com/docent-mcp/docent/internal/spelling"
)

// find locates the module of the query, at the version that the query requests or that the project
// uses. It prefers copies on this machine.
func (f *finder) find(ctx context.Context) (*located, error) {
	switch {
	case f.ask.dir != "":
		return f.findDirectory()
	case f.ask.version != "":
		return f.findAsked(ctx)
	}
	return f.findUsed(ctx)
}

// findDirectory finds the project in the directory given by the query.
func (f *finder) findDirectory() (*located, error) {
	name := filepath.Base(f.ask.dir)
	if f.project != nil && f.project.Dir == f.ask.dir {
		name = f.project.Name()
	}
	if l := f.openProject(f.ask.dir, "", name); l != nil {
		return l.chosen("the requested directory"), nil
	}
	// The directory is a package within a project. The import names of its modules begin
	// with the names of the packages above it.
	dir, module := f.ask.dir, ""
	for project.IsFile(filepath.Join(dir, "__init__.py")) && dir != filepath.Dir(dir) {
		module = strings.TrimSuffix(filepath.Base(dir)+"."+module, ".")
		dir = filepath.Dir(dir)
	}
	if module != "" {
		if src, err := f.sourceIn(dir, module); err == nil {
			return (&located{
				dist: name, module: module, source: src, inProject: true, meta: &metadata{}, provenance: apidoc.Provenance{Source: "workspace", Location: dir},
			}).chosen("the requested directory"), nil
		}
	}
	return nil, ecosystem.Fail(ecosystem.NotFound, "there is no Python package in %s", f.ask.dir).WithNext("specify the directory of a project or of a package")
}

// findUsed finds the module as the project uses it. It searches, in this order, the project's own
// code, the standard library, the lock file, installed packages, the manifest, and finally the
// newest release.
func (f *finder) findUsed(ctx context.Context) (*located, error) {
	name := f.ask.name
	if l := f.findOwn(name); l != nil {
		return l, nil
	}
	if l := f.openStdlib(name); l != nil {
		if d, _ := f.owner(name); d != nil {
			f.warnings = append(f.warnings, fmt.Sprintf("%s is also installed as part of %s %s, but Python imports the standard library first", name, d.name, d.version))
		}
		return l, nil
	}
	if f.adopt(ctx) {
		name = f.ask.name // of a distribution, not of the project's own code
	} else if f.unalias(ctx) {
		return f.findUsed(ctx)
	}
	module, dist, d := f.resolve(name)
	if err := f.absentModule(module, dist, d); err != nil {
		return nil, err
	}
	if f.project != nil {
		if dep, ok := f.project.Locked(dist, f.target.environment()); ok {
			return f.findLocked(ctx, dep, module, d)
		}
	}
	if d != nil {
		if l := f.openInstalled(d, module); l != nil {
			f.explainName(l)
			return l.chosen(f.env.by), nil
		}
	}
	if _, dir := f.owner(name); dir != "" && validModule(name) { // A .pth file contains the directory, or the module was copied there by hand.
		if d := f.editableOwner(dir); d != nil {
			if l := f.openEditable(d, d.editableDir(), name); l != nil {
				return l.chosen(f.env.by), nil
			}
		}
		if src, err := f.sourceIn(dir, name); err == nil && hasModule(src, name) {
			return (&located{
				module: name, source: src, meta: &metadata{}, provenance: apidoc.Provenance{Source: filepath.Base(dir), Location: dir, Integrity: "not verified: docent read the installed files"},
			}).chosen(f.env.by), nil
		}
	}
	if f.env != nil {
		f.tried = append(f.tried, f.env.by)
	}
	return f.findWanted(ctx, module, dist)
}

// adopt replaces the name in the question if it names a module that a package re-exports from another
// distribution at run time. It keeps the name if the version of the package that the project uses
// contains the module. It reports whether it has replaced the name.
func (f *finder) adopt(ctx context.Context) bool {
	for name, module := range adopted {
		rest, ok := strings.CutPrefix(f.ask.name, name)
		if !ok || rest != "" && rest[0] != '.' || f.contains(ctx, name) {
			continue
		}
		f.warnings = append(f.warnings, fmt.Sprintf("%s takes the module %s from %s; this is the documentation of %s", parentModule(name), name, module, module))
		f.ask.name = module + rest
		return true
	}
	return false
}

// contains reports whether the distribution of a module is installed or locked and has a file for
// the module.
func (f *finder) contains(ctx context.Context, module string) bool {
	defer func(warnings []string, choice *ecosystem.MissingRelease) { f.warnings, f.choice = warnings, choice }(f.warnings, f.choice)
	_, dist, d := f.resolve(module)
	if d != nil {
		return f.openInstalled(d, module) != nil
	}
	if f.project == nil {
		return false
	}
	dep, ok := f.project.Locked(dist, f.target.environment())
	if !ok {
		return false
	}
	l, err := f.findLocked(ctx, dep, module, nil)
	return err == nil && f.opened(ctx, l) == nil
}

type aliasesKey struct{ project *pylock.Project }

// unalias replaces the name in the question if it begins with an alias that programs use for a
// module, so that np.linalg becomes numpy.linalg. It keeps a name that exists in the project or its
// environment. It reports whether it has replaced the name.
func (f *finder) unalias(ctx context.Context) bool {
	alias, rest, _ := strings.Cut(f.ask.name, ".")
	if f.unaliased || !validModule(alias) || f.knownDistribution(alias) != "" || f.distribution(alias) != nil {
		return false
	}
	if _, dir := f.owner(alias); dir != "" {
		return false
	}
	module, by := aliases[alias], "programs"
	if f.project != nil {
		if m := ecosystem.Shared(ctx, aliasesKey{f.project}, f.project.Aliases)[alias]; m != "" {
			module, by = m, "the files of "+f.project.Name()
		}
	}
	if module == "" {
		return false
	}
	f.unaliased = true
	f.ask.name = strings.TrimSuffix(module+"."+rest, ".")
	note := fmt.Sprintf("%[1]s is what %[2]s call %[3]s; this is the documentation of %[3]s", alias, by, module)
	if by == "programs" {
		note += fmt.Sprintf("; for the distribution with this name, request %s@latest", alias)
	}
	f.warnings = append(f.warnings, note)
	return true
}

// knowsAll reports whether the lock file or an environment contains every package that the project
// uses. Otherwise, the requirements of its dependencies are unknown.
func (f *finder) knowsAll() bool {
	return f.project.Coverage().Closure || f.env != nil && f.env.virtual()
}

// findWanted finds the module at a version that the manifest requires, or else in the newest
// release.
func (f *finder) findWanted(ctx context.Context, module, dist string) (*located, error) {
	w := versionRequest{by: "newest release, no project given"}
	if f.project == nil {
		if f.ask.project != "" {
			w.by = "newest release; no Python project in " + f.ask.project + " or above"
		}
		f.warnings = append(f.warnings, ecosystem.Unchosen)
		return f.fromIndex(ctx, module, dist, w)
	}
	e := f.target.environment()
	if sources, dir := f.project.SourcesOf(dist); len(sources) > 0 {
		for _, s := range sources {
			switch {
			case !s.Marker.Holds(e):
			case s.Path != "":
				if l := f.openProject(filepath.Join(dir, filepath.FromSlash(s.Path)), "", dist); l != nil {
					return l.chosen("path of " + dist + " in the project's settings"), nil
				}
			case s.Foreign != "":
				return nil, f.notOfIndex(dist, s.Foreign)
			}
		}
	}
	for _, r := range f.project.Wants(dist) {
		if !r.Marker.Holds(e) && !r.Marker.Holds(e.With("extra", "*")) {
			w.by = "newest release; " + f.project.Name() + " requires it only on other platforms or versions of Python"
			continue
		}
		if r.URL != "" {
			return nil, f.notOfIndex(dist, r.URL)
		}
		w.specifiers = append(w.specifiers, r.Specifiers...)
		w.by = strings.TrimSpace(fmt.Sprintf("newest release that %s allows (%s%s)", f.project.Name(), dist, r.Specifiers))
	}
	if len(f.project.Wants(dist)) == 0 {
		w.by, w.unused = "newest release; "+f.project.Name()+" does not use it", f.knowsAll()
		var d spelling.Distance
		meant := slices.DeleteFunc(f.near(dist), func(n string) bool { return d.Between(n, dist, 2) > 2 })
		if len(meant) > 0 && len(dist) > 4 { // Short names may be similar by chance.
			f.warnings = append(f.warnings, fmt.Sprintf("%s does not use %s, but does use %s; check the name before you install it", f.project.Name(), dist, strings.Join(meant, ", ")))
		}
	}
	if len(w.specifiers) > 0 {
		f.want(module, dist, w.specifiers.String(), w.by)
	}
	return f.fromIndex(ctx, module, dist, w)
}

// want records the release that the project chose. It is the name of the distribution, unless that
// does not identify the module.
func (f *finder) want(module, dist, version, by string) {
	name := dist
	if strings.Contains(module, ".") || importNames[module] == dist {
		name = module
	}
	f.choice = &ecosystem.MissingRelease{Package: name, Version: version, ChosenBy: by}
}

// projectRelease implements ecosystem.Steps.Missing.
func (f *finder) projectRelease() *ecosystem.MissingRelease { return f.choice }

// findOwn finds a module or project of the workspace by name. It returns nil if there is
// none.
func (f *finder) findOwn(name string) *located {
	if f.project == nil {
		return nil
	}
	members := f.project.Members()
	if dir, ok := members[pep508.Normalize(name)]; ok {
		if l := f.openProject(dir, "", name); l != nil {
			return l.chosen("package of the project")
		}
	}
	if !validModule(name) {
		return nil
	}
	top, _, _ := strings.Cut(name, ".")
	dirs := []string{f.project.Dir}
	for _, dir := range members {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs[1:])
	for _, dir := range dirs {
		for _, root := range []string{filepath.Join(dir, "src"), dir} {
			if !project.IsFile(filepath.Join(root, top, "__init__.py")) && !project.IsFile(filepath.Join(root, top+".py")) || strings.Contains(root, "site-packages") {
				continue
			}
			if l := f.openProject(dir, name, f.project.Name()); l != nil {
				return l.chosen("package of the project")
			}
		}
	}
	return nil
}

// resolve splits a name into the module to read and the distribution that it belongs to. The module
// is empty if the name belongs to a distribution. d is the distribution if it is installed.
func (f *finder) resolve(name string) (module, dist string, d *distribution) {
	if validModule(name) {
		if d, dir := f.owner(name); d != nil && (!namespaceOf(dir, name) || d.primary() == name) {
			if l := d.owns(name); l > strings.Count(name, ".") || f.distribution(name) == nil {
				return name, d.name, d
			}
		}
	}
	if d := f.distribution(name); d != nil {
		return "", d.name, d
	}
	if known := f.knownDistribution(name); known != "" {
		module := name
		if pep508.Normalize(name) == pep508.Normalize(known) {
			module = ""
		}
		return module, known, f.distribution(known)
	}
	if !validModule(name) {
		return "", name, nil
	}
	if top, _, _ := strings.Cut(name, "."); importNames[top] != "" && !slices.Contains(namespaces, top) {
		return name, importNames[top], nil
	}
	if strings.Contains(name, ".") {
		return name, f.owners(name)[0], nil
	}
	return "", name, nil
}

// namespaces are top-level modules that many distributions share. Each distribution is named after
// its part, so google.cloud.storage is in google-cloud-storage.
var namespaces = []string{
	"airflow", "azure", "backports", "google", "jaraco", "llama_index", "opentelemetry", "plone", "repoze", "ruamel", "sphinxcontrib", "zope",
}

// owners returns the distributions that may contain a dotted module that is not installed, the most
// likely first.
func (f *finder) owners(module string) []string {
	var dashed []string
	for part := module; strings.Contains(part, "."); part = parentModule(part) {
		dashed = append(dashed, strings.ReplaceAll(part, ".", "-"))
	}
	top, _, _ := strings.Cut(module, ".")
	if slices.Contains(namespaces, top) {
		return append(dashed, cmp.Or(importNames[top], top))
	}
	return append([]string{top}, dashed...)
}

// knownDistribution returns the distribution that probably contains a module and that the project
// locks or requires, or "" if there is none.
func (f *finder) knownDistribution(name string) string {
	if f.project == nil {
		return ""
	}
	known := map[string]bool{}
	for _, n := range append(f.project.LockedNames(), append(f.project.Manifest.Names(), f.project.RootManifest.Names()...)...) {
		known[n] = true
	}
	for part := name; part != ""; part = parentModule(part) {
		n := pep508.Normalize(part)
		top, _, _ := strings.Cut(part, ".")
		for _, candidate := range []string{
			n, pep508.Normalize(importNames[top]), "py" + n, "python-" + n, n + "-python", "py-" + n, n + "-py", n + "s", n + "-headless", n + "-binary", n + "-io",
		} {
			if known[candidate] {
				return candidate
			}
		}
	}
	// For example, the module of opencv-python-headless is cv2, and that of psycopg2-binary is
	// psycopg2.
	top, _, _ := strings.Cut(name, ".")
	if alias := pep508.Normalize(importNames[top]); alias != "" {
		for n := range known {
			if strings.HasPrefix(n, alias) {
				return n
			}
		}
	}
	return ""
}

// explainName adds a note if the import name of a distribution differs from the name in the query.
func (f *finder) explainName(l *located) {
	request, dist := pep508.Normalize(f.ask.name), pep508.Normalize(l.dist)
	switch top, _, _ := strings.Cut(l.module, "."); {
	case l.dist == "" || l.inProject:
	case request == dist && request != pep508.Normalize(l.module):
		f.warnings = append(f.warnings, fmt.Sprintf("%s is imported as %s", l.dist, l.module))
	case request != dist && pep508.Normalize(top) != dist && pep508.Normalize(strings.ReplaceAll(l.module, ".", "-")) != dist:
		f.warnings = append(f.warnings, fmt.Sprintf("%s belongs to the distribution %s", l.module, l.dist))
	}
}

// findLocked finds the module at the version that the lock file selects.
func (f *finder) findLocked(ctx context.Context, dep pylock.Dependency, module string, installed *distribution) (*located, error) {
	by := dep.By + " of " + f.project.Name()
	if dep.Note != "" {
		by += ", " + dep.Note
	}
	p := dep.Package
	if dep.Dir != "" {
		if l := f.openProject(dep.Dir, module, p.Name); l != nil {
			return l.chosen(by), nil
		}
	}
	open := func(chosen string) *located {
		if installed == nil {
			return nil
		}
		if l := f.openInstalled(installed, module); l != nil {
			f.explainName(l)
			return l.chosen(chosen)
		}
		return nil
	}
	if installed != nil && (p.Version == "" || sameVersion(installed.version, p.Version)) {
		if l := open(by); l != nil {
			return l, nil
		}
	}
	if dep.Dir != "" || p.Foreign != "" {
		if l := open(envName(f.env)); l != nil {
			return l, nil
		}
		return nil, f.notOfIndex(p.Name, cmp.Or(p.Foreign, dep.Dir))
	}
	if f.env != nil {
		f.tried = append(f.tried, f.env.by)
	}
	w := versionRequest{exact: p.Version, by: by}
	for _, file := range p.Files {
		w.files = append(w.files, lockedFile{file.Name, file.URL, file.SHA256, file.Size})
	}
	if p.Index != "" || p.IndexName != "" {
		w.index = &pipconf.Bound{URL: p.Index, Name: p.IndexName, By: by}
	}
	f.want(module, p.Name, "=="+p.Version, by)
	l, err := f.fromIndex(ctx, module, p.Name, w)
	if err == nil && installed != nil {
		err = f.opened(ctx, l) // fail now, while another version can still be shown instead
	}
	if err == nil || installed == nil {
		return l, err
	}
	failed, ok := errors.AsType[*ecosystem.Error](err)
	if !ok || ctx.Err() != nil || fetch.HasUpstream(ctx) {
		return nil, err
	}
	other := open(envName(f.env))
	if other == nil {
		return nil, err
	}
	f.warnings = append(f.warnings, fmt.Sprintf("%s pins %s, which is not available (%s); this is the installed version, %s", by, p.Version, failed.What, other.version))
	return other, nil
}

func envName(e *environment) string {
	if e == nil {
		return ""
	}
	return e.by
}

// notOfIndex returns the error for a distribution from a git repository or an
// archive that is not installed.
func (f *finder) notOfIndex(name, spec string) error {
	e := ecosystem.Fail(ecosystem.NotFound, "%s comes from %s, not from an index, and is not installed", name, fetch.RedactSpec(spec)).
		WithTried(f.tried...).WithNext("install the project's dependencies, or request a release with %s@latest", name)
	e.Foreign = true
	return e
}

// findAsked finds the module at the version in the query. It prefers the version that the project
// uses if that satisfies the specifier.
func (f *finder) findAsked(ctx context.Context) (*located, error) {
	name := f.ask.name
	module, dist, d := f.resolve(name)
	by := "requested"
	if _, exact := f.ask.specifiers.Exact(); !exact {
		by = "requested as " + f.ask.version
	}
	if !f.ask.latest {
		if d != nil && f.ask.specifiers.Contains(d.version) {
			if l := f.openInstalled(d, module); l != nil {
				f.explainName(l)
				return l.chosen(by), nil
			}
		}
		if d == nil && f.env != nil && f.ask.specifiers.Contains(f.env.version) && importNames[name] == "" {
			if l := f.openStdlib(name); l != nil {
				return l, nil
			}
		}
		if f.project != nil {
			if dep, ok := f.project.Locked(dist, f.target.environment()); ok && dep.Package.Foreign == "" && dep.Dir == "" && f.ask.specifiers.Contains(dep.Version) {
				l, err := f.findLocked(ctx, dep, module, d)
				if err == nil && f.ask.specifiers.Contains(l.version) {
					return l.chosen(by), nil
				}
			}
		}
	}
	w := versionRequest{specifiers: f.ask.specifiers, by: by}
	if f.project != nil {
		// Query only the index to which the lock file binds the name.
		if dep, ok := f.project.Locked(dist, f.target.environment()); ok && (dep.Package.Index != "" || dep.Package.IndexName != "") {
			w.index = &pipconf.Bound{URL: dep.Package.Index, Name: dep.Package.IndexName, By: dep.By}
		}
	}
	return f.fromIndex(ctx, module, dist, w)
}

// fromIndex finds the module in an index, at a version that w accepts. It does not open the file,
// because the documentation may already be in the store.
func (f *finder) fromIndex(ctx context.Context, module, dist string, w versionRequest) (*located, error) {
	owners := []string{dist}
	if w.exact == "" && strings.Contains(module, ".") && f.owners(module)[0] == dist {
		owners = f.owners(module)
	}
	var first error
	for _, dist := range owners {
		l, err := f.fromIndexAs(ctx, module, dist, w)
		if err == nil && first != nil && !strings.HasPrefix(pep508.Normalize(l.module), pep508.Normalize(owners[0])) {
			continue // The distribution only has the same name, and another module.
		}
		if failed, ok := errors.AsType[*ecosystem.Error](err); !ok || failed.Reason != ecosystem.NotFound {
			return l, err
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// fromIndexAs is like fromIndex, but only the distribution dist may contain the module.
func (f *finder) fromIndexAs(ctx context.Context, module, dist string, w versionRequest) (*located, error) {
	o, err := f.choose(ctx, dist, w)
	if err != nil {
		return nil, err
	}
	l := &located{dist: dist, version: o.version, module: module, sdist: o.sdist, provenance: o.provenance(), key: cmp.Or(o.file.SHA256, o.file.URL)}
	l.provenance.ChosenBy, l.provenance.Unused = w.by, w.unused
	if o.yanked != "" {
		f.warnings = append(f.warnings, fmt.Sprintf("this version was yanked from the index: %s", o.yanked))
	}
	if o.foreign {
		f.warnings = append(f.warnings, fmt.Sprintf("there is no wheel of this version for %s and Python %s; this is %s", f.target.platform, cmp.Or(f.target.minor(), "any"), o.what()))
	}
	if f.ask.latest || w.exact == "" && w.specifiers == nil {
		f.seen.LimitAge(newestAge)
	}
	switch {
	case !o.name.Wheel:
		f.warnings = append(f.warnings, o.what()+" is a source distribution: docent reads it without building it, so generated modules are missing")
	case o.file.Size > f.py.options.MaxDownload && fileOf(o.file.URL) == "":
		f.partial(o, l)
	}
	l.open = func(ctx context.Context, l *located) error { return f.openOffer(ctx, o, l) }
	if module == "" || strings.Contains(module, ".") || pep508.Normalize(module) != pep508.Normalize(dist) || o.file.Size == 0 {
		// The module's name, and whether the file contains the module, are known once the file
		// is open.
		if err := f.knowModule(ctx, o, l); err != nil {
			return nil, err
		}
		f.explainName(l)
	}
	return l, nil
}

// knowModule opens a file to find out which of its modules is requested, unless that is
// already known.
func (f *finder) knowModule(ctx context.Context, o *offer, l *located) error {
	sum := sha256.Sum256([]byte(l.key + "\x00" + l.module))
	file := "python/modules/" + hex.EncodeToString(sum[:16])
	if data, err := f.py.options.Cache.Read(file, maxConfig); err == nil && o.file.SHA256 != "" && o.file.Size > 0 {
		if module, dist, ok := strings.Cut(string(data), "\n"); ok && validModule(module) {
			l.module, l.dist = module, dist
			return nil
		}
	}
	if err := f.opened(ctx, l); err != nil {
		return err
	}
	_ = f.py.options.Cache.Write(file, func(w *os.File) error { // if writing fails, the file is opened again next time
		_, err := w.WriteString(l.module + "\n" + l.dist)
		return err
	})
	return nil
}

// opened opens the file of a module whose version has been chosen.
func (f *finder) opened(ctx context.Context, l *located) error {
	if l.source != nil {
		return nil
	}
	return l.open(ctx, l)
}

// near lists distributions that the project uses or that are installed, and whose names are similar
// to a missing one.
func (f *finder) near(name string) []string {
	known := map[string]bool{}
	if f.project != nil {
		for _, n := range append(f.project.LockedNames(), f.project.Manifest.Names()...) {
			known[n] = true
		}
	}
	if f.env != nil {
		for _, dir := range f.env.site {
			for n := range f.py.site(dir).byName {
				known[n] = true
			}
		}
	}
	return spelling.Near(maps.Keys(known), pep508.Normalize(name))
}
