package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// maxBelow is the maximum number of packages that are listed for a module without a package at its
// root.
const maxBelow = 500

// modulePage is the body of the page of a module that has no package at its root.
type modulePage struct {
	Name     string
	Language string
	Packages []row
}

// mayHaveBelow reports whether a package that could not be read for this reason may be a module with
// packages below its root.
func mayHaveBelow(err error) bool {
	failed, ok := errors.AsType[*ecosystem.Error](err)
	return ok && (failed.Reason == ecosystem.NotFound || failed.Reason == ecosystem.NoneExported || failed.Reason == ecosystem.Unreachable)
}

// namesBelow returns the names of the packages below a module that are on this machine.
func (s *Site) namesBelow(language ecosystem.Language, module string) (names []string) {
	for _, separator := range []string{"/", ".", ":"} {
		names = append(names, language.Names(s.project, module+separator, maxBelow)...)
	}
	if lister, ok := language.(ecosystem.PackageLister); ok && len(names) == 0 {
		for _, name := range lister.Below(s.project) {
			if strings.HasPrefix(name, module+"/") && len(names) < maxBelow {
				names = append(names, name)
			}
		}
	}
	return names
}

// serveMissing serves the list of packages of a module that has no package at its root, or the
// error if there are none.
func (s *Site) serveMissing(w http.ResponseWriter, r *http.Request, a address, err error) {
	language := s.lookup.Languages().Find(a.Language)
	if language == nil || s.project == "" || a.Symbol != "" || !mayHaveBelow(err) {
		s.fail(w, r, err)
		return
	}
	body := modulePage{Name: clean(a.Package), Language: language.Info().Style.Name}
	names := s.namesBelow(language, a.Package)
	if a.Version != "" && len(names) > 0 {
		if _, failure := s.load(r.Context(), address{Language: a.Language, Package: names[0], Version: a.Version}); failure != nil {
			names = nil // the module does not have this version
		}
	}
	for _, name := range names {
		to := address{Language: a.Language, Package: name, Version: a.Version}
		body.Packages = append(body.Packages, row{Name: clean(name), Href: to.String()})
	}
	if len(body.Packages) == 0 {
		s.fail(w, r, err)
		return
	}
	s.render(w, http.StatusOK, "module.html", &page{
		Title: body.Name, Body: &body, Trail: []link{{body.Language, "/#" + string(language.Info().ID)}, {body.Name, ""}},
	})
}
