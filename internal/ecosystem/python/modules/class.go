package modules

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// class contains facts about a class that its declaration does not state.
type class struct {
	mro      []*entity
	finding  bool
	members  []*member
	gathered bool
	style    classStyle
	styled   bool
	setters  []string   // see tellsUnless
	adds     []string   // see added
	tells    int        // whether its statement declares all its attributes: 0 if not yet known, 1 for no, 2 for yes
	opens    bool       // whether its objects may have attributes with computed names that the class itself does not have
	next     [][]string // the calls of methods of the next class, once they are needed
}

// member is a name that can be reached through a class. owner is the class that
// declares it.
type member struct {
	codeStub
	name  string
	owner *entity
	field *field // the field, in a class whose fields become parameters of its constructor, or nil
}

// inner returns the scope of a class.
func (r *Reader) inner(b *binding) *scope {
	if b.inner != nil {
		return b.inner
	}
	s := &scope{file: b.scope.file, class: b, names: map[string]*binding{}}
	b.inner = s
	s.bindAll(r, b.stmt.Body, branch{})
	for i := range b.stmt.Body {
		if stmt := &b.stmt.Body[i]; stmt.Kind == source.Def && stmt.Name == "__init__" {
			s.instance(stmt)
		}
	}
	for _, name := range b.scope.file.assigned(b.stmt.Line) {
		if s.names[name] == nil {
			s.add(&binding{name: name, stmt: &source.Stmt{Kind: source.Assign, Line: b.stmt.Line}, instance: true}, branch{})
		}
	}
	for _, stmt := range b.scope.attached[b.name] {
		for _, target := range stmt.Targets {
			if name, ok := strings.CutPrefix(target, b.name+"."); ok && isName(name) && (s.names[name] == nil || s.names[name].instance) {
				delete(s.names, name)
				s.order = slices.DeleteFunc(s.order, func(x *binding) bool { return x.name == name })
				s.add(&binding{name: name, stmt: stmt, value: &stmt.Value}, branch{})
			}
		}
	}
	if slots := s.names["__slots__"]; slots != nil {
		names, _ := slots.value.Tree().Strings()
		if t := slots.value.Tree(); t.Kind == source.String {
			names = strings.Fields(t.Name)
		} else if t.Kind == source.Dict {
			for _, k := range t.Keys {
				if k != nil && k.Kind == source.String {
					names = append(names, k.Name)
				}
			}
		}
		for _, n := range names {
			if s.names[n] == nil && isName(n) {
				s.add(&binding{name: n, stmt: slots.stmt, instance: true}, branch{})
			}
		}
	}
	if b.declared != nil {
		for _, m := range r.inner(b.declared).order {
			if isAnnotation(m) && s.names[m.name] == nil {
				s.add(&binding{name: m.name, stmt: m.stmt, annotation: m.annotation, place: b.declared.scope.file.name}, branch{})
			}
		}
	}
	return s
}

// assignment matches the assignment of an attribute in a method.
var assignment = lazyregexp.New(`(?m)(?:^|[:;])[ \t]*\(?self\.(\w+)[ \t]*(?:=[^=]|:[ \t]*\S|,[^=\n(]*=[^=])|\bas self\.(\w+):`)

// assigned returns the attributes that methods of the class in the given line assign, if the file belongs to
// a program.
func (f *file) assigned(line int) (names []string) {
	for _, found := range assignment().FindAllSubmatch(f.block(line), -1) {
		names = append(names, string(found[1])+string(found[2]))
	}
	return names
}

// block returns the text of the function or class that begins in the given line of a file of a program.
func (f *file) block(line int) []byte {
	if f.text != nil && f.lines == nil {
		f.lines = []int{0}
		for text := range bytes.Lines(f.text) {
			f.lines = append(f.lines, f.lines[len(f.lines)-1]+len(text))
		}
	}
	if line < 1 || line > len(f.lines) {
		return nil
	}
	code := f.text[f.lines[line-1]:]
	indent := len(code) - len(bytes.TrimLeft(code, " \t"))
	end := 0
	for text := range bytes.Lines(code) {
		if body := bytes.TrimLeft(text, " \t"); end > 0 && len(text)-len(body) <= indent && !bytes.ContainsAny(body[:1], "\r\n#)]}") {
			break
		}
		end += len(text)
	}
	return code[:end]
}

