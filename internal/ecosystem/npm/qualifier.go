package npm

import (
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// wholeImport matches an import of a whole module. The local name is in group 1, 2
// or 3, and the module is in the next non-empty group.
var wholeImport = lazyregexp.New(`\bimport\s+(?:\*\s*as\s+)?([\w$]+)\s*(?:,\s*(?:\{[^}]*\}|\*\s*as\s+([\w$]+))\s*)?from\s*["']([^"'\n]+)["']|` +
	`\b(?:const|let|var|import)\s+([\w$]+)\s*=\s*(?:await\s+import|require)\s*\(\s*["']([^"'\n]+)["']\s*\)[ \t]*(?:[;\r\n]|$)`)

const (
	// maxImports is the maximum number of imports that are read from one text.
	maxImports = 200
	// maxQualifiers is the maximum number of qualifiers of a package.
	maxQualifiers = 8
)

// addQualifiers adds the names under which the package's own documentation imports
// it.
func addQualifiers(p *apidoc.Package) {
	for i := range p.Sections {
		addImports(p, p.Sections[i].Body)
	}
	for i := range p.Examples {
		addImports(p, p.Examples[i].Code)
	}
}

func addImports(p *apidoc.Package, text string) {
	for _, m := range wholeImport().FindAllStringSubmatch(text, maxImports) {
		if m[3] != p.Name && m[5] != p.Name {
			continue
		}
		for _, name := range []string{m[1], m[2], m[4]} {
			if name != "" && name != "type" && len(p.Qualifiers) < maxQualifiers && !slices.Contains(p.Qualifiers, name) {
				p.Qualifiers = append(p.Qualifiers, name)
			}
		}
	}
}
