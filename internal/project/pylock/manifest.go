package pylock

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// Manifest contains the requirements and settings in a project's own files:
// pyproject.toml, setup.cfg, Pipfile or requirements files.
type Manifest struct {
	Name           string
	RequiresPython pep440.Specifiers
	// Requirements are the requirements by group. The group "" contains the requirements that are
	// always needed.
	Requirements map[string][]pep508.Requirement
	// Indexes are in the order of the files.
	Indexes []Index
	// FindLinks are directories and pages with files, named in requirements files.
	FindLinks []string
	// NoIndex is true if requirements files forbid indexes.
	NoIndex bool
	// Tool is the package manager for which pyproject.toml has settings: "uv", "poetry", "pdm" or
	// "hatch". It is empty if there are none.
	Tool string
	// IndexStrategy is uv's index-strategy.
	IndexStrategy string
	// WorkspaceMembers and WorkspaceExclude are the globs of a uv workspace.
	WorkspaceMembers, WorkspaceExclude []string

	sources map[string][]Source // keyed by normalized name
	groups  []string            // groups in the order of their appearance
}

// Index is a package index that a file specifies.
type Index struct {
	Name, URL string
	// Default is true if it replaces the default index.
	Default bool
	// Explicit is true if it is used only for packages whose sources name it.
	Explicit bool
	// Insecure is true if its certificate is not verified.
	Insecure bool
	// Flat is true for a page or a directory with links to files, which is not an index.
	Flat bool
	// Variables is true if the URL may refer to environment variables.
	Variables bool
	// User and Password are set if they are written separately from the URL.
	User, Password string
	By             string // the file that specifies it
}

// Source is a source of a package that replaces the indexes.
type Source struct {
	Index     string // name of an index
	Path      string // directory or archive, relative to the manifest
	Workspace bool
	Foreign   string // git repository or URL
	Marker    pep508.Marker
}

// Groups returns the names of the groups of requirements, beginning with "".
func (m *Manifest) Groups() []string { return m.groups }

// SourcesOf returns the sources of a package.
func (m *Manifest) SourcesOf(name string) []Source { return m.sources[pep508.Normalize(name)] }

func (m *Manifest) bind(name string, s Source) {
	if m.sources == nil {
		m.sources = map[string][]Source{}
	}
	name = pep508.Normalize(name)
	m.sources[name] = append(m.sources[name], s)
}

func (m *Manifest) add(group string, r pep508.Requirement) {
	if !pep508.ValidName(r.Name) {
		return
	}
	if m.Requirements == nil {
		m.Requirements = map[string][]pep508.Requirement{}
	}
	if _, ok := m.Requirements[group]; !ok {
		m.groups = append(m.groups, group)
		slices.SortStableFunc(m.groups, func(a, b string) int { return min(len(a), 1) - min(len(b), 1) })
	}
	m.Requirements[group] = append(m.Requirements[group], r)
}

// addTexts adds requirements in the syntax of PEP 508. It skips those that cannot be
// parsed.
func (m *Manifest) addTexts(group string, texts []string) {
	for _, text := range texts {
		if r, err := pep508.Parse(text); err == nil {
			m.add(group, r)
		}
	}
}

// Wants returns the requirements of all groups for a package.
func (m *Manifest) Wants(name string) []pep508.Requirement {
	var out []pep508.Requirement
	name = pep508.Normalize(name)
	for _, group := range m.groups {
		for _, r := range m.Requirements[group] {
			if pep508.Normalize(r.Name) == name {
				out = append(out, r)
			}
		}
	}
	return out
}

