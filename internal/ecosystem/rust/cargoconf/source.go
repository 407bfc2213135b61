package cargoconf

import (
	"cmp"
	"net/url"
	"strings"
)

// Source is a source of packages, such as a registry or a directory.
type Source struct {
	// Name is the name in the configuration, or "" if there is none.
	Name string
	// Directory contains the unpacked packages, if it is a vendor directory.
	Directory string
	// Local contains .crate files and an index, if it is a local registry.
	Local string
	// Index is the URL of a registry's index. It is empty for the default registry
	// if the configuration does not specify it.
	Index string
	// Sparse is true if the index is fetched over HTTP, and false if it is a git repository.
	Sparse bool
	// Default is true for cargo's default registry.
	Default bool
	// From is the file that configures the source.
	From string
	// Replaced is true if it replaces another source.
	Replaced bool
	// User is true if the address is in the user's own settings rather than the
	// project's.
	User bool
}

// defaultName is the name of the default registry in the configuration.
const defaultName = "crates-io"

// defaultPrefix begins the address that lock files use for the default registry. It is
// the address of the former index, a repository on GitHub.
const defaultPrefix = "registry+https://github.com/rust-lang/"

// DefaultSource represents the default registry in a lock file.
const DefaultSource = defaultPrefix + "index"

// IsDefault reports whether the source in a lock file is the default registry.
func IsDefault(source string) bool { return strings.HasPrefix(source, defaultPrefix) }

// maxReplaced is the maximum length of a chain of sources, each of which replaces the
// previous one.
const maxReplaced = 16

// SourceOf returns the source that provides the packages of the given source in a lock file, after
// source replacement. ok is false for git repositories and paths that are not replaced.
func (c *Config) SourceOf(locked string) (s Source, ok bool) {
	kind, address, _ := strings.Cut(locked, "+")
	switch {
	case IsDefault(locked):
		s = c.registry(defaultName)
		s.Default = true
	case kind == "registry" || kind == "sparse":
		s = c.byAddress("registry", address)
		s.Index, s.Sparse = address, kind == "sparse"
	case kind == "git":
		s = c.byAddress("git", gitAddress(address))
	default:
		return Source{}, false
	}
	replaced := c.replace(s)
	return replaced, replaced.Replaced || kind != "git"
}

// Named returns the registry with the given name, after source replacement. The name "" represents
// the default registry. ok is false if the configuration does not contain a registry with that
// name.
func (c *Config) Named(name string) (s Source, ok bool) {
	name = cmp.Or(name, defaultName)
	s = c.registry(name)
	s.Default = name == defaultName
	if s.Index == "" && !s.Default {
		return s, false
	}
	return c.replace(s), true
}

// registry returns the registry with the given name, before source replacement.
func (c *Config) registry(name string) Source {
	s := Source{Name: name, Default: name == defaultName}
	v := c.lookup("registries", name, "index")
	if v.text() == "" {
		v = c.lookup("source", name, "registry")
	}
	s.setIndex(v)
	return s
}

func (s *Source) setIndex(v value) {
	if v.text() == "" || s.Default && IsDefault("registry+"+v.text()) {
		return // the setting only repeats the default registry
	}
	s.Index, s.Sparse = strings.CutPrefix(v.text(), "sparse+")
	s.From, s.User = v.from, v.user
}

// byAddress returns the source whose setting key has the given address. It returns the
// zero Source if there is none.
func (c *Config) byAddress(key, address string) Source {
	for _, name := range c.names("source") {
		v := c.lookup("source", name, key)
		if sameAddress(strings.TrimPrefix(v.text(), "sparse+"), address) {
			return Source{Name: name, From: v.from, User: v.user}
		}
	}
	if key == "registry" {
		for _, name := range append(c.names("registries"), c.variableNames()...) {
			v := c.lookup("registries", name, "index")
			if sameAddress(strings.TrimPrefix(v.text(), "sparse+"), address) {
				return Source{Name: name, From: v.from, User: v.user}
			}
		}
	}
	return Source{}
}

// variableNames returns the names of registries that only variables configure,
// in lower case.
func (c *Config) variableNames() []string {
	var all []string
	for _, name := range c.env.Names() {
		if rest, ok := strings.CutPrefix(name, "CARGO_REGISTRIES_"); ok {
			if rest, ok = strings.CutSuffix(rest, "_INDEX"); ok {
				all = append(all, strings.ToLower(rest))
			}
		}
	}
	return all
}

func sameAddress(a, b string) bool {
	return a != "" && strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
}

// gitAddress returns the URL of a locked git source without its query and commit.
func gitAddress(s string) string {
	s, _, _ = strings.Cut(s, "#")
	s, _, _ = strings.Cut(s, "?")
	return s
}

// replace follows the setting replace-with.
func (c *Config) replace(s Source) Source {
	name := s.Name
	for range maxReplaced {
		if name == "" {
			break
		}
		next := c.lookup("source", name, "replace-with").text()
		if next == "" || next == name {
			break
		}
		name = next
		s = c.definition(name)
		s.Replaced = true
	}
	return s
}

// definition returns the source that the configuration defines under a name.
func (c *Config) definition(name string) Source {
	if v := c.lookup("source", name, "directory"); v.text() != "" {
		return Source{Name: name, Directory: v.path(), From: v.from, User: v.user}
	}
	if v := c.lookup("source", name, "local-registry"); v.text() != "" {
		return Source{Name: name, Local: v.path(), From: v.from, User: v.user}
	}
	return c.registry(name)
}

// Registries returns the names of the alternative registries, including those
// configured only by variables.
func (c *Config) Registries() []string {
	var all []string
	for _, name := range append(c.names("registries"), c.variableNames()...) {
		if name != defaultName && c.lookup("registries", name, "index").text() != "" {
			all = append(all, name)
		}
	}
	return all
}

// Host returns the host of a source's index, or "" if it does not have one.
func (s *Source) Host() string {
	u, err := url.Parse(s.Index)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
