package modules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// documenter writes the documentation of a module.
type documenter struct {
	*Reader
	main *module
	out  *apidoc.Package
	// places are the paths of documented declarations, by full name.
	places map[string]string
	// wanted are types that signatures name and that have not been documented yet.
	requests map[string]*entity
	order    []string
	refs     []pending
	// copies are the inherited members that have already been documented.
	copies map[copied]copy
	// isComplete reports whether all public members of a class are declared elsewhere, or is nil.
	isComplete func(*entity) bool
}

func (d *documenter) module() {
	if d.Program {
		d.program()
		return
	}
	d.moduleDoc()
	for _, name := range d.exports(d.main) {
		if !d.check() {
			return
		}
		if name == "" || strings.ContainsAny(name, " .") {
			continue
		}
		if s, ok := d.export(name); ok {
			d.out.Symbols = append(d.out.Symbols, s)
		}
	}
	d.used()
	d.subpackages()
	d.refer()
	d.hide()
}

// program lists the names that the module declares or exports, and the modules that it imports.
func (d *documenter) program() {
	names := slices.Clone(d.exports(d.main))
	for _, f := range d.main.files() {
		for _, b := range f.scope.order {
			if !b.imported || b.alt == nil && !b.typing && d.isModule(b) {
				names = append(names, b.name)
			}
		}
	}
	for _, name := range unique(names) {
		if s, ok := d.export(name); ok && d.check() {
			d.out.Symbols = append(d.out.Symbols, s)
		}
	}
	d.refer()
	d.hide()
	for _, name := range d.main.dist.below(d.main) {
		d.out.Subpackages = append(d.out.Subpackages, apidoc.Subpackage{Name: d.main.name + "." + name})
	}
	if len(d.main.files()) == 0 {
		d.out.Hidden = append(d.out.Hidden, "*") // Other directories may contain modules of a namespace.
	}
}

// isModule reports whether an import binds a module.
func (d *documenter) isModule(b *binding) bool {
	e := d.follow(b)
	return e.known() && e.path == ""
}

// starredModules calls add with the names of the modules below the packages from which a module imports
// all names. Once such a package has imported a module below it, the module is one of these names.
func (d *documenter) starredModules(m *module, seen map[*module]bool, add func(string)) {
	if seen[m] {
		return
	}
	seen[m] = true
	if m != d.main && m.pkg {
		for _, name := range m.dist.below(m) {
			add(name)
		}
	}
	for _, f := range m.files() {
		for _, s := range f.scope.stars {
			if from := d.Reader.module(f.mod.dist, s.module); from != nil && from.code != nil && len(from.code.scope.all) == 0 {
				d.starredModules(from, seen, add)
			}
		}
	}
}

// isOpen reports whether a module, or a module from which it imports all names, can contain unknown
// names. It calls add with the names that the modules compute.
func (d *documenter) isOpen(m *module, seen map[*module]bool, add func(string)) bool {
	if seen[m] {
		return false
	}
	seen[m] = true
	for _, f := range m.files() {
		if f.computed() && !m.declaresAll() && !d.computesOnDemand(f) {
			keys, ok := d.boundKeys(f)
			if !ok {
				return true
			}
			for _, name := range keys {
				add(name)
			}
		}
		if f.replaced || d.filledByImport(f) || d.filledByDecorator(f) {
			return true
		}
		for _, s := range f.scope.stars {
			from := d.Reader.module(f.mod.dist, s.module)
			if from != nil && d.isListComputed(from) {
				for _, f := range from.files() {
					for _, b := range f.scope.order {
						add(b.name) // __all__ may contain it
					}
				}
			}
			switch {
			case compiled()[s.module] != nil:
			case from == nil:
				return true
			case from.guessed:
				// A compiled module creates constants when it is imported. If it replaces a Python
				// module that is available, it contains the same names.
				if !s.tried || lastOf(from.name) != "_"+lastOf(m.name) {
					return true
				}
			case d.isOpen(from, seen, add):
				return true
			}
		}
	}
	return false
}

// isListComputed reports whether the list of the public names of a module is not known.
func (r *Reader) isListComputed(m *module) bool {
	if !slices.ContainsFunc(m.files(), func(f *file) bool { return len(f.scope.all) > 0 }) {
		return false // without a list, its names need not be collected
	}
	r.exports(m)
	return m.dynamic
}

// declaresAll reports whether a module has a stub that declares all of its names, including those that code computes.
func (m *module) declaresAll() bool {
	return m.stub != nil && !m.stub.made && !m.guessed && m.stub.scope.names["__getattr__"] == nil
}