// instance binds the attributes that __init__ assigns.
func (s *scope) instance(init *source.Stmt) {
	self := init.Params
	if i := strings.IndexFunc(self, func(c rune) bool { return c < 0x80 && !isName(string(c)) && (c < '0' || c > '9') }); i >= 0 {
		self = self[:i]
	}
	self += "."
	annotations := map[string]string{} // types of the parameters, because self.x in self.x = x has the type of x
	for _, p := range source.Params(init.Params) {
		if p.Kind != source.VarPositional && p.Kind != source.VarKeyword {
			annotations[p.Name] = p.Annotation
		}
	}
	for i := range init.Body {
		stmt := &init.Body[i]
		if stmt.Kind != source.Assign || stmt.Op != "" {
			continue
		}
		for _, target := range stmt.Targets {
			for part := range strings.SplitSeq(strings.Trim(target, "()"), ",") {
				name, ok := strings.CutPrefix(strings.TrimSpace(part), self)
				if !ok || !isName(name) {
					continue
				}
				if old := s.names[name]; old != nil {
					if old.stmt != nil && old.stmt.Kind == source.Assign && old.stmt.Doc == "" && old.stmt.Comment == "" {
						old.stmt = withDocs(old.stmt, stmt)
						old.annotation = cmp.Or(old.annotation, stmt.Annotation)
					}
					continue
				}
				b := &binding{name: name, stmt: stmt, annotation: stmt.Annotation, instance: true}
				if len(stmt.Targets) == 1 && part == target {
					b.value = &stmt.Value
					b.annotation = cmp.Or(b.annotation, source.Annotation(annotations[b.value.Text()]))
				}
				s.add(b, branch{})
			}
		}
	}
}

// about returns the facts about a class. They are cached with its declaration.
func (r *Reader) about(e *entity) *class {
	b := e.main()
	if b.class == nil {
		b.class = &class{}
	}
	return b.class
}

// bases returns the base classes of a class. A base that is not found, or is not a class, has only
// an external name.
func (r *Reader) bases(e *entity) []*entity {
	b := e.main()
	if b.stmt.Kind != source.Class {
		return nil
	}
	var found []*entity
	for _, d := range b.stmt.Decorators {
		if decorator(d) == "_simple_enum" { // The decorator makes a plain class an enumeration.
			if t := d.Tree(); len(t.Args) > 0 && t.Args[0].Dotted() != "" {
				found = append(found, r.base(b, t.Args[0].Dotted()))
			}
		}
	}
	if b.stmt.Params == "" {
		return found
	}
	args := b.stmt.Call().Args
	for i := 0; i < len(args) && len(args) <= maxBases && len(found) < maxBases; i++ {
		a := args[i]
		if a.Kind == source.Subscript {
			a = a.X
		}
		switch a.Kind {
		case source.Starred:
			if x := b.scope.named(a.X.Dotted()); x != nil && x.value.Text() != "" { // The bases are in a variable, as in class A(*bases).
				if list := x.value.Tree(); list.Kind == source.Tuple || list.Kind == source.List {
					args = append(slices.Clip(args), list.Args...)
				}
			}
		case source.Name, source.Attribute:
			found = append(found, r.base(b, a.Dotted()))
			if first := r.unreadable(b.scope.named(topOf(a.Dotted()))); first != nil {
				found = append(found, first)
			}
		case source.Call:
			name := a.X.Dotted()
			if strings.HasSuffix(name, "with_metaclass") && len(a.Args) > 0 {
				args = append(slices.Clip(args), a.Args[1:]...)
				continue
			}
			// This is a Django manager that also has the methods of a query set.
			if owner, ok := strings.CutSuffix(name, ".from_queryset"); ok && len(a.Args) > 0 && a.Args[0].Dotted() != "" {
				found = append(found, r.base(b, owner), r.base(b, a.Args[0].Dotted()))
				continue
			}
			value := source.NewExpression(a)
			made := &binding{name: b.name, scope: b.scope, value: value, stmt: &source.Stmt{Kind: source.Assign, Targets: []string{b.name}, Line: b.stmt.Line, Value: *value}}
			if r.isMadeClass(made) {
				found = append(found, &entity{mod: e.mod, path: e.path, codeStub: codeStub{code: made}})
			}
		}
	}
	return found
}

