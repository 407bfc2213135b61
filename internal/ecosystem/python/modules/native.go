package modules

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/docstring"
	"github.com/docent-mcp/docent/internal/ecosystem/python/extension"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// Compiled modules have tables of their functions and classes, which package extension
// reads, and docstrings as text. A docstring made by Cython, Argument Clinic or PyO3
// often begins with the declaration that it documents. Other docstrings are recognized
// by their examples, which call the function by its name.

// maxNative is the maximum size in bytes of a compiled file that is searched,
// maxNativeDoc the maximum size of a docstring in it, and maxNativeDocs the maximum
// number of docstrings.
const (
	maxNative     = 64 << 20
	maxNativeDoc  = 1 << 16
	maxNativeDocs = 20_000
)

// nativeDoc is a docstring of a compiled module that begins with a declaration.
type nativeDoc struct {
	class, name, params string
	text                string // the docstring as the interpreter returns it
	function            bool   // whether it is a function of the module itself
}

// native contains the declarations and docstrings in a compiled module.
type native struct {
	declared []nativeDoc
	docs     map[string]string // keyed by name, or by class and name
	tables   *extension.Module // the module's tables, or nil if it has none
	// functions are the docstrings of the module's functions, in the form that tables use.
	functions map[string]string
}

// nativeOf reads the compiled module with the given name. It returns nil if there is none.
func (r *Reader) nativeOf(d *dist, module string) *native {
	if known, ok := r.natives[module]; ok {
		return known
	}
	r.natives[module] = nil
	full := strings.ReplaceAll(module, ".", "/")
	for name := range d.entries(0, path.Dir(full)) {
		if strings.HasPrefix(name, path.Base(full)+".") && isCompiled(name) {
			r.natives[module] = readNative(d.Root, path.Join(path.Dir(full), name), module)
		}
	}
	return r.natives[module]
}

func isCompiled(name string) bool {
	return strings.HasSuffix(name, ".so") || strings.HasSuffix(name, ".pyd")
}

// readNative finds the docstrings in a compiled module. It returns nil if the
// module is too large or cannot be read.
func readNative(fsys fs.FS, name, module string) *native {
	info, err := fs.Stat(fsys, name)
	if err != nil || info.Size() > maxNative {
		return nil
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil
	}
	n := &native{docs: map[string]string{}}
	n.tables, _ = extension.Read(data, module) // tables for other machines are not read, and only the text is used
	doubtful := map[string]bool{}
	add := func(key, text string) {
		if old, ok := n.docs[key]; ok && old != text {
			doubtful[key] = true
		}
		n.docs[key] = text
	}
	for len(data) > 0 && len(n.declared) < maxNativeDocs {
		text := data
		if end := bytes.IndexByte(data, 0); end >= 0 {
			text, data = data[:end], data[end+1:]
		} else {
			data = nil
		}
		if len(text) < 4 || len(text) > maxNativeDoc {
			continue
		}
		if doc, ok := parseNative(text); ok {
			n.declared = append(n.declared, doc)
			add(doc.name, doc.text)
			if doc.class != "" {
				add(doc.class+"."+doc.name, doc.text)
			}
			continue
		}
		if bytes.Contains(text, []byte(">>> np.")) && bytes.Contains(text, []byte("\nParameters\n")) {
			if called := mostCalled(string(text)); called != "" && n.docs[called] == "" {
				n.docs[called] = docstring.Clean(string(text))
			}
		}
	}
	for key := range doubtful { // several classes have methods of these names
		delete(n.docs, key)
	}
	if n.tables != nil {
		n.addTables()
	}
	return n
}

// addTables adds the docstrings of functions, classes and members that the tables
// contain. They are more reliable than docstrings found as text.
func (n *native) addTables() {
	add := func(docs map[string]string, key, name, text string) {
		if text, _, _ := declaration(name, text); text != "" {
			docs[key] = text
		}
	}
	n.functions = map[string]string{}
	for _, f := range n.tables.Functions {
		add(n.functions, f.Name, f.Name, f.Doc)
	}
	for _, c := range n.tables.Classes {
		add(n.docs, c.Name, c.Name, c.Doc)
		for _, f := range c.Methods {
			add(n.docs, c.Name+"."+f.Name, f.Name, f.Doc)
		}
		for _, a := range c.Attributes {
			add(n.docs, c.Name+"."+a.Name, a.Name, a.Doc)
		}
	}
}

