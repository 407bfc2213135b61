package doctext

import (
	"path"
	"strings"
)

// tutorial writes a tutorial directive. It omits directives without text for
// readers.
func (p *parser) tutorial(d Directive) {
	switch d.Name {
	case "Tutorial", "Article", "Step", "Intro", "Section", "Chapter", "Resources":
	case "Code":
		p.shownFile(d)
		return
	case "TutorialReference":
		p.flush()
		p.block("- " + p.page(strings.TrimPrefix(d.Arguments["tutorial"], "doc:"), ""))
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
	if last := p.lastFiles[d.Arguments["name"]]; p.o.File == nil || file == "" || last != "" && last != file {
		return
	}
	text, ok := p.o.File(file)
	if !ok {
		return
	}
	delete(p.lastFiles, d.Arguments["name"])
	if name := d.Arguments["name"]; name != "" {
		p.block("`" + strings.ReplaceAll(name, "`", "") + "`:")
	}
	p.code(text, strings.TrimPrefix(path.Ext(file), "."))
}

// steps writes the steps of a tutorial. If the steps show several versions of a
// file, only the last one is written.
func (p *parser) steps(d Directive) {
	before := p.lastFiles
	p.lastFiles = map[string]string{}
	for i := range d.Body {
		if step, next := ReadArguments(d.Body, i); next > i && step.Name == "Code" && step.Arguments["file"] != "" {
			p.lastFiles[step.Arguments["name"]] = step.Arguments["file"]
		}
	}
	p.flush()
	p.lines(d.Body)
	p.flush()
	p.lastFiles = before
}
