package program

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// shapes finds uses of names whose form no declaration of the name allows, although the type before the dot is unknown:
// arguments that none accepts, a member of a method, or an implicit member, such as .red, that only instances have.
type shapes struct {
	w            *walker
	known, local *words
	declared     map[string]bool // the names that the file itself may declare
	dynamic      bool            // whether values of a type have members with any name, because a subscript looks them up
	static       bool            // whether a type itself has members that a subscript looks up
	modules      map[string]bool // the modules whose declarations the file can use, or nil if some are unknown
}

func (w *walker) newShapes(known, local *words, declared map[string]bool) *shapes {
	s := &shapes{w: w, known: known, local: local, declared: declared}
	if !w.generated {
		s.modules = w.program.reachable(w.file.module)
	}
	if w.file.module.imported || known.arguments["dynamicallyCall"] != nil {
		s.modules = nil
	}
	for _, d := range slices.Concat(known.declarations["subscript"], local.declarations["subscript"]) {
		if len(d.decl.Params) != 1 || d.decl.Params[0].Label != "dynamicMember" {
			continue
		}
		s.static = s.static || d.decl.Static()
		if strings.Contains(d.decl.Params[0].Type, "KeyPath") {
			continue
		}
		s.dynamic = true
		if known.arguments["callAsFunction"] != nil || strings.Contains(d.decl.Result, "->") { // such members may be called
			s.modules = nil
		}
	}
	return s
}

// check reports the use of a name at a token if no declaration allows it.
func (s *shapes) check(i int, wrong map[int]bool) bool {
	w := s.w
	name := unquoted(w.at(i))
	if s.modules == nil || w.resolved[i] || name == "" || strings.HasPrefix(name, "_") || isDeclarationKeyword(w.at(i-1)) {
		return false
	}
	if s.known.undeclared[name] || s.local.undeclared[name] {
		return false
	}
	j := i + 1
	if w.at(j) != "" && w.at(j)[0] == '<' && w.kind(j) == source.Oper && w.tight(j) {
		if c := w.angle(j); c > 0 {
			j = c
		}
	}
	if w.calls(j) {
		return s.checkCall(name, i, j, wrong)
	}
	return s.checkMember(name, i)
}

// checkMember checks a member that is not called.
func (s *shapes) checkMember(name string, i int) bool {
	w := s.w
	names, _ := systemNamesAndLabels()
	if w.at(i-1) != "." || w.at(i-2) == "\\" || names[name] {
		return false
	}
	all := s.declarations(name)
	message := ""
	switch {
	case len(all) == 0:
	case !s.dynamic && w.at(i+1) == "." && w.isName(i+2) && w.at(i+2) != "self" && w.at(i+2) != name && !slices.ContainsFunc(all, func(d declared) bool { return d.decl.Kind != source.Func }):
		message = "is a method, and must be called"
	case !s.static && s.isImplicit(i-1) && !slices.ContainsFunc(all, func(d declared) bool { return isOfType(d.decl) }):
		message = "is no member of a type, but of its instances, so a value is missing before the dot"
	}
	if message == "" {
		return false
	}
	w.report(Use{Path: name, Fault: ecosystem.AbsentFault, Message: "in all modules that " + w.file.module.Name + " imports, directly or indirectly, " + name + " " + message}, i, i)
	return true
}

// isImplicit reports whether the dot at a token begins an implicit member.
func (s *shapes) isImplicit(dot int) bool {
	w := s.w
	switch before := w.at(dot - 1); w.kind(dot - 1) {
	case source.Punct:
		return before == "(" || before == "[" || before == "," || before == ":"
	case source.Oper:
		return (before == "=" || before == "==" || before == "!=" || before == "??") && w.kind(dot-2) != source.Punct
	case source.Ident:
		return before == "return" || before == "case"
	}
	return false
}

// isOfType reports whether a declaration may be a member of a type itself, and not of its instances.
func isOfType(d *source.Decl) bool {
	if d.Kind != source.Func && d.Kind != source.Var || d.Static() {
		return true
	}
	return d.Parent == nil || mayBeMacro(d.Attributes) || mayBeMacro(d.Parent.Attributes)
}

// mayBeMacro reports whether one of the attributes may be a macro.
func mayBeMacro(attributes []source.Attribute) bool {
	return slices.ContainsFunc(attributes, func(a source.Attribute) bool { return !contains(plainAttributes, a.Name) })
}

// hasGenerated reports whether macros may generate functions with the names of declarations but with other parameters.
func (w *walker) hasGenerated(all []declared, known *words) bool {
	return slices.ContainsFunc(all, func(d declared) bool {
		f := w.program.fileNamed(d.module(known), d.file)
		if f == nil {
			f = w.file
		}
		mayBeMacro := func(a source.Attribute) bool { return !w.program.isPlainAttribute(a.Name, nil, f) }
		return slices.ContainsFunc(d.decl.Attributes, mayBeMacro) ||
			d.decl.Kind == source.Var && d.decl.Parent != nil && strings.Contains(d.decl.Type, "->") && slices.ContainsFunc(d.decl.Parent.Attributes, mayBeMacro)
	})
}

