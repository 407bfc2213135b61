package cargo

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/quote"
)

// Lock is a Cargo.lock of any version of its format, 1 to 4.
type Lock struct {
	Packages []Locked
	byName   map[string][]int
}

// Locked is a package in a Cargo.lock.
type Locked struct {
	Name, Version string
	// Source is the source of the package, or "" for a package of the workspace or a path
	// dependency: "registry+https://…", "sparse+https://…", "git+https://…#commit".
	Source string
	// Checksum is the sha256 of its .crate in hexadecimal; empty if the lock file
	// has none.
	Checksum string
	// Dependencies are indexes of Lock.Packages.
	Dependencies []int
	// Replace is the index of the package that replaces it, or -1 if none does.
	Replace int
}

// These constants limit the size of a Cargo.lock.
const (
	maxLocked       = 100_000
	maxLockedPerPkg = 20_000
)

type lockFile struct {
	Version  int               `toml:"version"`
	Root     *lockPackage      `toml:"root"`
	Package  []lockPackage     `toml:"package"`
	Metadata map[string]string `toml:"metadata"`
}

type lockPackage struct {
	Name         string   `toml:"name"`
	Version      string   `toml:"version"`
	Source       string   `toml:"source"`
	Checksum     string   `toml:"checksum"`
	Dependencies []string `toml:"dependencies"`
	Replace      string   `toml:"replace"`
}

// newestLock is the newest known version of the format.
const newestLock = 4

// parseLock parses a Cargo.lock.
func parseLock(data []byte) (*Lock, error) {
	var f lockFile
	if err := toml.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("it is not a valid Cargo.lock: %w", quote.Error(err))
	}
	if f.Version > newestLock {
		return nil, fmt.Errorf("it has version %d of the format, but only versions up to %d are supported", f.Version, newestLock)
	}
	if f.Root != nil {
		f.Package = append(f.Package, *f.Root)
	}
	if len(f.Package) > maxLocked {
		return nil, fmt.Errorf("it has more than %d packages", maxLocked)
	}
	l := &Lock{Packages: make([]Locked, len(f.Package)), byName: make(map[string][]int, len(f.Package))}
	for i, p := range f.Package {
		if p.Name == "" || p.Version == "" {
			return nil, fmt.Errorf("package %d in it has no name or version", i+1)
		}
		if !wellFormed(p.Source) {
			return nil, fmt.Errorf("line %d: the source %.200q of %.100s is malformed; a source begins with its kind, as in registry+https://… or git+https://…", lineOfSource(data, p.Source), p.Source, p.Name)
		}
		l.Packages[i] = Locked{Name: p.Name, Version: p.Version, Source: p.Source, Checksum: p.Checksum, Replace: -1}
		l.byName[p.Name] = append(l.byName[p.Name], i)
		if sum := f.Metadata["checksum "+p.Name+" "+p.Version+" ("+p.Source+")"]; p.Checksum == "" && sum != "<none>" {
			l.Packages[i].Checksum = sum
		}
	}
	for i, p := range f.Package {
		if len(p.Dependencies) > maxLockedPerPkg {
			return nil, fmt.Errorf("package %.100s in it has more than %d dependencies", p.Name, maxLockedPerPkg)
		}
		for _, d := range p.Dependencies {
			to := l.reference(d)
			if to < 0 {
				return nil, fmt.Errorf("package %.100s in it depends on %.200q, which is missing", p.Name, d)
			}
			l.Packages[i].Dependencies = append(l.Packages[i].Dependencies, to)
		}
		if p.Replace != "" {
			l.Packages[i].Replace = l.reference(p.Replace)
		}
	}
	return l, nil
}

// LockOf returns the content of the Cargo.lock that Cargo would write for packages without dependencies, or nil if one of them
// has dependencies.
func LockOf(members []*Member) *Lock {
	l := &Lock{byName: map[string][]int{}}
	for i, m := range members {
		if len(m.Manifest.Dependencies) > 0 {
			return nil
		}
		l.Packages = append(l.Packages, Locked{Name: m.Manifest.Name, Version: m.Manifest.Version, Replace: -1})
		l.byName[m.Manifest.Name] = append(l.byName[m.Manifest.Name], i)
	}
	return l
}

// kinds are the kinds of sources in lock files. A source begins with its kind.
var kinds = []string{"registry", "sparse", "git", "path", "local-registry", "directory"}

// wellFormed reports whether a source is empty or has a kind and an address.
func wellFormed(source string) bool {
	kind, address, ok := strings.Cut(source, "+")
	return source == "" || ok && slices.Contains(kinds, kind) && strings.Contains(address, ":/") && !strings.ContainsAny(address, " \t\r\n")
}

// lineOfSource returns the line number of a source in a lock file, or 0 if the source is
// not written literally.
func lineOfSource(data []byte, source string) int {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		key, value, ok := strings.Cut(string(line), "=")
		if value = strings.TrimSpace(value); ok && strings.TrimSpace(key) == "source" && len(value) >= 2 && value[1:len(value)-1] == source {
			return n
		}
	}
	return 0
}

// reference finds the package that "name", "name version" or "name version (source)"
// refers to. It returns -1 if there is none.
func (l *Lock) reference(s string) int {
	name, rest, _ := strings.Cut(s, " ")
	version, source, _ := strings.Cut(rest, " ")
	source = strings.TrimSuffix(strings.TrimPrefix(source, "("), ")")
	found := -1
	for _, i := range l.byName[name] {
		p := &l.Packages[i]
		if version != "" && p.Version != version {
			continue
		}
		if source == p.Source || source != "" && sameSource(source, p.Source) {
			return i
		}
		if source == "" && found < 0 {
			found = i
		}
	}
	return found
}

// sameSource reports whether two sources are equal, ignoring the commits of git
// sources.
func sameSource(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}

// Named returns the indexes of the packages with the given name, newest version first.
func (l *Lock) Named(name string) []int {
	all := slices.Clone(l.byName[name])
	slices.SortStableFunc(all, func(a, b int) int { return compareText(l.Packages[b].Version, l.Packages[a].Version) })
	return all
}

// compareText orders strings that may not be valid versions.
func compareText(a, b string) int {
	v, errA := ParseVersion(a)
	w, errB := ParseVersion(b)
	if errA != nil || errB != nil {
		return strings.Compare(a, b)
	}
	return v.Compare(w)
}

// Replaced returns the index of the package that is used for package i: the package
// itself or its replacement.
func (l *Lock) Replaced(i int) int {
	if r := l.Packages[i].Replace; r >= 0 {
		return r
	}
	return i
}
