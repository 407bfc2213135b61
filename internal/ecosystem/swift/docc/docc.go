// Package docc reads DocC catalogues (folders "Name.docc"): articles and
// tutorials become sections of prose, pages about symbols extend or replace the
// comments of the symbols, and groups of topics determine the order in which
// symbols are listed.
package docc

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/doctext"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/prose"
)

const (
	maxPages    = 1000      // maximum number of pages in the catalogues of a module
	maxPage     = 512 << 10 // maximum size in bytes of one page
	maxAll      = 8 << 20   // maximum size in bytes of all pages
	maxShown    = 32 << 10  // maximum size in bytes of a file shown by a tutorial or snippet
	maxAllShown = 256 << 10 // maximum size in bytes of all such files
)

// Catalogue is the content of the DocC catalogues of a module.
type Catalogue struct {
	// Extensions are the pages about symbols, by the path of the symbol in their
	// title, such as "Module.Type.method(_:)" or "Type.method(_:)". They include
	// the page of the module.
	Extensions map[string]*Extension
	// Warnings are sentences about pages that were not read.
	Warnings []string

	root fs.FS
	// modules are the modules whose catalogues were read, beginning with the
	// requested module.
	modules []string
	pages   []*page
	byName  map[string]*page  // keyed by pageKey
	files   map[string]string // paths of other files, by base name
	shown   int               // total size in bytes of files that are shown
}

// Extension is a page about a symbol.
type Extension struct {
	// Text is the page without its title, as Markdown. Directives and topics are
	// removed, and links to pages are resolved. Paths of symbols are not changed.
	Text string
	// Override is true if Text replaces the comment of the symbol; otherwise it
	// follows the comment.
	Override bool
	// Topics are the groups in which the page arranges members.
	Topics []doctext.Topic
	File   string
}

// Comment returns the documentation of a symbol, given its comment in the
// sources. The extension may be nil.
func (e *Extension) Comment(comment string) string {
	switch {
	case e == nil || e.Text == "":
		return comment
	case e.Override || comment == "":
		return e.Text
	}
	return comment + "\n\n" + e.Text
}

// page is an article or a tutorial.
type page struct {
	file, name, title, text string
	meta                    doctext.Metadata
	topics                  []doctext.Topic
	tutorial, contents      bool
}

// id returns the ID of the section for a page.
func (p *page) id() string { return "docc/" + pageKey(p.name) }

// Read reads the catalogues of a module and of the modules that it re-exports. It reads only files
// in folders named "Name.docc". The paths are relative to root. The name of the folder above that
// is the module's name.
func Read(root fs.FS, files []string, module string) *Catalogue {
	c := &Catalogue{root: root, modules: []string{module}, Extensions: map[string]*Extension{}, byName: map[string]*page{}, files: map[string]string{}}
	size, remaining := 0, 0
	sorted := slices.Clone(files)
	slices.Sort(sorted)
	for _, file := range slices.Compact(sorted) {
		if !InCatalogue(file) || isProposal(file) {
			continue
		}
		if above := moduleOf(file); !slices.Contains(c.modules, above) {
			c.modules = append(c.modules, above)
		}
		ext := strings.ToLower(path.Ext(file))
		if ext != ".md" && ext != ".markdown" && ext != ".tutorial" {
			if base := path.Base(file); c.files[base] == "" {
				c.files[base] = file
			}
			continue
		}
		if len(c.pages)+len(c.Extensions) >= maxPages || size >= maxAll {
			remaining++
			continue
		}
		text, whole, err := c.read(file, maxPage)
		if err != nil {
			c.Warnings = append(c.Warnings, fmt.Sprintf("docent could not read %s: %v", file, err))
			continue
		}
		if !whole {
			c.Warnings = append(c.Warnings, fmt.Sprintf("docent read only the first %[2]d bytes of %[1]s", file, maxPage))
		}
		size += len(text)
		c.add(file, markup.Clean(text))
	}
	if remaining > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("docent did not read %d more pages of the documentation catalogues", remaining))
	}
	for _, e := range c.Extensions {
		e.Text = doctext.Convert(e.Text, c.Options(nil)).Body
	}
	return c
}

