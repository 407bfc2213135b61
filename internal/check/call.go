package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/spelling"
)

// callee is one declaration that a call can refer to.
type callee struct {
	decl   apidoc.Decl
	params []int // indices of the parameters that callers pass
}

// checkCall compares the arguments of a call with the declarations of the called symbol. It reports
// arguments that none of them accepts. method is true if the symbol is a method of a value. decided
// is false if a declaration cannot be interpreted.
func (s *surface) checkCall(u *ecosystem.Use, found []*apidoc.Symbol, method bool) (findings []Finding, decided bool) {
	callees, ok := s.callees(found, method)
	if !ok || len(callees) == 0 {
		return nil, false
	}
	for _, f := range u.Args.Named {
		if slices.ContainsFunc(found, func(sym *apidoc.Symbol) bool { return s.hidden[sym.Path+s.Separator()+f.Name] }) {
			return nil, false
		}
	}
	var problem string
	at := u.Position
	var near []string // parameters whose names resemble that of the argument at this position
	for _, c := range callees {
		p, unknown := c.reject(u.Args)
		if unknown != nil && len(callees) == 1 {
			at, near = unknown.Position, spelling.Near(c.keywords, unknown.Name)
		}
		if p == "" {
			return nil, true
		}
		problem = cmp.Or(problem, p)
	}
	if len(callees) > 1 && s.file != nil {
		return nil, false // the code accepts more than its overloads declare
	}
	if len(callees) > 1 {
		problem = fmt.Sprintf("has %d declarations, and none of them accepts these arguments; the first %s", len(callees), problem)
	}
	f := s.finding(u, Call, u.Path+" "+problem)
	f.Position, f.Near, f.Declaration = at, near, declarations(&callees[0].decl)
	return []Finding{f}, true
}

// callees returns the declarations of functions, of the constructors of types or, if method is
// true, of the methods of a value.
func (s *surface) callees(found []*apidoc.Symbol, method bool) (all []callee, ok bool) {
	for _, sym := range found {
		called := []*apidoc.Symbol{sym}
		if !sym.Role().IsCall() {
			if sym.Role() != apidoc.TypeRole {
				return nil, false // a value may contain a function of any type
			}
			called = nil
			members := sym.AllMembers()
			for i := range members {
				if members[i].Role() == apidoc.ConstructorRole {
					called = append(called, &members[i])
				}
			}
			if len(called) == 0 {
				return nil, false
			}
		}
		for _, c := range called {
			if c.File == "" || s.wrapped["*"] || s.wrapped[sym.Path] || s.wrapped[c.Path] {
				return nil, false // the declaration was derived from documentation, or is not that of the called function
			}
			// The arguments of a method that is called on its type may include the value. A function has no
			// receiver, whatever the name of its first parameter is, unless it is another name for a method, or the
			// language has a notation for it.
			unbound := c == sym && !method && s.isType(sym.ParentPath())
			function := c == sym && sym.ParentPath() == "" && !s.Style.Receivers
			d := s.Decl(c)
			n := len(all)
			for i := range d.Within(-1, apidoc.DeclarationPart) {
				bound, whole := callee{decl: d}, callee{decl: d}
				for k := range d.Within(i, apidoc.ParamPart) {
					if whole.params = append(whole.params, k); d.Parts[k].Flags&apidoc.Self == 0 {
						bound.params = append(bound.params, k)
					}
				}
				if len(whole.params) == 0 {
					for range d.Within(i, apidoc.ValuePart) {
						return nil, false // the function is the value of an expression
					}
				}
				if function && d.Parts[i].Flags&apidoc.OnType == 0 {
					bound = whole
				}
				all = append(all, bound)
				if unbound && d.Parts[i].Flags&apidoc.OnType == 0 && len(whole.params) > len(bound.params) {
					all = append(all, whole)
				}
			}
			if len(all) == n {
				return nil, false
			}
		}
	}
	return all, true
}

// isType reports whether the symbol at the given path is a type.
func (s *surface) isType(path string) bool {
	found := s.symbols[path]
	return len(found) > 0 && found[0].Role() == apidoc.TypeRole
}

// isModule reports whether the package contains a module at the given path, or a package below it with that name.
func (s *surface) isModule(path string) bool {
	found := s.symbols[path]
	return len(found) > 0 && found[0].Role() == apidoc.ModuleRole || found == nil && s.isBelow(path)
}

// importedModule returns the name of the module that the package imports under a name, or "".
func (s *surface) importedModule(name string) string {
	if found := s.symbols[name]; len(found) == 1 && found[0].Role() == apidoc.ModuleRole && len(found[0].Refs) == 1 {
		return found[0].Refs[0].Package
	}
	return ""
}

// keywords yields the names of the parameters that callers can pass by name.
func (c *callee) keywords(yield func(string) bool) {
	for _, k := range c.params {
		if flags := c.decl.Parts[k].Flags; flags&(apidoc.PositionalOnly|apidoc.Variadic) == 0 && !yield(c.decl.ChildText(k, apidoc.NamePart)) {
			return
		}
	}
}

// reject returns the result of [ecosystem.Args.Mismatch] for the parameters of a declaration.
func (c *callee) reject(args *ecosystem.Args) (problem string, unknown *ecosystem.Field) {
	params := make([]ecosystem.Param, 0, len(c.params))
	for _, k := range c.params {
		params = append(params, ecosystem.Param{Name: c.decl.ChildText(k, apidoc.NamePart), Flags: c.decl.Parts[k].Flags})
	}
	return args.Mismatch(params)
}

// checkFields reports fields of a literal that its type does not have.
func (s *surface) checkFields(u *ecosystem.Use, found []*apidoc.Symbol) (findings []Finding, decided bool) {
	if len(found) != 1 || found[0].Role() != apidoc.TypeRole || found[0].NumMembers() == 0 || !s.whole() {
		return nil, false
	}
	names := map[string]bool{}
	var fields []string
	members := found[0].AllMembers()
	for i := range members {
		name := members[i].Name()
		names[name] = true
		if members[i].Role() == apidoc.FieldRole {
			fields = append(fields, name)
		}
	}
	if len(fields) == 0 {
		return nil, false // the keys may be those of a map
	}
	for _, field := range u.Fields {
		if names[field.Name] {
			continue
		}
		f := s.finding(u, FieldName, fmt.Sprintf("%s has no field %s", u.Path, field.Name))
		f.Position, f.Use, f.Declaration = field.Position, field.Name, s.declaration(found[0])
		f.Near = spelling.Near(slices.Values(fields), field.Name)
		findings = append(findings, f)
	}
	return findings, true
}

func plural(n int, one, many string) string { return fmt.Sprintf("%d %s", n, word(n, one, many)) }

func word(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
