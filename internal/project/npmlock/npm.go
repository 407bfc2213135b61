package npmlock

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
)

// packageLock is package-lock.json or npm-shrinkwrap.json. Versions 2 and 3
// have packages; version 1 has nested dependencies.
type packageLock struct {
	Packages     map[string]npmPackage    `json:"packages"`
	Dependencies map[string]npmDependency `json:"dependencies"`
}

type npmPackage struct {
	Name      string `json:"name"` // name, if it differs from that of the directory, as for an alias
	Version   string `json:"version"`
	Resolved  string `json:"resolved"`
	Integrity string `json:"integrity"`
	Link      bool   `json:"link"`
	// Deprecated is true, or the notice.
	Deprecated any `json:"deprecated"`
}

type npmDependency struct {
	Version   string `json:"version"` // a version, "npm:name@1.0.0", "file:../x", or "git+ssh://..."
	Resolved  string `json:"resolved"`
	Integrity string `json:"integrity"`
}

// unmarshal parses JSON until ctx is done.
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

var errNoLock = errors.New("it is no lock file of a known version")

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

// find looks in the node_modules of the importer and of each directory above it.
// It returns false if none of them has the package.
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
	case spec.Kind == Local && (strings.HasSuffix(spec.Range, ".tgz") || strings.HasSuffix(spec.Range, ".tar.gz")):
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

// foreign reports whether a resolution is anything but a tarball over HTTP.
func foreign(resolved string) bool {
	scheme, _, ok := strings.Cut(resolved, ":")
	return ok && scheme != "http" && scheme != "https"
}
