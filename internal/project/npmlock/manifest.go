package npmlock

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/project"
)

// Manifest contains the fields of a package.json that docent uses. Fields of an unexpected type are
// ignored.
type Manifest struct {
	Name        string
	Version     string
	Description string
	Deprecated  string
	Readme      string // name of the README file, which few packages specify
	Homepage    string
	// Repository is the address of the source code, and RepositoryDir is the package's
	// directory in it.
	Repository, RepositoryDir string
	// Manager is the field packageManager, such as "pnpm@9.1.0".
	Manager string
	// Dependencies, Dev, Optional and Peer are specifiers by import name. The
	// kinds are separate because only some of them are used for a package that is
	// itself a dependency.
	Dependencies, Dev, Optional, Peer map[string]string
	// Resolutions are yarn's overrides, which apply to the whole project.
	Resolutions map[string]string
	Workspaces  []string
	// Catalogs are the catalogs of bun, if this is the package.json of a workspace
	// root.
	Catalogs catalogFields
}

const maxManifest = 4 << 20 // maximum size in bytes of package.json

// lenient accepts duplicate names and invalid UTF-8, as JavaScript does.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// ParseManifest reads a package.json.
func ParseManifest(data []byte) (*Manifest, error) {
	raw := map[string]jsontext.Value{}
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), &raw, lenient); err != nil {
		return nil, err
	}
	str := func(name string) string {
		var s string
		if json.Unmarshal(raw[name], &s, lenient) != nil {
			return ""
		}
		return s
	}
	m := &Manifest{
		Name: str("name"), Version: str("version"), Description: str("description"), Deprecated: str("deprecated"),
		Readme: str("readmeFilename"), Manager: str("packageManager"),
		Dependencies: stringsOf(raw["dependencies"]), Dev: stringsOf(raw["devDependencies"]),
		Optional: stringsOf(raw["optionalDependencies"]), Peer: stringsOf(raw["peerDependencies"]),
		Resolutions: stringsOf(raw["resolutions"]),
	}
	m.Homepage, m.Repository = str("homepage"), str("repository")
	if m.Repository == "" {
		repository := stringsOf(raw["repository"])
		m.Repository, m.RepositoryDir = repository["url"], repository["directory"]
	}
	_ = json.Unmarshal(data, &m.Catalogs, lenient)
	var workspaces struct {
		Packages []string `json:"packages"`
		catalogFields
	}
	if json.Unmarshal(raw["workspaces"], &m.Workspaces, lenient) != nil {
		m.Workspaces = nil
		if json.Unmarshal(raw["workspaces"], &workspaces, lenient) == nil {
			m.Workspaces = workspaces.Packages
			if workspaces.Catalog != nil || workspaces.Catalogs != nil {
				m.Catalogs = workspaces.catalogFields
			}
		}
	}
	return m, nil
}

// stringsOf decodes an object and skips values that are not strings.
func stringsOf(v jsontext.Value) map[string]string {
	raw := map[string]jsontext.Value{}
	if json.Unmarshal(v, &raw, lenient) != nil {
		return nil
	}
	out := make(map[string]string, len(raw))
	for name, value := range raw {
		var s string
		if json.Unmarshal(value, &s, lenient) == nil {
			out[name] = s
		}
	}
	return out
}

// ReadManifest reads a package.json from disk.
func ReadManifest(file string) (*Manifest, error) {
	data, err := project.ReadFile(file, maxManifest)
	if err != nil {
		return nil, err
	}
	return ParseManifest(data)
}

// Wants returns the specifier that a project uses to require a package, and the kind of that
// dependency. Both are empty if the project does not require it.
func (m *Manifest) Wants(name string) (spec, kind string) {
	for _, k := range []struct {
		kind  string
		specs map[string]string
	}{
		{"dependencies", m.Dependencies}, {"devDependencies", m.Dev},
		{"optionalDependencies", m.Optional}, {"peerDependencies", m.Peer},
	} {
		if spec, ok := k.specs[name]; ok {
			return spec, k.kind
		}
	}
	return "", ""
}

