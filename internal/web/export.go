package web

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

const (
	// maxExported is the maximum number of pages of an exported site.
	maxExported = 200_000
	// maxFileName is the maximum length of the name of an exported file, in bytes.
	maxFileName = 120
)

// Exported describes the result of an export.
type Exported struct {
	Pages, Packages int
	// Left lists the packages that could not be read, with the reasons.
	Unread []string
}

// export is the state of writing a static copy of the site.
type export struct {
	site *Site
	root *os.Root
	// files maps the addresses of pages to their file names, relative to root.
	files map[string]string
	// taken contains the names of files in lower case, because some file systems ignore case.
	names map[string]bool
	// own maps the addresses of packages without a version to their addresses at the version that
	// the project uses.
	local map[address]address
	// declared maps the symbols of the exported packages to their addresses, by the place of their
	// declaration.
	declared map[symbolPlace]string
	// shared contains the addresses of pages that share the file of another page.
	shared  map[string]bool
	index   exportIndex
	created map[string]bool // directories that exist
	// withSource is true if the pages of source code are exported.
	withSource bool
}

// symbolPlace identifies a symbol by the place of its declaration.
type symbolPlace struct {
	language, module, version, file, path string
	line                                  int
}

// exportIndex is the search index of an exported site.
type exportIndex struct {
	Packages []string `json:"packages"`
	// Each entry holds a name, a kind, the index of its package and the file of its page.
	Entries [][4]any `json:"entries"`
}

// ExportOptions configure an export.
type ExportOptions struct {
	// WithoutSource omits the pages of source code.
	WithoutSource bool
	// Progress is called after each page, if it is not nil.
	Progress func(done, all int)
}

// Export writes a static copy of the site into a directory: the start page, the packages of the
// project and its direct dependencies, with their symbols, prose and source code. The copy can be
// opened from a file system or served by a web server.
func (s *Site) Export(ctx context.Context, dir string, o ExportOptions) (*Exported, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil { // #nosec G301 -- a site may be for others, too; the umask decides
		return nil, fmt.Errorf("create the export directory: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the export directory: %w", err)
	}
	defer root.Close()
	if entries, err := fs.ReadDir(root.FS(), "."); err != nil || len(entries) > 0 && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == exportMark }) {
		return nil, fmt.Errorf("the directory %s is not empty and was not written by docent web --export: choose another directory", dir)
	}
	e := &export{site: s, root: root, files: map[string]string{"/": "index.html"}, names: map[string]bool{"index.html": true}, local: map[address]address{}, declared: map[symbolPlace]string{}, shared: map[string]bool{}, created: map[string]bool{}, withSource: !o.WithoutSource}
	ctx = context.WithValue(ctx, lastViewKey{}, &lastView{})
	out, err := e.collect(ctx)
	if err != nil {
		return nil, err
	}
	if err := e.assets(); err != nil {
		return nil, err
	}
	addresses := make([]string, 0, len(e.files))
	for a := range e.files {
		if !e.shared[a] {
			addresses = append(addresses, a)
		}
	}
	slices.Sort(addresses) // the pages of a package are rendered one after another
	for i, a := range addresses {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := e.page(ctx, a); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(addresses))
		}
	}
	for _, a := range addresses {
		if strings.HasSuffix(e.files[a], ".html") {
			out.Pages++
		}
	}
	return out, nil
}

// exportMark is the name of a file that marks a directory as an export.
const exportMark = "docent-export.txt"

// collect finds the packages to export and names the files of their pages.
func (e *export) collect(ctx context.Context) (*Exported, error) {
	graphs, err := e.site.graphs(ctx)
	if err != nil {
		return nil, err
	}
	out := &Exported{}
	seen := map[address]bool{}
	var packages []address
	for i := range graphs {
		g := graphs[i].Graph
		direct := g.Direct()
		var queue []address
		for k := range g.Packages {
			if p := &g.Packages[k]; (p.Member || direct[k]) && !p.Inactive {
				names := []string{p.Name}
				if p.Member {
					names = append(names, e.site.lookup.Languages().Find(graphs[i].ID).Names(e.site.project, p.Name+"/", maxOwn)...)
				}
				for _, name := range names {
					queue = append(queue, address{Language: graphs[i].ID, Package: name, Version: p.Version})
				}
			}
		}
		for len(queue) > 0 {
			a := queue[0]
			queue = queue[1:]
			if seen[a] {
				continue
			}
			seen[a] = true
			v, err := e.site.load(ctx, a)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				var below []address
				if mayHaveBelow(err) {
					below = e.addModule(graphs[i].ID, a)
				}
				if len(below) == 0 {
					out.Unread = append(out.Unread, a.Package+": "+clean(err.Error()))
				}
				queue = append(queue, below...)
				continue
			}
			if v.Name != a.Package { // another name may bring other prose, which the address does not
				if v, err = e.site.load(ctx, v.address); err != nil {
					return nil, err
				}
			}
			seen[v.address] = true
			if _, ok := e.files[v.address.String()]; ok {
				continue
			}
			e.add(v)
			packages = append(packages, v.address)
			for k := range v.Subpackages {
				sub := v.address
				sub.Package = v.Subpackages[k].Name
				if v.sameRelease(sub.Package) {
					queue = append(queue, sub)
				}
			}
		}
	}
	for i, a := range packages { // now that the pages of all importable symbols are known
		v, err := e.site.load(ctx, a)
		if err != nil {
			return nil, err
		}
		e.addInternal(v, i)
		e.addImages(ctx, v)
		if e.withSource {
			e.addSource(ctx, v)
		}
	}
	out.Packages = len(packages)
	if len(e.files) > maxExported {
		return nil, fmt.Errorf("the site would have more than %s pages, which is the maximum: export a smaller project", formatInt(maxExported))
	}
	return out, nil
}

