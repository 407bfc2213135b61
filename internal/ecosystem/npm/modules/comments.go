package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/markup"
)

// This file reads doc comments: those of declarations, and those that members inherit.

// declDoc is the documentation of one declaration.
type declDoc struct {
	signed, read bool
	signature    string
	// These fields come from the doc comment. description is the text without tags.
	text, description, deprecated string
	examples                      []apidoc.Example
}

func (w *documenter) docOf(n *dts.Node) *declDoc {
	s := w.docs[n]
	if s == nil {
		if len(w.docPool) == 0 {
			w.docPool = make([]declDoc, 64)
		}
		s, w.docPool = &w.docPool[0], w.docPool[1:]
		w.docs[n] = s
	}
	return s
}

// doc adds the comments of the declarations, without duplicates. It returns false
// if there are none.
func (w *documenter) doc(out *apidoc.Symbol, decls []decl) bool {
	if len(decls) == 1 {
		d := decls[0]
		raw := d.scope.mod.file.Doc(d.node)
		if raw != "" {
			c := w.readDoc(d.node, raw)
			out.Doc = c.text
			out.Deprecated = firstOf(out.Deprecated, c.deprecated)
			if out.Examples == nil {
				out.Examples = slices.Clip(c.examples)
			} else {
				out.Examples = append(out.Examples, c.examples...)
			}
		}
		return raw != ""
	}
	_, outdated := w.split(decls) // If only some overloads are deprecated, the function is not deprecated.
	var texts []string
	seen := map[string]bool{}
	found := false
	for _, d := range decls {
		raw := d.scope.mod.file.Doc(d.node)
		if raw == "" || seen[raw] {
			continue
		}
		seen[raw] = true
		found = true
		doc := w.readDoc(d.node, raw)
		if doc.text != "" && !seen[doc.text] {
			seen[doc.text] = true
			texts = append(texts, unrepeated(doc.text, seen))
		}
		if out.Deprecated == "" && len(seen) <= 2 && outdated == nil {
			out.Deprecated = doc.deprecated
		}
		out.Examples = append(out.Examples, doc.examples...)
	}
	out.Doc = strings.Join(texts, "\n\n")
	return found
}

// unrepeated removes the exceptions that earlier overloads also list.
func unrepeated(text string, seen map[string]bool) string {
	if !strings.Contains(text, "**Throws:**") {
		return text
	}
	paragraphs := slices.DeleteFunc(strings.Split(text, "\n\n"), func(p string) bool {
		if !strings.HasPrefix(p, "**Throws:**") {
			return false
		}
		again := seen[p]
		seen[p] = true
		return again
	})
	return strings.Join(paragraphs, "\n\n")
}

func (w *documenter) readDoc(n *dts.Node, raw string) *declDoc {
	s := w.docOf(n)
	if s.read {
		return s
	}
	s.read = true
	w.r.meter.Step(len(raw) / 8)
	doc := dts.ReadDoc(raw)
	s.text, s.deprecated = markup.Clean(fromHTML(doc.Markdown)), markup.Clean(doc.Deprecated)
	if s.description = s.text; doc.Description != doc.Markdown {
		s.description = markup.Clean(fromHTML(doc.Description))
	}
	if len(doc.Examples) > 0 {
		s.examples = make([]apidoc.Example, len(doc.Examples))
		for i, e := range doc.Examples {
			s.examples[i] = apidoc.Example{Name: markup.Clean(e.Name), Doc: markup.Clean(e.Text), Code: markup.Clean(e.Code), After: markup.Clean(e.After)}
		}
	}
	return s
}

// fromHTML converts an HTML comment, which some generators write, to Markdown. Tags in other
// comments are mostly code.
func fromHTML(text string) string {
	if !strings.HasPrefix(text, "<") || !strings.Contains(text, "</p>") {
		return text
	}
	var b strings.Builder
	for l := range markup.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(l.Text, " \t"), "<") || !l.Code {
			l.Text = strings.TrimLeft(l.Text, " \t") // The indentation of an element does not indicate code.
		}
		b.WriteString(l.Text + "\n")
	}
	return strings.TrimSpace(markup.WithoutHTML(b.String()))
}

// inheritedDoc adds the comment of a member, which decls declare. It returns false if the comment of
// the overridden member is also needed. tags is true if the comment of an overriding member has tags
// but no text: then only the text of this comment is added.
func (w *documenter) inheritedDoc(out *apidoc.Symbol, decls []decl, tags *bool) bool {
	if *tags {
		text := w.description(decls)
		out.Doc = strings.TrimSpace(text + "\n\n" + out.Doc)
		return text != ""
	}
	before := out.Doc
	found := w.doc(out, decls)
	if before != "" && out.Doc != before { // Comments of base members come first.
		out.Doc = strings.TrimSpace(out.Doc + "\n\n" + before)
	}
	if !found || slices.ContainsFunc(decls, inheritsDoc) {
		return false
	}
	*tags = w.description(decls) == ""
	return !*tags
}

// description returns the first text before the tags of the comments of declarations.
func (w *documenter) description(decls []decl) string {
	for _, d := range decls {
		if raw := d.scope.mod.file.Doc(d.node); raw != "" {
			if text := w.readDoc(d.node, raw).description; text != "" {
				return text
			}
		}
	}
	return ""
}

// inheritsDoc reports whether a comment has the tag @inheritDoc.
func inheritsDoc(d decl) bool {
	raw := d.scope.mod.file.Doc(d.node)
	index := strings.Index(raw, "@inherit")
	return index >= 0 && strings.HasPrefix(strings.ToLower(raw[index:min(len(raw), index+len("@inheritdoc"))]), "@inheritdoc")
}