// parseNative parses a docstring that begins with a declaration, name(parameters), on a separate
// line that is followed by an empty line or the end. ok is false for other docstrings.
func parseNative(data []byte) (doc nativeDoc, ok bool) {
	start := 0
	for start < len(data) && (data[start] == ' ' || data[start] == '\n') {
		start++
	}
	open := start
	for open < len(data) && (identStart(data[open]) && data[open] < 0x80 || data[open] == '.' || data[open] >= '0' && data[open] <= '9' && open > start) {
		open++
	}
	if open == start || open >= len(data) || data[open] != '(' {
		return doc, false
	}
	end := bytes.IndexByte(data[open:], '\n')
	line := data[open:]
	if end >= 0 {
		line = data[open : open+end]
	}
	text := string(data)
	head := strings.TrimSpace(string(line))
	rest := text[open+len(line):]
	clinic := strings.HasPrefix(rest, "\n--\n\n")
	if !clinic && rest != "" && strings.TrimLeft(rest, " ") != "\n" && !strings.HasPrefix(strings.TrimLeft(rest[1:], " "), "\n") {
		return doc, false
	}
	if arrow := strings.Index(head, ") -> "); arrow >= 0 && !clinic {
		head = head[:arrow+1]
	}
	if !strings.HasSuffix(head, ")") || !balanced(head) {
		return doc, false
	}
	doc.name = string(data[start:open])
	if i := strings.LastIndexByte(doc.name, '.'); i >= 0 {
		doc.class, doc.name = doc.name[:i], doc.name[i+1:]
	}
	if !isName(doc.name) || doc.class != "" && !isDotted(doc.class) {
		return doc, false
	}
	doc.class = lastOf(doc.class)
	doc.params = head[1 : len(head)-1]
	if clinic {
		rest = rest[len("\n--\n\n"):]
		doc.text = docstring.Clean(rest)
		doc.function = !strings.HasPrefix(doc.params, "$self") && !strings.HasPrefix(doc.params, "$type")
		if module, after, _ := strings.Cut(doc.params, ","); module == "$module" {
			doc.params = strings.TrimPrefix(strings.TrimSpace(after), "/,")
		}
		doc.params = strings.NewReplacer("$self", "self", "$type", "cls").Replace(doc.params)
	} else {
		doc.text = docstring.Clean(text)
		first, _, _ := strings.Cut(doc.params, ",")
		doc.function = doc.class == "" && strings.TrimSpace(rest) != "" && first != "self" && first != "cls"
	}
	return doc, true
}

func balanced(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\t', '%', ';':
			return false
		}
		if depth == 0 && i < len(s)-1 {
			return false
		}
	}
	return depth == 0
}

// listed reports whether the tables contain anything about the module.
func (n *native) listed() bool {
	return n != nil && n.tables != nil && (len(n.tables.Functions)+len(n.tables.Classes)+len(n.tables.Constants) > 0 || n.tables.Doc != "")
}

// stub returns a generated stub for a compiled module that comes with none. It declares
// the constants, functions and classes that are known, and is empty if none are.
func (n *native) stub() string {
	if n == nil {
		return ""
	}
	var w stubWriter
	docs := n.declared
	if n.listed() {
		w.tables(n.tables)
		docs = n.unlisted()
	}
	w.declared(docs)
	return w.String()
}

