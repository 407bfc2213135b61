package python

import (
	"strings"

	"github.com/docent-mcp/docent/internal/project/pep508"
)

// metadata is the content of a METADATA or PKG-INFO file about a distribution.
type metadata struct {
	Name, Version string
	Summary       string
	// Expression is the SPDX expression of the licence. Older metadata has License instead.
	// Classifiers are the names of licences among the classifiers.
	Expression, License string
	Classifiers         []string
	LicenseFiles        []string // paths below the directory of the metadata, or its directory licenses
	RequiresPython      string
	Requires            []pep508.Requirement
	// Imports are the import names that the distribution declares.
	Imports     []string
	ContentType string // content type of Description: "text/markdown"
	Description string
}

const (
	maxMetadata = 8 << 20 // maximum size in bytes of METADATA
	maxRequires = 10_000  // maximum number of requirements in METADATA
)

// parseMetadata reads the headers and body of METADATA. It ignores unknown
// headers and lines that are not headers.
func parseMetadata(text string) *metadata {
	m := &metadata{}
	text = strings.ReplaceAll(strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF"), "\r\n", "\n")
	var key, value string
	set := func() {
		m.set(key, value)
		key, value = "", ""
	}
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if line == "" {
			set()
			if body := strings.TrimSpace(rest); body != "" {
				m.Description = rest
			}
			return m
		}
		text = rest
		if line[0] == ' ' || line[0] == '\t' {
			value += "\n" + unfold(line)
			continue
		}
		set()
		if name, after, ok := strings.Cut(line, ":"); ok {
			key, value = strings.ToLower(name), strings.TrimSpace(after)
		}
	}
	set()
	return m
}

// unfold removes the marker at the beginning of a continuation line: seven spaces and
// "|", or eight spaces.
func unfold(line string) string {
	for _, mark := range []string{"       |", "        "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return rest
		}
	}
	return strings.TrimLeft(line, " \t")
}

func (m *metadata) set(key, value string) {
	switch key {
	case "name":
		m.Name = value
	case "version":
		m.Version = value
	case "summary":
		m.Summary = oneLine(value)
	case "license-expression":
		m.Expression = oneLine(value)
	case "license-file":
		if len(m.LicenseFiles) < maxRequires {
			m.LicenseFiles = append(m.LicenseFiles, value)
		}
	case "license":
		m.License = value
	case "classifier":
		if name, ok := strings.CutPrefix(value, "License :: "); ok && len(m.Classifiers) < maxRequires {
			m.Classifiers = append(m.Classifiers, name[strings.LastIndex(name, ":")+1:])
		}
	case "requires-python":
		m.RequiresPython = value
	case "requires-dist":
		if r, err := pep508.Parse(value); err == nil && len(m.Requires) < maxRequires {
			m.Requires = append(m.Requires, r)
		}
	case "import-name", "import-namespace":
		name, _, _ := strings.Cut(value, ";")
		if name = strings.TrimSpace(name); name != "" && len(m.Imports) < maxRequires {
			m.Imports = append(m.Imports, name)
		}
	case "description-content-type":
		m.ContentType, _, _ = strings.Cut(value, ";")
	case "description":
		m.Description = value
	}
}

// oneLine returns text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
