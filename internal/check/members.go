package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/spelling"
)

// A chain such as a.b().c is resolved with the declarations of packages. Each step leads from a
// symbol to the type that it has or returns, and from there to a member of the type. A member is
// reported as absent only if all members of all possible types of the value are known.

const (
	// maxTypes is the maximum number of possible types of a value.
	maxTypes = 16
	// maxAliases is the maximum number of aliases that lead to a type.
	maxAliases = 16
)

// value is the meaning of an expression. It is a symbol, or a value whose type is the symbol.
type value struct {
	in       *surface
	symbol   *apidoc.Symbol
	instance bool
	// known is Result if the type itself created the instance, which therefore does not have a
	// derived type. It is Derived if the project derives a type from it.
	known ecosystem.Value
	// nothing is true if a type argument may be that of no value, so that calls may omit arguments.
	nothing bool
}

// steps resolves the steps of a use. It returns the errors, and the number of steps that could not
// be checked.
func (c *fileCheck) steps(s *surface, u *ecosystem.Use) (findings []Finding, undecided int) {
	values, ok := c.begin(s, u)
	for i := range u.Steps {
		rest := len(u.Steps) - max(i, u.Known)
		if ok {
			values, ok = c.expand(values)
		}
		if !ok {
			return findings, undecided + rest
		}
		step := &u.Steps[i]
		found, missing := c.members(values, step.Name)
		if missing {
			if finding, ok := c.absent(values, step); ok {
				return append(findings, finding), undecided + rest - 1
			}
		}
		if len(found) == 0 {
			return findings, undecided + rest
		}
		if i >= u.Known {
			f, ok := c.checkStep(step, values, found)
			if findings = append(findings, f...); !ok {
				undecided++
			}
		}
		values, ok = c.yield(values, found, step.Called, step.Awaited)
	}
	return findings, undecided
}

// checkStep checks a step that uses members of the given values.
func (c *fileCheck) checkStep(step *ecosystem.Step, values, found []value) (findings []Finding, decided bool) {
	in := found[0].in
	var symbols []*apidoc.Symbol
	outdated := true
	for _, f := range found {
		symbols = append(symbols, f.symbol)
		outdated = outdated && f.symbol.Deprecated != ""
	}
	use := ecosystem.Use{Position: step.Position, Path: symbols[0].Path, Text: step.Text, Args: step.Args}
	if outdated {
		findings = append(findings, in.finding(&use, Deprecated, fmt.Sprintf("%s is deprecated: %s", use.Path, oneLine(symbols[0].Deprecated))))
	}
	if step.Args == nil {
		return findings, true
	}
	if len(values) > 1 || values[0].nothing { // several types may have methods with the same name
		return findings, false
	}
	if _, ok := c.language.(ecosystem.Assigner); ok && values[0].instance && values[0].known != ecosystem.Result {
		return findings, false // a derived type may declare the method with different parameters
	}
	f, decided := in.checkCall(&use, symbols, values[0].instance)
	return append(findings, f...), decided
}

// begin returns the value to which the first step of a use applies.
func (c *fileCheck) begin(s *surface, u *ecosystem.Use) (values []value, ok bool) {
	for _, symbol := range s.named(u.Path) {
		values = append(values, value{in: s, symbol: symbol})
	}
	switch {
	case len(values) == 0:
		return nil, false
	case u.Value == ecosystem.Result:
		return c.yield(nil, values, true, u.Awaited)
	case u.Value == ecosystem.Instance || u.Value == ecosystem.Derived:
		values, ok = c.types(values)
		for i := range values {
			values[i].known = u.Value
		}
		return values, ok
	}
	return values, true
}

// types returns the values whose types are the given symbols.
func (c *fileCheck) types(symbols []value) (values []value, ok bool) {
	for _, v := range symbols {
		if v.symbol.Role() == apidoc.ValueRole && v.symbol.AlsoType {
			continue // the interface with the same name is the type
		}
		if v.symbol.Role() != apidoc.TypeRole || !c.dealias(v, &values, maxAliases) {
			return nil, false
		}
	}
	return values, len(values) > 0
}

// yield returns the values of members of the given owners or, if the members are called, their
// results. awaited is true if the program waits for these.
func (c *fileCheck) yield(owners, members []value, called, awaited bool) (values []value, ok bool) {
	for _, m := range members {
		role := m.symbol.Role()
		if called && role == apidoc.TypeRole && c.language.Info().Called {
			if awaited || !m.symbol.Closed || m.in.wrapped[m.symbol.Path] {
				return nil, false
			}
			values = append(values, value{in: m.in, symbol: m.symbol, instance: true, known: ecosystem.Result})
			continue
		}
		if !called && (role == apidoc.ModuleRole || role == apidoc.TypeRole) {
			values = append(values, m)
			continue
		}
		if role.IsCall() && !called || role == apidoc.ConstructorRole || m.in.wrapped[m.symbol.Path] {
			return nil, false
		}
		d := m.in.resolver().Decl(m.symbol)
		n := 0
		for i := range d.Within(-1, apidoc.DeclarationPart) {
			t := d.Child(i, apidoc.TypePart)
			if awaited != (d.ChildText(i, apidoc.EffectPart) == "async") {
				return nil, false
			}
			switch {
			case !called && t < 0:
				t = resultType(&d, i) // the type of a property
			case !called:
			case role.IsCall():
				t = resultType(&d, i)
			case t >= 0:
				t = resultOfFunction(&d, t)
			}
			if t < 0 || !c.named(owners, m, &d, t, &values, maxAliases) {
				return nil, false
			}
			n++
		}
		if n == 0 || len(values) > maxTypes {
			return nil, false
		}
	}
	return values, len(values) > 0
}