// addModule chooses the file name for the page of a module that has no package at its root, and
// returns the addresses of the packages below it, if there are any.
func (e *export) addModule(language string, a address) (below []address) {
	for _, name := range e.site.namesBelow(e.site.lookup.Languages().Find(language), a.Package) {
		to := a
		to.Package = name
		below = append(below, to)
	}
	if len(below) > 0 {
		e.name(a, e.unused(directory(a), "")+"/index.html")
	}
	return below
}

// add chooses the file names for the pages of a package and of the symbols that programs can import,
// and adds the package to the index.
func (e *export) add(v *packageView) {
	base := v.address
	dir := e.unused(directory(base), "")
	e.name(base, dir+"/index.html")
	project := base
	project.Version = ""
	e.local[project] = base
	e.index.Packages = append(e.index.Packages, strings.TrimSpace(clean(v.Name)+" "+clean(v.Version)))
	e.index.Entries = append(e.index.Entries, [4]any{clean(v.Name), "package", len(e.index.Packages) - 1, dir + "/index.html"})
	e.addSymbols(v, len(e.index.Packages)-1, v.Symbols, v.Elsewhere)
	for _, d := range documentsOf(v.Package) {
		e.name(base.document(d.name), e.unused(dir+"/-/"+fileName(d.name), ".html"))
	}
}

// addInternal chooses the file names for the pages of a package's internal symbols, which
// declarations refer to. A symbol that has a page in another exported package shares its file. number is
// the index of the package.
func (e *export) addInternal(v *packageView, number int) {
	base := v.address
	for s := range (&apidoc.Package{Symbols: v.Internal}).All {
		a := base.at(s.Path).String()
		if _, ok := e.files[a]; ok {
			continue
		}
		if same := e.declared[e.placeOf(v, s)]; same != "" && s.From == "" {
			e.files[a], e.shared[a] = e.files[same], true
		}
	}
	e.addSymbols(v, number, v.Internal)
}

// placeOf returns the place of a symbol's declaration.
func (e *export) placeOf(v *packageView, s *apidoc.Symbol) symbolPlace {
	return symbolPlace{v.address.Language, v.Module, v.address.Version, s.File, s.Path, s.Line}
}

// addSymbols chooses the file names for the pages of symbols and adds them to the index. number is
// the index of their package.
func (e *export) addSymbols(v *packageView, number int, lists ...[]apidoc.Symbol) {
	dir := path.Dir(e.files[v.address.String()])
	for _, list := range lists {
		for s := range (&apidoc.Package{Symbols: list}).All {
			a := v.address.at(s.Path)
			if _, ok := e.files[a.String()]; ok || s.From != "" || len(e.files) > maxExported {
				continue // inherited members are on the pages of the types that declare them
			}
			file := e.unused(dir+"/"+fileName(s.Path), ".html")
			e.name(a, file)
			e.index.Entries = append(e.index.Entries, [4]any{clean(naming.Called(v.Package, s.Path)), string(s.Kind), number, file})
			if place := e.placeOf(v, s); s.File != "" && s.Line > 0 && v.Module != "" && e.declared[place] == "" {
				e.declared[place] = a.String()
			}
		}
	}
}

// addSource chooses the file names for a package's source code pages. A source file that
// cannot be read has no page.
func (e *export) addSource(ctx context.Context, v *packageView) {
	var names []string
	for name, all := range v.declaredIn() {
		if slices.ContainsFunc(all, func(d declared) bool { return !e.shared[v.address.at(d.path).String()] }) { // from whose page a link leads to the file
			names = append(names, name)
		}
	}
	slices.Sort(names)
	dir := path.Dir(e.files[v.address.String()])
	_ = e.site.lookup.Files(ctx, v.question, v.Package, func(read func(string) ([]byte, error)) error {
		for _, name := range names {
			lines, err := readSource(read, name)
			if err != nil || len(e.files) > maxExported {
				continue
			}
			for k := range partsOf(len(lines)) {
				a := v.address.source(name, k*maxPartLines+1)
				e.name(a, e.unused(dir+"/-/"+fileName(a.View+"/"+name), ".html"))
			}
		}
		return nil
	})
}

