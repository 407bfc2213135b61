package doctext

import (
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// directive reads the directive that begins at line i. If there is none, next
// is i.
func (p *parser) directive(lines []string, i int) (next int) {
	d, next := readDirective(lines, i)
	if next == i {
		return i
	}
	switch d.Name {
	case "Metadata":
		p.metadata(d.Body)
	case "DeprecationSummary":
		p.deprecated(d.Body)
	case "Row", "Column", "TabNavigator", "Links", "Small", "Stack", "ContentAndMedia", "Tutorials", "Volume":
		p.flush()
		p.lines(d.Body)
		p.flush()
	case "Steps":
		p.steps(d)
	case "Tab":
		p.flush()
		if title := d.Arguments[""]; title != "" {
			p.block("**" + title + "**")
		}
		p.lines(d.Body)
		p.flush()
	case "Image", "Video":
		p.alternative(d)
	case "Snippet":
		p.snippet(d)
	default:
		p.tutorial(d)
	}
	return next
}

// alternative writes the alternative text of a picture.
func (p *parser) alternative(d Directive) {
	if alt := strings.TrimSpace(d.Arguments["alt"]); alt != "" {
		p.flush()
		p.block(alt)
	}
}

// snippet writes the code of a snippet.
func (p *parser) snippet(d Directive) {
	path := d.Arguments["path"]
	if path == "" || p.o.Snippet == nil {
		return
	}
	if code, ok := p.o.Snippet(path, d.Arguments["slice"]); ok {
		p.flush()
		p.code(code, "swift")
	}
}

func (p *parser) code(code, info string) {
	code = strings.Trim(markup.Clean(code), "\n")
	fence := markup.Fence(code)
	p.block(fence + info + "\n" + code + "\n" + fence)
}

// metadata reads the directives in "@Metadata".
func (p *parser) metadata(lines []string) {
	m := &p.out.Metadata
	for i := 0; i < len(lines); {
		d, next := readDirective(lines, i)
		if next == i {
			i++
			continue
		}
		i = next
		switch d.Name {
		case "DisplayName":
			m.DisplayName = d.Arguments[""]
		case "DocumentationExtension":
			m.Override = d.Arguments["mergeBehavior"] == "override"
		case "Available":
			if platform := d.Arguments[""]; platform != "" && len(m.Available) < maxNested {
				m.Available = append(m.Available, strings.TrimSpace(platform+" "+d.Arguments["introduced"]))
			}
		}
	}
}