// resultType returns the index of the type of the only direct result of a part, or -1.
func resultType(d *apidoc.Decl, part int) int {
	if i := d.Child(part, apidoc.ResultPart); i >= 0 {
		return d.TypeOf(i)
	}
	return -1
}

// resultOfFunction returns the index of the result type of a function type, or -1 if the part
// contains anything besides a function type.
func resultOfFunction(d *apidoc.Decl, part int) int {
	for i := range d.Within(part, 0) {
		switch p := &d.Parts[i]; p.Role {
		case apidoc.TypeParamPart, apidoc.ParamPart:
		case apidoc.ResultPart:
			if p.End == d.Parts[part].End {
				return d.TypeOf(i)
			}
			return -1
		default:
			return -1
		}
	}
	return -1
}

// named adds the values whose types occur in a part of a declaration of m. owners are the values to
// which m belongs. It returns false if the types are unknown.
func (c *fileCheck) named(owners []value, m value, d *apidoc.Decl, part int, values *[]value, depth int) bool {
	if d.Parts[part].Flags&apidoc.Named == 0 || depth == 0 {
		return false
	}
	found, nothing, first := false, false, len(*values)
	for k := range d.References(part) {
		p := &d.Parts[k]
		found = found || p.Flags&apidoc.Outer != 0
		switch {
		case p.Flags&apidoc.Outer == 0:
			nothing = nothing || p.Flags&apidoc.Builtin != 0 && slices.Contains(c.language.Info().Nothing, d.PartText(k))
		case p.Flags&apidoc.Self != 0 || isReceiver(d, d.PartText(k)):
			if len(owners) == 0 {
				return false
			}
			for _, owner := range owners {
				owner.instance, owner.known = true, ecosystem.Instance
				*values = append(*values, owner)
			}
		case p.Flags&apidoc.Builtin != 0 && slices.Contains(c.language.Info().Nothing, d.PartText(k)):
		case p.Flags&apidoc.Builtin != 0:
			o := c.programOf(c.ctx, c.language, c.dir)
			if o == nil || o.builtins.symbols[d.PartText(k)] == nil {
				return false
			}
			*values = append(*values, value{in: o.builtins, symbol: o.builtins.symbols[d.PartText(k)][0], instance: true, known: ecosystem.Derived})
		case p.Flags&apidoc.Local != 0 || p.Target == nil:
			return false
		default:
			targets := c.target(m, p.Target)
			if len(targets) == 0 {
				return false
			}
			for _, t := range targets {
				if t.symbol.Role() != apidoc.TypeRole {
					if t.symbol.Role() == apidoc.ValueRole && len(targets) > 1 {
						continue // a value that has the same name as a type
					}
					return false
				}
				if !c.dealias(t, values, depth-1) {
					return false
				}
			}
		}
	}
	for i := first; i < len(*values); i++ {
		(*values)[i].nothing = (*values)[i].nothing || nothing
	}
	return found
}

// isReceiver reports whether a type is that of the value that a method is called on, as in
// "def copy(self: T) -> T".
func isReceiver(d *apidoc.Decl, name string) bool {
	declaration := d.Child(-1, apidoc.DeclarationPart)
	if declaration < 0 {
		return false
	}
	for i := range d.Within(declaration, apidoc.ParamPart) {
		if d.Parts[i].Flags&apidoc.Self == 0 {
			continue
		}
		t := d.TypeOf(i)
		return t >= 0 && d.PartText(t) == name
	}
	return false
}

// dealias adds the value whose type is the symbol of v, or, if that is another name of types, the
// values of these.
func (c *fileCheck) dealias(v value, values *[]value, depth int) bool {
	d := v.in.resolver().Decl(v.symbol)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	if declaration < 0 {
		return false
	}
	if t := d.Child(declaration, apidoc.TypePart); t >= 0 && !v.symbol.Closed {
		return c.named(nil, v, &d, t, values, depth)
	}
	v.instance = true
	if !slices.Contains(*values, v) {
		*values = append(*values, v)
	}
	return true
}

// target returns the symbols to which a reference in a declaration of m refers.
func (c *fileCheck) target(m value, ref *apidoc.Ref) (found []value) {
	in := m.in
	if ref.Package != "" && ref.Package != in.Name {
		in = nil
		if m.in.file != nil {
			in = c.programFor(m.in.file, ref.Package)
		}
		if in == nil {
			other, err := c.packageNamed(ref.Package)
			if err != nil || other.Provenance.Unused || other.Provenance.Undeclared != "" {
				return nil
			}
			in = other
		}
	}
	for _, s := range in.named(ref.Path) {
		found = append(found, value{in: in, symbol: s})
	}
	return found
}

