package answer

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// A type alias on one line can contain an object literal, as in type A = { a: string; b?: number; }
// & B. The declaration then shows its members, which are also members of the symbol.

// elided stands for a literal whose members are listed below the declaration.
const elided = "{ … }"

// withoutLiterals returns the declaration of a type alias with elided in place of the object
// literals whose members s declares. It returns other declarations unchanged, and also those of
// unions, whose literals show which members belong together.
func withoutLiterals(signature string, s *apidoc.Symbol) string {
	head, target, ok := strings.Cut(signature, " = ")
	if !ok || s.NumMembers() == 0 || !strings.HasPrefix(head, "type ") || strings.Contains(signature, "\n") {
		return signature
	}
	own := map[string]bool{}
	members := s.AllMembers()
	for i := range members {
		if members[i].From == "" {
			own[oneLine(members[i].Signature)] = true
		}
	}
	var b strings.Builder
	b.WriteString(head + " = ")
	depth, from, open := 0, 0, -1
	for i := range len(target) {
		switch target[i] {
		case '{', '(', '[', '<':
			if depth == 0 && target[i] == '{' {
				open = i
			}
			depth++
		case '}', ')', ']', '>':
			if target[i] == '>' && i > 0 && target[i-1] == '=' {
				continue
			}
			depth--
			if depth == 0 && target[i] == '}' && open >= 0 && allIn(own, target[open+1:i]) {
				b.WriteString(target[from:open] + elided)
				from = i + 1
			}
		case '|', '?':
			if depth == 0 {
				return signature
			}
		}
	}
	b.WriteString(target[from:])
	return b.String()
}

// saysCalls reports whether the declaration of a value shows the ways to call it, which its member
// m lists, as in const f: { (a: string): void; (a: number): void; }.
func saysCalls(s, m *apidoc.Symbol) bool {
	if !m.IsCallOfParent() || m.Deprecated != "" || strings.HasPrefix(s.Signature, "type ") || m.Doc != "" && !strings.Contains(s.Doc, m.Doc) {
		return false
	}
	_, body, ok := strings.Cut(s.Signature, "{ ")
	if !ok || strings.Contains(s.Signature, "\n") {
		return false
	}
	for line := range strings.SplitSeq(m.Signature, "\n") {
		if !strings.Contains(" "+body, " "+oneLine(line)+";") {
			return false
		}
	}
	return true
}

// allIn reports whether the members of an object literal, each followed by a semicolon, are all in
// set. It returns false if there are no members.
func allIn(set map[string]bool, literal string) bool {
	depth, from, n := 0, 0, 0
	for i := range len(literal) {
		switch literal[i] {
		case '{', '(', '[', '<':
			depth++
		case '>':
			if i > 0 && literal[i-1] == '=' {
				continue
			}
			depth--
		case '}', ')', ']':
			depth--
		case ';':
			if depth != 0 {
				continue
			}
			if !set[strings.TrimSpace(literal[from:i])] {
				return false
			}
			from = i + 1
			n++
		}
	}
	return n > 0 && strings.TrimSpace(literal[from:]) == ""
}
