package npmlock

import (
	"context"
	"fmt"
	"path"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/yaml"
)

// pnpmLock is a pnpm-lock.yaml of version 5 to 9.
type pnpmLock struct {
	importers map[string]*pnpmImporter
	packages  map[string]pnpmPackage
	byName    map[string][]string     // keys of packages by name
	snapshots map[string][]pnpmChosen // the requirements of packages, by key without peers
}

// pnpmImporter maps dependencies to the chosen versions, which have one of the forms "1.2.3",
// "1.2.3_peer@1", "1.2.3(peer@1)", "/name/1.2.3", "name@1.2.3", "link:../x".
type pnpmImporter struct {
	dependencies, dev, optional map[string]string
}

type pnpmPackage struct {
	version, integrity, tarball, deprecated string

	special bool // whether its resolution has a type, which means that it does not come from a registry

	platforms Platforms
	requires  []pnpmChosen
}

// pnpmChosen is a dependency of a package with its chosen version.
type pnpmChosen struct{ name, choice string }

func parsePnpm(ctx context.Context, data []byte) (lock, error) {
	l := &pnpmLock{importers: map[string]*pnpmImporter{}, packages: map[string]pnpmPackage{}, byName: map[string][]string{}, snapshots: map[string][]pnpmChosen{}}
	// Without a workspace, the only importer in versions 5 and 6 is at the top
	// level.
	single, workspace, known := &pnpmImporter{}, false, false
	err := yaml.Read(ctx, data, func(r *yaml.Reader) error {
		return r.Fields(func(name string) error {
			switch name {
			case "lockfileVersion":
				known = true
			case "importers":
				workspace = true
				return r.Fields(func(dir string) error {
					if l.importers[dir] != nil {
						return twice(dir)
					}
					l.importers[dir] = &pnpmImporter{}
					return r.Fields(func(field string) error { return l.importers[dir].read(r, field) })
				})
			case "packages":
				return r.Fields(func(key string) error { return l.readPackage(r, key) })
			case "snapshots": // Since version 9, this section is separate from packages.
				return r.Fields(func(key string) error { return l.readSnapshot(r, key) })
			}
			return single.read(r, name)
		})
	})
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, errNoLock
	}
	if !workspace {
		l.importers["."] = single
	}
	for key := range l.packages {
		if name, _ := pnpmKey(key); name != "" {
			l.byName[name] = append(l.byName[name], key)
		}
	}
	return l, nil
}

// twice returns the error for an entry that occurs twice in a lock file.
func twice(name string) error { return fmt.Errorf("it has two entries for %.100q", name) }

// read reads the named field of an importer.
func (im *pnpmImporter) read(r *yaml.Reader, field string) error {
	var chosen *map[string]string
	switch field {
	case "dependencies":
		chosen = &im.dependencies
	case "devDependencies":
		chosen = &im.dev
	case "optionalDependencies":
		chosen = &im.optional
	default:
		return nil
	}
	if *chosen != nil {
		return twice(field)
	}
	*chosen = map[string]string{}
	return r.Fields(func(name string) error {
		if _, ok := (*chosen)[name]; ok {
			return twice(name)
		}
		version, err := pnpmChoice(r)
		(*chosen)[name] = version
		return err
	})
}

// pnpmChoice reads the chosen version of a dependency, which is next to the specifier since version
// 6.
func pnpmChoice(r *yaml.Reader) (version string, err error) {
	if kind, err := r.Kind(); kind != yaml.Mapping {
		if err != nil {
			return "", err
		}
		return r.Text()
	}
	err = r.Fields(func(name string) (err error) {
		if name == "version" {
			version, err = r.Text()
		}
		return err
	})
	return version, err
}

func (l *pnpmLock) readPackage(r *yaml.Reader, key string) error {
	if _, ok := l.packages[key]; ok {
		return twice(key)
	}
	var p pnpmPackage
	err := r.Fields(func(name string) (err error) {
		switch name {
		case "dependencies", "optionalDependencies":
			return readChosen(r, &p.requires)
		case "os":
			p.platforms.OS, err = readWords(r)
		case "cpu":
			p.platforms.CPU, err = readWords(r)
		case "libc":
			p.platforms.Libc, err = readWords(r)
		case "version":
			p.version, err = r.Text()
		case "deprecated":
			p.deprecated, err = r.Text()
		case "resolution":
			err = r.Fields(func(name string) (err error) {
				switch name {
				case "integrity":
					p.integrity, err = r.Text()
				case "tarball":
					p.tarball, err = r.Text()
				case "type":
					p.special = true
				}
				return err
			})
		}
		return err
	})
	l.packages[key] = p
	return err
}

