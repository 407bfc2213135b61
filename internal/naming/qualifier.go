package naming

import (
	"slices"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Unqualified removes the package's name from the beginning of path. If imports in the language do
// not bind their own name, case is ignored ("React.useState"), and any name that consists of the
// package's words is accepted ("ReactDOM.createPortal" of react-dom).
func Unqualified(p *apidoc.Package, path string) string {
	for _, name := range names(p) {
		head, rest, ok := cutName(path, name, p.Separator())
		if ok && rest != "" && (head == name || p.LocalName == "" && strings.EqualFold(head, name) && p.At(head) == nil) {
			return rest
		}
	}
	if head, rest, ok := cutNamespace(p, path); ok && p.At(head) == nil {
		return rest
	}
	return path
}

// UnreadPart returns the exported symbol with which a path begins if it was not read; see
// Package.Unread. Otherwise, UnreadPart returns "".
func UnreadPart(p *apidoc.Package, path string) string {
	if len(p.Unread) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(Unqualified(p, path), p.Separator())
	if !slices.Contains(p.Unread, name) {
		return ""
	}
	return name
}

// IsWhole reports whether a name that is not a symbol refers to the package itself, such as "THREE"
// for three.
func IsWhole(p *apidoc.Package, name string) bool {
	if p.LocalName != "" || !p.Style.FollowTypes || Exact(p, name) != nil {
		return false
	}
	last := p.Name[strings.LastIndexByte(p.Name, '/')+1:]
	return slices.Contains(p.Qualifiers, name) || SameWords(name, p.Name) || SameWords(name, last)
}

// namespaced returns the symbol of a path whose first name consists of the package's words, even if
// that name is also a symbol: Root for "Dialog.Root" of @radix-ui/react-dialog, which exports
// Dialog. It returns nil if there is none.
func namespaced(p *apidoc.Package, path string) *apidoc.Symbol {
	if _, rest, ok := cutNamespace(p, path); ok {
		return p.At(rest)
	}
	return nil
}

// cutNamespace splits a path at its first separator if the part before it is a name to which
// programs may bind the package. ok is false for any other path.
func cutNamespace(p *apidoc.Package, path string) (head, rest string, ok bool) {
	if p.LocalName != "" || !p.Style.FollowTypes {
		return "", "", false
	}
	head, rest, ok = strings.Cut(path, p.Separator())
	return head, rest, ok && rest != "" && NamedAfter(head, p.Name)
}

// NamedAfter reports whether an identifier consists of words of a package's name, such as ReactDOM
// or DOM for react-dom, or Papa for papaparse. Case and punctuation are ignored.
func NamedAfter(identifier, name string) bool {
	id := strings.ToLower(identifier)
	if len(id) < 2 || strings.ContainsFunc(id, notAlphanumeric) {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(name), notAlphanumeric)
	for i := range words {
		if strings.HasPrefix(strings.Join(words[i:], ""), id) {
			return true
		}
	}
	return false
}

// SameWords reports whether an identifier consists of all words of a package's name, such as
// ReactDOMServer for react-dom/server.
func SameWords(identifier, name string) bool {
	return strings.EqualFold(identifier, strings.Join(strings.FieldsFunc(name, notAlphanumeric), ""))
}

func notAlphanumeric(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// cutName splits path after len(name) bytes if a separator follows. ok is false
// if path is not longer than name or no separator follows.
func cutName(path, name, separator string) (head, rest string, ok bool) {
	if name == "" || len(path) <= len(name) {
		return "", "", false
	}
	head = path[:len(name)]
	rest, ok = strings.CutPrefix(path[len(name):], separator)
	return head, rest, ok
}

// names returns the package's names in code: the name that an import binds, its own name, the name
// of the default export, and its qualifiers.
func names(p *apidoc.Package) []string {
	names := []string{p.LocalName, p.Name}
	if p.LocalName == "" {
		names = append(names, p.Name[strings.LastIndexByte(p.Name, '/')+1:])
	}
	for _, s := range p.Defaults() {
		names = append(names, s.Path, p.DeclaredName(s))
	}
	return append(names, p.Qualifiers...)
}
