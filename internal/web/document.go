package web

import (
	"cmp"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// document is a file of a package's prose, or the sections of another source together.
type document struct {
	name, title, markdown, origin string
}

// fileOf names the document that a section belongs to.
func fileOf(s *apidoc.Section) string {
	first, _, _ := strings.Cut(s.ID, "#")
	return cmp.Or(s.File, first)
}

// documentsOf returns the files of a package's prose in their order.
func documentsOf(p *apidoc.Package) []document {
	var all []document
	index := map[string]int{}
	var parts []*strings.Builder
	for i := range p.Sections {
		sec := &p.Sections[i]
		name := fileOf(sec)
		if name == "" {
			continue
		}
		k, ok := index[name]
		if !ok {
			k = len(all)
			index[name] = k
			title := cmp.Or(sec.Title, path.Base(name))
			all = append(all, document{name: name, title: title, origin: sec.Origin})
			parts = append(parts, &strings.Builder{})
		}
		b := parts[k]
		if sec.Title != "" {
			b.WriteString(strings.Repeat("#", min(max(sec.Level, 1), 6)) + " " + sec.Title + "\n\n")
		}
		b.WriteString(sec.Body + "\n\n")
	}
	for k := range all {
		all[k].markdown = parts[k].String()
	}
	return all
}

// cutProse cuts Markdown before the last heading that begins within the first bytes.
func cutProse(md string, bytes int) string {
	if len(md) <= bytes {
		return md
	}
	cut := strings.LastIndex(md[:bytes], "\n#")
	if cut <= 0 {
		cut = strings.LastIndex(md[:bytes], "\n\n")
	}
	if cut <= 0 {
		cut = strings.LastIndexByte(md[:bytes], '\n')
	}
	return md[:max(cut, 0)]
}

// documentPage is the body of the page of a file of prose.
type documentPage struct {
	File, Origin string
	Text         any
}

// serveDocument serves a file of a package's prose.
func (s *Site) serveDocument(w http.ResponseWriter, r *http.Request, v *packageView, a address) {
	for _, d := range documentsOf(v.Package) {
		if d.name != a.Name {
			continue
		}
		if to := v.address.document(d.name); to.String() != r.URL.EscapedPath() {
			redirect(w, r, to, "")
			return
		}
		text := v.prose(nil, 1)
		text.file = func(name string) string { return v.document(name, path.Dir(d.name)) }
		p := s.pageOf(v, nil)
		p.Title = clean(d.title) + " · " + p.Title
		p.Trail = append(p.Trail, link{Text: clean(d.title)})
		body := documentPage{File: clean(d.name), Origin: clean(d.origin), Text: text.render(d.markdown)}
		text.level = 2
		p.Contents, p.Body = text.contents, body
		s.render(w, http.StatusOK, "document.html", p)
		return
	}
	s.fail(w, r, ecosystem.Fail(ecosystem.NotFound, "%s has no file %.200q among its documentation", v.Name, a.Name))
}

// formatInt writes a number with commas between groups of three digits.
func formatInt(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
