package module

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// elsewhere returns the declarations that are excluded by conditions on this platform.
func (d *documenter) elsewhere() []apidoc.Symbol {
	var all []apidoc.Symbol
	seen := map[string]bool{}
	for _, u := range d.shown {
		for i := range u.inactive {
			x := &u.inactive[i]
			if x.access < u.threshold() || isPrivateName(x.decl) || x.decl.Attribute("_spi") != nil || u.isUnavailable(x.decl) || len(all) >= maxElsewhere {
				continue
			}
			d.documentElsewhere(&all, seen, x.decl, x.file, x.parent, x.conditions)
		}
	}
	return all
}

// maxElsewhere is the maximum number of symbols of other platforms.
const maxElsewhere = 20_000

// documentElsewhere documents a declaration of another platform, unless it also exists on this one.
func (d *documenter) documentElsewhere(all *[]apidoc.Symbol, seen map[string]bool, decl *source.Decl, f *file, parent string, conditions []*source.Condition) {
	path := join(parent, decl.Title())
	if !d.w.meter.Step(len(conditions)) {
		return
	}
	text := conditionText(conditions)
	if parent != "" && strings.HasPrefix(parent[strings.LastIndexByte(parent, '.')+1:], "_") || d.paths[path] || seen[path+"\x00"+text] || text == "" || !mentionsPlatform(conditions) {
		return
	}
	seen[path+"\x00"+text] = true
	if flagsOnly(conditions) {
		text += " (off)"
	}
	e := &entity{decl: decl, file: f, unit: f.unit, name: decl.Name, path: path}
	if parent != "" {
		e.parent = &entity{path: parent, name: parent}
	}
	s := apidoc.Symbol{Path: path, Kind: symbolKind(e), Signature: decl.Declaration(source.Inferred{}), File: f.Name, Line: decl.Line, Constraint: text}
	d.comment(&s, e)
	for _, m := range decl.Members {
		access := m.Access
		if access == source.Unspecified && (decl.Kind == source.Protocol || m.Kind == source.Case) {
			access = source.Public
		}
		if access < f.unit.threshold() || isPrivateName(m) || m.Kind == source.Deinit || len(m.Conditions) > 0 || len(m.Members) > 0 {
			continue
		}
		me := &entity{decl: m, file: f, unit: f.unit, parent: e, name: m.Name, path: path + "." + m.Title()}
		ms := apidoc.Symbol{Path: me.path, Kind: symbolKind(me), Signature: m.Declaration(source.Inferred{}), File: f.Name, Line: m.Line}
		d.comment(&ms, me)
		s.Members = append(s.Members, ms)
	}
	s.Members = merged(s.Members)
	*all = append(*all, s)
}

// mentionsPlatform reports whether conditions test anything besides language
// versions, which are the same on all platforms.
func mentionsPlatform(all []*source.Condition) bool {
	return anyTerm(all, func(e *source.ConditionExpr) bool {
		if e.Op == source.Flag {
			return e.Name != "false" && e.Name != "true"
		}
		return e.Name != "swift" && e.Name != "compiler" && e.Name != "hasFeature" && e.Name != "hasAttribute"
	})
}

// flagsOnly reports whether conditions depend only on traits and other defined
// flags.
func flagsOnly(all []*source.Condition) bool {
	return !anyTerm(all, func(e *source.ConditionExpr) bool { return e.Op == source.Test })
}

// anyTerm reports whether is returns true for any flag or test in the
// conditions.
func anyTerm(all []*source.Condition, is func(e *source.ConditionExpr) bool) bool {
	var in func(e *source.ConditionExpr) bool
	in = func(e *source.ConditionExpr) bool {
		switch {
		case e == nil:
			return false
		case e.Op == source.Flag || e.Op == source.Test:
			return is(e)
		}
		return in(e.Left) || in(e.Right)
	}
	for _, c := range all {
		for ; c != nil; c = c.Before {
			if in(c.Expr) {
				return true
			}
		}
	}
	return false
}