func (r *Reader) base(b *binding, dotted string) *entity {
	// A class may have the same name as its base, which it then hides.
	if hidden := b.scope.names[b.name]; dotted == b.name && hidden == b && b.alt != nil && b.alt != b {
		if e := r.followAny(b.alt); e != nil {
			return e
		}
	}
	// The name of the base may be the class itself after the class statement, as in HTTPSConnection = VerifiedHTTPSConnection.
	if later := b.scope.names[dotted]; later != nil && later.value.Text() == b.name && later.alt != nil && later.alt != b && b.scope.names[b.name] == b {
		if e := r.followAny(later.alt); e.known() && e.main() != b {
			return e
		}
	}
	e := r.resolve(b.scope, dotted)
	if dotted == b.name && e.known() && e.main() == b {
		e = nil
	}
	if e == nil {
		e = r.cimported(b, dotted)
	}
	if abstract := r.abstract(b, e); abstract != nil {
		return abstract
	}
	switch {
	case e == nil:
		return &entity{external: dotted}
	case e.external != "" || e.isClass() || e.main() != nil && r.isMadeClass(e.main()):
		return e
	}
	// The base may be another name for a class, as in _Base = Mapping[str, int].
	if m := e.main(); m != nil && m.value.Text() != "" && !m.used && len(m.value.Text()) < maxAliasText {
		t := m.value.Tree()
		if t.Kind == source.Subscript {
			t = t.X
		}
		if dotted := t.Dotted(); dotted != "" {
			m.used = true
			defer func() { m.used = false }()
			return r.base(m, dotted)
		}
	}
	return &entity{external: e.full()}
}

// maxSiblings is the maximum number of Cython modules that are searched for one class.
const maxSiblings = 50

// cimported returns a class that a Cython file imports with cimport. It is the
// class with that name in another file of the package. It returns nil if there is none.
func (r *Reader) cimported(b *binding, name string) *entity {
	f := b.scope.file
	dir := path.Dir(f.name)
	if !strings.HasSuffix(f.name, ".pyx") || dir == "." || !isName(name) {
		return nil
	}
	var siblings []string
	for file := range f.mod.dist.entries(0, dir) {
		if base, ok := strings.CutSuffix(file, ".pyx"); ok && isName(base) {
			siblings = append(siblings, base)
		}
	}
	slices.Sort(siblings)
	for _, base := range siblings[:min(len(siblings), maxSiblings)] {
		m := r.moduleIn(f.mod.dist, strings.ReplaceAll(dir, "/", ".")+"."+base)
		if m == nil || m.code == nil || m.code == f {
			continue
		}
		if x := m.code.scope.names[name]; x != nil && x.stmt != nil && x.stmt.Kind == source.Class {
			return r.declared(x)
		}
	}
	return nil
}

// abstract returns the class for which typing has an alias, such as the class in collections.abc
// for typing.Mapping. It returns nil if there is none.
func (r *Reader) abstract(b *binding, e *entity) *entity {
	if e == nil {
		return nil
	}
	name, ok := strings.CutPrefix(e.full(), "typing.")
	if !ok || e.known() && e.isClass() {
		return nil
	}
	switch name {
	case "List", "Dict", "Set", "FrozenSet", "Tuple", "Type": // The name typing.AbstractSet refers to Set of collections.abc.
		return &entity{external: "builtins." + strings.ToLower(name)}
	}
	for _, from := range [...]string{"_collections_abc", "collections", "contextlib"} {
		for _, n := range [...]string{name, "Abstract" + name} {
			if m := r.module(b.scope.file.mod.dist, from); m != nil {
				if found := r.lookup(m, n, false); found.known() && found.isClass() {
					return found
				}
			}
		}
	}
	return nil
}

// mro returns the method resolution order of a class, which begins with the class itself.
func (r *Reader) mro(e *entity) []*entity {
	if b := e.main(); b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
		return []*entity{e}
	}
	c := r.about(e)
	if c.mro != nil || c.finding {
		return c.mro
	}
	c.finding = true
	bases := r.bases(e)
	var lists [][]*entity
	for _, base := range bases {
		if list := r.mro(base); len(list) > 0 {
			lists = append(lists, slices.Clone(list))
		}
	}
	lists = append(lists, bases)
	c.mro = r.linearize(e, lists)
	c.finding = false
	return c.mro
}

