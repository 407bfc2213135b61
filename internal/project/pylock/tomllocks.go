package pylock

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// errTOML replaces errors from the TOML library, because these quote the file and could reveal
// secrets.
var errTOML = errors.New("it is not valid TOML")

// decodeTOML decodes TOML. As in the tools that write these files, a field of an unexpected type
// makes the whole file invalid.
func decodeTOML(data []byte, v any) error {
	if toml.Unmarshal(data, v) != nil {
		return errTOML
	}
	return nil
}

// tomlFile describes a distribution file in uv.lock, pdm.lock and pylock.toml.
type tomlFile struct {
	File   string            `toml:"file"`
	Name   string            `toml:"name"`
	URL    string            `toml:"url"`
	Path   string            `toml:"path"`
	Hash   string            `toml:"hash"`
	Hashes map[string]string `toml:"hashes"`
	Size   int64             `toml:"size"`
}

func (f *tomlFile) file() File {
	out := File{Name: f.Name, URL: f.URL, Size: max(f.Size, 0), SHA256: f.Hashes["sha256"]}
	if hash, ok := strings.CutPrefix(f.Hash, "sha256:"); ok {
		out.SHA256 = hash
	}
	out.Name = cmp.Or(out.Name, f.File)
	if u, err := url.Parse(f.URL); err == nil && out.Name == "" && f.URL != "" {
		out.Name = path.Base(u.Path)
	}
	if out.Name == "" && f.Path != "" {
		out.Name = path.Base(strings.ReplaceAll(f.Path, `\`, "/"))
	}
	return out
}

// marker parses a marker in a lock file. A marker that cannot be parsed never
// holds.
func marker(text string) pep508.Marker {
	if text == "" {
		return pep508.Marker{}
	}
	m, err := pep508.ParseMarker(text)
	if err != nil {
		m, _ = pep508.ParseMarker(`python_version == "unreadable"`)
	}
	return m
}

func specifiers(text string) pep440.Specifiers {
	if text == "*" {
		return nil
	}
	s, err := pep440.ParseSpecifiers(text)
	if err != nil {
		return nil
	}
	return s
}

// uvSource is the source of a package in uv.lock.
type uvSource struct {
	Registry  string `toml:"registry"`
	Virtual   string `toml:"virtual"`
	Editable  string `toml:"editable"`
	Directory string `toml:"directory"`
	Path      string `toml:"path"`
	Git       string `toml:"git"`
	URL       string `toml:"url"`
}

func (s *uvSource) dir() string {
	for _, dir := range []string{s.Editable, s.Virtual, s.Directory} {
		if dir != "" {
			return dir
		}
	}
	return ""
}

type uvEdge struct {
	Name    string `toml:"name"`
	Version string `toml:"version"`
	Marker  string `toml:"marker"`
	// Extra is a list of enabled extras, or a single one in older lock files.
	Extra any `toml:"extra"`
}

type uvPackage struct {
	Name     string              `toml:"name"`
	Version  string              `toml:"version"`
	Source   uvSource            `toml:"source"`
	Markers  []string            `toml:"resolution-markers"`
	Edges    []uvEdge            `toml:"dependencies"`
	Optional map[string][]uvEdge `toml:"optional-dependencies"`
	Dev      map[string][]uvEdge `toml:"dev-dependencies"`
	Sdist    *tomlFile           `toml:"sdist"`
	Wheels   []tomlFile          `toml:"wheels"`
}

// parseUV reads uv.lock.
func parseUV(_ context.Context, data []byte) (*Lock, error) {
	var file struct {
		Version  int         `toml:"version"`
		Packages []uvPackage `toml:"package"`
		Old      []uvPackage `toml:"distribution"`
	}
	if err := decodeTOML(data, &file); err != nil {
		return nil, err
	}
	if file.Version > 1 {
		return nil, errors.New("the version of its format is newer than 1")
	}
	l := &Lock{roots: map[string]*Package{}}
	for _, raw := range append(file.Packages, file.Old...) {
		p := &Package{Name: raw.Name, Version: raw.Version, Dir: raw.Source.dir()}
		switch {
		case isRemote(raw.Source.Registry):
			p.Index = raw.Source.Registry
		case raw.Source.Git != "":
			p.Foreign = raw.Source.Git
		case raw.Source.URL != "":
			p.Foreign = raw.Source.URL
		case raw.Source.Path != "":
			p.Foreign = raw.Source.Path
		}
		for _, m := range raw.Markers {
			p.Forks = append(p.Forks, marker(m))
		}
		if raw.Sdist != nil {
			p.Files = append(p.Files, raw.Sdist.file())
		}
		for i := range raw.Wheels {
			p.Files = append(p.Files, raw.Wheels[i].file())
		}
		p.addEdges("", raw.Edges)
		for extra, edges := range raw.Optional {
			p.addEdges(extra, edges)
		}
		for group, edges := range raw.Dev {
			p.addEdges(group, edges)
		}
		if p.Dir != "" {
			l.roots[path.Clean(p.Dir)] = p
		}
		l.add(p)
	}
	return l, nil
}

// isRemote reports whether a source of uv is the URL of an index and not a directory.
func isRemote(source string) bool {
	return strings.HasPrefix(source, "https://") || strings.HasPrefix(source, "http://")
}

func (p *Package) addEdges(extra string, edges []uvEdge) {
	for _, e := range edges {
		var extras []string
		switch list := e.Extra.(type) {
		case string:
			extras = []string{list}
		case []any:
			for _, item := range list {
				if name, ok := item.(string); ok {
					extras = append(extras, name)
				}
			}
		}
		p.edges = append(p.edges, edge{pep508.Normalize(e.Name), e.Version, marker(e.Marker), extras, extra})
	}
}

// addRequirements adds dependencies on the packages that requirements name.
func (p *Package) addRequirements(all []pep508.Requirement) {
	for _, r := range all {
		p.edges = append(p.edges, edge{name: pep508.Normalize(r.Name), marker: r.Marker, extras: r.Extras})
	}
}

// parsePoetry reads poetry.lock.
func parsePoetry(_ context.Context, data []byte) (*Lock, error) {
	var file struct {
		Packages []struct {
			Name    string     `toml:"name"`
			Version string     `toml:"version"`
			Python  string     `toml:"python-versions"`
			Markers any        `toml:"markers"` // a string, or a table with a string for each group
			Files   []tomlFile `toml:"files"`
			// Dependencies are strings, tables with markers, or lists of these.
			Dependencies map[string]any `toml:"dependencies"`
			Source       struct {
				Type      string `toml:"type"`
				URL       string `toml:"url"`
				Reference string `toml:"reference"`
			} `toml:"source"`
		} `toml:"package"`
		Metadata struct {
			Files map[string][]tomlFile `toml:"files"`
		} `toml:"metadata"`
	}
	if err := decodeTOML(data, &file); err != nil {
		return nil, err
	}
	l := &Lock{}
	for _, raw := range file.Packages {
		p := &Package{Name: raw.Name, Version: raw.Version, RequiresPython: specifiers(raw.Python)}
		switch m := raw.Markers.(type) {
		case string:
			p.Marker = marker(m)
		case map[string]any:
			for _, text := range m {
				if text, ok := text.(string); ok {
					p.Forks = append(p.Forks, marker(text))
				}
			}
		}
		var required Manifest
		required.addPoetryGroup("", raw.Dependencies)
		p.addRequirements(required.Requirements[""])
		switch raw.Source.Type {
		case "", "pypi":
		case "legacy":
			p.Index, p.IndexName = raw.Source.URL, raw.Source.Reference
		case "directory":
			p.Dir = raw.Source.URL
		default: // the type of the source is git, url or file
			p.Foreign = raw.Source.URL
		}
		for _, f := range append(raw.Files, file.Metadata.Files[raw.Name]...) {
			p.Files = append(p.Files, f.file())
		}
		l.add(p)
	}
	return l, nil
}

// parsePDM reads pdm.lock.
func parsePDM(_ context.Context, data []byte) (*Lock, error) {
	var file struct {
		Packages []struct {
			Name     string     `toml:"name"`
			Version  string     `toml:"version"`
			Python   string     `toml:"requires_python"`
			Marker   string     `toml:"marker"`
			Path     string     `toml:"path"`
			URL      string     `toml:"url"`
			Git      string     `toml:"git"`
			Editable bool       `toml:"editable"`
			Extras   []string   `toml:"extras"`
			Files    []tomlFile `toml:"files"`
			// Dependencies are requirements.
			Dependencies []string `toml:"dependencies"`
		} `toml:"package"`
	}
	if err := decodeTOML(data, &file); err != nil {
		return nil, err
	}
	l := &Lock{}
	for _, raw := range file.Packages {
		p := &Package{Name: raw.Name, Version: raw.Version, Marker: marker(raw.Marker), RequiresPython: specifiers(raw.Python), Dir: raw.Path}
		var required Manifest
		required.addTexts("", raw.Dependencies)
		p.addRequirements(required.Requirements[""])
		for _, foreign := range []string{raw.URL, raw.Git} {
			if foreign != "" {
				p.Foreign = foreign
			}
		}
		for i := range raw.Files {
			p.Files = append(p.Files, raw.Files[i].file())
		}
		l.add(p)
	}
	return l, nil
}

// parsePylock reads pylock.toml, which PEP 751 defines.
func parsePylock(_ context.Context, data []byte) (*Lock, error) {
	var file struct {
		LockVersion string `toml:"lock-version"`
		Packages    []struct {
			Name    string     `toml:"name"`
			Version string     `toml:"version"`
			Marker  string     `toml:"marker"`
			Python  string     `toml:"requires-python"`
			Index   string     `toml:"index"`
			Sdist   *tomlFile  `toml:"sdist"`
			Wheels  []tomlFile `toml:"wheels"`
			Archive *tomlFile  `toml:"archive"`

			Dependencies []uvEdge `toml:"dependencies"`
			Directory    struct {
				Path string `toml:"path"`
			} `toml:"directory"`
			VCS struct {
				URL  string `toml:"url"`
				Path string `toml:"path"`
			} `toml:"vcs"`
		} `toml:"packages"`
	}
	if err := decodeTOML(data, &file); err != nil {
		return nil, err
	}
	if major, _, _ := strings.Cut(file.LockVersion, "."); major != "1" {
		return nil, errors.New("its lock-version is not 1")
	}
	l := &Lock{}
	for _, raw := range file.Packages {
		p := &Package{
			Name: raw.Name, Version: raw.Version, Marker: marker(raw.Marker), RequiresPython: specifiers(raw.Python),
			Index: raw.Index, Dir: raw.Directory.Path,
		}
		p.addEdges("", raw.Dependencies)
		switch {
		case raw.VCS.URL != "" || raw.VCS.Path != "":
			p.Foreign = raw.VCS.URL + raw.VCS.Path
		case raw.Archive != nil:
			p.Foreign = raw.Archive.URL + raw.Archive.Path
		}
		if raw.Sdist != nil {
			p.Files = append(p.Files, raw.Sdist.file())
		}
		for i := range raw.Wheels {
			p.Files = append(p.Files, raw.Wheels[i].file())
		}
		l.add(p)
	}
	return l, nil
}
