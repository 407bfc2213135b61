package web

import (
	"cmp"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// packagePage is the body of the page of a package.
type packagePage struct {
	Language, Name, Version string
	// Import is the statement that imports the package.
	Import                  template.HTML
	Synopsis                string
	Deprecated, Doc, Readme template.HTML
	ReadmeOpen              bool
	Notices, Warnings       []string
	Address                 string
	// Versions are the other versions that the project uses.
	Versions                  []link
	Subpackages               []row
	Documents                 []link
	Groups                    []group
	Examples                  []example
	Facts                     []fact
	Markdown, JSON, ReadmeURL string
}

// group holds the symbols of one kind.
type group struct {
	Title, ID string
	Rows      []row
	// Folded is true for members that the type inherits; they are shown folded.
	Folded bool
	// Left is the number of symbols that are not shown.
	Left int
}

// row is an entry of a list.
type row struct {
	Name, Href, Kind string
	// Signature is the declaration on one line, if the symbol is callable or has a type.
	Signature  template.HTML
	Synopsis   string
	Deprecated bool
	// Below is true for an entry that belongs to the one before it.
	Below bool
}

// fact is a line of the section about the package, such as where its documentation comes from.
type fact struct{ Name, Value, Href string }

// example is an example with its output. Doc is before the code, and After behind it.
type example struct {
	Name   string
	Doc    template.HTML
	Code   template.HTML
	Output string
	After  template.HTML
}

const (
	// maxRows is the maximum number of symbols of a kind on a page, and maxSynopses of those that
	// are shown with the first sentence of their documentation.
	maxRows     = 1500
	maxSynopses = 500
	// maxReadme is the maximum size of a README on the page of a package, in bytes; a longer README
	// has a separate page.
	maxReadme = 60_000
	// maxIntroduction is the maximum size, in bytes, of package documentation that counts as only
	// an introduction. The README is then shown unfolded.
	maxIntroduction = 200
	// maxExamples is the maximum number of examples on a page.
	maxExamples = 40
)

// tooLong is the notice on a page that does not show the whole documentation.
const tooLong = "The documentation is too long for this page. The JSON contains all of it."

// servePackage serves the page of a package. A page that would be too large shows fewer symbols and
// less of the README.
func (s *Site) servePackage(w http.ResponseWriter, r *http.Request, v *packageView) {
	s.renderWithin(w, "package.html", func(divisor int) *page { return s.packagePage(r, v, divisor) })
}

// packagePage returns the page of a package. The limits of its lists and texts are divided by
// divisor.
func (s *Site) packagePage(r *http.Request, v *packageView, divisor int) *page {
	body := packagePage{
		Address: v.address.String(), Versions: s.versions(r, v),
		Language: v.Style.Name, Name: clean(v.Name), Version: clean(v.Version), Import: importOf(v), Synopsis: clean(v.Synopsis),
		Notices: cleanAll(v.Advice), Warnings: cleanAll(slices.Concat(v.Warnings, v.Omissions, v.Options)),
		Groups: v.groups(v.Symbols, divisor), Facts: v.facts(), Markdown: v.address.String() + "?format=md", JSON: v.address.String() + "?format=json",
	}
	text := v.prose(nil, 2)
	if v.Deprecated != "" {
		body.Deprecated = text.inline(v.Deprecated)
	}
	if body.Doc = text.render(cutProse(v.Doc, maxProse/divisor)); body.Doc != "" {
		body.Synopsis = "" // the text begins with it
	}
	if len(v.Doc) > maxProse/divisor {
		body.Notices = append(body.Notices, tooLong)
	}
	body.Examples = v.examples(nil, v.Examples)
	for i := range v.Subpackages {
		sub := &v.Subpackages[i]
		to := v.address
		to.Package = sub.Name
		kind := ""
		if sub.Command {
			kind = "command"
		}
		body.Subpackages = append(body.Subpackages, row{Name: clean(sub.Name), Href: to.String(), Synopsis: sentence(sub.Synopsis), Kind: kind})
	}
	p := s.pageOf(v, nil)
	p.Trail[len(p.Trail)-1].Href = "" // this page
	p.Body = &body
	readme := readmeOf(v.Package)
	for _, file := range documentsOf(v.Package) {
		to := v.address.document(file.name).String()
		if len(readme) > 0 && file.name == fileOf(&readme[0]) {
			text.level = 3
			s.withMarkdown(r.Context(), v, &file, func(md string, image func(src string) *picture) {
				text.image = image
				if body.Readme = text.render(cutProse(md, maxReadme/divisor)); len(md) > maxReadme/divisor {
					body.ReadmeURL = to
				}
				text.image = nil
			})
			body.ReadmeOpen = len(v.Doc) < maxIntroduction || len(v.Symbols) == 0
			continue
		}
		body.Documents = append(body.Documents, link{clean(file.title), to})
	}
	add := func(ok bool, text, id string, n int) {
		if ok {
			p.Contents = append(p.Contents, heading{text, id, n})
		}
	}
	add(body.Doc != "", "Overview", "overview", 0)
	add(body.Readme != "", "README", "readme", 0)
	add(len(body.Documents) > 0, "Guides", "guides", len(body.Documents))
	for _, g := range body.Groups {
		add(true, g.Title, g.ID, len(g.Rows)+g.Left)
	}
	add(len(body.Subpackages) > 0, "Subpackages", "packages", len(body.Subpackages))
	add(len(body.Examples) > 0, "Examples", "examples", len(body.Examples))
	add(true, "About", "about", 0)
	return p
}

// pageOf returns the page of a package, or of a symbol if that is not nil, with its breadcrumb
// trail.
func (s *Site) pageOf(v *packageView, symbol *apidoc.Symbol) *page {
	name := clean(v.Name)
	p := &page{Title: name, Scope: &scope{name, v.address.String()}, Trail: []link{{v.Style.Name, "/#" + string(v.Ecosystem)}}}
	if v.Version != "" {
		p.Title += " " + clean(v.Version)
	}
	p.Trail = append(p.Trail, link{name, v.address.String()})
	if symbol != nil {
		p.Title = clean(symbol.Path) + " · " + p.Title
		var parents []link
		for path := symbol.ParentPath(); path != ""; {
			parent := v.At(path)
			if parent == nil {
				break
			}
			parents = append(parents, link{clean(parent.Name()), v.address.at(parent.Path).String()})
			path = parent.ParentPath()
		}
		slices.Reverse(parents)
		p.Trail = append(p.Trail, parents...)
		p.Trail = append(p.Trail, link{clean(symbol.Name()), ""})
	}
	return p
}

// importOf returns the statement that imports a package, or "" if there is none.
func importOf(v *packageView) template.HTML {
	if v.language.Help.Import == "" || v.Command {
		return ""
	}
	return code(strings.ReplaceAll(strings.Trim(v.language.Help.Import, "`"), "NAME", v.Name), &v.language.Lexis)
}

// roleOrder is the order in which pages show symbols.
var roleOrder = []apidoc.Role{
	apidoc.ConstructorRole, apidoc.EnumValueRole, apidoc.FieldRole, apidoc.CallableRole, apidoc.MacroRole, apidoc.TypeRole, apidoc.ValueRole, apidoc.ModuleRole, 0,
}

// groups returns symbols grouped by kind. A symbol that belongs to a type follows the type. The
// limits of the lists are divided by divisor.
func (v *packageView) groups(symbols []apidoc.Symbol, divisor int) []group {
	type class struct {
		role apidoc.Role
		kind apidoc.Kind
	}
	var order []class
	byClass := map[class]*group{}
	typeOf := map[string]class{}
	for i := range symbols {
		sym := &symbols[i]
		c := class{sym.Role(), sym.Kind}
		home, below := typeOf[sym.Of]
		if below && sym.Of != "" {
			c = home
		} else {
			below = false
			typeOf[sym.Path] = c
		}
		g := byClass[c]
		if g == nil {
			title := title(plural(string(c.kind)))
			g = &group{Title: title, ID: "kind-" + slug(title)}
			byClass[c] = g
			order = append(order, c)
		}
		if len(g.Rows) >= maxRows/divisor {
			g.Left++
			continue
		}
		g.Rows = append(g.Rows, v.row(sym, below, len(symbols) <= maxSynopses/divisor))
	}
	slices.SortStableFunc(order, func(a, b class) int {
		return cmp.Compare(slices.Index(roleOrder, a.role), slices.Index(roleOrder, b.role))
	})
	var all []group
	ids := map[string]bool{}
	for _, c := range order {
		g := *byClass[c]
		for ids[g.ID] {
			g.ID += "-" + c.role.String()
		}
		ids[g.ID] = true
		all = append(all, g)
	}
	return all
}

// row returns the entry of a symbol in a list. below is true if the symbol belongs to the entry
// before it.
func (v *packageView) row(sym *apidoc.Symbol, below, synopsis bool) row {
	r := row{Name: clean(sym.Path), Href: v.address.at(sym.Path).String(), Deprecated: sym.Deprecated != "", Below: below}
	if below {
		r.Kind = string(sym.Kind)
	}
	if synopsis {
		r.Synopsis = sentence(sym.Doc)
		switch sym.Role() {
		case apidoc.CallableRole, apidoc.ConstructorRole, apidoc.FieldRole, apidoc.ValueRole:
			if text := oneLine(sym.Signature); text != clean(sym.Name()) {
				r.Signature = code(text, &v.language.Lexis)
			}
		}
	}
	return r
}

// maxSignature is the maximum length of a declaration in a list, in bytes.
const maxSignature = 160

// oneLine returns the beginning of a declaration on one line.
func oneLine(signature string) string {
	text := strings.Join(strings.Fields(clean(signature[:min(len(signature), 4*maxSignature)])), " ")
	return shorten(text, maxSignature)
}

// shorten cuts text after a number of bytes.
func shorten(text string, size int) string {
	if len(text) <= size {
		return text
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size] + "…"
}

// maxSentence is the maximum length of a first sentence in a list, in bytes.
const maxSentence = 300

// sentence returns the first sentence of Markdown as plain text.
func sentence(md string) string {
	parts := strings.Split(clean(markup.Synopsis(md)), "`")
	for i := range parts {
		if i%2 == 0 { // not code
			parts[i] = escaped().ReplaceAllString(strings.ReplaceAll(parts[i], "**", ""), "$1")
		}
	}
	return shorten(strings.Join(parts, ""), maxSentence)
}

// escaped matches a character of Markdown that is escaped.
var escaped = lazyregexp.New(`\\([!-/:-@\[-` + "`" + `{-~])`)

// facts returns facts about the package, such as where its documentation comes from.
func (v *packageView) facts() []fact {
	var all []fact
	add := func(name, value, href string) {
		if value != "" {
			all = append(all, fact{name, clean(value), href})
		}
	}
	add("Language", v.Style.Name, "")
	if v.Module != v.Name {
		add("Module", v.Module, "")
	}
	add("Version", v.Version, "")
	add("Version chosen by", v.Provenance.ChosenBy, "")
	add("Read from", v.Provenance.Source, "")
	add("Location", v.Provenance.Location, "")
	add("Verification", v.Provenance.Integrity, "")
	add("Platform", v.Platform, "")
	add("Homepage", v.Homepage, webAddress(v.Homepage))
	add("Repository", v.Repository, webAddress(v.Repository))
	return all
}

// webAddress returns text if it is an address that a browser can open, or else "".
func webAddress(text string) string {
	if strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://") {
		return text
	}
	return ""
}

