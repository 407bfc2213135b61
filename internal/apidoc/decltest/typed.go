package decltest

import (
	"regexp"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Typed parses declarations with types after a colon: their names, and the types whose members
// their values have, as in "const a: B | C", "function f(x: D): E". It is for tests of packages
// that are independent of languages.
type Typed struct{}

var (
	typedName  = regexp.MustCompile(`^(?:(?:const|let|var|function|class|interface|type|enum|namespace|abstract|trait|mod) )*([\w$]+)`)
	typedValue = regexp.MustCompile(`[\w$.]+`)
)

// Parts implements apidoc.Syntax.
func (Typed) Parts(s *apidoc.Symbol) []apidoc.Part {
	var parts apidoc.Parts
	start := 0
	for line := range strings.SplitSeq(s.Signature, "\n") {
		parts.Open(apidoc.DeclarationPart, start)
		if m := typedName.FindStringSubmatchIndex(line); m != nil && line != "class" {
			parts.Leaf(apidoc.NamePart, start+m[2], start+m[3])
		}
		if at := typedStart(line); at >= 0 {
			typedParts(&parts, line, start, at)
		}
		parts.Close(start + len(line))
		start += len(line) + 1
	}
	return parts.List(len(s.Signature))
}

// typedStart returns the offset of the type of a declaration, or -1 if it has none.
func typedStart(line string) int {
	at, depth := -1, 0
	for i := range len(line) {
		switch c := line[i]; {
		case strings.HasPrefix(line[i:], "=> ") && depth == 0:
			at = i + len("=> ")
		case c == '(' || c == '{' || c == '[' || c == '<':
			depth++
		case c == ')' || c == '}' || c == ']' || c == '>' && (i == 0 || line[i-1] != '='):
			depth--
		case depth == 0 && at < 0 && (strings.HasPrefix(line[i:], ": ") || strings.HasPrefix(line, "type ") && strings.HasPrefix(line[i:], "= ")):
			at = i + len(": ")
		}
	}
	return at
}

func typedParts(parts *apidoc.Parts, line string, start, at int) {
	parts.Open(apidoc.TypePart, start+at)
	for _, m := range typedValue.FindAllStringIndex(line[at:], -1) {
		before, after := line[:at+m[0]], line[at+m[1]:]
		var flags apidoc.PartFlags
		if strings.Count(before[at:], "<") <= strings.Count(before[at:], ">") && !strings.HasPrefix(after, "[") {
			flags = apidoc.Outer
		}
		parts.Leaf(apidoc.ReferencePart, start+at+m[0], start+at+m[1], flags)
	}
	parts.Close(start + len(line))
}
