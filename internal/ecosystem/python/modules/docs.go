package modules

import (
	"cmp"
	"io/fs"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/docstring"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/markup"
)

// unquoted returns the value of a docstring literal without its indentation. It
// returns "" if the literal is not a string.
func unquoted(literal string) string {
	if literal == "" {
		return ""
	}
	value, ok := source.Unquote(literal)
	if !ok {
		return ""
	}
	return docstring.Clean(value)
}

// documentation converts a docstring to Markdown. It caches the result for each
// text.
func (r *Reader) documentation(text string) *docstring.Doc {
	if text == "" {
		return &docstring.Doc{}
	}
	if r.Raw {
		return &docstring.Doc{Text: text}
	}
	if d := r.parsed[text]; d != nil {
		return d
	}
	d := docstring.Parse(text)
	r.parsed[text] = &d
	return &d
}

// docOf returns the docstring of a declaration, without its indentation. It
// returns "" if there is none.
func docOf(b *binding) string {
	if b == nil || b.stmt == nil {
		return ""
	}
	if b.stmt.Doc != "" {
		return unquoted(b.stmt.Doc)
	}
	return b.stmt.Comment
}

// describe adds the documentation of a declaration, which comes from the code, or else from the
// stub, or else from a documentation table of the distribution.
func (d *documenter) describe(s *apidoc.Symbol, code, stub *binding) {
	if d.Program {
		return
	}
	text := docOf(code)
	if text == "" && code != nil { // The comment may be on the declaration that runs, if only type checkers see this one.
		runs := code.runs
		if runs == nil && code.alt != nil && !code.alt.typing {
			runs = code.alt
		}
		if runs != nil {
			if e := d.follow(runs); e.known() {
				text = docOf(e.code)
			}
		}
	}
	if text == "" && code != nil {
		text = d.getterDoc(code)
	}
	if text == "" {
		text = docOf(stub)
	}
	if text == "" {
		b := cmp.Or(stub, code)
		text = d.newdoc(b, s.Path)
	}
	if text == "" && stub != nil {
		text = docOf(stub.compiled)
	}
	doc := d.documentation(text)
	s.Doc, s.Examples = doc.Text, doc.Examples
	s.Deprecated = cmp.Or(s.Deprecated, doc.Deprecated)
	if !d.Raw && code != nil && code.stmt != nil && code.stmt.Kind == source.Def {
		s.Doc = d.withParameterDocs(s.Doc, code.stmt)
	}
}

// getterDoc returns the docstring of a property that a call creates: the fourth
// argument, or the docstring of the getter. It returns "" if there is none.
func (d *documenter) getterDoc(b *binding) string {
	if b.stmt == nil || b.stmt.Kind != source.Assign || b.used {
		return ""
	}
	t := b.value.Tree()
	if t.Kind != source.Call || t.Function() != "property" {
		return ""
	}
	if doc := t.Argument("doc", 3); doc != nil {
		if doc.Kind == source.String {
			return docstring.Clean(doc.Name)
		}
		return ""
	}
	getter := t.Argument("fget", 0)
	if getter == nil || getter.Dotted() == "" {
		return ""
	}
	b.used = true
	defer func() { b.used = false }()
	if e := d.resolve(b.scope, getter.Dotted()); e.known() && e.isDef() {
		return docOf(e.code)
	}
	return ""
}

// withParameterDocs adds the descriptions of parameters in Annotated[…,
// Doc("…")].
func (d *documenter) withParameterDocs(doc string, stmt *source.Stmt) string {
	if !strings.Contains(stmt.Params, "Doc(") {
		return doc
	}
	var w strings.Builder
	for _, p := range source.Params(stmt.Params) {
		if _, text := withoutDoc(p.Annotation); text != "" {
			text = docstring.Clean(text)
			if parsed := d.documentation(text); len(parsed.Examples) == 0 {
				text = parsed.Text
			}
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n  "), "\n  \n", "\n\n")
			w.WriteString("\n- `" + p.Name + "`: " + markup.Clean(text))
		}
	}
	if w.Len() == 0 {
		return doc
	}
	if doc != "" {
		doc += "\n\n"
	}
	return doc + "**Parameters:**\n" + w.String()
}

