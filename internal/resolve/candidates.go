package resolve

import (
	"context"
	"errors"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// Candidate is a package to which a name without a language may refer.
type Candidate struct {
	Language string
	Package  string
	// Symbol is the part of the name that refers to a symbol of the package, as Core in zapcore.Core.
	Symbol string
	// Local is true if the package is on this machine. Otherwise, a registry may have it.
	Local bool
}

// ShortNames returns the shortest suffixes of package names that begin with a given word, each with
// its full name. An example is "chi/middleware" for example.com/chi/v5/middleware. ShortNames omits
// names that begin with the word themselves.
func ShortNames(names []string, begun string) [][2]string {
	var found [][2]string
	for _, full := range names {
		if strings.HasPrefix(full, begun) {
			continue
		}
		short := withoutMajors(full)
		for i := len(short); i > 0; {
			i = strings.LastIndexByte(short[:i], '/')
			if end := short[i+1:]; i > 0 && strings.HasPrefix(end, begun) {
				found = append(found, [2]string{end, full})
				break
			}
		}
	}
	return found
}

// maxCandidatesEach is the maximum number of candidates in one language.
const maxCandidatesEach = 5

// Candidates returns the packages to which a name may refer in each language. Packages on this
// machine come first. The languages must not use the network.
func Candidates(ctx context.Context, languages ecosystem.Languages, name string) (all []Candidate) {
	var elsewhere []Candidate
	for _, language := range languages {
		id := string(language.Info().ID)
		names := language.Names("", "", MaxNames)
		if lister, ok := language.(ecosystem.PackageLister); ok {
			names = append(names, lister.Below("")...)
		}
		found, symbol := endingWith(names, name), ""
		if head := qualified(name); len(found) == 0 && head != "" {
			found, symbol = endingWith(names, head), name[len(head)+1:]
		}
		for _, full := range found[:min(len(found), maxCandidatesEach)] {
			all = append(all, Candidate{id, full, symbol, true})
		}
		if len(found) > 0 {
			continue
		}
		located, err := language.Find(ctx, ecosystem.Query{Package: name})
		failed, ok := errors.AsType[*ecosystem.Error](err)
		switch {
		case err == nil:
			if located.Close != nil {
				located.Close()
			}
			all = append(all, Candidate{id, name, "", true})
		case ok && failed.Reason == ecosystem.Unreachable:
			elsewhere = append(elsewhere, Candidate{id, name, "", false})
		}
	}
	return append(all, elsewhere...)
}