// moduleAttributes are the names that every module has.
var moduleAttributes = [...]string{"__file__", "__name__", "__doc__", "__package__", "__path__", "__spec__", "__loader__", "__cached__", "__dict__", "__builtins__", "__annotations__", "__class__", "__all__"}

// hide lists the names that the module binds without exporting them.
func (d *documenter) hide() {
	exported := make(map[string]bool, len(d.out.Symbols))
	for i := range d.out.Symbols {
		exported[d.out.Symbols[i].Path] = true
	}
	add := func(name string) {
		if !exported[name] && !strings.ContainsAny(name, " .*") && name != "" {
			exported[name] = true
			d.out.Hidden = append(d.out.Hidden, name)
		}
	}
	for _, name := range moduleAttributes {
		add(name)
	}
	open := false // open is true if the module can contain unknown names.
	for _, f := range d.main.files() {
		for _, b := range f.scope.order {
			add(b.name)
		}
		end := d.collect()
		names := d.natural(nil, f, true)
		end()
		for _, name := range names {
			add(name)
		}
		for _, name := range f.scope.elsewhere {
			add(name)
		}
		for _, name := range d.provided(f).names {
			add(name)
		}
		for _, name := range f.passedNames() {
			add(name)
		}
		for _, name := range f.textNames() {
			add(name)
		}
		for _, s := range f.scope.stars {
			for _, name := range compiled()[s.module] {
				add(name)
			}
		}
		for _, module := range f.scope.starsElsewhere {
			m := d.Reader.module(f.mod.dist, module)
			for _, name := range compiled()[module] {
				add(name)
			}
			if m == nil && compiled()[module] == nil {
				open = true
			}
			if m == nil {
				continue
			}
			end := d.collect()
			names := d.starred(nil, m)
			end()
			for _, name := range names {
				add(name)
			}
		}
	}
	d.starredModules(d.main, map[*module]bool{}, add)
	open = d.isOpen(d.main, map[*module]bool{}, add) || open
	for _, name := range d.main.dist.below(d.main) {
		if !publicModule(name) {
			add(name)
		}
	}
	for _, name := range compiled()[d.main.name] {
		add(name)
		d.out.AllNames = true
	}
	if open && !d.out.AllNames {
		d.out.Hidden = append(d.out.Hidden, "*")
	}
}

// export documents a public name of the module. It returns false if the name is
// not shown.
func (d *documenter) export(name string) (apidoc.Symbol, bool) {
	e := d.lookup(d.main, name, false)
	if e == nil {
		if !d.listed(name) {
			return apidoc.Symbol{}, false
		}
		return apidoc.Symbol{Path: name, Kind: apidoc.Name, Signature: name}, true
	}
	if e.known() && e.path != "" && d.places[e.full()] == "" {
		d.places[e.full()] = name
	}
	if d.main.code != nil && (d.varies(d.main.code.scope.names[name]) || d.main.code.scope.uninstalled[name]) {
		d.out.Wrapped = append(d.out.Wrapped, name)
	}
	return d.entity(e, name), true
}

// listed reports whether __all__ contains a name.
func (d *documenter) listed(name string) bool {
	if name == "__version__" {
		return false
	}
	for _, f := range d.main.files() {
		if len(f.scope.all) > 0 {
			if names, _ := d.all(f); slices.Contains(names, name) {
				return true
			}
		}
	}
	return false
}

// entity documents the declaration or module that a name refers to, as the symbol at the given
// path.
func (d *documenter) entity(e *entity, path string) apidoc.Symbol {
	name := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case e.external != "":
		s := apidoc.Symbol{Path: path, Kind: apidoc.Name, Signature: "from " + parentOf(e.external) + " import " + lastOf(e.external)}
		if parentOf(e.external) == "" {
			s.Kind, s.Signature = apidoc.Module, "import "+e.external
		}
		return s
	case e.path == "":
		s := apidoc.Symbol{Path: path, Kind: apidoc.Module, Signature: "import " + e.mod.name}
		if name != e.mod.name {
			s.Signature = "from " + parentOf(e.mod.name) + " import " + lastOf(e.mod.name)
			if parentOf(e.mod.name) == "" {
				s.Signature = "import " + e.mod.name
			}
		}
		s.Refs = []apidoc.Ref{{Name: lastOf(e.mod.name), Package: e.mod.name}}
		s.Doc = firstParagraph(d.documentation(d.moduleDocOf(e.mod)).Text)
		if f := e.mod.code; f != nil {
			s.File, s.Line = f.name, 1
		}
		return s
	case e.isClass():
		return d.class(e, path)
	}
	if made := e.madeClass(); made != nil {
		return d.class(made, path)
	}
	return d.declaration(e.code, e.stub, path, nil)
}

