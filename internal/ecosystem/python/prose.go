package python

import (
	"io/fs"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/docstring"
	"github.com/docent-mcp/docent/internal/prose"
)

// layout says where packages keep their prose.
var layout = prose.Layout{
	Guides: []string{"docs/source", "doc/source"}, Code: map[string]string{".py": "python", ".sh": "sh", ".toml": "toml"},
	Markdown: map[string]func(string) string{".rst": docstring.Markdown},
}

// prose reads the README of a distribution's metadata, and the guides and
// examples of a source distribution or of a project.
func (f *finder) prose(l *located) (sections []apidoc.Section, notes []string) {
	if l.stdlib {
		return nil, nil
	}
	files, with := l.docs, layout
	if files == nil {
		files = empty{}
	}
	if text := strings.TrimSpace(l.meta.Description); text != "" && text != "UNKNOWN" {
		with.Readme = &prose.Document{Name: "README.md", Text: text}
		switch kind := strings.TrimSpace(l.meta.ContentType); {
		case kind == "text/plain":
			with.Readme.Name = "README.txt"
		case kind == "text/x-rst", kind == "" && !looksLikeMarkdown(text):
			with.Readme.Name = "README.rst"
		}
	}
	return prose.Read(files, with)
}

// looksLikeMarkdown reports whether a text whose type is not declared has
// headings or blocks of Markdown.
func looksLikeMarkdown(text string) bool {
	return strings.HasPrefix(text, "# ") || strings.Contains(text, "\n# ") || strings.Contains(text, "\n## ") || strings.Contains(text, "\n```")
}

// empty is a file system without files.
type empty struct{}

// Open implements fs.FS.
func (empty) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
