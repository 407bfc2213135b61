package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/search"
)

// Results are what a search found in a package.
type Results struct {
	Package About  `json:"package" jsonschema:"the package that was searched, and what chose its version"`
	Notice  string `json:"notice" jsonschema:"how to read what follows"`
	Query   string `json:"query" jsonschema:"what was searched for"`
	// Total counts all that match, shown or not.
	Total   int      `json:"total" jsonschema:"how many matches there are, shown or not"`
	Hits    []Result `json:"hits" jsonschema:"matches, best first"`
	Omitted []string `json:"omitted,omitempty" jsonschema:"what was left out to fit the budget, and how to get it"`
}

// Result is one match: a symbol, a section, or a package below.
type Result struct {
	// Path is that of a symbol or the name of a package below.
	Path string `json:"path,omitempty" jsonschema:"path of a symbol, or name of a package below this one"`
	// ID is that of a section.
	ID         string `json:"id,omitempty" jsonschema:"ID of a section"`
	Kind       string `json:"kind" jsonschema:"what matches: the kind of a symbol, section or package"`
	Title      string `json:"title,omitempty" jsonschema:"heading of a section"`
	Signature  string `json:"signature,omitempty" jsonschema:"declaration of a symbol"`
	Snippet    string `json:"snippet,omitempty" jsonschema:"the sentence of the documentation that matches best"`
	Deprecated string `json:"deprecated,omitempty" jsonschema:"deprecation notice"`
	Constraint string `json:"constraint,omitempty" jsonschema:"platforms on which the symbol exists, if not on all"`
	File       string `json:"file,omitempty" jsonschema:"file of the declaration, below the module's root"`
	Line       int    `json:"line,omitempty" jsonschema:"line of the declaration"`
}

// Search answers a search of p that found hits among total matches.
func Search(p *apidoc.Package, query string, hits []search.Hit, total int, o Options) *Results {
	r := &Results{Package: about(p), Notice: Notice, Query: oneLine(query), Total: total, Hits: []Result{}}
	for i := range hits {
		r.Hits = append(r.Hits, result(&hits[i]))
		if h := &r.Hits[i]; o.limit() != 0 {
			h.Signature = clipped(h.Signature)
		}
	}
	found := r.Hits
	for {
		r.Omitted = nil
		if n := total - len(r.Hits); n > 0 {
			more := o.Guide.More
			if len(r.Hits) < len(found) {
				more = o.Guide.Larger
			}
			s := fmt.Sprintf("%s of %d left out, those that match least. To see them, ask with other or more words", plural(n, "match", "matches"), total)
			if more != "" {
				s += ", or " + more
			}
			r.Omitted = []string{s + "."}
		}
		if path := bestPath(r.Hits); path != "" {
			r.Omitted = append(r.Omitted, "For all about one of them, "+o.Guide.symbol(path)+".")
		}
		if i := slices.IndexFunc(r.Hits, func(h Result) bool { return h.ID != "" }); i >= 0 && o.Guide.Section != "" {
			r.Omitted = append(r.Omitted, "To read a section, "+strings.Replace(o.Guide.Section, "%s", r.Hits[i].ID, 1)+".")
		}
		if len(r.Hits) == 0 || o.limit() == 0 || len(r.Markdown()) <= o.limit() {
			return r
		}
		r.Hits = found[:len(r.Hits)*4/5]
	}
}

func bestPath(hits []Result) string {
	for i := range hits {
		if hits[i].Signature != "" {
			return hits[i].Path
		}
	}
	return ""
}

// sectionID is the ID under which a section can be asked for; parts of a
// package's own documentation have none.
func sectionID(s *apidoc.Section) string {
	if s.ID == "doc" {
		return ""
	}
	return oneLine(s.ID)
}

func result(h *search.Hit) Result {
	snippet := oneLine(h.Snippet)
	switch {
	case h.Section != nil:
		return Result{Kind: "section", ID: sectionID(h.Section), Title: oneLine(h.Section.Title), Snippet: snippet, File: oneLine(h.Section.File)}
	case h.Subpackage != nil:
		return Result{Kind: "package", Path: oneLine(h.Subpackage.Name), Snippet: snippet}
	}
	s := h.Symbol
	return Result{
		Path:       oneLine(s.Path),
		Kind:       oneLine(string(s.Kind)),
		Signature:  head(withoutComments(markup.Clean(s.Signature))),
		Snippet:    snippet,
		Deprecated: oneLine(s.Deprecated),
		Constraint: oneLine(s.Constraint),
		File:       oneLine(s.File),
		Line:       s.Line,
	}
}

// head is the first line of a declaration, marked if there is more.
func head(signature string) string {
	line, _, more := strings.Cut(signature, "\n")
	if more {
		line += " …"
	}
	return line
}

// Markdown writes the results for reading. It ends with a newline.
func (r *Results) Markdown() string {
	w := writer{style: r.Package.style}
	w.title(fmt.Sprintf("%s for %q in %s", plural(r.Total, "match", "matches"), r.Query, r.Package.at()))
	w.about(&r.Package)
	if len(r.Hits) == 0 {
		w.block("Nothing in the package matches. Try fewer or other words, or ask for the whole package to see what it offers.")
		return w.b.String()
	}
	w.block("> " + r.Notice)
	w.b.WriteByte('\n')
	for i := range r.Hits {
		h := &r.Hits[i]
		switch h.Kind {
		case "section":
			w.b.WriteString("- section “" + h.Title + "”")
			if h.ID != "" {
				w.b.WriteString(" (" + h.ID + ")")
			}
		case "package":
			w.b.WriteString("- package " + h.Path)
		default:
			w.b.WriteString("- **" + h.Path + "** " + inline(h.Signature))
		}
		if h.Constraint != "" {
			w.b.WriteString(" (only on " + h.Constraint + ")")
		}
		if h.Deprecated != "" {
			w.b.WriteString(" (deprecated)")
		}
		w.b.WriteByte('\n')
		if h.Snippet != "" {
			w.b.WriteString("  " + h.Snippet + "\n")
		}
	}
	for _, omitted := range r.Omitted {
		w.block(omitted)
	}
	return w.b.String()
}

// inline writes code within a line, whatever backticks it holds.
func inline(code string) string {
	mark := "`"
	for strings.Contains(code, mark) {
		mark += "`"
	}
	if len(mark) > 1 {
		return mark + " " + code + " " + mark
	}
	return mark + code + mark
}