// examples returns examples with their comments as HTML.
func (v *packageView) examples(about *apidoc.Symbol, list []apidoc.Example) []example {
	var all []example
	for i := range list[:min(len(list), maxExamples)] {
		e := &list[i]
		level := 4
		if e.Name == "" {
			level = 3 // the example has no heading
		}
		text := v.prose(about, level)
		all = append(all, example{
			Name: clean(e.Name), Doc: text.render(e.Doc), Code: code(e.Code, &v.language.Lexis), Output: clean(e.Output), After: text.render(e.After),
		})
	}
	return all
}

func readmeOf(p *apidoc.Package) []apidoc.Section {
	readme := answer.Readme(p.Sections)
	if len(readme) == len(p.Sections) && len(readme) > 0 && !strings.HasPrefix(strings.ToLower(readme[0].ID), "readme") {
		return nil
	}
	return readme
}

func cleanAll(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, clean(text))
	}
	return all
}

// title returns s with its first letter in upper case, or "Others" if s is empty.
func title(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return "Others"
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// words are the kinds that lists give another name.
var words = map[string]string{"const": "constant", "var": "variable", "func": "function", "let": "variable", "fn": "function"}

// plural returns the plural of a kind.
func plural(kind string) string {
	kind = cmp.Or(words[kind], kind)
	switch {
	case kind == "":
		return ""
	case strings.HasSuffix(kind, "y") && !strings.HasSuffix(kind, "ay"):
		return strings.TrimSuffix(kind, "y") + "ies"
	case strings.HasSuffix(kind, "s"), strings.HasSuffix(kind, "ch"):
		return kind + "es"
	}
	return kind + "s"
}

// count returns a number with the noun that it counts.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return formatInt(n) + " " + plural(noun)
}
