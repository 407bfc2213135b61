package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
)

// If a comment only refers to another symbol, the answer also shows the first paragraph of that
// symbol's comment. If a comment states that the requirements of another symbol apply, the answer
// shows the paragraph with these requirements.

// reference matches the words that refer the reader to another symbol, and the name of the symbol.
var reference = lazyregexp.New("(?i)\\b(?:see(?: also)?(?: the)?(?: documentation (?:of|for))?|like|as in|same as|equivalent (?:of|to)|identical to|alias (?:of|for)|(requirements|rules|semantics) of|shorthand for|wrapper around|calls|wraps)(?: the)?(?: function| method| type)? [\\[`{(]*(?:@link )?((?:[\\pL\\pN_.~-]+/)*[\\pL_$][\\pL\\pN_$]*(?:(?:\\.|::)[\\pL_$][\\pL\\pN_$]*)*)")

const (
	// shortComment is the maximum length in bytes of a comment that may consist only of a reference
	// to another symbol.
	shortComment = 300
	// maxReferred is the maximum size in bytes of the part of the other comment that is shown.
	maxReferred = 700
	// maxReferences is the maximum number of references that are followed from one comment.
	maxReferences = 2
)

// Referrer finds the symbol that a qualified name in the documentation of a package refers to, such
// as os.Mkdir or encoding/json/v2.Marshal. The symbol belongs to another package. The result is nil
// if there is no such symbol.
type Referrer func(name string) *apidoc.Symbol

// referredDoc returns the beginning of the documentation to which the comment on s refers, or "" if
// the comment does not refer to another symbol.
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
	requires bool // whether the comment states that the requirements of the other symbol apply
}

// references returns the references in a comment that must be followed.
func references(doc string) []referenceTo {
	if len(doc) > shortComment && !strings.Contains(doc, "equirements of") && !strings.Contains(doc, "ules of") && !strings.Contains(doc, "emantics of") {
		return nil // a long comment does not consist of a reference; compiling the expression takes longer than this test
	}
	var all []referenceTo
	for _, match := range reference().FindAllStringSubmatch(doc, maxReferences) {
		if requires := match[1] != ""; requires || len(doc) <= shortComment {
			all = append(all, referenceTo{match[2], requires})
		}
	}
	return all
}

// referred returns the symbol to which a name in a comment refers, and the name under which it is
// shown. It returns nil if the name does not refer to a symbol.
func (r *Renderer) referred(name string, elsewhere Referrer) (s *apidoc.Symbol, label string) {
	if elsewhere != nil && strings.Contains(name, ".") && naming.Exact(r.pkg, name) == nil {
		if s := elsewhere(name); s != nil {
			return s, oneLine(name)
		}
	}
	s = r.referrals.get(name, func() *apidoc.Symbol { return naming.Named(r.pkg, name) })
	if s == nil || !strings.HasSuffix(name, s.Name()) {
		return nil, ""
	}
	return s, oneLine(s.Path)
}

// requirement returns the first paragraph of a comment that states what must be done. If there is
// none, it returns the first paragraph.
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