// moduleOf returns the name of the folder that contains the catalogue of a file.
func moduleOf(file string) string {
	before, _, _ := strings.Cut(file, ".docc/")
	return path.Base(path.Dir(before))
}

// InCatalogue reports whether a file is within a DocC catalogue.
func InCatalogue(file string) bool {
	return strings.Contains(file, ".docc/")
}

// isProposal reports whether a file is in a folder of proposals, which describe
// possible future features.
func isProposal(file string) bool {
	_, inside, _ := strings.Cut(file, ".docc/")
	return strings.HasPrefix(strings.ToLower(inside), "proposals/")
}

// read returns at most limit bytes of a file, and whether that is the whole file.
func (c *Catalogue) read(file string, limit int64) (text string, whole bool, err error) {
	data, whole, err := project.ReadHead(c.root, file, limit)
	if err != nil {
		return "", false, err
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(data), "\uFEFF"), ""), whole, nil
}

// add adds a page to the catalogue, depending on its kind.
func (c *Catalogue) add(file, text string) {
	base := path.Base(file)
	p := &page{file: file, name: strings.TrimSuffix(base, path.Ext(base)), text: text, tutorial: strings.EqualFold(path.Ext(file), ".tutorial")}
	if p.tutorial {
		p.title, p.contents = tutorialTitle(text)
	} else {
		title, symbol, rest := cutTitle(text)
		converted := doctext.Convert(rest, doctext.Options{Page: true})
		if symbol != "" {
			c.extend(symbol, &Extension{Text: strings.TrimSpace(rest), Override: converted.Metadata.Override, Topics: converted.Topics, File: file})
			return
		}
		p.title, p.text, p.meta, p.topics = title, rest, converted.Metadata, converted.Topics
	}
	if p.meta.DisplayName != "" {
		p.title = p.meta.DisplayName
	}
	p.title = cmp.Or(p.title, p.name)
	if key := pageKey(p.name); c.byName[key] == nil {
		c.byName[key] = p
		c.pages = append(c.pages, p)
	}
}

// extend adds a page about a symbol. There may be several pages about a symbol.
func (c *Catalogue) extend(symbol string, e *Extension) {
	before := c.Extensions[symbol]
	if before == nil {
		c.Extensions[symbol] = e
		return
	}
	before.Text += "\n\n" + e.Text
	before.Topics = append(before.Topics, e.Topics...)
	before.Override = before.Override || e.Override
}

// Extension returns the page about a symbol, or nil if there is none. The path of
// the module itself is "". For a module that only re-exports other modules, it
// returns a page of one of these.
func (c *Catalogue) Extension(path string) *Extension {
	if c == nil {
		return nil
	}
	if path == "" {
		if pages := c.modulePages(); len(pages) == 1 || len(pages) > 1 && c.Extensions[c.modules[0]] != nil {
			return pages[0]
		}
		return nil
	}
	for _, m := range c.modules {
		if e := c.Extensions[m+"."+path]; e != nil {
			return e
		}
	}
	if slices.Contains(c.modules, path) {
		return nil // the page is the module's
	}
	return c.Extensions[path]
}

// modulePages returns the pages of the modules themselves.
func (c *Catalogue) modulePages() []*Extension {
	var all []*Extension
	for _, m := range c.modules {
		if e := c.Extensions[m]; e != nil {
			all = append(all, e)
		}
	}
	return all
}

// Resolver returns a resolver of links to the pages of the catalogue. It passes all other links to
// the resolver symbols, which may be nil.
func (c *Catalogue) Resolver(symbols doctext.Resolver) doctext.Resolver {
	return func(link string) (string, bool) {
		if name, ok := strings.CutPrefix(link, "doc:"); ok {
			return c.link(name)
		}
		if symbols == nil {
			return "", false
		}
		return symbols(link)
	}
}

func (c *Catalogue) link(name string) (string, bool) {
	if c == nil {
		return "", false
	}
	p := c.byName[pageKey(name)]
	if p == nil {
		return "", false
	}
	return "[" + strings.NewReplacer("[", "(", "]", ")").Replace(p.title) + "](" + p.id() + ")", true
}

