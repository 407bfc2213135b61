package header

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Imported returns the Swift types of the functions and constants of a C module,
// by name. An example is "@Sendable (UnsafeMutablePointer<gauge>, Int32) ->
// Void". It omits names whose types cannot be determined from the headers alone,
// and names that Swift does not import. Sizes are correct for 64-bit systems other than Windows.
func Imported(symbols []apidoc.Symbol) map[string]string {
	m := importer{types: map[string]string{}, opaque: map[string]bool{}}
	for _, s := range symbols {
		switch s.Kind {
		case "struct", "union", apidoc.Enum:
			m.types[s.Path] = s.Path
			if words := strings.Fields(s.Signature); len(words) == 4 && words[0] == "typedef" {
				m.types[words[2]] = words[2]
			}
		}
	}
	for _, s := range symbols {
		if s.Kind == apidoc.Type && !strings.ContainsAny(s.Signature, "*([^") {
			m.alias(s)
		}
	}
	all := map[string]string{}
	for _, s := range symbols {
		text := ""
		switch {
		case strings.Contains(s.Doc, swiftNameMark):
		case s.Kind == apidoc.Func:
			text = m.function(s.Signature, s.Path)
		case s.Kind == apidoc.Const:
			if text = constant(s.Signature, s.Path); text == "" {
				if head, ok := strings.CutSuffix(s.Signature, " "+s.Path); ok && !strings.Contains(head, "*") {
					text = m.typed(lexed(head), "")
				}
			}
		}
		if text != "" {
			all[s.Path] = text
		}
	}
	return all
}

// importer contains the types that a module's headers define.
type importer struct {
	types map[string]string // types by the names of structs, unions and enumerations, and of type definitions for these and for numbers
	// opaque contains the names of types that the headers do not define.
	opaque map[string]bool
}

// alias adds the name of a type definition.
func (m *importer) alias(s apidoc.Symbol) {
	if m.types[s.Path] != "" {
		return
	}
	tokens := lexed(s.Signature)
	if len(tokens) < 3 || tokens[0] != "typedef" || tokens[len(tokens)-1] != s.Path {
		return
	}
	tokens = tokens[1 : len(tokens)-1]
	if m.value(tokens) != "" {
		m.types[s.Path] = s.Path
	} else if len(tokens) == 2 && tokens[0] == "struct" {
		m.opaque[s.Path] = true
	}
}

func lexed(text string) []string {
	l := lexer{text: text, macros: macros{}}
	l.run()
	words := make([]string, len(l.tokens))
	for i, t := range l.tokens {
		words[i] = t.text
	}
	return words
}

// function returns the type of a function, or "" if it is uncertain.
func (m *importer) function(signature, name string) string {
	words := lexed(signature)
	open := -1
	for i := 0; i+1 < len(words); i++ {
		if words[i] == name && words[i+1] == "(" {
			open = i + 1
			break
		}
	}
	if open < 2 || words[len(words)-1] != ")" {
		return ""
	}
	result := m.typed(words[:open-1], "")
	if result == "" {
		return ""
	}
	var params []string
	inner := words[open+1 : len(words)-1]
	if len(inner) == 1 && inner[0] == "void" {
		inner = nil
	}
	for len(inner) > 0 {
		end := 0
		for end < len(inner) && inner[end] != "," {
			if w := inner[end]; w == "(" || w == "[" || w == "..." {
				return ""
			}
			end++
		}
		param := inner[:end]
		text := m.typed(param, "")
		if n := len(param) - 1; text == "" && n > 0 {
			text = m.typed(param[:n], param[n])
		}
		if text == "" || text == "Void" {
			return ""
		}
		params = append(params, text)
		inner = inner[min(end+1, len(inner)):]
	}
	return "@Sendable (" + strings.Join(params, ", ") + ") -> " + result
}