// addImages chooses the names of the image files that a package's README shows. Images that can run
// scripts are omitted, because a static site may have no policy that stops them.
func (e *export) addImages(ctx context.Context, v *packageView) {
	dir := path.Dir(e.files[v.address.String()])
	all := documentsOf(v.Package)
	for i := range all {
		if !readmeFile(all[i].name) {
			continue
		}
		text := v.prose(nil, 1)
		e.site.withMarkdown(ctx, v, &all[i], func(md string, image func(src string) *picture) {
			text.image = image
			text.render(cutProse(md, maxDocument))
		})
		if len(text.pictures) == 0 {
			continue
		}
		_ = e.site.lookup.Files(ctx, v.question, v.Package, func(read func(string) ([]byte, error)) error {
			for _, p := range text.pictures {
				if _, ok := e.files[p.href]; ok || len(e.files) > maxExported {
					continue
				}
				if data, err := read(p.name); err == nil && kindOf(p.name, data) == p.kind && (p.kind != svg || isInert(data)) {
					e.files[p.href] = e.unused(dir+"/-/"+strings.TrimSuffix(fileName(p.name), p.kind.extension), p.kind.extension)
				}
			}
			return nil
		})
	}
}

func (e *export) name(a address, file string) { e.files[a.String()] = file }

// unused returns a file name that no other page has.
func (e *export) unused(name, suffix string) string {
	free := name + suffix
	for n := 2; e.names[strings.ToLower(free)]; n++ {
		free = fmt.Sprintf("%s~%d%s", name, n, suffix)
	}
	e.names[strings.ToLower(free)] = true
	return free
}

// directory returns the path of a package's directory in the export.
func directory(a address) string {
	parts := []string{fileName(a.Language)}
	names := strings.Split(a.Package, "/")
	for i, name := range names {
		if i == len(names)-1 {
			name += "@" + a.Version
		}
		parts = append(parts, fileName(name))
	}
	return strings.Join(parts, "/")
}

// fileName turns name into a file name that is valid on all file systems.
func fileName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"/\|?*~%#`, r) {
			fmt.Fprintf(&b, "~%02x", r)
		} else {
			b.WriteRune(r)
		}
	}
	out := strings.ToValidUTF8(b.String(), "~")
	if len(out) > maxFileName {
		out = strings.ToValidUTF8(out[:maxFileName], "")
	}
	switch stem, _, _ := strings.Cut(strings.ToLower(out), "."); stem {
	case "", "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "lpt1", "lpt2", "lpt3", "index", "-":
		out = "~" + out
	}
	return out
}

// write writes a file of the export.
func (e *export) write(name string, data []byte) error {
	if dir := path.Dir(name); !e.created[dir] {
		if err := e.root.MkdirAll(filepath.FromSlash(dir), 0o777); err != nil {
			return fmt.Errorf("create a directory for the export: %w", err)
		}
		e.created[dir] = true
	}
	if err := e.root.WriteFile(filepath.FromSlash(name), data, 0o666); err != nil {
		return fmt.Errorf("write a page of the export: %w", err)
	}
	return nil
}

// assets writes the site's own files and the index of its search.
func (e *export) assets() error {
	entries, err := fs.ReadDir(files, "assets")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		data, err := fs.ReadFile(files, "assets/"+entry.Name())
		if err != nil {
			return err
		}
		if err := e.write("assets/"+entry.Name(), data); err != nil {
			return err
		}
	}
	data, err := json.Marshal(e.index)
	if err != nil {
		return err
	}
	if err := e.write("assets/index.js", slices.Concat([]byte("globalThis.docentIndex = "), data, []byte(";\n"))); err != nil {
		return err
	}
	return e.write(exportMark, []byte("This directory was written by docent web --export. Open index.html.\n"))
}

// page renders a page, with links to the other files of the export.
func (e *export) page(ctx context.Context, a string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+a, http.NoBody)
	if err != nil {
		return fmt.Errorf("render %s: %w", a, err)
	}
	w := &recorder{header: http.Header{}, code: http.StatusOK}
	e.site.ServeHTTP(w, r)
	if w.code != http.StatusOK {
		return fmt.Errorf("render %s: %s", a, http.StatusText(w.code))
	}
	if !strings.HasPrefix(w.header.Get("Content-Type"), "text/html") {
		return e.write(e.files[a], w.body.Bytes()) // an image
	}
	var out bytes.Buffer
	if err := e.relocate(&out, &w.body, e.files[a]); err != nil {
		return fmt.Errorf("write the page %s: %w", a, err)
	}
	return e.write(e.files[a], out.Bytes())
}

// recorder is an http.ResponseWriter that keeps a page in memory.
type recorder struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header            { return r.header }
func (r *recorder) WriteHeader(code int)           { r.code = code }
func (r *recorder) Write(data []byte) (int, error) { return r.body.Write(data) }
