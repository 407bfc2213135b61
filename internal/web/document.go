package web

import (
	"cmp"
	"context"
	"html/template"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/markup"
)

// document is a prose file of a package, or all sections that come from another source.
type document struct {
	name, title, markdown, origin string
}

// fileOf returns the name of the document that a section belongs to.
func fileOf(s *apidoc.Section) string {
	first, _, _ := strings.Cut(s.ID, "#")
	return cmp.Or(s.File, first)
}

// documentsOf returns the prose files of a package in the order of their sections.
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

// cutProse shortens Markdown to at most the given number of bytes. It cuts before the last heading
// in that range, or else at the end of a paragraph.
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

// readmeFile reports whether a file of prose is a README in Markdown, which is shown as its author
// wrote it.
func readmeFile(name string) bool {
	base := strings.ToLower(path.Base(name))
	return strings.HasPrefix(base, "readme") && slices.Contains([]string{".md", ".markdown", ".mdown", ".mkd"}, path.Ext(base))
}

// withMarkdown calls f with the Markdown of a document, and with a function that finds the
// images of the package that it shows; nil if there are none. A README is read from the package,
// so that its images can be shown: its sections have none. The sections replace a file that docent
// does not have.
func (s *Site) withMarkdown(ctx context.Context, v *packageView, d *document, f func(md string, image func(src string) *picture)) {
	done := false
	if readmeFile(d.name) && d.origin == "" {
		// If the file cannot be read, the sections are shown.
		_ = s.lookup.Files(ctx, v.question, v.Package, func(read func(string) ([]byte, error)) error {
			for _, name := range v.candidates(d.name) {
				data, err := read(name)
				if err != nil {
					continue
				}
				if md := markup.WithoutFrontMatter(clean(strings.ToValidUTF8(string(data), ""))); hasWordsOf(md, d.markdown) {
					f(md, v.images(read, path.Dir(name)))
					done = true
					break
				}
			}
			return nil
		})
	}
	if !done {
		f(d.markdown, nil)
	}
}

// candidates returns the paths at which the file of a document may be: in the directory of the
// package, or in a directory above it in the module.
func (v *packageView) candidates(name string) []string {
	var all []string
	if rest, ok := strings.CutPrefix(v.Name, v.Module+"/"); ok {
		for dir := rest; dir != "."; dir = path.Dir(dir) {
			all = append(all, path.Join(dir, name))
		}
	}
	return append(all, name)
}

// hasWordsOf reports whether text contains at least 90% of the words of other. It detects files
// that have the name of a document but different content, such as a README that does not belong to
// the package.
func hasWordsOf(text, other string) bool {
	split := func(r rune) bool { return !unicode.IsLetter(r) }
	words := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, split) {
		words[word] = true
	}
	all, found := 0, 0
	for word := range strings.FieldsFuncSeq(other, split) {
		all++
		if words[word] {
			found++
		}
	}
	return 10*found >= 9*all
}

// maxPage is the maximum size of the compressed HTML of a page in bytes, and maxDocument the maximum
// size of the Markdown of a document. The rest of a longer document is not shown.
const (
	maxPage     = 80_000
	maxDocument = 400_000
)

// documentPage is the body of the page of a prose file.
type documentPage struct {
	File, Origin string
	Text         template.HTML
	Cut          bool
}

// serveDocument serves a prose file of a package.
func (s *Site) serveDocument(w http.ResponseWriter, r *http.Request, v *packageView, a address) {
	all := documentsOf(v.Package)
	for i := range all {
		d := &all[i]
		if d.name != a.Name {
			continue
		}
		if to := v.address.document(d.name); to.String() != r.URL.EscapedPath() {
			redirect(w, r, to, "")
			return
		}
		var text *prose
		body := documentPage{File: clean(d.name), Origin: clean(d.origin)}
		s.withMarkdown(r.Context(), v, d, func(md string, image func(src string) *picture) {
			for maximum := maxDocument; ; maximum /= 2 {
				text = v.prose(nil, 1)
				text.image = image
				text.file = func(name, fragment string) string { return v.document(name, path.Dir(d.name), fragment) }
				if body.Text, body.Cut = text.render(cutProse(md, maximum)), len(md) > maximum; packed(string(body.Text)) <= maxPage || maximum < maxPage {
					return
				}
			}
		})
		p := s.pageOf(v, nil)
		p.Title = clean(d.title) + " · " + p.Title
		p.Trail = append(p.Trail, link{Text: clean(d.title)})
		p.Contents, p.Body = text.contents, body
		s.render(w, http.StatusOK, "document.html", p)
		return
	}
	s.fail(w, r, ecosystem.Fail(ecosystem.NotFound, "the documentation of %s contains no file %.200q", v.Name, a.Name))
}

// formatInt returns a number with commas between groups of three digits.
func formatInt(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
