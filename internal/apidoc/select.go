package apidoc

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// maxSelected bounds the symbols of one selection.
	maxSelected = 100
	// maxNames bounds the names of a selection.
	maxNames = 200
)

// Select returns the symbols that a text names: paths as for Find, separated by
// commas or spaces, and patterns in which "*" stands for any letters ("With*",
// "Root.*"). Each symbol is returned once, in the order of the text. A name
// without a symbol adds an error.
func (p *Package) Select(asked string) (found []*Symbol, problems []error) {
	names := Paths(asked)
	if len(names) > maxNames {
		problems = append(problems, fmt.Errorf("only the first %d of %d names were looked up: ask for the others apart", maxNames, len(names)))
		names = names[:maxNames]
	}
	add := func(s *Symbol) {
		if !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	for _, name := range names {
		pointer := strings.HasPrefix(name, "*") && p.Exact(name) != nil // a pointer type of Go rather than a pattern
		if pointer || !isPattern(name) {
			s, err := p.Find(name)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			add(s)
			for _, o := range p.relabeled(name, s) {
				add(o)
			}
			continue
		}
		n := len(found)
		separator := p.Separator()
		pattern := p.Unqualified(strings.ReplaceAll(name, ".", separator))
		for s := range p.listed {
			if matches(pattern, s.Path, separator) {
				add(s)
			}
		}
		if len(found) == n && !slices.ContainsFunc(found, func(s *Symbol) bool { return matches(pattern, s.Path, separator) }) {
			problems = append(problems, fmt.Errorf("no symbol of %s matches %s", p.Name, name))
		}
	}
	if n := len(found) - maxSelected; n > 0 {
		problems = append(problems, fmt.Errorf("%d more symbols match: ask for them with a narrower pattern", n))
		found = found[:maxSelected]
	}
	return found, problems
}

// isPattern reports whether a name is a pattern rather than a method on a
// pointer ("(*Client).Do").
func isPattern(name string) bool {
	return strings.Contains(name, "*") && !strings.Contains(name, "(*")
}

// Paths splits a list of paths at commas, semicolons and white space outside of
// brackets.
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

// matches reports whether a path matches a pattern, in which "*" means any
// characters except the separator.
func matches(pattern, path, separator string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, head) {
		return false
	}
	path = path[len(head):]
	if !star {
		return path == ""
	}
	for i := 0; ; i++ {
		if matches(rest, path[i:], separator) {
			return true
		}
		if i == len(path) || strings.HasPrefix(path[i:], separator) {
			return false
		}
	}
}
