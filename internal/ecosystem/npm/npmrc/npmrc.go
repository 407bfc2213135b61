package npmrc

import (
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// setting is one line of a file, in the words of an .npmrc: a key and what
// stands behind it, before variables of the environment are put in.
type setting struct{ key, value string }

const (
	maxNpmrc    = 1 << 20
	maxSettings = 10_000
)

// parseNpmrc reads an .npmrc file as npm does: keys and values with "=",
// comments with ; and #, quotes. A key that ends with [] may come several
// times, of others the last counts. Sections have no meaning to npm; what stands in one is passed over.
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
		if at, again := single[key]; again && !several[key] {
			out[at].value = value
			continue
		}
		single[key] = len(out)
		out = append(out, setting{key, value})
	}
	return out
}

// unsafeValue undoes quotes, escapes and trailing comments.
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

// expander puts variables of the environment into a value. unset is the name
// of one that is asked for and has none; the text is then of no use.
type expander func(e variables, raw string) (text, unset string)

// expandNothing is of tools that know no variables.
func (variables) expandNothing(s string) (text, unset string) { return s, "" }

var variable = lazyregexp.New(`\\*\$\{[^${}]+\}`)

// expandNpm puts in variables as npm does: ${NAME}, left as it stands if there
// is none, and ${NAME?}, which is then empty. A backslash before it protects it.
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

// leadingVariable is a variable, in each tool's way of writing one, that a
// value begins with.
var leadingVariable = lazyregexp.New(`^(?:\$\{[^${}]*\}|\$\w+)`)

// misplaced tells whether an address takes variables from the environment
// elsewhere than at its beginning, "${REGISTRY}" or "${REGISTRY}/path". With
// "https://host/${VARIABLE}", or "${VARIABLE}.host", whoever wrote it would be
// told the variable's value by the request itself.
func misplaced(address, sigil string) bool {
	if !strings.Contains(address, sigil) {
		return false
	}
	rest := address[len(leadingVariable().FindString(address)):]
	return rest == address || rest != "" && rest[0] != '/' || strings.Contains(rest, sigil)
}
