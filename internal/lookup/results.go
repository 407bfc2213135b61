package lookup

import "github.com/docent-mcp/docent/internal/answer"

// Results is the JSON form of the results of one search.
type Results struct {
	Query string  `json:"query"`
	Total int     `json:"total"` // number of matches, including those that are omitted
	Hits  []Match `json:"hits"`
}

// Match is the JSON form of a matching symbol, section or subpackage.
type Match struct {
	Package    string `json:"package"`
	Path       string `json:"path,omitempty"` // path of a symbol, or name of a package
	ID         string `json:"id,omitempty"`   // ID of a section
	Kind       string `json:"kind"`           // kind of the symbol, or "section" or "package"
	Title      string `json:"title,omitempty"`
	Signature  string `json:"signature,omitempty"`
	Snippet    string `json:"snippet,omitempty"`
	Deprecated string `json:"deprecated,omitempty"`
	File       string `json:"file,omitempty"`
	Line       int    `json:"line,omitempty"`
}

// NewResults returns the JSON form of the results of searches. found reports whether there are any
// matches.
func NewResults(matches []answer.QueryResult) (all []Results, found bool) {
	all = make([]Results, len(matches))
	for i := range matches {
		all[i] = Results{matches[i].Query, matches[i].Total, []Match{}}
		for k := range matches[i].Hits {
			all[i].Hits = append(all[i].Hits, newMatch(&matches[i].Hits[k]))
			found = true
		}
	}
	return all, found
}

func newMatch(h *answer.Hit) Match {
	m := Match{Package: h.Package().Name, Snippet: h.Snippet()}
	switch {
	case h.Section != nil:
		m.Kind, m.ID, m.Title, m.File = "section", h.Section.ID, h.Section.Title, h.Section.File
	case h.Subpackage != nil:
		m.Kind, m.Path = "package", h.Subpackage.Name
	default:
		s := h.Symbol
		m.Kind, m.Path, m.Signature, m.Deprecated, m.File, m.Line = string(s.Kind), s.Path, s.Signature, s.Deprecated, s.File, s.Line
	}
	return m
}
