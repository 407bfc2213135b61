package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// If a comment only refers to another symbol, the answer shows the first
// paragraph of that symbol's comment, too. If it requires what another comment
// requires, the answer shows the paragraph that says so.

// reference finds the name after words that send the reader elsewhere.
var reference = lazyregexp.New("(?i)\\b(?:see(?: also)?(?: the)?(?: documentation (?:of|for))?|like|as in|same as|equivalent (?:of|to)|identical to|alias (?:of|for)|(requirements|rules|semantics) of|shorthand for|wrapper around|calls|wraps)(?: the)?(?: function| method| type)? [\\[`{(]*(?:@link )?((?:[\\pL\\pN_.~-]+/)*[\\pL_$][\\pL\\pN_$]*(?:(?:\\.|::)[\\pL_$][\\pL\\pN_$]*)*)")

const (
	// shortComment is the length in bytes up to which a comment can be one that
	// only refers to another symbol.
	shortComment = 300
	// maxReferred bounds, in bytes, the part of the other comment that is shown.
	maxReferred = 700
	// maxReferences is the number of references that are followed from one
	// comment.
	maxReferences = 2
)

// Referrer finds what a qualified name in the documentation of a package means
// (os.Mkdir, encoding/json/v2.Marshal): a symbol of another package, nil if it
// means none.
type Referrer func(name string) *apidoc.Symbol

// referredDoc returns the beginning of the documentation to which the comment
// on s sends the reader, empty if it sends them nowhere.
func (r *Renderer) referredDoc(s *apidoc.Symbol, elsewhere Referrer) string {
	var b strings.Builder
	for _, to := range r.references.get(s.Doc, func() []referenceTo { return references(markup.Clean(s.Doc)) }) {
		requires, name := to.requires, to.name
		other, label := r.referred(name, elsewhere)
		if other == nil || other == s || other.Doc == "" {
			continue
		}
		first := firstParagraph(markup.Clean(other.Doc))
		if requires {
			first = requirement(markup.Clean(other.Doc))
		}
		first = excerpt(first, maxReferred)
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if label != other.Path || !strings.HasPrefix(first, other.Name()) {
			first = label + ": " + first
		}
		b.WriteString(first)
	}
	return b.String()
}

// referenceTo is a reference in a comment.
type referenceTo struct {
	name     string
	requires bool // whether the comment requires what the other one does
}

// references returns the references in a comment that are to be followed.
func references(doc string) []referenceTo {
	var all []referenceTo
	for _, match := range reference().FindAllStringSubmatch(doc, maxReferences) {
		if requires := match[1] != ""; requires || len(doc) <= shortComment {
			all = append(all, referenceTo{match[2], requires})
		}
	}
	return all
}

// referred returns the symbol that a name in a comment means, and the name under
// which to show it. It returns nil if the name means no symbol.
func (r *Renderer) referred(name string, elsewhere Referrer) (s *apidoc.Symbol, label string) {
	if elsewhere != nil && strings.Contains(name, ".") && r.pkg.Exact(name) == nil {
		if s := elsewhere(name); s != nil {
			return s, oneLine(name)
		}
	}
	s = r.referrals.get(name, func() *apidoc.Symbol { return r.pkg.Named(name) })
	if s == nil || !strings.HasSuffix(name, s.Name()) {
		return nil, ""
	}
	return s, oneLine(s.Path)
}

// requirement returns the first paragraph of a comment that says what must be done, or
// the first of all if none does.
func requirement(doc string) string {
	all := paragraphs(doc)
	i := slices.IndexFunc(all, func(p string) bool { return strings.Contains(p, " must ") })
	if i < 0 {
		return firstParagraph(doc)
	}
	return all[i]
}

func firstParagraph(md string) string {
	for _, p := range paragraphs(md) {
		return p
	}
	return ""
}
