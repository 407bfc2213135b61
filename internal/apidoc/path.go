package apidoc

import "strings"

// Name returns the last component of the symbol's path. A component in brackets
// may contain dots: "[Symbol.iterator]".
func (s *Symbol) Name() string {
	return s.Path[nameStart(s.Path):]
}

func nameStart(path string) int {
	if base, labels := CutLabels(path); labels != "" {
		if i := operatorStart(base); i >= 0 {
			return i
		}
		path = base
	}
	if strings.HasSuffix(path, "]") {
		if i := strings.Index(path, ".["); i >= 0 {
			return i + 1
		}
		if path[0] == '[' {
			return 0
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i] {
		case '.', ':', '#', '/':
			return i + 1
		}
	}
	return 0
}

// ParentPath returns the path of the symbol's parent, or "" if it is not a member.
func (s *Symbol) ParentPath() string {
	return strings.TrimRight(s.Path[:nameStart(s.Path)], ".:#/")
}

// CutLabels splits a path before its argument labels, for example into "Point.move" and
// "(by:_:in:)". labels is empty if the path does not have any.
func CutLabels(path string) (base, labels string) {
	if !strings.HasSuffix(path, ")") {
		return path, ""
	}
	start := strings.LastIndexByte(path, '(')
	if start <= 0 {
		return path, ""
	}
	if path[start-1] == '.' && (start == 1 || path[start-2] != '.') {
		return path, "" // The path is that of a member without a name.
	}
	inner := path[start+1 : len(path)-1]
	if inner != "" && !strings.HasSuffix(inner, ":") || strings.ContainsAny(inner, " .,<>/[") {
		return path, ""
	}
	return path[:start], path[start:]
}

// operatorStart returns the index of the operator at the end of a path without labels, or -1 if the
// path ends with a name.
func operatorStart(base string) int {
	const operators = "./=-+!*%<>&|^~?"
	start := len(strings.TrimRight(base, operators))
	if start == len(base) {
		return -1
	}
	if base[start] == '.' && start > 0 && len(base)-start > 1 {
		start++ // Skip the dot before the operator.
	}
	return start
}

// Components splits a path at separators that are not within brackets.
func (p *Package) Components(path string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(path) {
		switch path[i] {
		case '[':
			depth++
		case ']':
			depth--
		default:
			if depth <= 0 && i >= start && strings.HasPrefix(path[i:], p.Separator()) {
				parts = append(parts, path[start:i])
				start = i + len(p.Separator())
			}
		}
	}
	return append(parts, path[start:])
}

// Separator returns the text that separates the names of a path.
func (p *Package) Separator() string {
	if p.Style.Separator != "" {
		return p.Style.Separator
	}
	return "."
}

// Join joins names with the separator into a path.
func (p *Package) Join(names ...string) string { return strings.Join(names, p.Separator()) }

// IsBelow reports whether a package is below another one, that is, whether its name begins with the
// other's name and a separator.
func IsBelow(name, parent string) bool {
	rest, ok := strings.CutPrefix(name, parent)
	return ok && rest != "" && strings.ContainsRune("/.:", rune(rest[0]))
}