func (l *pnpmLock) readSnapshot(r *yaml.Reader, key string) error {
	var requires []pnpmChosen
	err := r.Fields(func(name string) error {
		if name == "dependencies" || name == "optionalDependencies" {
			return readChosen(r, &requires)
		}
		return nil
	})
	key = withoutPeers(key)
	l.snapshots[key] = append(l.snapshots[key], requires...)
	return err
}

// readChosen appends the dependencies in a mapping from names to chosen versions.
func readChosen(r *yaml.Reader, all *[]pnpmChosen) error {
	return r.Fields(func(name string) error {
		choice, err := r.Text()
		*all = append(*all, pnpmChosen{name, choice})
		return err
	})
}

// readWords reads a list of strings.
func readWords(r *yaml.Reader) (all []string, err error) {
	err = r.Items(func() error {
		word, err := r.Text()
		all = append(all, word)
		return err
	})
	return all, err
}

func (l *pnpmLock) each(ctx context.Context, add func(Entry)) error {
	for key, p := range l.packages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		name, _ := pnpmKey(key)
		e := Entry{Dependency: l.packaged(key), Platforms: p.platforms}
		if e.Name = name; name == "" {
			continue // a package without its own name
		}
		for _, c := range append(p.requires, l.snapshots[withoutPeers(key)]...) {
			d := l.dependency(c.name, c.choice)
			if strings.HasPrefix(c.choice, "link:") {
				continue // the path is relative to the package
			}
			e.requires = append(e.requires, d.identity(c.name))
		}
		add(e)
	}
	return nil
}

func (l *pnpmLock) knows(importer string) bool { return l.importers[importer] != nil }

func (l *pnpmLock) find(importer, name, _ string) (Dependency, bool) {
	if im := l.importers[importer]; im != nil {
		for _, section := range []map[string]string{im.dependencies, im.dev, im.optional} {
			if c, ok := section[name]; ok {
				d := l.dependency(name, c)
				if strings.HasPrefix(c, "link:") {
					d.Dir = path.Join(importer, d.Dir) // The path after file: is already relative to the lock file.
				}
				return d, true
			}
		}
	}
	// The importer does not require it itself.
	return newest(l.byName[name], l.packaged)
}

// dependency converts a chosen version to a Dependency.
func (l *pnpmLock) dependency(name, choice string) Dependency {
	var d Dependency
	switch spec := ParseSpec(choice); {
	case spec.Kind == Local && strings.HasPrefix(choice, "link:"):
		d.Dir = spec.Range
		return d
	case strings.HasPrefix(choice, "file:"):
		if file := withoutPeers(spec.Range); isTarball(file) {
			d.Foreign = "file:" + file
		} else {
			d.Dir = file
		}
		return d
	}
	bare := withoutPeers(choice)
	keys := []string{bare, name + "@" + bare, "/" + name + "@" + bare, "/" + name + "/" + bare, choice, "/" + name + "/" + choice, "/" + name + "@" + choice}
	for _, key := range keys {
		if _, ok := l.packages[key]; !ok {
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

// packaged returns the dependency for an entry of packages.
func (l *pnpmLock) packaged(key string) Dependency {
	p := l.packages[key]
	var d Dependency
	name, version := pnpmKey(key)
	if d.Version = version; p.version != "" {
		d.Version = p.version
	}
	d.Integrity, d.Resolved, d.Deprecated = p.integrity, p.tarball, p.deprecated
	if p.special || foreign(d.Resolved) || name == "" || strings.Contains(version, ":") {
		d.Foreign, d.Resolved = strings.TrimPrefix(key, name+"@"), ""
		if d.Version == version && strings.ContainsAny(version, ":/") {
			d.Version = ""
		}
	}
	return d
}

// pnpmKey splits a key of packages: "/name/1.2.3_peer@x", "/name@1.2.3(peer@x)",
// "name@1.2.3". The name is empty if the key has none of these forms.
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

// withoutPeers removes the peers from a version. In version 5 they follow "_",
// which no semantic version contains.
func withoutPeers(s string) string {
	s, _, _ = strings.Cut(s, "(")
	last := s[strings.LastIndexByte(s, '/')+1:]
	if version, _, ok := strings.Cut(last, "_"); ok && version != "" && version[0] >= '0' && version[0] <= '9' && strings.Contains(version, ".") {
		return s[:len(s)-len(last)+len(version)]
	}
	return s
}

// newest returns the entry with the highest version. ok is false if keys is empty.
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
