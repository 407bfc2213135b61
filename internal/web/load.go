package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apijson"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/naming"
)

// packageView is a package with the data that its pages need.
type packageView struct {
	*apidoc.Package
	address  address
	question lookup.Package // question that finds the package
	resolver *naming.Resolver
	language *ecosystem.Info
	lexis    func(info string) *highlight.Lexis
	locate   func(name string) place // returns the location of another package of the language

	declaredOnce sync.Once
	declared     map[string][]declared // by file
}

// maxRecent is the maximum number of packages whose views are kept.
const maxRecent = 32

// view returns the view of a package and creates it if necessary.
func (s *Site) view(p *apidoc.Package, q lookup.Package, language *ecosystem.Info) *packageView {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.recent, func(v *packageView) bool { return v.Package == p }); i >= 0 {
		v := s.recent[i]
		s.recent = append(slices.Delete(s.recent, i, i+1), v)
		return v
	}
	v := &packageView{Package: p, address: addressOf(p), question: q, resolver: naming.NewResolver(p), language: language, lexis: s.lookup.Languages().Lexis}
	v.locate = func(name string) place { return s.locate(v.address.Language, name) }
	s.recent = append(s.recent, v)
	if len(s.recent) > maxRecent {
		s.recent = slices.Delete(s.recent, 0, 1)
	}
	return v
}

// lastView is the view that was loaded last during an export, whose pages are those of one package
// after another. Packages of the user's own workspace are in no cache, because they change.
type lastView struct {
	address address
	view    *packageView
}

// lastViewKey is the key of a *lastView in a context.
type lastViewKey struct{}

// load reads the package at an address.
func (s *Site) load(ctx context.Context, a address) (*packageView, error) {
	last, ok := ctx.Value(lastViewKey{}).(*lastView)
	if !ok {
		return s.read(ctx, a)
	}
	a = address{Language: a.Language, Package: a.Package, Version: a.Version}
	if last.view != nil && last.address == a {
		return last.view, nil
	}
	v, err := s.read(ctx, a)
	if err == nil {
		last.address, last.view = a, v
	}
	return v, err
}

func (s *Site) read(ctx context.Context, a address) (*packageView, error) {
	language := s.lookup.Languages().Find(a.Language)
	if language == nil {
		return nil, ecosystem.Fail(ecosystem.NotFound, "docent does not support the language %.100q", a.Language).
			WithNext("the languages are %s", strings.Join(s.lookup.Languages().IDs(), ", "))
	}
	if ecosystem.IsDirectory(a.Package) {
		return nil, ecosystem.Fail(ecosystem.Invalid, "%.300q is a directory", a.Package).WithNext("enter the name of a package")
	}
	// If the address has the version that the project uses, the package is read as a dependency of
	// the project, so that the project's settings for it apply.
	q := lookup.Package{Language: a.Language, Name: a.Package, Project: s.project}
	if s.project == "" {
		q.Version = a.Version
	}
	p, err := s.lookup.Read(ctx, q)
	if q.Version != a.Version && (err != nil || p.Version != a.Version) {
		q.Version = a.Version
		p, err = s.lookup.Read(ctx, q)
	}
	if err != nil {
		return nil, err
	}
	return s.view(p, q, language.Info()), nil
}

// formats are the suffixes of addresses for the other formats of a page.
var formats = []string{".md", ".json"}

// cutFormat removes the suffix of a format from name, and returns both.
func cutFormat(name string) (base, format string) {
	for _, format := range formats {
		if base, ok := strings.CutSuffix(name, format); ok && base != "" {
			return base, format
		}
	}
	return name, ""
}

// serveAddress serves the page at an address.
func (s *Site) serveAddress(w http.ResponseWriter, r *http.Request, a address) {
	format := ""
	if request := r.URL.Query().Get("format"); slices.Contains(formats, "."+request) {
		format = "." + request
	} else if a.Symbol == "" && a.View == "" {
		a.Version, format = cutFormat(a.Version)
	}
	if a.Version == ownVersion {
		a.Version = ""
	}
	v, err := s.load(r.Context(), a)
	if err != nil {
		to, format := s.shortened(r.Context(), a)
		if to.Package == "" {
			to, format = s.belowModule(r.Context(), a)
		}
		if to.Package != "" {
			redirect(w, r, to, format)
			return
		}
		s.serveMissing(w, r, a, err)
		return
	}
	switch {
	case a.View == docView:
		s.serveDocument(w, r, v, a)
		return
	case a.View == fileView:
		s.serveFile(w, r, v, a)
		return
	case a.View == diffView:
		s.serveDiff(w, r, v, a)
		return
	case a.View != "":
		if part, ok := partOf(a.View); ok {
			s.serveSource(w, r, v, a, part)
			return
		}
		s.fail(w, r, ecosystem.Fail(ecosystem.NotFound, "packages have no page %.100q", a.View))
		return
	}
	var symbol *apidoc.Symbol
	if a.Symbol != "" {
		if symbol = v.At(a.Symbol); symbol == nil && format == "" {
			var base string
			if base, format = cutFormat(a.Symbol); format != "" {
				a.Symbol = base
				symbol = v.At(base)
			}
		}
		if symbol == nil {
			if to := v.below(a.Package, a.Symbol); to.Package != "" {
				redirect(w, r, to, format)
				return
			}
			s.redirectToSymbol(w, r, v, a, format)
			return
		}
	}
	switch format {
	case ".json":
		w.Header().Set("Content-Type", "application/json")
		var data any = apijson.NewPackage(v.Package)
		if symbol != nil {
			data = apijson.NewPackageSymbol(v.Package, symbol, "")
		}
		if err := s.encode(w, data); err != nil {
			s.fail(w, r, err)
		}
		return
	case ".md":
		s.serveText(w, r, v, a)
		return
	}
	if canonical := v.address.at(a.Symbol); canonical.String() != r.URL.EscapedPath() {
		redirect(w, r, canonical, "")
		return
	}
	if symbol != nil {
		s.serveSymbol(w, r, v, symbol)
		return
	}
	s.servePackage(w, r, v)
}