// checkCall checks the arguments of a call, which begin at token j.
func (s *shapes) checkCall(name string, i, j int, wrong map[int]bool) bool {
	w := s.w
	before := w.at(i - 1)
	names, systemLabels := systemNamesAndLabels()
	if before == "@" || w.kind(i-1) == source.Pound || w.inPattern(j) || w.inCase(i) || before == "." && s.isMetatype(i-2, j) || before != "." && !w.labels[j+1] && name != "init" {
		return false
	}
	a, _ := w.arguments(j)
	if a == nil || w.isPattern(i, j) {
		return false
	}
	for n := range a.starts { // what is wrong with the call may have been found
		k := w.argument(a, n)
		if wrong[w.tokens[k].Start] {
			return false
		}
		if w.labels[k] && w.wrongLabel(k, s.known, s.local, wrong) {
			wrong[w.tokens[k].Start] = true
			return true
		}
	}
	// A function of a system has no label that no system knows.
	foreign := ""
	for _, label := range a.labels {
		if label != "_" && (s.known.arguments["callAsFunction"][label] || s.local.arguments["callAsFunction"][label]) {
			return false
		}
		if label != "_" && !systemLabels[label] {
			foreign = label
		}
	}
	initializer := name == "init" || name[0] >= 'A' && name[0] <= 'Z'
	if foreign == "" && (initializer || names[name]) || initializer && strings.Contains(foreign, "_") {
		return false
	}
	var all []declared
	if name != "init" {
		all = s.declarations(name)
	}
	if len(s.known.declarations[name]) > maxCompared || initializer && len(s.known.declarations[initializerWith(foreign)]) > maxCompared {
		return false
	}
	if initializer {
		all = slices.DeleteFunc(append(all, s.declarations(initializerWith(foreign))...), func(d declared) bool {
			return !slices.ContainsFunc(d.decl.Params, func(p source.Param) bool { return p.Label == foreign })
		})
	}
	if before == "." && !s.static && s.isImplicit(i-1) && !initializer {
		all = slices.DeleteFunc(all, func(d declared) bool { return !isOfType(d.decl) })
	}
	if len(all) == 0 || s.isLocal(name, foreign) || w.hasGenerated(all, s.known) {
		return false
	}
	var members []*member
	for _, d := range all {
		f := w.program.fileNamed(d.module(s.known), d.file)
		if d.file == w.file.Name {
			f = w.file
		}
		if f == nil {
			return false
		}
		m := &member{decl: d.decl, file: f}
		switch d.decl.Kind {
		case source.Func, source.Init, source.Case:
		case source.Var:
			if !w.isNotCallable(m, value{}, a) {
				return false
			}
			continue
		default:
			return false
		}
		members = append(members, m)
	}
	if len(members) == 0 {
		w.report(Use{Path: name, Fault: ecosystem.AbsentFault, Message: "no function " + name + " is declared in the modules that " + w.file.module.Name + " imports, directly or indirectly, only properties that cannot be called"}, i, i)
		return true
	}
	accepting, closest := w.accepting(members, a)
	if len(accepting) > 0 {
		return false
	}
	w.reject(Use{Path: name, Message: closest.problem}, a, closest, i, i)
	u := &w.uses[len(w.uses)-1]
	wrong[u.Start] = true
	u.Fault, u.Message = ecosystem.AbsentFault, "no function "+name+" of the project and its packages accepts these arguments: "+closest.problem
	return true
}

// maxCompared is the maximum number of declarations of a name with which uses are compared.
const maxCompared = 100

// isMetatype reports whether the token before a dot may end an expression for a type, whose methods can be called with an
// instance and return a function. The arguments of the call begin at open.
func (s *shapes) isMetatype(i, open int) bool {
	w := s.w
	text := w.at(i)
	if text == ")" && w.at(w.parent[i]-1) == "type" || w.at(open) == "(" && w.closing[open] == open+2 && w.calls(open+3) {
		return true
	}
	return text != "" && (text[0] >= 'A' && text[0] <= 'Z' || text == ">" || text == "self")
}

// isLocal reports whether a function in this file may declare what is called.
func (s *shapes) isLocal(name, label string) bool {
	labels := s.local.arguments[name]
	if name != "init" && s.declared[name] {
		return true
	}
	return label != "" && (labels[label] || s.local.arguments["init"][label])
}

// declarations returns the declarations with a name that the file can use, or nil if there are too many.
func (s *shapes) declarations(name string) (all []declared) {
	if len(s.known.declarations[name]) > maxCompared {
		return nil
	}
	module := s.w.file.module.Name
	for _, d := range s.known.declarations[name] {
		if m := d.module(s.known); s.modules[m] && !(m == module && d.file == s.w.file.Name) {
			all = append(all, d)
		}
	}
	return append(all, s.local.declarations[name]...)
}

func (d declared) module(w *words) string { return w.names[d.occurrence.module] }

// memberwiseOf returns an initializer with a parameter for each property of a structure without initializers, or of a type
// to which a macro may add one. It returns nil for other declarations.
func memberwiseOf(d *source.Decl) *source.Decl {
	structure := d.Kind == source.Struct && !slices.ContainsFunc(d.Members, func(m *source.Decl) bool { return m.Kind == source.Init && len(m.Conditions) == 0 })
	if !structure && (!isType(d) || !mayBeMacro(d.Attributes)) {
		return nil
	}
	created := &source.Decl{Kind: source.Init, Name: "init", HasParams: true, Parent: d}
	for _, m := range d.Members {
		if m.Kind == source.Var && !m.Static() {
			created.Params = append(created.Params, source.Param{Label: m.Name, Name: m.Name, Type: m.Type, Default: "_"})
		}
	}
	return created
}
