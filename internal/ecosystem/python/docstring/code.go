package docstring

import "strings"

// isCode reports whether indented lines are Python, because authors of plain text often mark code
// only by indentation. Every line at the outermost level must be a statement, and no line may read
// as prose.
func isCode(ls []string) bool {
	statements, open := 0, 0
	for _, l := range ls {
		bare := bareCode(l)
		if readsAsProse(bare) {
			return false
		}
		if head := strings.TrimSpace(bare); open == 0 && head != "" && l[0] != ' ' {
			switch {
			case isStatement(head):
				statements++
			case strings.Trim(head, ")]}") != "":
				return false
			}
		}
		open = max(0, open+strings.Count(bare, "(")+strings.Count(bare, "[")+strings.Count(bare, "{")-
			strings.Count(bare, ")")-strings.Count(bare, "]")-strings.Count(bare, "}"))
	}
	return statements > 0
}

// bareCode returns a line of code without its comment and without the contents
// of its strings.
func bareCode(line string) string {
	if !strings.ContainsAny(line, `"'#`) {
		return line
	}
	var b strings.Builder
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
			b.WriteByte(c)
		case quote != 0:
		case c == '#':
			return b.String()
		case c == '"' || c == '\'':
			quote = c
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	if quote != 0 { // The quote is an apostrophe rather than the beginning of a string.
		return line
	}
	return b.String()
}

// keywords are Python's keywords that may precede or follow a name.
var keywords = map[string]bool{
	"and": true, "as": true, "assert": true, "async": true, "await": true, "class": true, "def": true, "del": true, "elif": true, "else": true, "except": true,
	"finally": true, "for": true, "from": true, "global": true, "if": true, "import": true, "in": true, "is": true, "lambda": true, "match": true, "case": true,
	"nonlocal": true, "not": true, "or": true, "raise": true, "return": true, "try": true, "while": true, "with": true, "yield": true,
}

// readsAsProse reports whether a line has two consecutive words that are not
// keywords.
func readsAsProse(line string) bool {
	before := false
	for word := range strings.FieldsSeq(line) {
		name := isIdent(word) && !keywords[word]
		if name && before {
			return true
		}
		before = name
	}
	return false
}

func isIdent(word string) bool {
	for i := range len(word) {
		if !isIdentByte(word[i]) || word[i] >= 0x80 {
			return false
		}
	}
	return word != "" && (word[0] < '0' || word[0] > '9')
}

// isStatement reports whether a line begins a Python statement that does not look like a sentence,
// such as a compound statement, an import, an assignment, a call or a decorator.
func isStatement(line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	if word == "async" {
		word, rest, _ = strings.Cut(rest, " ")
	}
	rest = strings.TrimSpace(rest)
	switch word {
	case "for":
		return strings.Contains(rest, " in ") && strings.HasSuffix(rest, ":")
	case "def", "class", "with", "if", "while", "elif":
		return rest != "" && (strings.HasSuffix(rest, ":") || strings.ContainsAny(rest, "(["))
	case "try:", "else:", "finally:":
		return rest == ""
	case "import", "from":
		module, _, _ := strings.Cut(rest, " ")
		return isDottedName(strings.TrimLeft(module, ".")) && (word == "import" || strings.Contains(rest, " import "))
	case "await", "return", "raise", "yield", "except":
		return strings.ContainsAny(rest, "(.:")
	}
	if strings.HasPrefix(line, "@") {
		name, _, _ := strings.Cut(line[1:], "(")
		return isDottedName(name)
	}
	if target, value, ok := strings.Cut(line, " = "); ok && strings.TrimSpace(value) != "" {
		for name := range strings.SplitSeq(target, ",") {
			name, _, _ = strings.Cut(strings.TrimSpace(name), "[")
			name, _, _ = strings.Cut(name, ": ")
			if !isDottedName(strings.Trim(name, "()*")) {
				return false
			}
		}
		return true
	}
	name, arguments, ok := strings.Cut(line, "(")
	return ok && isDottedName(name) && (strings.HasSuffix(line, ")") || strings.Count(arguments, ")") == 0)
}

func isDottedName(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !isIdent(part) {
			return false
		}
	}
	return true
}