// Names returns the normalized names of all packages that the manifest requires. Names
// outside of groups come first.
func (m *Manifest) Names() []string {
	var names []string
	seen := map[string]bool{}
	for _, group := range m.groups {
		for _, r := range m.Requirements[group] {
			if name := pep508.Normalize(r.Name); !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// pyproject contains the parts of a pyproject.toml that docent uses.
type pyproject struct {
	Project struct {
		Name           string              `toml:"name"`
		RequiresPython string              `toml:"requires-python"`
		Dependencies   []string            `toml:"dependencies"`
		Optional       map[string][]string `toml:"optional-dependencies"`
	} `toml:"project"`
	Groups map[string][]any `toml:"dependency-groups"`
	Tool   struct {
		UV     *uvTool     `toml:"uv"`
		Poetry *poetryTool `toml:"poetry"`
		PDM    *pdmTool    `toml:"pdm"`
		Hatch  *hatchTool  `toml:"hatch"`
	} `toml:"tool"`
}

type uvTool struct {
	Workspace *struct {
		Members []string `toml:"members"`
		Exclude []string `toml:"exclude"`
	} `toml:"workspace"`
	Sources map[string]any `toml:"sources"`
	Dev     []string       `toml:"dev-dependencies"`
	UVIndexes
}

// UVIndexes are uv's settings for indexes, below [tool.uv] in pyproject.toml, and in uv.toml.
type UVIndexes struct {
	Index []struct {
		Name     string `toml:"name"`
		URL      string `toml:"url"`
		Default  bool   `toml:"default"`
		Explicit bool   `toml:"explicit"`
		Format   string `toml:"format"`
	} `toml:"index"`
	IndexURL      string   `toml:"index-url"`
	ExtraIndexURL []string `toml:"extra-index-url"`
	FindLinks     []string `toml:"find-links"`
	NoIndex       bool     `toml:"no-index"`
	Strategy      string   `toml:"index-strategy"`
}

// Indexes returns the indexes, beginning with [[index]].
func (u *UVIndexes) Indexes(by string) []Index {
	var out []Index
	for _, i := range u.Index {
		out = append(out, Index{Name: i.Name, URL: i.URL, Default: i.Default, Explicit: i.Explicit, Flat: i.Format == "flat", By: by})
	}
	for _, address := range u.ExtraIndexURL {
		out = append(out, Index{URL: address, By: by})
	}
	if u.IndexURL != "" {
		out = append(out, Index{URL: u.IndexURL, Default: true, By: by})
	}
	return out
}

type poetryTool struct {
	Name         string         `toml:"name"`
	Dependencies map[string]any `toml:"dependencies"`
	Dev          map[string]any `toml:"dev-dependencies"`
	Group        map[string]struct {
		Dependencies map[string]any `toml:"dependencies"`
	} `toml:"group"`
	Source []struct {
		Name     string `toml:"name"`
		URL      string `toml:"url"`
		Priority string `toml:"priority"`
		Default  bool   `toml:"default"`
	} `toml:"source"`
}

type pdmTool struct {
	Dev    map[string][]string `toml:"dev-dependencies"`
	Source []struct {
		Name     string `toml:"name"`
		URL      string `toml:"url"`
		Type     string `toml:"type"`
		Verify   *bool  `toml:"verify_ssl"`
		User     string `toml:"username"`
		Password string `toml:"password"`
	} `toml:"source"`
}

type hatchTool struct {
	Envs map[string]struct {
		Dependencies []string `toml:"dependencies"`
		Extra        []string `toml:"extra-dependencies"`
	} `toml:"envs"`
}

// parsePyproject adds the content of a pyproject.toml to a manifest.
func (m *Manifest) parsePyproject(data []byte) error {
	var file pyproject
	if err := decodeTOML(data, &file); err != nil {
		return err
	}
	m.Name = file.Project.Name
	m.RequiresPython = specifiers(file.Project.RequiresPython)
	m.addTexts("", file.Project.Dependencies)
	for _, extra := range slices.Sorted(maps.Keys(file.Project.Optional)) {
		m.addTexts(extra, file.Project.Optional[extra])
	}
	for _, group := range slices.Sorted(maps.Keys(file.Groups)) {
		m.addTexts(group, groupTexts(file.Groups, group, nil))
	}
	switch t := file.Tool; {
	case t.UV != nil:
		m.Tool = "uv"
	case t.Poetry != nil:
		m.Tool = "poetry"
	case t.PDM != nil:
		m.Tool = "pdm"
	case t.Hatch != nil:
		m.Tool = "hatch"
	}
	if t := file.Tool.UV; t != nil {
		m.addUV(t)
	}
	if t := file.Tool.Poetry; t != nil {
		m.addPoetry(t)
	}
	if t := file.Tool.PDM; t != nil {
		m.addPDM(t)
	}
	if t := file.Tool.Hatch; t != nil {
		for _, env := range slices.Sorted(maps.Keys(t.Envs)) {
			m.addTexts(env, slices.Concat(t.Envs[env].Dependencies, t.Envs[env].Extra))
		}
	}
	return nil
}

// groupTexts returns the requirements of a dependency group and of the groups that it
// includes.
func groupTexts(groups map[string][]any, name string, above []string) []string {
	var texts []string
	if slices.Contains(above, pep508.Normalize(name)) || len(above) > 20 {
		return nil
	}
	above = append(slices.Clone(above), pep508.Normalize(name))
	for _, item := range groups[name] {
		switch item := item.(type) {
		case string:
			texts = append(texts, item)
		case map[string]any:
			included, _ := item["include-group"].(string)
			for other := range groups {
				if included != "" && pep508.Normalize(other) == pep508.Normalize(included) && len(texts) < maxLines {
					texts = append(texts, groupTexts(groups, other, above)...)
				}
			}
		}
	}
	return texts
}

func (m *Manifest) addUV(t *uvTool) {
	m.addTexts("dev", t.Dev)
	if t.Workspace != nil {
		m.WorkspaceMembers, m.WorkspaceExclude = t.Workspace.Members, t.Workspace.Exclude
		if m.WorkspaceMembers == nil {
			m.WorkspaceMembers = []string{}
		}
	}
	m.Indexes = append(m.Indexes, t.Indexes("pyproject.toml")...)
	m.FindLinks, m.NoIndex, m.IndexStrategy = t.FindLinks, t.NoIndex, t.Strategy
	for name, value := range t.Sources {
		all, ok := value.([]any)
		if !ok {
			all = []any{value}
		}
		for _, one := range all {
			if fields, ok := one.(map[string]any); ok {
				m.bind(name, uvSourceOf(fields))
			}
		}
	}
}

func uvSourceOf(fields map[string]any) Source {
	text := func(key string) string { s, _ := fields[key].(string); return s }
	workspace, _ := fields["workspace"].(bool)
	return Source{
		Index: text("index"), Path: text("path"), Workspace: workspace, Foreign: text("git") + text("url"), Marker: marker(text("marker")),
	}
}

func (m *Manifest) addPoetry(t *poetryTool) {
	m.Name = cmp.Or(m.Name, t.Name)
	declared := len(m.Requirements[""]) > 0 // If declared is true, the requirements are in [project], and these tables only add sources.
	if declared {
		known := *m
		known.Requirements = nil
		known.addPoetryGroup("", t.Dependencies)
		m.sources, m.RequiresPython = known.sources, known.RequiresPython
	} else {
		m.addPoetryGroup("", t.Dependencies)
	}
	m.addPoetryGroup("dev", t.Dev)
	for _, group := range slices.Sorted(maps.Keys(t.Group)) {
		m.addPoetryGroup(group, t.Group[group].Dependencies)
	}
	primary := false
	for _, s := range t.Source {
		primary = primary || s.Default || s.Priority == "" || s.Priority == "primary" || s.Priority == "default"
	}
	for _, s := range t.Source {
		if s.URL == "" {
			continue // this names the default index
		}
		i := Index{Name: s.Name, URL: s.URL, By: "pyproject.toml", Explicit: s.Priority == "explicit"}
		// A primary source replaces the default index.
		i.Default = s.Default || s.Priority == "default" || primary && (s.Priority == "" || s.Priority == "primary")
		m.Indexes = append(m.Indexes, i)
	}
}

func (m *Manifest) addPoetryGroup(group string, packages map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		all, ok := packages[name].([]any)
		if !ok {
			all = []any{packages[name]}
		}
		for _, one := range all {
			m.addPoetryDependency(group, name, one)
		}
	}
}

func (m *Manifest) addPoetryDependency(group, name string, value any) {
	r := pep508.Requirement{Name: name}
	switch v := value.(type) {
	case string:
		r.Specifiers = poetryConstraint(v)
	case map[string]any:
		text := func(key string) string { s, _ := v[key].(string); return s }
		r.Specifiers, r.Marker = poetryConstraint(text("version")), marker(text("markers"))
		if extras, ok := v["extras"].([]any); ok {
			for _, extra := range extras {
				if name, ok := extra.(string); ok {
					r.Extras = append(r.Extras, name)
				}
			}
		}
		if python := poetryConstraint(text("python")); python != nil && r.Marker.IsZero() {
			r.Marker = pythonMarker(python)
		}
		if s := (Source{Index: text("source"), Path: text("path"), Foreign: text("git") + text("url")}); s.Index != "" || s.Path != "" || s.Foreign != "" {
			m.bind(name, s)
		}
	}
	if name == "python" {
		if m.RequiresPython == nil {
			m.RequiresPython = r.Specifiers
		}
		return
	}
	m.add(group, r)
}

// pythonMarker returns a marker for Python versions.
func pythonMarker(python pep440.Specifiers) pep508.Marker {
	parts := make([]string, len(python))
	for i, c := range python {
		parts[i] = "python_full_version " + c.Operator + ` "` + c.Text + `"`
	}
	return marker(strings.Join(parts, " and "))
}

func (m *Manifest) addPDM(t *pdmTool) {
	for _, group := range slices.Sorted(maps.Keys(t.Dev)) {
		m.addTexts(group, t.Dev[group])
	}
	for _, s := range t.Source {
		m.Indexes = append(m.Indexes, Index{
			Name: s.Name, URL: s.URL, Default: s.Name == defaultIndexName, Flat: s.Type == "find_links", Insecure: s.Verify != nil && !*s.Verify,
			Variables: true, User: s.User, Password: s.Password, By: "pyproject.toml",
		})
	}
}

// defaultIndexName is the name of the default index in pdm and Poetry.
const defaultIndexName = "pypi"

// parseSetupCfg adds the contents of a setup.cfg to a manifest.
func (m *Manifest) parseSetupCfg(data []byte) {
	for _, s := range ParseINI(string(data)) {
		switch {
		case s.Section == "metadata" && s.Key == "name" && m.Name == "":
			m.Name = s.Value
		case s.Section == "options" && s.Key == "python_requires" && m.RequiresPython == nil:
			m.RequiresPython = specifiers(s.Value)
		case s.Section == "options" && s.Key == "install_requires":
			m.addTexts("", listOf(s.Value))
		case s.Section == "options.extras_require":
			m.addTexts(s.Key, listOf(s.Value))
		}
	}
}

// addSetup adds the contents of a setup.py to a manifest, if other files do not contain
// requirements.
func (m *Manifest) addSetup(s Setup) {
	m.Name = cmp.Or(m.Name, s.Name)
	if m.RequiresPython == nil && s.RequiresPython != "" {
		m.RequiresPython = specifiers(s.RequiresPython)
	}
	if len(m.Requirements) > 0 {
		return
	}
	m.addTexts("", s.Requires)
	for _, extra := range slices.Sorted(maps.Keys(s.Extras)) {
		m.addTexts(extra, s.Extras[extra])
	}
}

// listOf splits the value of a list in setup.cfg: one item on each line, or
// items on one line separated by semicolons.
func listOf(value string) []string {
	if strings.Contains(value, "\n") {
		return strings.Split(value, "\n")
	}
	return strings.Split(value, ";")
}

// Setting is one key of an INI file.
type Setting struct{ Section, Key, Value string }

// maxSettings is the maximum number of settings in an INI file.
const maxSettings = 10_000

// ParseINI reads an INI file like Python's configparser. It converts keys to lower case, joins
// values that continue on indented lines, and skips lines that begin with # or ;.
func ParseINI(text string) []Setting {
	var out []Setting
	section := ""
	open := false // open is true if the last setting can continue on the next line.
	for line := range strings.Lines(strings.TrimPrefix(strings.ToValidUTF8(text, ""), "\uFEFF")) {
		trimmed := strings.TrimSpace(line)
		indented := line[0] == ' ' || line[0] == '\t'
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case indented && open:
			out[len(out)-1].Value += "\n" + trimmed
		case trimmed[0] == '[' && strings.HasSuffix(trimmed, "]"):
			section, open = strings.TrimSpace(trimmed[1:len(trimmed)-1]), false
		case len(out) < maxSettings:
			i := strings.IndexAny(trimmed, "=:")
			if i < 0 {
				open = false
				continue
			}
			out = append(out, Setting{section, strings.ToLower(strings.TrimSpace(trimmed[:i])), strings.TrimSpace(trimmed[i+1:])})
			open = true
		default:
			open = false
		}
	}
	return out
}