// moduleDocOf returns the docstring of a module: the value that it assigns to __doc__, or
// else the string at its beginning. It returns "" if there is none.
func (r *Reader) moduleDocOf(m *module) string {
	for _, f := range m.files() {
		if text := r.assignedDoc(f, "__doc__"); text != "" {
			return text
		}
		if text := unquoted(f.doc); text != "" {
			return text
		}
	}
	return ""
}

// assignedDoc returns the text of a variable of a file: a string, or the
// docstring of another module that it imports. It returns "" for other values.
func (r *Reader) assignedDoc(f *file, name string) string {
	b := f.scope.names[name]
	if b == nil || b.used || b.alt != nil {
		return ""
	}
	b.used = true
	defer func() { b.used = false }()
	switch {
	case b.imported && b.attr == "__doc__":
		if m := r.module(f.mod.dist, b.from); m != nil {
			return r.moduleDocOf(m)
		}
	case b.imported:
	case isName(b.value.Text()):
		return r.assignedDoc(f, b.value.Text())
	default:
		return unquoted(b.value.Text())
	}
	return ""
}

// moduleDoc documents the module as a whole.
func (d *documenter) moduleDoc() {
	doc := d.documentation(d.moduleDocOf(d.main))
	d.out.Doc, d.out.Examples, d.out.Deprecated = doc.Text, doc.Examples, doc.Deprecated
	d.out.Synopsis = synopsisOf(doc.Text)
}

// synopsisOf returns the first sentence of Markdown. It skips a heading at the beginning.
func synopsisOf(md string) string {
	rest := md
	for strings.HasPrefix(rest, "#") {
		_, rest, _ = strings.Cut(rest, "\n")
		rest = strings.TrimLeft(rest, "\n")
	}
	if s := markup.Synopsis(rest); s != "" {
		return s
	}
	line, _, _ := strings.Cut(md, "\n")
	return strings.TrimLeft(line, "# ")
}

func firstParagraph(md string) string {
	p, _, _ := strings.Cut(md, "\n\n")
	return p
}

// maxHead is the maximum number of bytes of a module that are read for its first
// sentence.
const maxHead = 16 << 10

// synopsis returns the first sentence of a module's docstring. Only the beginning
// of the file is read. It returns "" if there is none.
func (d *documenter) synopsis(name string) string {
	if m := d.main.dist.modules[name]; m != nil {
		return synopsisOf(d.documentation(d.moduleDocOf(m)).Text)
	}
	p, ok := d.main.dist.locate(name)
	if !ok || p.code == "" || !d.check() {
		return ""
	}
	f, err := d.main.dist.Root.Open(p.code)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, maxHead)
	n := 0
	for n < len(head) {
		k, err := f.Read(head[n:])
		if n += k; err != nil || k == 0 {
			break
		}
	}
	doc := source.ReadDoc(head[:n])
	return synopsisOf(d.documentation(unquoted(doc)).Text)
}

// newdoc returns the text that a call to add_newdoc or add_docstr gives a
// compiled declaration. It returns "" if there is none.
func (d *documenter) newdoc(b *binding, symbolPath string) string {
	if b == nil || !b.scope.file.stub {
		return ""
	}
	dist := b.scope.file.mod.dist
	table, ok := d.newdocs[dist]
	if !ok {
		table = d.readNewdocs(dist, b.scope.file.mod)
		d.newdocs[dist] = table
	}
	if class := b.scope.class; class != nil {
		if text := table[class.name+"."+b.name]; text != "" {
			return text
		}
		return d.compiledDoc(dist, b.scope.file.mod, class.name, b.name)
	}
	if text := table[symbolPath]; text != "" {
		return text
	}
	if text := table[b.name]; text != "" {
		return text
	}
	if text := d.compiledDoc(dist, b.scope.file.mod, "", b.name); text != "" {
		return text
	}
	if isDotted(b.value.Text()) && !b.used { // The value is an alias.
		b.used = true
		defer func() { b.used = false }()
		if e := d.resolve(b.scope, b.value.Text()); e.known() && e.path != "" {
			if text := docOf(e.main()); text != "" {
				return text
			}
			return d.newdoc(e.stub, e.path)
		}
	}
	return ""
}

