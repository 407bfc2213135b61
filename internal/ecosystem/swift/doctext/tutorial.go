package doctext

import (
	"path"
	"strings"
)

// tutorial writes a directive of a tutorial. Directives without text for readers
// are left out.
func (p *parser) tutorial(d Directive) {
	switch d.Name {
	case "Tutorial", "Article", "Step", "Intro", "Section", "Chapter", "MultipleChoice", "Resources":
	case "Code":
		p.shownFile(d)
		return
	case "Documentation", "SampleCode", "Downloads", "Videos", "Forums":
	default:
		return
	}
	p.flush()
	switch title := d.Arguments["title"]; d.Name {
	case "Intro":
		if title == "" {
			title = d.Arguments["name"]
		}
		if title != "" {
			p.block("# " + title)
		}
	case "Section", "Chapter":
		if title == "" {
			title = d.Arguments["name"]
		}
		if title != "" {
			p.block("## " + title)
		}
	}
	p.lines(d.Body)
	p.flush()
}

// shownFile writes the file that a step of a tutorial shows.
func (p *parser) shownFile(d Directive) {
	p.flush()
	file := d.Arguments["file"]
	if p.o.File == nil || file == "" {
		return
	}
	text, ok := p.o.File(file)
	if !ok {
		return
	}
	if name := d.Arguments["name"]; name != "" {
		p.block("`" + strings.ReplaceAll(name, "`", "") + "`:")
	}
	p.code(text, strings.TrimPrefix(path.Ext(file), "."))
}