// Options returns the options for converting the module's texts, which are
// comments of symbols and pages.
func (c *Catalogue) Options(symbols doctext.Resolver) doctext.Options {
	return doctext.Options{Resolve: c.Resolver(symbols), Snippet: c.snippet, File: c.shownFile}
}

// Sections returns the articles and tutorials, first in the order in which the
// module's page and the tables of contents refer to them, and then by file.
func (c *Catalogue) Sections(symbols doctext.Resolver) []apidoc.Section {
	var all []apidoc.Section
	o := c.Options(symbols)
	o.Page = true
	c.shown = 0
	for _, p := range c.inOrder() {
		converted := doctext.Convert(p.text, o)
		body := converted.Body
		if !p.tutorial {
			body = "# " + p.title + "\n\n" + body + topicList(p.topics, o.Resolve)
		}
		all = append(all, prose.Page(p.id(), p.file, body, "")...)
	}
	return all
}

// topicList returns the groups of a page as text. It returns "" if no group has a
// topic to show.
func topicList(topics []doctext.Topic, resolve doctext.Resolver) string {
	var b strings.Builder
	for _, t := range topics {
		var names []string
		for _, link := range t.Links {
			name, ok := resolve(link)
			switch {
			case !ok && strings.HasPrefix(link, "doc:"):
				continue
			case !ok:
				name = "`" + link + "`"
			case !strings.HasPrefix(name, "["):
				name = "`" + name + "`"
			}
			names = append(names, name)
		}
		if len(names) == 0 {
			continue
		}
		b.WriteString("\n\n")
		if t.Title != "" {
			b.WriteString("**" + t.Title + ":** ")
		}
		b.WriteString(strings.Join(names, ", "))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n\n## Topics" + b.String()
}

// inOrder returns the pages in the order of topics.
func (c *Catalogue) inOrder() []*page {
	var out []*page
	seen := map[*page]bool{}
	var visit func(p *page, depth int)
	follow := func(links []doctext.Topic, depth int) {
		for _, t := range links {
			for _, link := range t.Links {
				if name, ok := strings.CutPrefix(link, "doc:"); ok {
					visit(c.byName[pageKey(name)], depth)
				}
			}
		}
	}
	visit = func(p *page, depth int) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		out = append(out, p)
		if depth < maxPages {
			follow(p.topics, depth+1)
			if p.contents {
				follow([]doctext.Topic{{Links: references(p.text)}}, depth+1)
			}
		}
	}
	for _, e := range c.modulePages() {
		follow(e.Topics, 0)
	}
	for _, p := range c.pages {
		if !p.tutorial || p.contents {
			visit(p, 0)
		}
	}
	for _, p := range c.pages {
		visit(p, 0)
	}
	return out
}

// cutTitle removes the first heading from a page. If the heading consists of a
// link to a symbol, symbol is the path of that symbol. title and symbol are empty
// if the page has no heading of level 1.
func cutTitle(text string) (title, symbol, rest string) {
	offset := 0
	for l := range markup.Lines(text) {
		end := min(offset+len(l.Text)+1, len(text))
		if l.Level == 1 {
			title = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(l.Text), "#"))
			if index := strings.Index(title, "<!--"); index >= 0 {
				title = strings.TrimSpace(title[:index])
			}
			rest = text[:offset] + text[end:]
			if inner, ok := strings.CutPrefix(title, "``"); ok {
				if inner, ok = strings.CutSuffix(inner, "``"); ok && inner != "" && !strings.Contains(inner, "``") {
					return "", doctext.SymbolPath(inner), rest
				}
			}
			return strings.ReplaceAll(title, "``", "`"), "", rest
		}
		offset = end
	}
	return "", "", text
}

// pageKey returns the name of a page in the form used in links.
func pageKey(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() > 120 {
			break
		}
	}
	if key := strings.TrimRight(b.String(), "-"); key != "" {
		return key
	}
	return "page"
}
