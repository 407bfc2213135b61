package npmrc

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// parseBunfig parses the registries in bun's bunfig.toml.
func parseBunfig(_ context.Context, data []byte) ([]setting, error) {
	var file struct {
		Install map[string]any `toml:"install"`
	}
	if err := toml.Unmarshal(data, &file); err != nil {
		// The library's message may quote the file, and thus a token.
		return nil, errors.New("it is not valid TOML")
	}
	out := translated(file.Install, "", map[string]string{"ca": "ca", "cafile": "cafile"})
	out = append(out, bunRegistry("registry", file.Install["registry"])...)
	scopes, _ := file.Install["scopes"].(map[string]any)
	for _, scope := range slices.Sorted(maps.Keys(scopes)) {
		out = append(out, bunRegistry("@"+strings.TrimPrefix(scope, "@")+":registry", scopes[scope])...)
	}
	return out[:min(len(out), maxSettings)], nil
}

// bunRegistry reads a registry: its URL, or an object with the URL and a
// credential. It returns nil if there is no URL.
func bunRegistry(key string, v any) []setting {
	if address := scalar(v); address != "" {
		return []setting{{key, address}}
	}
	fields, _ := v.(map[string]any)
	address := scalar(fields["url"])
	if address == "" {
		return nil
	}
	out := []setting{{key, address}}
	if prefix := nerf(address); prefix != "" {
		out = append(out, translated(fields, prefix, map[string]string{
			"token": "_authToken", "username": "username", "password": "password",
		})...)
	}
	return out
}

var bunVariable = lazyregexp.New(`\$(?:\{(\w+)\}|(\w+))`)

// expandBun expands variables as bun does: $NAME and ${NAME}. unset is a variable
// that is not set, or "" if all are set.
func (e variables) expandBun(s string) (text, unset string) {
	text = bunVariable().ReplaceAllStringFunc(s, func(m string) string {
		name := strings.Trim(m, "${}")
		value, ok := e.Lookup(name)
		if !ok {
			unset = name
		}
		return value
	})
	return text, unset
}
