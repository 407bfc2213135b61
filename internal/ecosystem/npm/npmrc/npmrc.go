package npmrc

import (
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// setting is a key and a value in the form of an .npmrc file, before variables
// are expanded.
type setting struct{ key, value string }

const (
	maxNpmrc    = 1 << 20 // maximum size in bytes of a settings file
	maxSettings = 10_000  // maximum number of settings in one file
)

// parseNpmrc parses an .npmrc file as npm does: keys and values separated by
// "=", comments that begin with ; or #, and quoted values. A key that ends with
// [] may be repeated; for other keys, the last value counts. npm does not read
// settings in sections, so sections are skipped.
func parseNpmrc(data string) []setting {
	var out []setting
	single, several := map[string]int{}, map[string]bool{}
	section := false
	for line := range strings.Lines(strings.TrimPrefix(strings.ReplaceAll(data, "\r", "\n"), "\uFEFF")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' || line[0] == '#' || len(out) >= maxSettings {
			continue
		}
		if line[0] == '[' && strings.HasSuffix(line, "]") {
			section = true
			continue
		}
		if section {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			value = "true"
		}
		key, list := strings.CutSuffix(unsafeValue(key), "[]")
		value = unsafeValue(value)
		if key == "" {
			continue
		}
		several[key] = several[key] || list
		if index, again := single[key]; again && !several[key] {
			out[index].value = value
			continue
		}
		single[key] = len(out)
		out = append(out, setting{key, value})
	}
	return out
}

// unsafeValue removes quotes, escapes and trailing comments.
func unsafeValue(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		if s[0] == '"' {
			if u, err := strconv.Unquote(s); err == nil {
				return u
			}
		}
		return s[1 : len(s)-1]
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && strings.IndexByte(`\;#`, s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		case c == ';' || c == '#':
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}

// expander expands the environment variables in a value. If unset is not empty, it is the name of a
// variable without a value, and text must not be used.
type expander func(e variables, raw string) (text, unset string)

// expandNothing is the expander for tools that do not expand variables.
func (variables) expandNothing(s string) (text, unset string) { return s, "" }

var variable = lazyregexp.New(`\\*\$\{[^${}]+\}`)

// expandNpm expands variables as npm does. An unset ${NAME} remains unchanged,
// and an unset ${NAME?} becomes empty. A preceding backslash prevents
// expansion.
func (e variables) expandNpm(s string) (text, unset string) {
	if !strings.Contains(s, "${") {
		return s, ""
	}
	text = variable().ReplaceAllStringFunc(s, func(m string) string {
		slashes := strings.IndexByte(m, '$')
		if slashes%2 == 1 {
			return m[(slashes+1)/2:]
		}
		name := m[slashes+2 : len(m)-1]
		bare, optional := strings.CutSuffix(name, "?")
		value, ok := e.Lookup(bare)
		if !ok && !optional {
			unset = bare
			return m
		}
		return m[:slashes/2] + value
	})
	return text, unset
}

// leadingVariable matches a variable, in any tool's syntax, at the beginning of
// a value.
var leadingVariable = lazyregexp.New(`^(?:\$\{[^${}]*\}|\$\w+)`)

// misplaced reports whether an address uses a variable anywhere other than at its beginning. A
// variable at the beginning is allowed, as in "${REGISTRY}" and "${REGISTRY}/path". A request to
// "https://host/${VARIABLE}" or "${VARIABLE}.host" would send the variable's value to a host that
// the author of the file has chosen.
func misplaced(address, sigil string) bool {
	if !strings.Contains(address, sigil) {
		return false
	}
	rest := address[len(leadingVariable().FindString(address)):]
	return rest == address || rest != "" && rest[0] != '/' || strings.Contains(rest, sigil)
}
