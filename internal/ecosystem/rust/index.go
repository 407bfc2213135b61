package rust

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// release is one version of a package, as described by a line in a registry's index.
type release struct {
	Name        string              `json:"name"`
	Version     string              `json:"vers"`
	Deps        []releaseDep        `json:"deps"`
	Checksum    string              `json:"cksum"`
	Features    map[string][]string `json:"features"`
	Features2   map[string][]string `json:"features2"`
	Yanked      bool                `json:"yanked"`
	Published   string              `json:"pubtime"` // in RFC 3339; empty if the index does not specify it
	RustVersion string              `json:"rust_version"`
	Format      int                 `json:"v"`
}

type releaseDep struct {
	Name     string   `json:"name"`
	Req      string   `json:"req"`
	Features []string `json:"features"`
	Optional bool     `json:"optional"`
	Default  bool     `json:"default_features"`
	Target   string   `json:"target"`
	Kind     string   `json:"kind"`
	Registry string   `json:"registry"`
	Package  string   `json:"package"`
}

// These constants concern the index of a registry.
const (
	maxIndexFile = 64 << 20 // maximum size in bytes of the file about one package
	maxReleases  = 50_000
	newestFormat = 2 // newest known format of a line
)

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

var errNoVersion = errors.New("the index does not contain the version")

var errNoIndex = errors.New("it is not an index entry of a package")

// parseIndex parses an index's file about a package, which contains a line for each version. It
// skips lines in newer formats.
func parseIndex(data []byte, name string) ([]release, error) {
	var all []release
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		r, err := parseRelease(line)
		if err != nil || !strings.EqualFold(r.Name, name) || len(all) >= maxReleases {
			return nil, errNoIndex
		}
		if _, err := cargo.ParseVersion(r.Version); err == nil && r.Format <= newestFormat {
			all = append(all, r)
		}
	}
	return all, nil
}

func parseRelease(line []byte) (r release, err error) {
	err = json.Unmarshal(line, &r, lenient)
	return r, err
}

// manifest returns the package's manifest, with the parts that the line contains.
func (r *release) manifest() *cargo.Manifest {
	m := &cargo.Manifest{Name: r.Name, Version: r.Version, RustVersion: r.RustVersion, Features: map[string][]string{}}
	m.Lib.Name = strings.ReplaceAll(r.Name, "-", "_")
	for _, list := range []map[string][]string{r.Features, r.Features2} {
		maps.Copy(m.Features, list)
	}
	for _, d := range r.Deps {
		dep := cargo.Dependency{
			Name: d.Name, Package: d.Name, Target: d.Target, Optional: d.Optional, Default: d.Default, Features: d.Features,
			Requirement: d.Req, RegistryIndex: d.Registry,
		}
		if d.Package != "" {
			dep.Package = d.Package
		}
		switch d.Kind {
		case "dev":
			dep.Kind = cargo.Development
		case "build":
			dep.Kind = cargo.Build
		}
		m.Dependencies = append(m.Dependencies, dep)
	}
	m.ImplyFeatures()
	return m
}

// indexPath returns the path of a package's file in an index.
func indexPath(name string) string {
	return prefixOf(strings.ToLower(name)) + "/" + strings.ToLower(name)
}

// prefixOf returns the directory of a package in an index.
func prefixOf(name string) string {
	switch len(name) {
	case 1:
		return "1"
	case 2:
		return "2"
	case 3:
		return "3/" + name[:1]
	}
	return name[:2] + "/" + name[2:4]
}

// These are the versions of the files in which cargo caches an index.
const (
	cacheFormat = 3
	indexFormat = 2
)

// cachedLine returns the line about the given version in a file of cargo's index cache, which
// consists of a header and the versions, each with its line. It does not read files of other
// formats.
func cachedLine(data []byte, version string) ([]byte, error) {
	if len(data) < 5 || data[0] != cacheFormat || binary.LittleEndian.Uint32(data[1:]) > indexFormat {
		return nil, errNoIndex
	}
	_, rest, ok := bytes.Cut(data[5:], []byte{0})
	for n := 0; ok && len(rest) > 0 && n < maxReleases; n++ {
		var release, line []byte
		if release, rest, ok = bytes.Cut(rest, []byte{0}); !ok {
			break
		}
		if line, rest, ok = bytes.Cut(rest, []byte{0}); ok && sameVersion(string(release), version) {
			return line, nil
		}
	}
	if !ok {
		return nil, errNoIndex
	}
	return nil, errNoVersion
}

// parseCached parses the entry about a version of a package in a file of cargo's index
// cache.
func parseCached(data []byte, name, version string) (*release, error) {
	line, err := cachedLine(data, version)
	if err != nil {
		return nil, err
	}
	r, err := parseRelease(line)
	if err != nil || !strings.EqualFold(r.Name, name) || !sameVersion(r.Version, version) || r.Format > newestFormat {
		return nil, errNoIndex
	}
	return &r, nil
}

// indexedManifest returns the manifest of a version according to cargo's index cache, or nil if the
// cache does not contain it.
func (f *finder) indexedManifest(s cargoconf.Source, name, version string) *cargo.Manifest {
	if s.Directory != "" || s.Local != "" {
		return nil
	}
	for _, dir := range f.registryDirs(s, "index") {
		file := filepath.Join(dir, ".cache", filepath.FromSlash(indexPath(name)))
		data, err := project.ReadFile(file, maxIndexFile)
		if err != nil {
			continue
		}
		if r, err := parseCached(data, name, version); err == nil {
			return r.manifest()
		}
	}
	return nil
}
