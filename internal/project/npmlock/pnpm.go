package npmlock

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/semver"
)

// pnpmLock is pnpm-lock.yaml, versions 5 to 9.
type pnpmLock struct {
	Version   yaml.Node                `yaml:"lockfileVersion"`
	Importers map[string]*pnpmImporter `yaml:"importers"`
	// Without a workspace, versions 5 and 6 have the only importer here.
	pnpmImporter `yaml:",inline"`
	Packages     map[string]*pnpmPackage `yaml:"packages"`

	byName map[string][]string // keys of Packages
}

type pnpmImporter struct {
	Dependencies map[string]pnpmChoice `yaml:"dependencies"`
	Dev          map[string]pnpmChoice `yaml:"devDependencies"`
	Optional     map[string]pnpmChoice `yaml:"optionalDependencies"`
}

// pnpmChoice is what was chosen for one dependency: "1.2.3", "1.2.3_peer@1",
// "1.2.3(peer@1)", "/name/1.2.3", "name@1.2.3", "link:../x". Version 6 and
// later write it beside the specifier.
type pnpmChoice string

// UnmarshalYAML implements yaml.Unmarshaler.
func (c *pnpmChoice) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*c = pnpmChoice(n.Value)
		return nil
	}
	var long struct {
		Version string `yaml:"version"`
	}
	if err := n.Decode(&long); err != nil {
		return err
	}
	*c = pnpmChoice(long.Version)
	return nil
}

type pnpmPackage struct {
	Resolution struct {
		Integrity string `yaml:"integrity"`
		Tarball   string `yaml:"tarball"`
		Type      string `yaml:"type"`
	} `yaml:"resolution"`
	Name    string `yaml:"name"`
	Version string `yaml:"version"`
}

func parsePnpm(data []byte) (lock, error) {
	l := &pnpmLock{}
	if err := yaml.Unmarshal(data, l); err != nil {
		return nil, err
	}
	if l.Version.Kind == 0 {
		return nil, errNoLock
	}
	if l.Importers == nil {
		l.Importers = map[string]*pnpmImporter{".": &l.pnpmImporter}
	}
	l.byName = map[string][]string{}
	for key := range l.Packages {
		if name, _ := pnpmKey(key); name != "" {
			l.byName[name] = append(l.byName[name], key)
		}
	}
	return l, nil
}

func (l *pnpmLock) knows(importer string) bool { return l.Importers[importer] != nil }

func (l *pnpmLock) find(importer, name, _ string) (Dependency, bool) {
	if im := l.Importers[importer]; im != nil {
		for _, of := range []map[string]pnpmChoice{im.Dependencies, im.Dev, im.Optional} {
			if c, ok := of[name]; ok {
				d := l.dependency(name, string(c))
				if strings.HasPrefix(string(c), "link:") {
					d.Dir = path.Join(importer, d.Dir) // file: is relative to the lock file already
				}
				return d, true
			}
		}
	}
	// Not asked for by the importer itself.
	return newest(l.byName[name], l.packaged)
}

// dependency turns a choice into what it means.
func (l *pnpmLock) dependency(name, choice string) Dependency {
	var d Dependency
	switch spec := ParseSpec(choice); {
	case spec.Kind == Local && strings.HasPrefix(choice, "link:"):
		d.Dir = spec.Range
		return d
	case strings.HasPrefix(choice, "file:"):
		if file := withoutPeers(spec.Range); strings.HasSuffix(file, ".tgz") || strings.HasSuffix(file, ".tar.gz") {
			d.Foreign = "file:" + file
		} else {
			d.Dir = file
		}
		return d
	}
	bare := withoutPeers(choice)
	keys := []string{bare, name + "@" + bare, "/" + name + "@" + bare, "/" + name + "/" + bare, choice, "/" + name + "/" + choice, "/" + name + "@" + choice}
	for _, key := range keys {
		if l.Packages[key] == nil {
			continue
		}
		d = l.packaged(key)
		if published, _ := pnpmKey(key); published != name && d.Foreign == "" {
			d.Alias = published
		}
		return d
	}
	published, version := pnpmKey(bare)
	if published == "" {
		d.Version = bare
		return d
	}
	d.Version = version
	if published != name {
		d.Alias = published
	}
	return d
}

// packaged reads an entry of packages.
func (l *pnpmLock) packaged(key string) Dependency {
	p := l.Packages[key]
	var d Dependency
	name, version := pnpmKey(key)
	d.Version = version
	if p == nil {
		return d
	}
	if p.Version != "" {
		d.Version = p.Version
	}
	d.Integrity, d.Resolved = p.Resolution.Integrity, p.Resolution.Tarball
	if p.Resolution.Type != "" || foreign(d.Resolved) || name == "" || strings.Contains(version, ":") {
		d.Foreign, d.Resolved = strings.TrimPrefix(key, name+"@"), ""
		if d.Version == version && strings.ContainsAny(version, ":/") {
			d.Version = ""
		}
	}
	return d
}

// pnpmKey cuts a key of packages: "/name/1.2.3_peer@x", "/name@1.2.3(peer@x)",
// "name@1.2.3". The name is empty if the key is none of these.
func pnpmKey(key string) (name, version string) {
	key = withoutPeers(strings.TrimPrefix(key, "/"))
	if n, v := SplitAt(key); v != "" {
		if ValidName(n) {
			return n, v
		}
		return "", key
	}
	n, v := path.Split(key)
	if n = strings.TrimSuffix(n, "/"); ValidName(n) && v != "" && v[0] >= '0' && v[0] <= '9' {
		return n, v
	}
	return "", key
}

// withoutPeers takes the peers that a version was resolved with off it. In
// version 5 they follow "_", after which a semantic version has none.
func withoutPeers(s string) string {
	s, _, _ = strings.Cut(s, "(")
	last := s[strings.LastIndexByte(s, '/')+1:]
	if version, _, ok := strings.Cut(last, "_"); ok && version != "" && version[0] >= '0' && version[0] <= '9' && strings.Contains(version, ".") {
		return s[:len(s)-len(last)+len(version)]
	}
	return s
}

// newest reads entries and takes the one with the highest version; several is
// true if there are others beside it.
func newest(keys []string, read func(key string) Dependency) (found Dependency, ok bool) {
	several := false
	for i, key := range keys {
		d := read(key)
		switch {
		case i == 0:
			found = d
			continue
		case d.Version == found.Version:
			continue
		case semver.Compare("v"+d.Version, "v"+found.Version) > 0:
			found = d
		}
		several = true
	}
	if several {
		found.Note = "the newest of several"
	}
	return found, len(keys) > 0
}
