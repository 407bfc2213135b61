package docstring

import "strings"

// unreferenced replaces references in Markdown to pages of the project's site, such as
// [`Client`][pkg.Client] and [pkg.Client][], with their text. It keeps references for which the
// docstring contains the address.
func unreferenced(ls []string) {
	defined := map[string]bool{}
	for _, l := range ls {
		if label, _, ok := strings.Cut(strings.TrimLeft(l, " "), "]: "); ok && strings.HasPrefix(label, "[") {
			defined[strings.ToLower(label[1:])] = true
		}
	}
	fenced := false
	for i, l := range ls {
		if strings.HasPrefix(strings.TrimLeft(l, " "), "```") {
			fenced = !fenced
		}
		if !fenced && strings.Contains(l, "][") {
			ls[i] = withoutReferences(l, defined)
		}
	}
}

func withoutReferences(line string, defined map[string]bool) string {
	var b strings.Builder
	for {
		middle := strings.Index(line, "][")
		if middle < 0 {
			break
		}
		open := strings.LastIndexByte(line[:middle], '[')
		label, rest, closed := strings.Cut(line[middle+2:], "]")
		target := label
		if open >= 0 && target == "" {
			target = strings.Trim(line[open+1:middle], "`")
		}
		if open < 0 || !closed || open > 0 && (isIdentByte(line[open-1]) || line[open-1] == ')' || line[open-1] == ']') || !isPageName(target) || defined[strings.ToLower(target)] {
			b.WriteString(line[:middle+2])
			line = line[middle+2:]
			continue
		}
		b.WriteString(line[:open] + line[open+1:middle])
		line = rest
	}
	return b.String() + line
}

// isPageName reports whether a label is the name of a declaration or of a heading on a site, such
// as pkg.Client, __origin__ or json-schema.
func isPageName(s string) bool {
	for part := range strings.SplitSeq(strings.ReplaceAll(s, "-", "_"), ".") {
		if !isIdent(part) {
			return false
		}
	}
	return true
}
