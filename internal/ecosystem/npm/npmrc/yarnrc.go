package npmrc

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/yaml"
)

// parseYarnrc parses the .yarnrc of yarn 1: a key and a value on each line,
// either of which may be quoted. It skips arguments for commands
// ("--install.x").
func parseYarnrc(data string) []setting {
	var out []setting
	for line := range strings.Lines(strings.TrimPrefix(data, "\uFEFF")) {
		key, rest := yarnWord(strings.TrimSpace(line))
		value, _ := yarnWord(strings.TrimSpace(strings.TrimPrefix(rest, ":")))
		if key == "" || value == "" || strings.HasPrefix(key, "--") || len(out) >= maxSettings {
			continue
		}
		out = append(out, setting{key, value})
	}
	return out
}

// yarnWord splits off the first word of a line. The word is empty if the rest is a comment.
func yarnWord(s string) (word, rest string) {
	if s == "" || s[0] == '#' {
		return "", ""
	}
	if s[0] == '"' {
		if quoted, err := strconv.QuotedPrefix(s); err == nil {
			word, _ = strconv.Unquote(quoted)
			return word, s[len(quoted):]
		}
		return "", ""
	}
	end := strings.IndexAny(s, " \t")
	if end < 0 {
		return s, ""
	}
	return strings.TrimSuffix(s[:end], ":"), s[end:]
}

// berryKeys maps the registry settings of yarn 2 and later to npm's names.
var berryKeys = map[string]string{
	"npmRegistryServer": "registry", "npmAuthToken": "_authToken", "npmAuthIdent": "_auth",
	"httpProxy": "proxy", "httpsProxy": "https-proxy", "enableStrictSsl": "strict-ssl",
	"caFilePath": "cafile", "httpsCaFilePath": "cafile", "httpsCertFilePath": "certfile", "httpsKeyFilePath": "keyfile",
}

// parseYarnrcYML parses a .yarnrc.yml of yarn 2 and later.
func parseYarnrcYML(ctx context.Context, data []byte) ([]setting, error) {
	top, err := yamlObject(ctx, data)
	if err != nil {
		return nil, err
	}
	out := translated(top, "", berryKeys)
	for scope, fields := range objects(top["npmScopes"]) {
		out = append(out, translated(fields, "@"+strings.TrimPrefix(scope, "@")+":", berryKeys)...)
	}
	for address, fields := range objects(top["npmRegistries"]) {
		if prefix := nerf(address); prefix != "" {
			out = append(out, translated(fields, prefix, berryKeys)...)
		}
	}
	return out[:min(len(out), maxSettings)], nil
}

// pnpmKeys maps the settings in pnpm's own files to npm's names.
var pnpmKeys = map[string]string{
	"registry": "registry", "strictSsl": "strict-ssl", "ca": "ca", "cafile": "cafile", "cert": "cert", "key": "key",
	"httpProxy": "proxy", "httpsProxy": "https-proxy", "proxy": "proxy", "noProxy": "noproxy",
}

// parsePnpmYAML parses pnpm's settings in a pnpm-workspace.yaml, or in the
// user's config.yaml.
func parsePnpmYAML(ctx context.Context, data []byte) ([]setting, error) {
	top, err := yamlObject(ctx, data)
	if err != nil {
		return nil, err
	}
	out := translated(top, "", pnpmKeys)
	registries, _ := top["registries"].(map[string]any)
	for _, scope := range slices.Sorted(maps.Keys(registries)) {
		address := scalar(registries[scope])
		switch {
		case address == "":
		case scope == "default":
			out = append(out, setting{"registry", address})
		case strings.HasPrefix(scope, "@"):
			out = append(out, setting{scope + ":registry", address})
		}
	}
	return out[:min(len(out), maxSettings)], nil
}

// nerf returns the prefix of the settings for an address in an .npmrc file:
// "//host/path/:". npm calls it the nerf dart. It returns "" if the address has
// no host.
func nerf(address string) string {
	index := strings.Index(address, "//")
	if index < 0 {
		return ""
	}
	host, path, _ := strings.Cut(strings.Trim(address[index:], "/"), "/")
	if host == "" {
		return ""
	}
	if path != "" {
		path += "/"
	}
	return "//" + strings.ToLower(host) + "/" + path + ":"
}

// translated renames fields to npm's settings, in a fixed order. Fields without
// an equivalent are omitted.
func translated(fields map[string]any, prefix string, names map[string]string) []setting {
	var out []setting
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		key, ok := names[field]
		if !ok {
			continue
		}
		if list, ok := fields[field].([]any); ok {
			for _, v := range list {
				if s := scalar(v); s != "" {
					out = append(out, setting{prefix + key, s})
				}
			}
		} else if s := scalar(fields[field]); s != "" {
			out = append(out, setting{prefix + key, s})
		}
	}
	return out
}

// objects yields the fields of an object that are objects themselves, in a
// fixed order.
func objects(v any) func(yield func(string, map[string]any) bool) {
	parent, _ := v.(map[string]any)
	return func(yield func(string, map[string]any) bool) {
		for _, name := range slices.Sorted(maps.Keys(parent)) {
			if fields, ok := parent[name].(map[string]any); ok && !yield(name, fields) {
				return
			}
		}
	}
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

var errNotSettings = errors.New("it does not contain any settings")

func yamlObject(ctx context.Context, data []byte) (fields map[string]any, err error) {
	err = yaml.Read(ctx, data, func(r *yaml.Reader) error {
		top, err := r.Value()
		if err != nil || top == nil {
			return err
		}
		var ok bool
		if fields, ok = top.(map[string]any); !ok {
			return errNotSettings
		}
		return nil
	})
	return fields, err
}

// expandYarn expands variables as yarn 2 and later do: ${NAME}, which must be
// set, ${NAME-default}, and ${NAME:-default}, whose default also replaces an
// empty value. A default may contain variables. A backslash escapes $ and }.
// unset is a variable that is not set and has no default, or "" if there is
// none.
func (e variables) expandYarn(s string) (text, unset string) {
	if !strings.Contains(s, "$") && !strings.Contains(s, `\`) {
		return s, ""
	}
	text, _, unset = e.yarnUntil(s, 0)
	if unset != "" {
		text = ""
	}
	return text, unset
}

const maxNested = 16 // maximum nesting of defaults

// yarnUntil expands s up to the closing brace of the enclosing variable, or to the end of
// s. rest is the text after the brace. unset has the same meaning as in expandYarn.
func (e variables) yarnUntil(s string, depth int) (text, rest, unset string) {
	var b strings.Builder
	for s != "" {
		switch {
		case s[0] == '\\' && len(s) > 1 && strings.IndexByte(`\$}`, s[1]) >= 0:
			b.WriteByte(s[1])
			s = s[2:]
		case s[0] == '}' && depth > 0:
			return b.String(), s[1:], unset
		case strings.HasPrefix(s, "${") && depth < maxNested:
			end := strings.IndexAny(s, "-:}")
			if end < 0 {
				return b.String() + s, "", unset
			}
			name := s[2:end]
			value, ok := e.Lookup(name)
			operator := s[end:]
			switch {
			case strings.HasPrefix(operator, ":-"):
				ok, operator = value != "", operator[2:]
			case operator[0] == '-':
				operator = operator[1:]
			case operator[0] == '}':
				if !ok {
					unset = name
				}
				b.WriteString(value)
				s = operator[1:]
				continue
			}
			fallback, after, missing := e.yarnUntil(operator, depth+1)
			if !ok {
				value = fallback
				if missing != "" {
					unset = missing
				}
			}
			b.WriteString(value)
			s = after
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String(), "", unset
}
