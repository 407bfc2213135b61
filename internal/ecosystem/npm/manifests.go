package npm

import (
	"encoding/json"
	"errors"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

var _ ecosystem.ManifestWriter = (*NPM)(nil)

// maxPlaces is the maximum number of entries in a lock file that Manifests writes. A
// version that cannot be placed at the top is repeated below each package that requires
// it.
const maxPlaces = 50_000

// Manifests implements ecosystem.ManifestWriter. The lock file is a package-lock.json.
// Packages are placed in it where npm would put them.
func (n *NPM) Manifests(g *ecosystem.Graph) (files map[string][]byte, skipped []string, err error) {
	g, skipped = g.Releases(func(p *ecosystem.Used) bool {
		valid := ecosystem.IsSemanticVersion(p.Version) && npmlock.ValidName(p.Name)
		for _, name := range p.Aliases {
			valid = valid && npmlock.ValidName(name)
		}
		return valid
	})
	l := layout{graph: g, lock: map[string]lockEntry{}, index: map[string]int{}}
	root := lockEntry{Name: "project", Version: "0.0.0", Dependencies: map[string]string{}}
	for _, i := range g.Packages[0].Requires {
		p := &g.Packages[i]
		for _, name := range namesOf(p) {
			if _, ok := root.Dependencies[name]; !ok {
				root.Dependencies[name] = wantOf(p, name)
				l.put("", name, i)
			}
		}
	}
	if err := l.settle(); err != nil {
		return nil, nil, err
	}
	for i := range g.Packages[1:] { // These are packages that no other package requires.
		l.put("", namesOf(&g.Packages[i+1])[0], i+1)
	}
	if err := l.settle(); err != nil {
		return nil, nil, err
	}
	l.lock[""] = root
	manifest, err := json.Marshal(root)
	if err != nil {
		return nil, nil, err
	}
	lock, err := json.Marshal(map[string]any{"name": root.Name, "version": root.Version, "lockfileVersion": 3, "requires": true, "packages": l.lock})
	return map[string][]byte{"package.json": manifest, "package-lock.json": lock}, skipped, err
}

// namesOf returns the names under which a package is imported.
func namesOf(p *ecosystem.Used) []string {
	if len(p.Aliases) > 0 {
		return p.Aliases
	}
	return []string{p.Name}
}

// wantOf returns the specifier for a dependency on a package under a name.
func wantOf(p *ecosystem.Used, name string) string {
	if name != p.Name {
		return "npm:" + p.Name + "@" + p.Version
	}
	return p.Version
}

type lockEntry struct {
	Name         string            `json:"name,omitempty"`
	Version      string            `json:"version"`
	Dependencies map[string]string `json:"dependencies,omitempty"`
}

// layout places packages in node_modules directories.
type layout struct {
	graph *ecosystem.Graph
	lock  map[string]lockEntry
	index map[string]int // the index of the package at the given path
	queue []string       // paths of packages whose requirements are not placed yet
}

// put places package i under a name in the node_modules directory of the package at the given
// path.
func (l *layout) put(below, name string, i int) {
	p := &l.graph.Packages[i]
	path := "node_modules/" + name
	if below != "" {
		path = below + "/" + path
	}
	if _, ok := l.index[path]; ok {
		return
	}
	e := lockEntry{Version: p.Version}
	if name != p.Name {
		e.Name = p.Name
	}
	l.index[path], l.lock[path] = i, e
	l.queue = append(l.queue, path)
}

// settle places the requirements of all packages: at the top, or below the package
// itself if another version is at the top.
func (l *layout) settle() error {
	for len(l.queue) > 0 {
		path := l.queue[0]
		l.queue = l.queue[1:]
		e := l.lock[path]
		for _, to := range l.graph.Packages[l.index[path]].Requires {
			q := &l.graph.Packages[to]
			name := namesOf(q)[0]
			if e.Dependencies == nil {
				e.Dependencies = map[string]string{}
			}
			if _, twice := e.Dependencies[name]; twice {
				continue
			}
			e.Dependencies[name] = wantOf(q, name)
			switch found, ok := l.resolve(path, name); {
			case !ok:
				l.put("", name, to)
			case found != to:
				l.put(path, name, to)
			}
			if len(l.lock) > maxPlaces {
				return errors.New("its packages require too many versions of each other")
			}
		}
		l.lock[path] = e
	}
	return nil
}

// resolve returns the package to which a name refers in the package at the given path.
func (l *layout) resolve(path, name string) (int, bool) {
	for {
		below := "node_modules/" + name
		if path != "" {
			below = path + "/" + below
		}
		if i, ok := l.index[below]; ok {
			return i, true
		}
		if path == "" {
			return 0, false
		}
		path = parentPlace(path)
	}
}

// parentPlace returns the path of the package whose node_modules directory contains a path, or ""
// at the top.
func parentPlace(path string) string {
	const dir = "node_modules/"
	for i := len(path) - len(dir); i > 0; i-- {
		if path[i:i+len(dir)] == dir {
			return path[:i-1]
		}
	}
	return ""
}