// shortened expands an address without a version whose last part is a symbol, such as
// /go/net/http/Client.Do. It returns the address of the symbol and the requested format.
func (s *Site) shortened(ctx context.Context, a address) (to address, format string) {
	i := strings.LastIndexByte(a.Package, '/')
	if a.Version != "" || a.Symbol != "" || a.View != "" || i < 0 {
		return address{}, ""
	}
	symbol := a.Package[i+1:]
	a.Package = a.Package[:i]
	v, err := s.load(ctx, a)
	if err != nil {
		return address{}, ""
	}
	found := naming.Named(v.Package, symbol)
	if found == nil {
		if symbol, format = cutFormat(symbol); format != "" {
			found = naming.Named(v.Package, symbol)
		}
	}
	if found == nil {
		return address{}, ""
	}
	return v.address.at(found.Path), format
}

// The version can also follow the name of the module, as in /go/golang.org/x/sys@v0.30.0/unix/Stat.
// The functions below find the package and the symbol that such an address means. They return an
// empty address if there are none.

// belowModule is for a module that has no package of its own. It also returns the requested format.
func (s *Site) belowModule(ctx context.Context, a address) (to address, format string) {
	path := strings.Trim(a.Symbol, "/")
	if path == "" || a.View != "" {
		return address{}, ""
	}
	base, format := cutFormat(path)
	for _, each := range []struct{ path, format string }{{path, ""}, {base, format}} {
		module := a
		module.Package, module.Symbol = a.Package+"/"+each.path, ""
		v, err := s.load(ctx, module)
		symbol := ""
		if i := strings.LastIndexByte(each.path, '/'); err != nil && i > 0 {
			module.Package, symbol = a.Package+"/"+each.path[:i], each.path[i+1:]
			v, err = s.load(ctx, module)
		}
		if err == nil && (symbol == "" || naming.Named(v.Package, symbol) != nil) {
			return v.address.at(symbol), each.format
		}
		if format == "" {
			break
		}
	}
	return address{}, ""
}

// below is for the package v, which an address calls name, with other packages below it.
func (v *packageView) below(name, path string) address {
	path = inSlashes(strings.Trim(path, "/"))
	var found address
	for i := range v.Subpackages {
		sub := v.Subpackages[i].Name
		for _, parent := range []string{name, v.Name} {
			if !apidoc.IsBelow(sub, parent) || len(sub) <= len(found.Package) {
				continue
			}
			rest, ok := strings.CutPrefix(path+"/", strings.Trim(inSlashes(sub[len(parent):]), "/")+"/")
			if !ok {
				continue
			}
			found = address{Language: v.address.Language, Package: sub, Version: v.address.Version}
			if symbol := strings.Trim(rest, "/"); symbol != "" {
				found.Symbol = strings.ReplaceAll(symbol, "/", v.Separator())
			}
		}
	}
	return found
}

// inSlashes returns the name of a package with a slash for each separator.
func inSlashes(name string) string { return strings.NewReplacer("::", "/", ".", "/").Replace(name) }

// redirectToSymbol redirects to the page of the symbol that a path refers to. It may be declared in
// another package.
func (s *Site) redirectToSymbol(w http.ResponseWriter, r *http.Request, v *packageView, a address, format string) {
	targets, problems, err := s.lookup.Select(r.Context(), lookup.Description{Package: v.question, Symbols: a.Symbol})
	if err == nil && len(problems) > 0 {
		err = problems[0]
	}
	if err == nil && (len(targets) == 0 || targets[0].Symbol == nil || targets[0].Name == v.Name && targets[0].Symbol.Path == a.Symbol) {
		err = ecosystem.Fail(ecosystem.NotFound, "no symbol %.300q in %s", a.Symbol, v.Name)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	redirect(w, r, addressOf(targets[0].Package).at(targets[0].Symbol.Path), format)
}

// redirect redirects to another page, in a format if that is not "".
func redirect(w http.ResponseWriter, r *http.Request, to address, format string) {
	path := to.String()
	if format != "" {
		path += "?format=" + format[1:]
	}
	http.Redirect(w, r, path, http.StatusFound) // #nosec G710 -- the path begins with the name of a language
}

// guide tells the readers of the text how to see what the text omits.
var guide = answer.Guide{
	Symbol: "open the address of %s", Search: "search on the start page", Larger: "read the page in a browser", More: "search for less",
	Project: "Start docent web in your project", Section: "open the section %s in a browser",
}

// serveText serves a page as the text that models get.
func (s *Site) serveText(w http.ResponseWriter, r *http.Request, v *packageView, a address) {
	d := lookup.Description{Package: v.question, Options: answer.Options{Guide: guide}}
	if a.Symbol != "" {
		d.Symbols = a.Symbol
	}
	text, err := s.lookup.Describe(r.Context(), d)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	_, _ = w.Write([]byte(text.Text))
}
