package npmlock

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// packageLock is package-lock.json or npm-shrinkwrap.json. Versions 2 and 3
// have packages; version 1 has nested dependencies.
type packageLock struct {
	Packages     map[string]npmPackage    `json:"packages"`
	Dependencies map[string]npmDependency `json:"dependencies"`
}

type npmPackage struct {
	Name      string `json:"name"` // name if it differs from the directory's name, as for an alias
	Version   string `json:"version"`
	Resolved  string `json:"resolved"`
	Integrity string `json:"integrity"`
	Link      bool   `json:"link"`
	// Deprecated is true or contains the notice.
	Deprecated any `json:"deprecated"`

	Dependencies jsontext.Value `json:"dependencies"`
	Optional     jsontext.Value `json:"optionalDependencies"`
	Peer         jsontext.Value `json:"peerDependencies"`
	OS           jsontext.Value `json:"os"`
	CPU          jsontext.Value `json:"cpu"`
	Libc         jsontext.Value `json:"libc"`
}

type npmDependency struct {
	Version   string `json:"version"` // a version, "npm:name@1.0.0", "file:../x", or "git+ssh://..."
	Resolved  string `json:"resolved"`
	Integrity string `json:"integrity"`
	// Requires are the specifiers of the packages that it requires.
	Requires jsontext.Value `json:"requires"`
	// Dependencies are the packages in its own node_modules.
	Dependencies map[string]npmDependency `json:"dependencies"`
}

// unmarshal parses JSON. It stops when ctx is done.
func unmarshal(ctx context.Context, data []byte, v any) error {
	return json.UnmarshalRead(&pieces{ctx, data}, v, lenient)
}

// pieces is a reader that fails once its context is done.
type pieces struct {
	ctx  context.Context
	data []byte
}

func (p *pieces) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), 256<<10)], p.data)
	p.data = p.data[n:]
	return n, nil
}

var errNoLock = errors.New("it is not a lock file of a supported version")

func parsePackageLock(ctx context.Context, data []byte) (lock, error) {
	l := &packageLock{}
	if err := unmarshal(ctx, data, l); err != nil {
		return nil, err
	}
	if l.Packages == nil && l.Dependencies == nil {
		var head struct {
			LockfileVersion int `json:"lockfileVersion"`
		}
		if json.Unmarshal(data, &head, lenient) != nil || head.LockfileVersion == 0 {
			return nil, errNoLock
		}
	}
	return l, nil
}

func (l *packageLock) knows(importer string) bool {
	if importer == "." {
		importer = ""
	}
	_, ok := l.Packages[importer]
	return ok
}

// find looks in the node_modules of the importer and of each directory above it. It returns false
// if none of them contains the package.
func (l *packageLock) find(importer, name, _ string) (Dependency, bool) {
	for dir := importer; ; dir = path.Dir(dir) {
		if p, ok := l.Packages[path.Join(dir, "node_modules", name)]; ok {
			return p.dependency(name), true
		}
		if dir == "." || dir == "/" || strings.HasPrefix(dir, "..") {
			break
		}
	}
	if l.Packages != nil {
		return Dependency{}, false
	}
	d, ok := l.Dependencies[name]
	if !ok {
		return Dependency{}, false
	}
	return d.dependency(), true
}

func (l *packageLock) each(ctx context.Context, add func(Entry)) error {
	for place, p := range l.Packages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if p.Link {
			continue // the link's target has its own entry
		}
		name, installed := placeName(place)
		e := Entry{Dependency: p.dependency(name), Place: place, Platforms: Platforms{words(p.OS), words(p.CPU), words(p.Libc)}}
		if e.Name = name; !installed {
			e.Name, e.Alias, e.Version, e.Dir = cmp.Or(p.Name, path.Base(path.Clean(place))), "", "", path.Clean(place)
		}
		for _, field := range []jsontext.Value{p.Dependencies, p.Optional, p.Peer} {
			for name := range stringsOf(field) {
				if d, ok := l.find(place, name, ""); ok {
					e.requires = append(e.requires, d.identity(name))
				}
			}
		}
		add(e)
	}
	if l.Packages == nil {
		l.nested(ctx, add, "", []map[string]npmDependency{l.Dependencies}, 0)
	}
	return ctx.Err()
}

// maxNested is the maximum nesting depth of node_modules.
const maxNested = 64

// nested calls add for each package in one node_modules of a lock file of version 1, and in those
// below it. levels are the contents of the node_modules that are visible there.
func (l *packageLock) nested(ctx context.Context, add func(Entry), dir string, levels []map[string]npmDependency, depth int) {
	for name, n := range levels[len(levels)-1] {
		if ctx.Err() != nil || depth > maxNested {
			return
		}
		e := Entry{Dependency: n.dependency(), Place: path.Join(dir, "node_modules", name)}
		e.Name = name
		below := levels
		if n.Dependencies != nil {
			below = append(slices.Clone(levels), n.Dependencies)
			l.nested(ctx, add, e.Place, below, depth+1)
		}
		for name := range stringsOf(n.Requires) {
			for _, level := range slices.Backward(below) {
				if to, ok := level[name]; ok {
					d := to.dependency()
					e.requires = append(e.requires, d.identity(name))
					break
				}
			}
		}
		add(e)
	}
}

// placeName returns the name of the package at the given place, such as name for a place that
// ends in node_modules/name. ok is false for other places.
func placeName(place string) (name string, ok bool) {
	if i := strings.LastIndex("/"+place, "/node_modules/"); i >= 0 {
		return place[i+len("node_modules/"):], true
	}
	return "", false
}

// words decodes a string or a list of strings. It returns nil for other values.
func words(v jsontext.Value) []string {
	var list []string
	var one string
	switch {
	case v == nil:
	case json.Unmarshal(v, &list, lenient) == nil:
		return list
	case json.Unmarshal(v, &one, lenient) == nil:
		return []string{one}
	}
	return nil
}

func (p *npmPackage) dependency(name string) Dependency {
	d := Dependency{Resolved: p.Resolved, Integrity: p.Integrity}
	d.Deprecated, _ = p.Deprecated.(string)
	d.Version = p.Version
	if p.Name != name {
		d.Alias = p.Name
	}
	switch {
	case p.Link:
		d.Version, d.Resolved, d.Dir = "", "", p.Resolved
	case strings.HasPrefix(p.Resolved, "file:"), foreign(p.Resolved):
		d.Foreign, d.Resolved = p.Resolved, ""
	}
	return d
}

func (n *npmDependency) dependency() Dependency {
	d := Dependency{Resolved: n.Resolved, Integrity: n.Integrity}
	switch spec := ParseSpec(n.Version); {
	case spec.Kind == Local && isTarball(spec.Range):
		d.Foreign, d.Resolved = n.Version, ""
	case spec.Kind == Local:
		d.Dir, d.Resolved = spec.Range, ""
	case spec.Kind == Foreign:
		d.Foreign, d.Resolved = n.Version, ""
	default:
		d.Version, d.Alias = spec.Range, spec.Name
	}
	return d
}

// foreign reports whether a resolution is not the URL of a tarball on an HTTP server.
func foreign(resolved string) bool {
	scheme, _, ok := strings.Cut(resolved, ":")
	return ok && scheme != "http" && scheme != "https"
}