// typed returns the type specified by the words before a name in C, or "" if it
// is unknown.
func (m *importer) typed(words []string, name string) string {
	if keywords[name] || strings.HasPrefix(name, "_N") {
		return ""
	}
	if len(words) == 1 && words[0] == "void" {
		return "Void"
	}
	star := -1
	for i, w := range words {
		if w == "*" {
			if star >= 0 {
				return "" // The type is a pointer to pointers.
			}
			star = i
		}
	}
	if star < 0 {
		return m.value(words)
	}
	optional := "?"
	for _, w := range words[star+1:] {
		switch w {
		case "_Nonnull", "__nonnull":
			optional = ""
		case "_Nullable", "__nullable", "const", "restrict", "__restrict":
		default:
			return ""
		}
	}
	pointee, constant := make([]string, 0, star), false
	for _, w := range words[:star] {
		if w == "const" {
			constant = true
		} else {
			pointee = append(pointee, w)
		}
	}
	if len(pointee) == 0 {
		return ""
	}
	last := pointee[len(pointee)-1]
	element := m.value(pointee)
	switch {
	case len(pointee) == 1 && last == "void":
		if constant {
			return "UnsafeRawPointer" + optional
		}
		return "UnsafeMutableRawPointer" + optional
	case element == "" && (len(pointee) == 2 && pointee[0] == "struct" || len(pointee) == 1 && m.opaque[last]):
		return "OpaquePointer" + optional
	case element == "":
		return ""
	case constant:
		return "UnsafePointer<" + element + ">" + optional
	}
	return "UnsafeMutablePointer<" + element + ">" + optional
}

// builtin maps C types to Swift's names. The keys are the words of the type in
// alphabetical order, without "int" if there is another word.
var builtin = map[string]string{
	"bool": "Bool", "_Bool": "Bool", "char": "CChar", "char signed": "Int8", "char unsigned": "UInt8", "short": "Int16", "short signed": "Int16", "short unsigned": "UInt16",
	"int": "Int32", "signed": "Int32", "unsigned": "UInt32", "long": "Int", "long signed": "Int", "long unsigned": "UInt", "long long": "Int64", "long long signed": "Int64",
	"long long unsigned": "UInt64", "float": "Float", "double": "Double",
	"int8_t": "Int8", "int16_t": "Int16", "int32_t": "Int32", "int64_t": "Int64", "uint8_t": "UInt8", "uint16_t": "UInt16", "uint32_t": "UInt32", "uint64_t": "UInt64",
	"intptr_t": "Int", "uintptr_t": "UInt", "size_t": "Int", "ssize_t": "Int", "ptrdiff_t": "Int",
}

// minWidth lists types in the standard headers that have the same names in Swift.
var minWidth = set("int_least8_t int_least16_t int_least32_t int_least64_t uint_least8_t uint_least16_t uint_least32_t uint_least64_t intmax_t uintmax_t")

// value returns the Swift type of a C value, or "" if it is unknown.
func (m *importer) value(words []string) string {
	var rest []string
	counts := map[string]int{}
	for _, w := range words {
		switch w {
		case "const":
		case "struct", "union", "enum":
			if len(words) == 1 {
				return ""
			}
		case "signed", "unsigned", "long", "short", "char", "int":
			counts[w]++
		default:
			rest = append(rest, w)
		}
	}
	if len(rest) == 1 && len(counts) == 0 {
		if t := m.types[rest[0]]; t != "" {
			return t
		}
		if minWidth[rest[0]] {
			return rest[0]
		}
		return builtin[rest[0]]
	}
	if len(rest) > 0 {
		return ""
	}
	if len(counts) > 1 {
		delete(counts, "int")
	}
	var name []string
	for _, w := range []string{"char", "int", "long", "short", "signed", "unsigned"} {
		for range counts[w] {
			name = append(name, w)
		}
	}
	return builtin[strings.Join(name, " ")]
}

// constant returns the type of a constant that a macro defines as a single
// literal. It returns "" for other macros.
func constant(signature, name string) string {
	body, ok := strings.CutPrefix(signature, "#define "+name+" ")
	if !ok {
		return ""
	}
	for strings.HasPrefix(body, "(") && markup.Closing(body) == len(body)-1 {
		body = strings.TrimSpace(body[1 : len(body)-1])
	}
	words := lexed(body)
	if len(words) == 2 && words[0] == "-" {
		words = words[1:]
	}
	if len(words) != 1 || len(words[0]) > 9 {
		if len(words) == 1 && words[0][0] == '"' {
			return "String"
		}
		return ""
	}
	switch w := words[0]; {
	case w[0] == '"':
		return "String"
	case strings.Trim(w, "0123456789") == "":
		return "Int32"
	case strings.HasPrefix(w, "0x") && strings.Trim(w[2:], "0123456789abcdefABCDEF") == "" && len(w) < 10:
		return "Int32"
	}
	return ""
}