// madeClass returns the class that a stub declares if the code creates the class by
// calling a function, or nil for other declarations.
func (e *entity) madeClass() *entity {
	if e.code == nil || e.stub == nil || !isClassBinding(e.stub) || e.code.stmt == nil || e.code.stmt.Kind != source.Assign || e.code.value.Tree().Kind != source.Call {
		return nil
	}
	return &entity{mod: e.mod, path: e.path, codeStub: codeStub{stub: e.stub}}
}

func parentOf(dotted string) string {
	return dotted[:max(0, strings.LastIndexByte(dotted, '.'))]
}

func lastOf(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

// typeName returns the last name of a type without its arguments, such as ClassVar for
// typing.ClassVar[int].
func typeName(t *source.Tree) string {
	if t.Kind == source.Subscript {
		t = t.X
	}
	return lastOf(t.Dotted())
}

// outermost returns the top-level class that contains a member of a class. For other declarations,
// it returns the declaration itself.
func (b *binding) outermost() *binding {
	for b.scope.class != nil {
		b = b.scope.class
	}
	return b
}

// position sets the file and the line in which a symbol is declared.
func position(s *apidoc.Symbol, b *binding) {
	if b.stmt != nil && !b.scope.file.made {
		s.File, s.Line = cmp.Or(b.outermost().place, b.scope.file.name), b.stmt.Line
	}
}

// declaration documents a function, a variable, or a member of a class.
func (d *documenter) declaration(code, stub *binding, path string, owner *entity) apidoc.Symbol {
	d.count()
	name := lastOf(path)
	main := cmp.Or(code, stub)
	typed := cmp.Or(stub, code)
	s := apidoc.Symbol{Path: path}
	position(&s, main)
	shown := typed
	switch {
	case owner == nil && d.objectOf(main) != "":
		s.Kind, s.Signature = apidoc.Var, name+": "+d.objectOf(main)
	case main.stmt != nil && main.stmt.Kind == source.Def:
		s.Kind = functionKind(main.stmt, owner != nil)
		if name == "__init__" || name == "__new__" {
			s.Kind = apidoc.Constructor
		}
		if typed.stmt == nil || typed.stmt.Kind != source.Def {
			shown = main // a variable in the stub is less informative than the code
		}
		s.Signature = d.signature(shown, name)
		if d.Raw && shown != main {
			s.Signature += "\n" + d.signature(main, name)
		}
		if d.Raw && main.runs != nil {
			if e := d.follow(main.runs); e.known() && e.isDef() && e.code != nil {
				s.Signature += "\n" + d.signature(e.code, name)
			}
		}
		s.Deprecated = deprecated(main.stmt)
		if isOverload(main.stmt) && slices.ContainsFunc(main.overloads, func(o *source.Stmt) bool { return deprecated(o) == "" }) {
			s.Deprecated = "" // some uses are not deprecated
		}
	case typed.stmt != nil && typed.stmt.Kind == source.Def:
		s.Kind = functionKind(typed.stmt, owner != nil)
		s.Signature = d.signature(typed, name)
	case main.stmt != nil && main.stmt.Kind == source.Assign:
		s.Kind = d.valueKind(main, typed, owner)
		s.Signature = d.valueSignature(main, typed, name, s.Kind == apidoc.TypeAlias)
		if s.Kind == apidoc.Class || s.Kind == apidoc.Enum {
			d.made(&s, main, path)
		}
	default:
		s.Kind, s.Signature = apidoc.Name, name
	}
	if s.Kind == apidoc.Const || s.Kind == apidoc.Var {
		if called := d.callable(typed); called != nil {
			s.Kind, s.Signature, shown = apidoc.Function, d.called(called, name), called
		} else if m := d.boundMethod(main); m != nil {
			shown = m.typed()
			s.Kind, s.Signature = apidoc.Function, d.called(shown, name)
			if docOf(code) == "" && docOf(stub) == "" && d.newdoc(stub, path) == "" {
				code, stub = m.code, m.stub
			}
		}
	}
	if shown.stmt != nil && shown.stmt.Kind == source.Def {
		if d.mayWrap(shown) {
			d.out.Wrapped = append(d.out.Wrapped, path)
		} else {
			for _, name := range otherNames(shown.stmt.Decorators) {
				d.out.Hidden = append(d.out.Hidden, path+"."+name)
			}
		}
	}
	d.describe(&s, code, stub)
	d.mentions(&s, shown)
	return s
}

// callable returns the method __call__ of the class in the annotation of a stub's variable, or nil
// if there is none.
func (d *documenter) callable(b *binding) *binding {
	if b.annotation == nil || !b.scope.file.stub {
		return nil
	}
	t := b.annotation.Type()
	for t.Kind == source.Subscript {
		name := typeName(t)
		if (name != "Final" && name != "ClassVar") || len(t.Args) != 1 {
			t = t.X
			break
		}
		t = t.Args[0]
	}
	dotted := t.Dotted()
	if dotted == "" {
		return nil
	}
	e := d.resolve(b.scope, dotted)
	if !e.known() || e.path == "" || !d.related(e.mod, b.scope.file.mod) {
		return nil
	}
	if e.stub != nil {
		e = &entity{mod: e.mod, path: e.path, codeStub: codeStub{stub: e.stub}} // in the code, it may be only a value
	}
	if !e.isClass() {
		return nil
	}
	for _, m := range d.members(e) {
		if x := m.typed(); m.name == "__call__" && x.stmt != nil && x.stmt.Kind == source.Def {
			return x
		}
	}
	return nil
}

// boundMethod returns the method that is assigned to a variable, as in randint
// = _inst.randint with _inst = Random(). It returns nil for other variables.
func (d *documenter) boundMethod(b *binding) *member {
	i := strings.LastIndexByte(b.value.Text(), '.')
	if i < 0 || b.used || len(b.value.Text()) > maxAliasText || !isDotted(b.value.Text()) {
		return nil
	}
	b.used = true
	defer func() { b.used = false }()
	object := d.resolve(b.scope, b.value.Text()[:i])
	if !object.known() || object.path == "" || object.isClass() || object.isDef() {
		return nil
	}
	x := object.typed()
	t := x.value.Tree()
	name, made := t.Function(), t.Kind == source.Call
	if declared := x.annotation.Type().Dotted(); x.annotation != nil && lastOf(declared) != "Final" {
		name, made = declared, true
	}
	if !made || !isDotted(name) {
		return nil
	}
	class := d.resolve(x.scope, name)
	if !class.known() || !class.isClass() {
		return nil
	}
	for _, m := range d.members(class) {
		if m.name == b.value.Text()[i+1:] && m.typed().stmt != nil && m.typed().stmt.Kind == source.Def && !slices.ContainsFunc(m.typed().stmt.Decorators, func(d *source.Expression) bool { return d.Text() == "staticmethod" }) {
			return m
		}
	}
	return nil
}

// called documents __call__ as a function with the given name.
func (d *documenter) called(b *binding, name string) string {
	all := b.overloads
	if len(all) == 0 {
		all = []*source.Stmt{b.stmt}
	}
	free := *b
	free.overloads = nil
	for _, stmt := range all {
		c := *stmt
		c.Decorators = nil
		if _, rest, ok := strings.Cut(c.Params, ","); ok {
			c.Params = strings.TrimPrefix(strings.TrimSpace(rest), "/,")
		} else {
			c.Params = ""
		}
		free.overloads = append(free.overloads, &c)
	}
	return d.signature(&free, name)
}

// count counts a symbol. If there are too many symbols, it ends the reading.
func (d *documenter) count() {
	if d.symbols++; d.symbols > maxSymbols && d.err == nil {
		d.err = errTooMuch
	}
}

// made documents the fields of a class that is created by a call, or the values of an enumeration.
func (d *documenter) made(s *apidoc.Symbol, b *binding, path string) {
	for _, f := range d.madeFields(b) {
		kind := apidoc.Field
		sig := f.name
		switch {
		case s.Kind == apidoc.Enum:
			kind = apidoc.EnumValue
			if f.annotation != "" { // the text after the name
				sig += " = " + short(f.annotation)
			}
		case f.annotation != "":
			sig += ": " + d.annotation(f.annotation)
		}
		s.Members = append(s.Members, apidoc.Symbol{Path: path + "." + f.name, Kind: kind, Signature: sig, File: s.File, Line: s.Line})
	}
}

// functionKind returns the kind of a function according to its decorators. member is true
// for a function in a class.
func functionKind(stmt *source.Stmt, member bool) apidoc.Kind {
	if !member {
		return apidoc.Function
	}
	for _, d := range stmt.Decorators {
		name := decorator(d)
		switch {
		case name == "setter" || name == "deleter": // The decorator belongs to one part of an inherited property, as in @Base.x.setter.
			return apidoc.Property
		case name == "property" || strings.HasSuffix(name, "_property") || strings.HasSuffix(name, "property") && name != "property_factory", name == "reify", name == "memoized_attribute", name == "DynamicClassAttribute":
			return apidoc.Property
		}
	}
	return apidoc.Method
}

// valueKind returns the kind of an assigned name.
func (d *documenter) valueKind(b, typed *binding, owner *entity) apidoc.Kind {
	if owner != nil {
		if t := b.value.Tree(); t.Kind == source.Call && b.annotation == nil {
			switch lastOf(t.Function()) {
			case "property", "cached_property", "hybrid_property":
				return apidoc.Property
			case "staticmethod", "classmethod", "partialmethod":
				return apidoc.Method
			}
		}
		return apidoc.Attribute
	}
	if !b.stmt.TypeAlias && d.isBuiltinClass(b) {
		return apidoc.Class
	}
	if b.stmt.TypeAlias || d.isTypeAlias(b, typed) {
		return apidoc.TypeAlias
	}
	if d.isMadeClass(b) {
		if d.is(b.scope, b.value.Tree().Function(), enumNames) {
			return apidoc.Enum
		}
		return apidoc.Class
	}
	if upper(b.name) || isFinal(b.annotation) {
		return apidoc.Const
	}
	return apidoc.Var
}

// isBuiltinClass reports whether a variable is another name for a builtin class, as in error =
// OSError.
func (d *documenter) isBuiltinClass(b *binding) bool {
	if !builtins[b.value.Text()] || b.annotation != nil || b.name == b.value.Text() {
		return false
	}
	e := d.resolve(b.scope, b.value.Text())
	return e != nil && e.external == "builtins."+b.value.Text()
}

// isFinal reports whether an annotation is Final, or ClassVar of it.
func isFinal(annotation *source.Expression) bool {
	t := annotation.Type()
	if typeName(t) == "ClassVar" && len(t.Args) == 1 {
		t = t.Args[0]
	}
	return typeName(t) == "Final"
}

func upper(name string) bool {
	return strings.ToUpper(name) == name && strings.ToLower(name) != name
}

// isTypeAlias reports whether a variable is an alias of a type.
func (d *documenter) isTypeAlias(b, typed *binding) bool {
	for _, x := range []*binding{b, typed} {
		if typeName(x.annotation.Type()) == "TypeAlias" {
			return true
		}
	}
	if b.annotation != nil || len(b.value.Text()) > 4*maxAlias || upper(b.name) && len(b.name) > 1 || strings.ToLower(b.name) == b.name {
		return false
	}
	t := b.value.Tree()
	switch {
	case t.Kind == source.Subscript:
		full, imported := d.qualified(b.scope, t.X.Dotted())
		for _, n := range [...]string{full, imported} {
			if strings.HasPrefix(n, "typing.") || strings.HasPrefix(n, "typing_extensions.") || strings.HasPrefix(n, "collections.abc.") || strings.HasPrefix(n, "builtins.") {
				return true
			}
		}
	case t.Kind == source.Binary && t.Name == "|":
		return true
	}
	return false
}

// deprecated returns the message of a deprecation, which is in a decorator or in
// a warning in the body. It returns "" if there is none.
func deprecated(stmt *source.Stmt) string {
	for _, d := range stmt.Decorators {
		if name := decorator(d); name == "deprecated" || name == "typing_deprecated" {
			message := "" // the longest of the strings, because others are versions, as in deprecated("1.4", "Use g.")
			for _, arg := range d.Tree().Args {
				if arg.Kind == source.Keyword {
					arg = arg.X
				}
				if arg.Kind == source.String && len(arg.Name) > len(message) {
					message = arg.Name
				}
			}
			return cmp.Or(strings.Join(strings.Fields(message), " "), "It is deprecated.")
		}
	}
	if stmt.Deprecated == "" {
		return ""
	}
	if t := source.Parse(stmt.Deprecated); t.Kind == source.String {
		return strings.Join(strings.Fields(t.Name), " ")
	}
	return "Calls emit a deprecation warning."
}

// subpackages lists the public modules below the module.
func (d *documenter) subpackages() {
	for _, name := range d.main.dist.below(d.main) {
		if !publicModule(name) {
			continue
		}
		full := d.main.name + "." + name
		s := apidoc.Subpackage{Name: full, Command: name == "__main__"}
		if s.Command {
			continue
		}
		s.Synopsis = d.synopsis(full)
		d.out.Subpackages = append(d.out.Subpackages, s)
	}
}

// publicModule reports whether users import a module with the name.
func publicModule(name string) bool {
	if strings.HasPrefix(name, "_") {
		return false
	}
	switch name {
	case "tests", "test", "conftest", "setup":
		return false
	}
	return true
}
