package npm

import (
	"regexp"
	"strconv"
	"strings"
)

// setting is one line of an .npmrc file. A key that ends with [] may have
// several values.
type setting struct{ key, value string }

const (
	maxNpmrc    = 1 << 20
	maxSettings = 10_000
)

// parseNpmrc reads an .npmrc file as npm does: keys and values with "=",
// comments with ; and #, quotes, and ${NAME} of the environment, which lookup
// gives. Sections have no meaning to npm; what stands in one is passed over.
func parseNpmrc(data string, lookup func(string) (string, bool)) []setting {
	var out []setting
	section := false
	for line := range strings.Lines(strings.TrimPrefix(data, "\uFEFF")) {
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
		key = expand(unsafeValue(key), lookup)
		if key == "" {
			continue
		}
		out = append(out, setting{strings.TrimSuffix(key, "[]"), expand(unsafeValue(value), lookup)})
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

var variable = regexp.MustCompile(`\\*\$\{[^${}]+\}`)

// expand puts in the environment: ${NAME}, left as it stands if there is none,
// and ${NAME?}, which is then empty. A backslash before it protects it.
func expand(s string, lookup func(string) (string, bool)) string {
	if !strings.Contains(s, "${") {
		return s
	}
	return variable.ReplaceAllStringFunc(s, func(m string) string {
		slashes := strings.IndexByte(m, '$')
		if slashes%2 == 1 {
			return m[(slashes+1)/2:]
		}
		name := m[slashes+2 : len(m)-1]
		bare, optional := strings.CutSuffix(name, "?")
		value, ok := lookup(bare)
		if !ok && !optional {
			return m
		}
		return m[:slashes/2] + value
	})
}