// expand replaces the symbols of variables and fields by their types. It returns false if these are
// unknown.
func (c *fileCheck) expand(values []value) (all []value, ok bool) {
	for _, v := range values {
		switch role := v.symbol.Role(); {
		case v.instance || role == apidoc.ModuleRole || role == apidoc.TypeRole:
			all = append(all, v)
		case role.IsCall():
			return nil, false
		default:
			types, ok := c.yield(nil, []value{v}, false, false)
			if !ok {
				return nil, false
			}
			all = append(all, types...)
		}
	}
	return all, true
}

// members returns the members of all values that have a name. If a value may have an unknown member
// with that name, it returns none. missing is true if none of the values has such a member.
func (c *fileCheck) members(values []value, name string) (found []value, missing bool) {
	missing = true
	for _, v := range values {
		members, none := c.membersOf(v, name)
		if len(members) == 0 && !none {
			return nil, false
		}
		found, missing = append(found, members...), missing && none
	}
	return found, missing && len(found) == 0
}

// membersOf returns the members of a value that have a name. missing is true if there is definitely
// no such member.
func (c *fileCheck) membersOf(v value, name string) (found []value, missing bool) {
	if v.symbol.Role() == apidoc.ModuleRole && !v.instance {
		symbols, state := v.in.find(v.symbol.Path + v.in.Separator() + name)
		for _, s := range symbols {
			found = append(found, value{in: v.in, symbol: s})
		}
		return found, state == absent
	}
	members := v.symbol.AllMembers()
	for i := range members {
		if m := &members[i]; m.Name() == name {
			found = append(found, value{in: v.in, symbol: m})
		}
	}
	return found, len(found) == 0 && v.symbol.Closed && !slices.Contains(c.language.Info().Inherent, name)
}

// extends reports whether other packages may add a member to a type of a package.
func (c *fileCheck) extends(pkg, member string) bool {
	extender, ok := c.language.(ecosystem.Extender)
	if !ok {
		return false
	}
	k := packageKey{language: c.language.Info().ID, dir: c.dir}
	c.mu.Lock()
	defer c.mu.Unlock()
	find, ok := c.extenders[k]
	if !ok {
		find = extender.Extends(c.ctx, c.dir)
		c.extenders[k] = find
	}
	return find(c.file, pkg, member)
}

// absent returns the finding for a member that none of the values has. It returns false if another
// package may add the member to their types. The finding is valid unless code adds the member to
// values.
func (c *fileCheck) absent(values []value, step *ecosystem.Step) (f Finding, ok bool) {
	names := map[string]bool{}
	var members []ecosystem.Member
	for _, v := range values {
		members = append(members, ecosystem.Member{Package: v.in.Name, Own: v.in.file != nil, Name: step.Name, Value: v.known})
		if c.extends(v.in.Name, step.Name) || c.extends(v.in.Module, step.Name) {
			return f, false
		}
		all := v.symbol.AllMembers()
		for i := range all {
			names[all[i].Name()] = true
		}
	}
	unless := c.additions(members)
	v := values[0]
	use := ecosystem.Use{Position: step.Position, Text: step.Text}
	if v.symbol.Role() == apidoc.ModuleRole {
		use.Path = v.symbol.Path + v.in.Separator() + step.Name
		f = v.in.absent(&use)
		f.unless = unless
		return f, true
	}
	f = v.in.finding(&use, Name, fmt.Sprintf("%s of %s has no member %s", v.symbol.Path, v.in.title(), step.Name))
	f.unless = unless
	f.Near = spelling.Near(maps.Keys(names), step.Name)
	if len(f.Near) > 0 {
		if near, _ := c.membersOf(v, f.Near[0]); len(near) > 0 {
			f.Declaration = near[0].in.declaration(near[0].symbol)
		}
	}
	return f, true
}

// checkPath checks a use whose path contains a type or a value, by treating the rest of the path as
// steps.
func (c *fileCheck) checkPath(s *surface, u *ecosystem.Use) (findings []Finding, decided bool) {
	if !c.language.Info().Called || u.Import {
		return nil, false
	}
	separator := s.Separator()
	for end := strings.LastIndex(u.Path, separator); end > 0; end = strings.LastIndex(u.Path[:end], separator) {
		found := s.symbols[u.Path[:end]]
		if found == nil {
			continue
		}
		if found[0].Role() == apidoc.ModuleRole {
			return nil, false
		}
		if c.typed {
			return nil, true // the language has checked these members
		}
		use := ecosystem.Use{Path: u.Path[:end]}
		for name := range strings.SplitSeq(u.Path[end+len(separator):], separator) {
			if strings.HasPrefix(name, "_") {
				return nil, false
			}
			use.Steps = append(use.Steps, ecosystem.Step{Position: u.Position, Name: name, Text: u.Text})
		}
		last := len(use.Steps) - 1
		use.Steps[last].Args = u.Args
		findings, undecided := c.steps(s, &use)
		return findings, undecided == 0
	}
	return nil, false
}