// Spec is a parsed dependency specifier.
type Spec struct {
	Kind SpecKind
	// Name is the published name if the specifier is an alias. Otherwise, it is empty.
	Name string
	// Range is a range, an exact version or a tag. For Local, it is a path; for Foreign, it is the
	// whole specifier.
	Range string
}

// SpecKind is the kind of package that a specifier refers to.
type SpecKind int

// These are the kinds of packages.
const (
	Registry  SpecKind = iota // a range, version or tag in a registry
	Local                     // a directory or tarball on this machine
	Workspace                 // a package of the project's own workspace
	Foreign                   // a git repository or the URL of a tarball
)

// ParseSpec parses the value of a dependency in package.json.
func ParseSpec(spec string) Spec {
	spec = strings.TrimSpace(spec)
	protocol, rest, ok := strings.Cut(spec, ":")
	if !ok {
		switch {
		case strings.HasPrefix(spec, "."), strings.HasPrefix(spec, "/"), strings.HasPrefix(spec, "~/"):
			return Spec{Kind: Local, Range: spec}
		case strings.Contains(spec, "/"):
			return Spec{Kind: Foreign, Range: spec} // The form owner/name means a repository on a git host.
		}
		return Spec{Range: spec}
	}
	switch protocol {
	case "npm":
		name, version := SplitAt(rest)
		if version == "" && !looksLikeName(rest) {
			return Spec{Range: rest} // In files of yarn, the text is of the form "npm:^1.2.0".
		}
		return Spec{Name: name, Range: version}
	case "file", "link", "portal":
		return Spec{Kind: Local, Range: rest}
	case "workspace":
		name, version := SplitAt(rest)
		if version == "" {
			return Spec{Kind: Workspace, Range: rest}
		}
		return Spec{Kind: Workspace, Name: name, Range: version}
	case "patch":
		// In files of yarn, the text is of the form "patch:ms@npm%3A2.1.2#~/.yarn/patches/...".
		name, version := SplitAt(rest)
		version, _, _ = strings.Cut(version, "#")
		version = strings.ReplaceAll(strings.ReplaceAll(version, "%3A", ":"), "%3a", ":")
		in := Spec{Range: version}
		if strings.HasPrefix(version, "npm:") {
			in = ParseSpec(version)
		}
		in.Name = cmp.Or(in.Name, name)
		return in
	}
	return Spec{Kind: Foreign, Range: spec}
}

func looksLikeName(s string) bool {
	return s != "" && (s[0] == '@' || s[0] >= 'a' && s[0] <= 'z' && s != "latest" && s != "next") && !strings.ContainsAny(s, " <>=|")
}

// SplitAt splits "name@version" or "@scope/name@version". The version is empty if
// there is none.
func SplitAt(s string) (name, version string) {
	if i := strings.IndexByte(s[min(1, len(s)):], '@'); i >= 0 {
		return s[:i+1], s[i+2:]
	}
	return s, ""
}

// ValidName reports whether a name is valid for a package. A valid name can safely be used in paths
// and URLs.
func ValidName(name string) bool {
	if name == "" || len(name) > 214 || path.Clean(name) != name || strings.Count(name, "/") > 1 {
		return false
	}
	if scope, _, scoped := strings.Cut(name, "/"); scoped != (name[0] == '@') || scope == "@" {
		return false
	}
	for _, r := range strings.TrimPrefix(name, "@") {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune(`\:*?"<>|%@#&`, r) {
			return false
		}
	}
	first := strings.TrimPrefix(name[strings.IndexByte(name, '/')+1:], "@")
	return first != "" && first[0] != '.' && name != "node_modules"
}

// isTarball reports whether a path is the path of a tarball and not of a directory.
func isTarball(name string) bool {
	return strings.HasSuffix(name, ".tgz") || strings.HasSuffix(name, ".tar.gz")
}
