package pylock

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// parsePipenv reads a Pipfile.lock, which consists of "_meta" and an object for each category of
// packages.
func parsePipenv(_ context.Context, data []byte) (*Lock, error) {
	var file map[string]jsontext.Value
	if err := json.Unmarshal(data, &file, lenient); err != nil {
		return nil, err
	}
	l := &Lock{}
	categories := slices.Sorted(maps.Keys(file))
	slices.SortStableFunc(categories, func(a, b string) int { return rank(b) - rank(a) })
	for _, category := range categories {
		var packages map[string]struct {
			Version string   `json:"version"`
			Markers string   `json:"markers"`
			Hashes  []string `json:"hashes"`
			Index   string   `json:"index"`
			Path    string   `json:"path"`
			File    string   `json:"file"`
			Git     string   `json:"git"`
		}
		if category == "_meta" || json.Unmarshal(file[category], &packages, lenient) != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(packages)) {
			raw := packages[name]
			p := &Package{
				Name: name, Version: strings.TrimLeft(raw.Version, "="), Marker: marker(raw.Markers), IndexName: raw.Index, Dir: raw.Path,
				Foreign: raw.File + raw.Git,
			}
			for _, h := range raw.Hashes {
				if sum, ok := strings.CutPrefix(h, "sha256:"); ok {
					p.Files = append(p.Files, File{SHA256: sum})
				}
			}
			l.add(p)
		}
	}
	return l, nil
}

// rank orders the categories of a Pipfile.lock. The category that is installed
// by default comes first.
func rank(category string) int {
	switch category {
	case "default":
		return 2
	case "develop":
		return 1
	}
	return 0
}

// pipfile contains the parts of a Pipfile that docent uses.
type pipfile struct {
	Source   []pipfileSource `toml:"source"`
	Requires struct {
		Python     string `toml:"python_version"`
		PythonFull string `toml:"python_full_version"`
	} `toml:"requires"`
	Packages    map[string]any `toml:"packages"`
	DevPackages map[string]any `toml:"dev-packages"`
}

type pipfileSource struct {
	Name   string `toml:"name"`
	URL    string `toml:"url"`
	Verify *bool  `toml:"verify_ssl"`
}

// parsePipfile adds the contents of a Pipfile to a manifest.
func (m *Manifest) parsePipfile(data []byte) error {
	var file pipfile
	if err := decodeTOML(data, &file); err != nil {
		return err
	}
	for i, s := range file.Source {
		m.Indexes = append(m.Indexes, Index{
			Name: s.Name, URL: s.URL, Default: i == 0, Explicit: i > 0, Insecure: s.Verify != nil && !*s.Verify, Variables: true, By: "Pipfile",
		})
	}
	for _, v := range []string{file.Requires.PythonFull, file.Requires.Python} {
		if v != "" && m.RequiresPython == nil {
			m.RequiresPython = specifiers("==" + v + ".*")
		}
	}
	m.addPipfile("", file.Packages)
	m.addPipfile("dev-packages", file.DevPackages)
	return nil
}

func (m *Manifest) addPipfile(group string, packages map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		r := pep508.Requirement{Name: name}
		switch v := packages[name].(type) {
		case string:
			r.Specifiers = specifiers(v)
		case map[string]any:
			text := func(key string) string { s, _ := v[key].(string); return s }
			r.Specifiers, r.Marker, r.URL = specifiers(text("version")), marker(text("markers")), text("file")+text("git")
			if index := text("index"); index != "" {
				m.bind(name, Source{Index: index})
			}
			if dir := text("path"); dir != "" {
				m.bind(name, Source{Path: dir})
			}
		}
		m.add(group, r)
	}
}

// poetryConstraint converts a version constraint of Poetry ("^1.2", "~1.2", "1.2.*", ">=1,<2 ||
// >=3") to equivalent specifiers. It returns nil if the constraint cannot be converted.
func poetryConstraint(text string) pep440.Specifiers {
	text = strings.TrimSpace(text)
	if text == "*" || strings.Contains(text, "|") {
		return nil
	}
	var parts []string
	for part := range strings.FieldsFuncSeq(strings.ReplaceAll(strings.ReplaceAll(text, "< ", "<"), "> ", ">"), func(r rune) bool { return r == ',' }) {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
		case part[0] == '^':
			parts = append(parts, ">="+part[1:], "<"+caret(part[1:]))
		case part[0] == '~' && !strings.HasPrefix(part, "~="):
			parts = append(parts, ">="+part[1:], "<"+tilde(part[1:]))
		case part[0] >= '0' && part[0] <= '9' || part[0] == 'v':
			parts = append(parts, "=="+part)
		default:
			parts = append(parts, part)
		}
	}
	return specifiers(strings.Join(parts, ","))
}

// caret returns the next version that may have incompatible changes, such as 2 for 1.2.3 and 0.3
// for 0.2.3.
func caret(text string) string {
	v, err := pep440.Parse(text)
	if err != nil {
		return text
	}
	numbers := v.Release()
	for i, n := range numbers {
		if n != "0" || i == len(numbers)-1 {
			return strings.Join(append(numbers[:i:i], increment(n)), ".")
		}
	}
	return text
}

// tilde returns the next minor version, or the next major version if the text has only one number.
func tilde(text string) string {
	v, err := pep440.Parse(text)
	if err != nil {
		return text
	}
	numbers := v.Release()
	last := min(len(numbers)-1, 1)
	return strings.Join(append(numbers[:last:last], increment(numbers[last])), ".")
}

// increment adds one to a decimal number of any size.
func increment(n string) string {
	b := []byte(n)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != '9' {
			b[i]++
			return string(b)
		}
		b[i] = '0'
	}
	return "1" + string(b)
}