// linearize merges the method resolution orders of bases in the same way as Python. If they
// contradict each other, the first one takes precedence.
func (r *Reader) linearize(e *entity, lists [][]*entity) []*entity {
	out := []*entity{e}
	if len(lists) == 2 && len(lists[1]) == 1 { // The class has a single base.
		return append(out, lists[0][:min(len(lists[0]), maxMRO)]...)
	}
	type class struct {
		name string
		main *binding
	}
	// tails counts how often a class is in a list after the list's first element. named counts
	// classes by name only.
	tails, named := map[class]int{}, map[string]int{}
	keys := make([][]class, len(lists))
	for i, l := range lists {
		r.meter.Step(len(l))
		keys[i] = make([]class, len(l))
		for j, x := range l {
			k := class{x.full(), x.main()}
			keys[i][j] = k
			if j > 0 {
				tails[k]++
				named[k.name]++
			}
		}
	}
	heads := make([]int, len(lists))
	merged := map[class]bool{}
	for len(out) < maxMRO {
		r.meter.Step(len(lists))
		pick, from := -1, 0
		for i, l := range lists {
			if heads[i] == len(l) {
				continue
			}
			free := named[keys[i][heads[i]].name] == 0
			if pick < 0 || free {
				pick, from = i, heads[i]
			}
			if free {
				break
			}
		}
		if pick < 0 {
			break
		}
		k := keys[pick][from]
		out = append(out, lists[pick][from])
		merged[k] = true
		named[k.name] -= tails[k]
		delete(tails, k)
		for i := range lists {
			for heads[i] < len(lists[i]) && merged[keys[i][heads[i]]] {
				heads[i]++
				if heads[i] == len(lists[i]) {
					break
				}
				if next := keys[i][heads[i]]; !merged[next] {
					tails[next]--
					named[next.name]--
				}
			}
		}
	}
	return out
}

// inherits reports whether the class or one of its bases has one of the given full names.
func (r *Reader) inherits(e *entity, names map[string]bool) bool {
	return slices.ContainsFunc(r.mro(e), func(x *entity) bool { return names[x.full()] })
}

// members returns the members of a class: its own first, then inherited ones in
// method resolution order.
func (r *Reader) members(e *entity) []*member {
	c := r.about(e)
	if c.gathered {
		return c.members
	}
	c.gathered = true
	seen := map[string]*member{}
	for _, base := range r.mro(e) {
		if base.external != "" {
			continue
		}
		if made := base.main(); made != nil && made.stmt != nil && made.stmt.Kind != source.Class {
			for _, f := range r.madeFields(made) {
				if seen[f.name] == nil {
					m := &member{name: f.name, codeStub: codeStub{code: f.binding}, owner: base, field: f}
					seen[f.name] = m
					c.members = append(c.members, m)
				}
			}
			continue
		}
		attached := r.attached(base)
		for i, b := range [...]*binding{base.code, base.stub} {
			if b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
				continue
			}
			for _, x := range r.inner(b).order {
				if m := seen[x.name]; m != nil {
					if i == 1 && m.owner == base && m.stub == nil {
						m.stub = x
					}
					continue
				}
				// A function that only type checkers see is defined in some other way at
				// run time.
				if x.typing && base.code != nil && i == 0 && (x.stmt == nil || x.stmt.Kind != source.Def) {
					continue
				}
				m := &member{name: x.name, owner: base}
				if i == 0 {
					m.code = x
				} else {
					m.code, m.stub = attached[x.name], x
				}
				seen[x.name] = m
				c.members = append(c.members, m)
				if len(c.members) > maxMembers {
					return c.members
				}
			}
		}
	}
	return c.members
}

// attached returns the attributes that the code of a module assigns to a class that only the stub
// declares, as in Constant.n = property(_getter) in ast.
func (r *Reader) attached(class *entity) map[string]*binding {
	if class.code != nil || class.mod.code == nil {
		return nil
	}
	code := class.mod.code.scope
	found := map[string]*binding{}
	for _, stmt := range code.attached[class.path] {
		for _, target := range stmt.Targets {
			if name, ok := strings.CutPrefix(target, class.path+"."); ok {
				found[name] = &binding{name: name, scope: code, stmt: stmt, value: &stmt.Value}
			}
		}
	}
	return found
}