// unlisted returns the docstrings whose names are not in any table. They belong to objects that the
// module creates when it is imported.
func (n *native) unlisted() []nativeDoc {
	names, classes := map[string]bool{}, map[string]bool{}
	for _, f := range n.tables.Functions {
		names[f.Name] = true
	}
	for _, c := range n.tables.Classes {
		names[c.Name], classes[c.Name] = true, true
		for _, f := range c.Methods {
			names[f.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(n.declared), func(doc nativeDoc) bool {
		return classes[doc.class] || doc.class == "" && names[doc.name]
	})
}

// stubWriter writes the declarations of a stub.
type stubWriter struct{ strings.Builder }

func (w *stubWriter) doc(indent, text string) {
	if text != "" {
		w.WriteString(indent + literal(text) + "\n")
	}
}

// tables writes declarations for all entries in the tables of a module.
func (w *stubWriter) tables(t *extension.Module) {
	w.doc("", docstring.Clean(t.Doc))
	for _, name := range t.Constants {
		w.WriteString(name + " = ...\n")
	}
	for _, f := range t.Functions {
		if !strings.HasPrefix(f.Name, "_") {
			w.function("", f)
		}
	}
	for _, c := range t.Classes {
		w.WriteString("class " + c.Name + ":\n")
		doc, params, declares := declaration(c.Name, c.Doc)
		w.doc("    ", doc)
		w.WriteString("    pass\n")
		if declares {
			w.WriteString("    def __init__(self, " + params + "): ...\n")
		}
		for _, f := range c.Methods {
			if !strings.HasPrefix(f.Name, "__") || shownSpecial[f.Name] {
				w.function("    ", f)
			}
		}
		for _, a := range c.Attributes {
			w.WriteString("    @property\n    def " + a.Name + "(self):\n")
			w.doc("        ", docstring.Clean(a.Doc))
			w.WriteString("        pass\n")
		}
	}
}

// function writes a function of the module or, if indented, a method.
func (w *stubWriter) function(indent string, f extension.Function) {
	first := ""
	switch {
	case f.StaticMethod:
		w.WriteString(indent + "@staticmethod\n")
	case f.ClassMethod:
		w.WriteString(indent + "@classmethod\n")
		first = "cls"
	case indent != "":
		first = "self"
	}
	doc, params, declares := declaration(f.Name, f.Doc)
	switch {
	case !declares && f.NoArguments:
	case !declares:
		params = unknownParams
	}
	if name, _, _ := strings.Cut(params, ","); first != "" && name != "self" && name != "cls" {
		params = strings.TrimSuffix(first+", "+params, ", ")
	}
	w.WriteString(indent + "def " + f.Name + "(" + params + "):\n")
	w.doc(indent+"    ", doc)
	w.WriteString(indent + "    pass\n")
}

// declaration returns the docstring of a declaration in the form in which the
// interpreter returns it, and the parameters at its beginning, if there are
// any.
func declaration(name, text string) (doc, params string, ok bool) {
	if d, ok := parseNative([]byte(text)); ok && d.name == name {
		return d.text, source.CythonParams(d.params), true
	}
	return docstring.Clean(text), "", false
}

// declared writes the declarations in docstrings.
func (w *stubWriter) declared(docs []nativeDoc) {
	methods := map[string][]nativeDoc{}
	var classes []string
	seen := map[string]bool{}
	for _, doc := range docs {
		if doc.class != "" && !strings.HasPrefix(doc.class, "_") {
			if methods[doc.class] == nil {
				classes = append(classes, doc.class)
			}
			methods[doc.class] = append(methods[doc.class], doc)
		}
	}
	write := func(indent string, doc nativeDoc) {
		w.WriteString(indent + "def " + doc.name + "(" + source.CythonParams(doc.params) + "):\n" + indent + "    " + literal(doc.text) + "\n")
	}
	for _, doc := range docs {
		if key := doc.class + "." + doc.name; doc.class == "" && doc.function && methods[doc.name] == nil && !seen[key] && !strings.HasPrefix(doc.name, "_") {
			seen[key] = true
			write("", doc)
		}
	}
	for _, class := range classes {
		w.WriteString("class " + class + ":\n    ")
		if i := slices.IndexFunc(docs, func(doc nativeDoc) bool { return doc.class == "" && doc.name == class }); i >= 0 {
			doc := docs[i]
			w.WriteString(literal(doc.text) + "\n    def __init__(self, " + source.CythonParams(doc.params) + "): ...\n    ")
		}
		w.WriteString("pass\n")
		for _, doc := range methods[class] {
			if key := class + "." + doc.name; !seen[key] && !strings.HasPrefix(doc.name, "__") {
				seen[key] = true
				write("    ", doc)
			}
		}
	}
}

// literal returns text as a string of Python.
func literal(text string) string {
	return `"""` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\r`).Replace(text) + `"""`
}

// mostCalled returns the function of the package that examples call most often.
// If several are called equally often, it returns the first.
func mostCalled(text string) string {
	counts := map[string]int{}
	best := ""
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " ")
		if !strings.HasPrefix(line, ">>> ") && !strings.HasPrefix(line, "... ") {
			continue
		}
		for rest := line; ; {
			_, after, ok := strings.Cut(rest, "np.")
			if !ok {
				break
			}
			rest = after
			n := 0
			for n < len(after) && (identStart(after[n]) || after[n] >= '0' && after[n] <= '9') {
				n++
			}
			if n == 0 || n == len(after) || after[n] != '(' || made[after[:n]] {
				continue
			}
			counts[after[:n]]++
			if best == "" || counts[after[:n]] > counts[best] {
				best = after[:n]
			}
		}
	}
	return best
}

// made contains functions that examples use to create arguments.
var made = set("array", "arange", "linspace", "zeros", "ones", "meshgrid", "asarray", "full", "eye", "empty")

// compiledDoc returns the docstring for a declaration of a stub in a compiled module: the module
// next to the stub, or a private one of the distribution. It returns "" if there is none.
func (d *documenter) compiledDoc(in *dist, m *module, class, name string) string {
	find := func(n *native) string {
		if n == nil {
			return ""
		}
		if class != "" {
			if text := n.docs[class+"."+name]; text != "" {
				return text
			}
			return n.docs[name]
		}
		return cmp.Or(n.functions[name], n.docs[name])
	}
	if m.native {
		if text := find(d.nativeOf(in, m.name)); text != "" {
			return text
		}
	}
	if class != "" {
		return ""
	}
	top := topOf(m.name)
	for _, inner := range [...]string{"._core._multiarray_umath", ".core._multiarray_umath"} {
		if text := find(d.nativeOf(in, top+inner)); text != "" {
			return text
		}
	}
	return ""
}
