package python

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/docstring"
	"github.com/docent-mcp/docent/internal/prose"
)

// layout lists the places where packages keep their prose.
var layout = prose.Layout{
	Guides: []string{"docs/source", "doc/source"}, Code: map[string]string{".py": "python", ".sh": "sh", ".toml": "toml"},
	Markdown: map[string]func(string) string{".rst": docstring.Markdown},
}

// maxDocs is the maximum size in bytes of a source distribution that is downloaded only
// for its docs and examples.
const maxDocs = 8 << 20

// docsOf opens the source distribution next to a wheel, which does not contain docs or examples. It
// returns nil if there is none, or if l is a module within a package, because the answer about the
// package shows the docs.
func (f *finder) docsOf(ctx context.Context, l *located) (fs.FS, error) {
	if l.sdist == nil || l.sdist.file.Size > maxDocs || outermost(l.source.Root, l.module) != "" {
		return nil, nil
	}
	cached, err := f.download(ctx, l.sdist, l.sdist.cacheFile(), maxDocs)
	if err != nil {
		return nil, f.downloadError(l.sdist, err)
	}
	f.closers = append(f.closers, cached)
	return f.unpack(l.sdist, cached, cached.Size(), documentNames)
}

// documentNames selects the docs and examples of a source distribution.
func documentNames(name string, size int64) archive.Want {
	dir := path.Dir(name)
	top, _, _ := strings.Cut(dir, "/")
	switch strings.ToLower(top) {
	case ".", "docs", "doc", "documentation", "guides", "examples", "example", "samples":
		return isNeeded(name, size)
	}
	return archive.Never
}

// prose reads the README of a distribution's metadata, and the guides and examples of a source
// distribution or of a project. notes are sentences about parts that could not be read.
func (f *finder) prose(ctx context.Context, l *located) (sections []apidoc.Section, notes []string) {
	if l.stdlib {
		return nil, nil
	}
	files, with := l.docs, layout
	if files == nil {
		if docs, err := f.docsOf(ctx, l); err != nil {
			notes = append(notes, fmt.Sprintf("docent could not read the docs and examples of %s: %v", l.sdist.what(), ecosystem.AsError(err)))
		} else {
			files = docs
		}
	}
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
	sections, omitted := prose.Read(ctx, files, with)
	return sections, append(notes, omitted...)
}

// looksLikeMarkdown reports whether text whose type is not declared has headings or blocks of
// Markdown.
func looksLikeMarkdown(text string) bool {
	return strings.HasPrefix(text, "# ") || strings.Contains(text, "\n# ") || strings.Contains(text, "\n## ") || strings.Contains(text, "\n```")
}

// empty is a file system without files.
type empty struct{}

// Open implements fs.FS.
func (empty) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
