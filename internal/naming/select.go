package naming

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Select returns the symbols that a name refers to. The name is a path as for Find, which also
// selects the symbols that differ from the one at the path only in argument labels, or a pattern in
// which "*" represents any letters ("With*", "Root.*").
func Select(p *apidoc.Package, name string) ([]*apidoc.Symbol, error) {
	pointer := strings.LastIndexByte(name, '*') == 0 && Exact(p, name) != nil // The star belongs to a pointer type of Go rather than to a pattern.
	if pointer || !IsPattern(name) {
		s, err := Find(p, name)
		if err != nil {
			return nil, err
		}
		return append([]*apidoc.Symbol{s}, relabeled(p, name, s)...), nil
	}
	var found []*apidoc.Symbol
	separator := p.Separator()
	pattern := Unqualified(p, strings.ReplaceAll(name, ".", separator))
	for s := range p.Importable {
		if matches(pattern, s.Path, separator) {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return nil, &NoMatchError{p.Name, name}
	}
	return found, nil
}

// NoMatchError means that no symbol of a package matches a pattern.
type NoMatchError struct{ Package, Pattern string }

func (e *NoMatchError) Error() string {
	return "no symbol of " + e.Package + " matches " + e.Pattern
}

// IsPattern reports whether a name is a pattern rather than a method on a
// pointer ("(*Client).Do").
func IsPattern(name string) bool {
	return strings.Contains(name, "*") && !strings.Contains(name, "(*")
}

// MatchesFirst reports whether a name matches the part of a pattern before the first separator of
// names.
func MatchesFirst(pattern, name, separator string) bool {
	head, _, _ := strings.Cut(strings.ReplaceAll(pattern, ".", separator), separator)
	return matches(head, name, separator)
}

// Paths splits a list of paths at commas, semicolons and white space that are not within brackets.
func Paths(text string) []string {
	var names []string
	depth, start := 0, 0
	end := func(i int) {
		if name := strings.TrimSpace(text[start:i]); name != "" {
			names = append(names, name)
		}
		start = i + 1
	}
	for i := range len(text) {
		switch c := text[i]; c {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth = max(0, depth-1)
		case ',', ';', ' ', '\t', '\n', '\r':
			// "(*Client) Do" is one name.
			if depth == 0 && (c == ',' || c == ';' || !strings.HasSuffix(strings.TrimSpace(text[start:i]), ")") || !strings.HasPrefix(strings.TrimSpace(text[start:i]), "(")) {
				end(i)
			}
		}
	}
	end(len(text))
	return names
}

// matches reports whether a path matches a pattern, in which "*" represents any characters except
// the separator. The first place of the text between two stars leaves the most to the second star, so
// no other one has to be tried.
func matches(pattern, path, separator string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	path, ok := strings.CutPrefix(path, head)
	if !ok || !star {
		return ok && path == ""
	}
	for {
		end := strings.Index(path, separator)
		if end < 0 {
			end = len(path)
		}
		head, rest, star = strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(path, head) && len(path)-len(head) <= end
		}
		i := strings.Index(path, head)
		if i < 0 || i > end {
			return false
		}
		path = path[i+len(head):]
	}
}
