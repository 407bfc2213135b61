package git

import (
	"path/filepath"
	"strings"
)

// maxConfig is the maximum size in bytes of a repository's configuration.
const maxConfig = 1 << 20

// setting returns the value of a variable in the configuration of the repository, such as
// "branch.main.remote", or "". Like git, it uses the last value.
func (r *Repository) setting(name string) string {
	data, err := readFile(filepath.Join(r.dir, "config"), maxConfig)
	if err != nil {
		return ""
	}
	return parseConfig(string(data))[name]
}

// parseConfig returns the variables of a configuration file in the syntax described in
// git-config(1). It does not read included files. Names of sections and variables are lower-case.
func parseConfig(text string) map[string]string {
	variables := map[string]string{}
	section := ""
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\\\n", "") // lines that continue
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "["); ok {
			section, line = parseSection(rest)
		}
		name, value, _ := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if name == "" || section == "" || strings.ContainsAny(name[:1], "#;") {
			continue
		}
		variables[section+"."+strings.ToLower(name)] = parseValue(strings.TrimSpace(value))
	}
	return variables
}

// parseSection parses a section's header after its opening bracket: NAME] or NAME "SUBSECTION"].
func parseSection(text string) (name, rest string) {
	head, quoted, hasQuote := strings.Cut(text, `"`)
	if end := strings.IndexByte(head, ']'); end >= 0 {
		return strings.ToLower(strings.TrimSpace(head[:end])), strings.TrimSpace(text[end+1:])
	}
	if !hasQuote {
		return "", ""
	}
	var sub strings.Builder
	for i := 0; i < len(quoted); i++ {
		switch c := quoted[i]; {
		case c == '\\' && i+1 < len(quoted):
			i++
			sub.WriteByte(quoted[i])
		case c == '"':
			rest, _ = strings.CutPrefix(strings.TrimSpace(quoted[i+1:]), "]")
			return strings.ToLower(strings.TrimSpace(head)) + "." + sub.String(), strings.TrimSpace(rest)
		default:
			sub.WriteByte(c)
		}
	}
	return "", ""
}

// parseValue removes quotes, escapes and comments from a value.
func parseValue(text string) string {
	var value strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			value.WriteByte(text[i])
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(value.String())
		default:
			value.WriteByte(c)
		}
	}
	return value.String()
}
