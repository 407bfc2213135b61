package web

import (
	"net/http"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// openPath redirects to the package that a user enters on the start page of a site without a
// project.
const openPath = "/-/open"

// languageChoice is a language that the start page offers.
type languageChoice struct{ ID, Name string }

// openPage returns the languages in which packages can be opened.
func (s *Site) openPage() (all []languageChoice) {
	for _, l := range s.lookup.Languages() {
		all = append(all, languageChoice{string(l.Info().ID), l.Info().Style.Name})
	}
	return all
}

// serveOpen redirects to the page of a package.
func (s *Site) serveOpen(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	name, version := strings.TrimSpace(values.Get("package")), strings.TrimSpace(values.Get("version"))
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name, version = name[:i], name[i+1:]
	}
	language := s.lookup.Languages().Find(values.Get("language"))
	if language == nil || name == "" || len(name) > maxQuery || len(version) > maxName || ecosystem.IsDirectory(name) {
		s.fail(w, r, ecosystem.Fail(ecosystem.Invalid, "the language or the package is missing or invalid").WithNext("go back and enter the name of a package"))
		return
	}
	redirect(w, r, address{Language: string(language.Info().ID), Package: strings.Trim(name, "/"), Version: version}, "")
}

// Question is the subject of a request for a page, for logs.
type Question struct{ Language, Package, Version string }

// QuestionOf returns the package that a request is for. Its fields are empty if the request is for
// no package.
func QuestionOf(r *http.Request) Question {
	path := r.URL.EscapedPath()
	switch path {
	case searchPath:
		path = r.URL.Query().Get("in")
	case versionPath:
		path = r.URL.Query().Get("package")
	}
	if strings.HasPrefix(path, "/-/") {
		return Question{}
	}
	a, _ := parseAddress(path)
	return Question{a.Language, a.Package, a.Version}
}

// IsAsset reports whether a path is that of a file that all sites share, such as the style sheet.
func IsAsset(path string) bool { return strings.HasPrefix(path, assetPath) }
