package npmlock

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// bunLock is bun.lock, which is JSON with comments and with commas before closing brackets.
type bunLock struct {
	Workspaces map[string]struct {
		Name string `json:"name"`
	} `json:"workspaces"`
	// Packages are keyed by name. A further version of a package that only one
	// dependent uses is keyed by "dependent/name". The first item is
	// "name@version".
	Packages map[string][]jsontext.Value `json:"packages"`
}

func parseBun(ctx context.Context, data []byte) (lock, error) {
	l := &bunLock{}
	if err := unmarshal(ctx, plainJSON(data), l); err != nil {
		return nil, err
	}
	if l.Workspaces == nil && l.Packages == nil {
		return nil, errNoLock
	}
	return l, nil
}

// refuseOldBun returns an error for bun.lockb, the undocumented binary format
// of bun before version 1.2.
func refuseOldBun(context.Context, []byte) (lock, error) {
	return nil, errors.New("it is in bun's old binary format; `bun install --save-text-lockfile --lockfile-only` converts it to bun.lock")
}

func (l *bunLock) knows(importer string) bool {
	if importer == "." {
		importer = ""
	}
	_, ok := l.Workspaces[importer]
	return ok
}

func (l *bunLock) find(importer, name, _ string) (Dependency, bool) {
	keys := []string{name}
	if w := l.Workspaces[importer].Name; w != "" && importer != "." {
		// The key of a workspace package begins with "./" if a registry package has the same
		// name.
		keys = []string{"./" + w + "/" + name, w + "/" + name, name}
		if items := l.Packages[w]; len(items) == 0 || bunDependency(w, items).Dir != path.Clean(importer) {
			keys = []string{keys[0], name}
		}
	}
	for _, key := range keys {
		if items := l.Packages[key]; len(items) > 0 {
			return bunDependency(name, items), true
		}
	}
	return Dependency{}, false
}

func (l *bunLock) each(ctx context.Context, add func(Entry)) error {
	for key, items := range l.Packages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if len(items) == 0 {
			continue
		}
		path := strings.Split(key, "/")
		name := path[len(path)-1]
		if len(path) > 1 && strings.HasPrefix(path[len(path)-2], "@") {
			name = path[len(path)-2] + "/" + name
		}
		e := Entry{Dependency: bunDependency(name, items)}
		e.Name = name
		if e.Dir != "" {
			continue // one of the project's own packages
		}
		for _, item := range items[1:] {
			if item.Kind() != '{' {
				continue
			}
			var info struct {
				Dependencies jsontext.Value `json:"dependencies"`
				Optional     jsontext.Value `json:"optionalDependencies"`
				Peer         jsontext.Value `json:"peerDependencies"`
				OS           jsontext.Value `json:"os"`
				CPU          jsontext.Value `json:"cpu"`
				Libc         jsontext.Value `json:"libc"`
			}
			if json.Unmarshal(item, &info, lenient) != nil {
				continue
			}
			e.Platforms = Platforms{words(info.OS), words(info.CPU), words(info.Libc)}
			for _, field := range []jsontext.Value{info.Dependencies, info.Optional, info.Peer} {
				for name := range stringsOf(field) {
					if d, ok := l.seenFrom(path, name); ok {
						e.requires = append(e.requires, d.identity(name))
					}
				}
			}
		}
		add(e)
	}
	return nil
}

// seenFrom returns the package that a name refers to in the package with the given key.
func (l *bunLock) seenFrom(key []string, name string) (Dependency, bool) {
	for n := len(key); n >= 0; n-- {
		if n > 0 && strings.HasPrefix(key[n-1], "@") {
			continue // this part ends between a scope and a name
		}
		place := strings.Join(append(slices.Clone(key[:n]), name), "/")
		if items := l.Packages[place]; len(items) > 0 {
			return bunDependency(name, items), true
		}
	}
	return Dependency{}, false
}

func bunDependency(name string, items []jsontext.Value) Dependency {
	var d Dependency
	str := func(v jsontext.Value) string {
		var s string
		_ = json.Unmarshal(v, &s, lenient)
		return s
	}
	published, how := SplitAt(str(items[0]))
	switch spec := ParseSpec(how); spec.Kind {
	case Workspace, Local:
		if isTarball(spec.Range) {
			d.Foreign = how
		} else {
			d.Dir = path.Clean(spec.Range)
		}
		return d
	case Foreign:
		d.Foreign = how
		return d
	}
	d.Version = how
	if published != name {
		d.Alias = published
	}
	if len(items) > 1 {
		d.Resolved = str(items[1])
	}
	if n := len(items); n > 2 {
		d.Integrity = str(items[n-1])
	}
	return d
}

// plainJSON converts bun's dialect to JSON. It replaces comments, and commas before closing
// brackets, with spaces.
func plainJSON(data []byte) []byte {
	out := make([]byte, len(data))
	copy(out, data)
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := "\n"
			if out[i+1] == '*' {
				end = "*/"
			}
			for ; i < len(out) && !strings.HasPrefix(string(out[i:min(i+2, len(out))]), end); i++ {
				out[i] = ' '
			}
			if end == "*/" && i+1 < len(out) {
				out[i], out[i+1] = ' ', ' '
				i++
			}
		case c == ',':
			comma = i
		case c == ']' || c == '}':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\n' && c != '\t' && c != '\r':
			comma = -1
		}
	}
	return out
}

// sha1Integrity converts a hexadecimal sha1 to an integrity string. It returns "" if sum is not a
// sha1.
func sha1Integrity(sum string) string {
	raw, err := hex.DecodeString(sum)
	if err != nil || len(raw) != 20 {
		return ""
	}
	return "sha1-" + base64.StdEncoding.EncodeToString(raw)
}
