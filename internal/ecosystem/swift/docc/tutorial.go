package docc

import (
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/doctext"
)

// tutorialTitle returns the title of a tutorial, and whether it is a table of
// contents.
func tutorialTitle(text string) (title string, contents bool) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line = strings.TrimSpace(line); line == "" || line[0] != '@' {
			continue
		}
		d, next := doctext.ReadArguments(lines, i)
		if next == i {
			continue
		}
		switch d.Name {
		case "Tutorials":
			contents = true
		case "Intro":
			return d.Arguments["title"], contents
		}
	}
	return "", contents
}

// references returns the links of a table of contents, in order.
func references(text string) []string {
	var all []string
	lines := strings.Split(text, "\n")
	for i := range lines {
		if d, next := doctext.ReadArguments(lines, i); next > i && d.Name == "TutorialReference" {
			target := d.Arguments["tutorial"]
			all = append(all, "doc:"+target[strings.LastIndexAny(target, ":/")+1:])
		}
	}
	return all
}

// shownFile returns the text of a file of the catalogue. ok is false if the file
// is missing or is not text, or if too much is already shown.
func (c *Catalogue) shownFile(name string) (text string, ok bool) {
	file := c.files[path.Base(name)]
	if file == "" || c.shown > maxAllShown {
		return "", false
	}
	return c.shorten(file)
}

// shorten returns the beginning of a file, up to a limit. ok is false if the file
// cannot be read or is not text.
func (c *Catalogue) shorten(file string) (text string, ok bool) {
	text, whole, err := c.read(file, maxShown)
	if err != nil || strings.ContainsRune(text, 0) {
		return "", false
	}
	if !whole {
		text = text[:strings.LastIndexByte(text, '\n')+1] + "// …\n"
	}
	c.shown += len(text)
	return text, true
}