// readNewdocs reads the documentation tables for compiled declarations: files
// of the package whose names end in add_newdocs.py or docs.py.
func (d *documenter) readNewdocs(in *dist, m *module) map[string]string {
	table := map[string]string{}
	top, _, _ := strings.Cut(m.name, ".")
	dirs := []string{top}
	for name, isDir := range in.entries(0, top) {
		if isDir && (strings.HasPrefix(name, "_") || name == "core") {
			dirs = append(dirs, path.Join(top, name))
		}
	}
	for _, dir := range dirs {
		for name := range in.entries(0, dir) {
			if !strings.Contains(name, "newdocs") && !strings.HasSuffix(name, "_docs.py") && name != "ufunc_docstrings.py" {
				continue
			}
			data, err := fs.ReadFile(in.Root, path.Join(dir, name))
			if err != nil || len(data) > source.MaxSize {
				continue
			}
			d.addNewdocs(table, source.ReadBytes(data).Body)
		}
	}
	return table
}

func (d *documenter) addNewdocs(table map[string]string, body []source.Stmt) {
	for i := range body {
		s := &body[i]
		if s.Kind != source.Expr {
			d.addNewdocs(table, s.Body)
			continue
		}
		if !strings.HasPrefix(s.Value.Text(), "add_") && !strings.Contains(s.Value.Text()[:min(len(s.Value.Text()), 80)], "add_") {
			continue
		}
		t := s.Value.Tree()
		if t.Kind != source.Call {
			continue
		}
		switch name := lastOf("." + t.X.Dotted()); name {
		case "add_newdoc":
			if len(t.Args) < 3 || t.Args[1].Kind != source.String {
				continue
			}
			names := t.Args[1].Name
			switch doc := t.Args[2]; {
			case doc.Kind == source.Tuple && len(doc.Args) == 2 && doc.Args[0].Kind == source.String:
				table[names+"."+doc.Args[0].Name] = textOf(doc.Args[1])
			case doc.Kind == source.List:
				for _, pair := range doc.Args {
					if len(pair.Args) == 2 && pair.Args[0].Kind == source.String {
						table[names+"."+pair.Args[0].Name] = textOf(pair.Args[1])
					}
				}
			default:
				table[names] = textOf(doc)
			}
		case "add_docstr", "add_docstr_all":
			if len(t.Args) < 2 {
				continue
			}
			key := t.Args[0].Dotted()
			if t.Args[0].Kind == source.String {
				key = "Tensor." + t.Args[0].Name
			}
			if i := strings.IndexByte(key, '.'); i >= 0 && strings.ToLower(key[:i]) == key[:i] {
				key = key[i+1:]
			}
			table[key] = textOf(t.Args[1])
		}
	}
}

// withoutSignature removes the line of a compiled function's docstring that
// states its signature.
func withoutSignature(text string) string {
	if first, rest, ok := strings.Cut(text, ")\n--\n\n"); ok && !strings.Contains(first, "\n\n") {
		return rest
	}
	return text
}

// textOf returns the string with which an expression begins, as in "…".format(…). It returns "" for
// other expressions.
func textOf(t *source.Tree) string {
	for range maxDepth {
		switch t.Kind {
		case source.String:
			return withoutSignature(docstring.Clean(t.Name))
		case source.Call, source.Attribute, source.Binary:
			t = t.X
		default:
			return ""
		}
	}
	return ""
}
