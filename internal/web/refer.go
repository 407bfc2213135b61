package web

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/lookup"
)

// href returns the address of the page for a reference in a declaration, or "" if there is none.
func (v *packageView) href(ref apidoc.Ref) string {
	to := v.address.at(ref.Path)
	if ref.Package == "" || ref.Package == v.Name {
		return to.String()
	}
	if to.Package = ref.Package; v.sameRelease(ref.Package) {
		return to.String()
	}
	to.Version = "" // the project's
	switch place := v.locate(ref.Package); {
	case place.missing:
		return ""
	case place.declared != nil:
		to.Package, to.Symbol = place.declared.Package, place.declared.Path
		if ref.Path != "" {
			to.Symbol += v.Separator() + ref.Path
		}
	}
	return to.String()
}

// place is the location of a package.
type place struct {
	// missing means that the package is not known on this machine.
	missing bool
	// declared is the symbol of another package that declares the contents of the package, or nil.
	declared *apidoc.Ref
	since    time.Time
}

const (
	// placeAge is the time for which the location of a package is cached, and maxPlaces the maximum
	// number of cached locations.
	placeAge  = time.Minute
	maxPlaces = 5000
	// locateTime bounds the search for a package that a page links to.
	locateTime = time.Second
)

// locate returns where a package is, without the network.
func (s *Site) locate(language, name string) place {
	key := language + " " + name
	s.mu.Lock()
	cached, ok := s.places[key]
	s.mu.Unlock()
	if ok && time.Since(cached.since) < placeAge {
		return cached
	}
	ctx, cancel := context.WithTimeout(context.Background(), locateTime)
	defer cancel()
	found := place{since: time.Now()}
	err := s.lookup.Locate(ctx, lookup.Package{Language: language, Name: name, Project: s.project})
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok && (failed.Reason == ecosystem.NotFound || failed.Reason == ecosystem.Invalid) {
		found.declared = failed.Declared
		found.missing = failed.Declared == nil || s.locate(language, failed.Declared.Package).missing
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.places == nil || len(s.places) >= maxPlaces {
		s.places = map[string]place{}
	}
	s.places[key] = found
	return found
}

// sameRelease reports whether another package is part of the same release, judging by the names.
func (v *packageView) sameRelease(name string) bool {
	return v.Module != "" && (name == v.Module || apidoc.IsBelow(name, v.Module)) || apidoc.IsBelow(name, v.Name) || apidoc.IsBelow(v.Name, name)
}

// maxName is the maximum length, in bytes, of code in prose that may be the name of a symbol.
const maxName = 120

// named returns the address of the symbol that code in prose refers to, or "" if there is none.
// about is the symbol that the prose documents, or nil for the package.
func (v *packageView) named(about *apidoc.Symbol, name string) string {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	if name == "" || len(name) > maxName || strings.ContainsAny(name, " \t\n\"'`$={},;") {
		return ""
	}
	if about == nil {
		about = &apidoc.Symbol{}
	}
	if about.Name() == name {
		return ""
	}
	ref, ok := v.resolver.Mention(about, name)
	if !ok || ref.Path == "" || ref.Path == about.Path {
		return ""
	}
	return v.href(ref)
}

// prose returns a renderer for texts about a symbol, or about the package if about is nil. Code in the
// documentation of a symbol is in the language of the package unless it names another.
func (v *packageView) prose(about *apidoc.Symbol, level int) *prose {
	lexis := v.lexis
	if about != nil {
		lexis = func(info string) *highlight.Lexis {
			if info == "" {
				return &v.language.Lexis
			}
			return v.lexis(info)
		}
	}
	return &prose{level: level, lexis: lexis, symbol: func(name string) string { return v.named(about, name) }, file: func(name, fragment string) string { return v.document(name, "", fragment) }}
}

// document returns the address of a part of the package's prose, or "" if there is none. name is
// the ID of a section, as in the links that readers of packages write, or the name of a file
// relative to dir.
func (v *packageView) document(name, dir, fragment string) string {
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	file := strings.TrimPrefix(path.Join("/", dir, name), "/")
	for i := range v.Sections {
		s := &v.Sections[i]
		switch {
		case fileOf(s) == name, fileOf(s) == file:
			return v.address.document(fileOf(s)).String() + v.anchor(fileOf(s), fragment)
		case s.ID == name && s.Level > 1:
			return v.address.document(fileOf(s)).String() + "#" + idPrefix + slug(s.Title)
		case s.ID == name:
			return v.address.document(fileOf(s)).String()
		}
	}
	return ""
}

// anchor returns the anchor of the heading that a fragment names in a file of the package's prose,
// "" if there is no such heading.
func (v *packageView) anchor(file, fragment string) string {
	for i := range v.Sections {
		if s := &v.Sections[i]; fragment != "" && fileOf(s) == file && slug(s.Title) == strings.ToLower(fragment) {
			return "#" + idPrefix + slug(s.Title)
		}
	}
	return ""
}
