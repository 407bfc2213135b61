package web

import (
	"errors"
	"net/http"

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

// serveMissing serves the list of packages of a module that has no package at its root, or the
// error if there are none.
func (s *Site) serveMissing(w http.ResponseWriter, r *http.Request, a address, err error) {
	language := s.lookup.Languages().Find(a.Language)
	if language == nil || s.project == "" || a.Symbol != "" || !mayHaveBelow(err) {
		s.fail(w, r, err)
		return
	}
	body := modulePage{Name: clean(a.Package), Language: language.Info().Style.Name}
	for _, separator := range []string{"/", ".", ":"} {
		for _, name := range language.Names(s.project, a.Package+separator, maxBelow) {
			to := address{Language: a.Language, Package: name, Version: a.Version}
			body.Packages = append(body.Packages, row{Name: clean(name), Href: to.String()})
		}
	}
	if lister, ok := language.(ecosystem.PackageLister); ok && len(body.Packages) == 0 {
		for _, name := range lister.Below(s.project) {
			if len(name) > len(a.Package) && name[:len(a.Package)+1] == a.Package+"/" && len(body.Packages) < maxBelow {
				to := address{Language: a.Language, Package: name, Version: a.Version}
				body.Packages = append(body.Packages, row{Name: clean(name), Href: to.String()})
			}
		}
	}
	if len(body.Packages) == 0 {
		s.fail(w, r, err)
		return
	}
	s.render(w, http.StatusOK, "module.html", &page{
		Title: body.Name, Body: &body, Trail: []link{{body.Language, "/#" + string(language.Info().ID)}, {body.Name, ""}},
	})
}
