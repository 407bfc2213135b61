package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"io"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// The compared parts.
const (
	declarations = iota
	names
	typesOfParts
	variadics
	references
	numParts
)

var partNames = [numParts]string{"declarations", "names", "types", "variadic", "references"}

// wanted contains the minimum percentage for each part.
var minimums = [numParts]float64{99, 99, 99, 99, 98}

type tally [numParts]struct{ right, total int }

func (t *tally) add(o *tally) {
	for i := range t {
		t[i].right += o[i].right
		t[i].total += o[i].total
	}
}

func (t *tally) count(part int, right bool) bool {
	t[part].total++
	if right {
		t[part].right++
	}
	return right
}

func (t *tally) report(out io.Writer, packages int) error {
	fmt.Fprintf(out, "%d Go packages\n", packages)
	var err error
	for i, p := range t {
		share := 100 * float64(p.right) / float64(max(p.total, 1))
		fmt.Fprintf(out, "  %-14s %8d %7.2f\n", partNames[i], p.total, share)
		if share < minimums[i] {
			err = fmt.Errorf("of the %s, less than %.0f %% are right", partNames[i], minimums[i])
		}
	}
	return err
}

// judge compares the declarations of one package.
type judge struct {
	tally

	pkg         *types.Package
	got         *apidoc.Package
	resolver    *naming.Resolver
	symbols     map[string]*apidoc.Symbol
	differences []string
}

func (j *judge) differ(format string, args ...any) {
	j.differences = append(j.differences, fmt.Sprintf(format, args...))
}

func (j *judge) compare() {
	j.symbols = map[string]*apidoc.Symbol{}
	for s := range j.got.All {
		if j.symbols[s.Path] == nil {
			j.symbols[s.Path] = s
		}
	}
	scope := j.pkg.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			j.signature(name, obj.Signature(), obj.Signature().TypeParams())
		case *types.TypeName:
			j.named(name, obj)
		default:
			j.value(name, obj.Type())
		}
	}
}

func (j *judge) decl(path string) (*apidoc.Decl, bool) {
	s := j.symbols[path]
	if !j.count(declarations, s != nil) {
		j.differ("%s is missing", path)
		return nil, false
	}
	d := j.resolver.Decl(s)
	if len(d.Parts) == 0 {
		j.count(declarations, false)
		j.differ("%s has no parts: %s", path, d.Text)
		return nil, false
	}
	return &d, true
}

// value compares the type of a variable, a constant or a field, if it is written.
func (j *judge) value(path string, want types.Type) {
	if d, ok := j.decl(path); ok {
		if i := d.Child(0, apidoc.TypePart); i >= 0 {
			j.typ(path, d, i, want)
		}
	}
}

// named compares a type with its fields and methods.
func (j *judge) named(path string, obj *types.TypeName) {
	d, ok := j.decl(path)
	if !ok {
		return
	}
	if alias, ok := obj.Type().(*types.Alias); ok {
		j.typeParams(path, d, alias.TypeParams())
		j.typ(path, d, d.Child(0, apidoc.TypePart), alias.Rhs())
		return
	}
	named, ok := obj.Type().(*types.Named)
	if !ok {
		return
	}
	j.typeParams(path, d, named.TypeParams())
	switch t := named.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				j.value(path+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if m.Exported() {
				j.signature(path+"."+m.Name(), m.Signature(), nil)
			}
		}
	}
	for _, base := range []types.Type{named, types.NewPointer(named)} {
		methods := types.NewMethodSet(base)
		for sel := range methods.Methods() {
			if _, isInterface := named.Underlying().(*types.Interface); isInterface || !sel.Obj().Exported() || base == named && sel.Obj().Pkg() == nil {
				continue
			}
			if _, pointer := base.(*types.Pointer); pointer && types.NewMethodSet(named).Lookup(sel.Obj().Pkg(), sel.Obj().Name()) != nil {
				continue
			}
			signature := sel.Type().(*types.Signature)
			j.signature(path+"."+sel.Obj().Name(), signature, signature.TypeParams())
		}
	}
}

func (j *judge) signature(path string, want *types.Signature, typeParams *types.TypeParamList) {
	d, ok := j.decl(path)
	if !ok {
		return
	}
	j.typeParams(path, d, typeParams)
	j.tuple(path, d, apidoc.ParamPart, want.Params(), want.Variadic())
	j.tuple(path, d, apidoc.ResultPart, want.Results(), false)
}

func (j *judge) typeParams(path string, d *apidoc.Decl, want *types.TypeParamList) {
	got := slices.Collect(d.Within(0, apidoc.TypeParamPart))
	if !j.count(names, len(got) == want.Len()) {
		j.differ("%s has %d type parameters, not %d: %s", path, len(got), want.Len(), d.Text)
		return
	}
	for i, part := range got {
		p := want.At(i)
		if !j.count(names, d.ChildText(part, apidoc.NamePart) == p.Obj().Name()) {
			j.differ("%s: the type parameter %d is %s, not %s", path, i, d.PartText(part), p.Obj().Name())
		}
		for k := part; k < len(d.Parts); k++ {
			if d.Parts[k].Parent != d.Parts[part].Parent || d.Parts[k].Role != apidoc.TypeParamPart {
				continue
			}
			if d.Parts[k].Flags&apidoc.Shared == 0 {
				j.typ(path, d, d.Child(k, apidoc.ConstraintPart), p.Constraint())
				break
			}
		}
	}
}

func (j *judge) tuple(path string, d *apidoc.Decl, role apidoc.PartRole, want *types.Tuple, variadic bool) {
	got := slices.Collect(d.Within(0, role))
	if !j.count(names, len(got) == want.Len()) {
		j.differ("%s has %d %ss, not %d: %s", path, len(got), role, want.Len(), d.Text)
		return
	}
	for i, part := range got {
		v := want.At(i)
		if name := d.ChildText(part, apidoc.NamePart); !j.count(names, name == v.Name()) {
			j.differ("%s: the %s %d is %q, not %q", path, role, i, name, v.Name())
		}
		isVariadic := variadic && i == want.Len()-1
		if !j.count(variadics, (d.Parts[part].Flags&apidoc.Variadic != 0) == isVariadic) {
			j.differ("%s: the parameter %d is not known to be variadic", path, i)
		}
		t := v.Type()
		if s, ok := t.(*types.Slice); ok && isVariadic {
			t = s.Elem()
		}
		j.typ(path, d, d.TypeOf(part), t)
	}
}

// typ compares a type and the symbols that its names refer to.
func (j *judge) typ(path string, d *apidoc.Decl, part int, want types.Type) {
	if part < 0 {
		j.count(typesOfParts, false)
		j.differ("%s has no type in %s", path, d.Text)
		return
	}
	got := canonical(strings.TrimPrefix(d.PartText(part), "..."))
	canonicalType := canonical(types.TypeString(want, func(*types.Package) string { return "" }))
	if !j.count(typesOfParts, got == canonicalType) {
		j.differ("%s: the type is %s, not %s", path, got, canonicalType)
		return
	}
	var refs []string
	for i := range d.References(part) {
		p := &d.Parts[i]
		name := d.PartText(i)
		switch {
		case p.Flags&apidoc.Local != 0:
			refs = append(refs, "local "+name)
		case p.Target != nil && p.Target.Package == "":
			refs = append(refs, j.pkg.Path()+" "+p.Target.Path)
		case p.Target != nil:
			refs = append(refs, p.Target.Package+" "+p.Target.Path)
		case p.Flags&apidoc.Builtin != 0:
			refs = append(refs, "builtin "+name)
		default:
			refs = append(refs, "unknown "+name)
		}
	}
	w := walker{pkg: j.pkg}
	w.walk(want)
	// A type shared by several names is written once.
	slices.Sort(refs)
	slices.Sort(w.names)
	refs, w.names = slices.Compact(refs), slices.Compact(w.names)
	for i, name := range w.names {
		if !j.count(references, i < len(refs) && refs[i] == name) {
			j.differ("%s: %s refers to %s, not to %s", path, d.PartText(part), refs, w.names)
			return
		}
	}
}

// walker collects the names in a type.
type walker struct {
	pkg   *types.Package
	names []string
}

func (w *walker) walk(t types.Type) {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			w.names = append(w.names, "unsafe Pointer")
			return
		}
		w.names = append(w.names, "builtin "+t.Name())
	case *types.Named:
		w.object(t.Obj(), t.TypeArgs())
	case *types.Alias:
		w.object(t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		w.names = append(w.names, "local "+t.Obj().Name())
	case *types.Pointer:
		w.walk(t.Elem())
	case *types.Slice:
		w.walk(t.Elem())
	case *types.Array:
		w.walk(t.Elem())
	case *types.Chan:
		w.walk(t.Elem())
	case *types.Map:
		w.walk(t.Key())
		w.walk(t.Elem())
	case *types.Signature:
		for v := range t.Params().Variables() {
			w.walk(v.Type())
		}
		for v := range t.Results().Variables() {
			w.walk(v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			w.walk(f.Type())
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			w.walk(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			w.walk(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			w.walk(term.Type())
		}
	}
}

func (w *walker) object(obj *types.TypeName, args *types.TypeList) {
	pkg := "builtin"
	if obj.Pkg() != nil {
		pkg = obj.Pkg().Path()
	}
	if obj.Pkg() == w.pkg && !obj.Exported() {
		pkg = "unknown" // it is not documented
	}
	w.names = append(w.names, pkg+" "+obj.Name())
	for t := range args.Types() {
		w.walk(t)
	}
}

// canonical writes a type without the names of parameters and packages, with one name for each
// field, and with methods in order.
func canonical(text string) string {
	x, err := parser.ParseExpr(text)
	if err != nil {
		return text
	}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			single(n.Params, true)
			single(n.Results, true)
		case *ast.StructType:
			single(n.Fields, false)
			for _, f := range n.Fields.List {
				f.Tag = nil
			}
		case *ast.InterfaceType:
			slices.SortStableFunc(n.Methods.List, func(a, b *ast.Field) int { return strings.Compare(fieldName(a), fieldName(b)) })
		case *ast.SelectorExpr:
			n.X = ast.NewIdent("_")
		}
		return true
	})
	text = strings.ReplaceAll(types.ExprString(x), "_.", "")
	return strings.NewReplacer(" ", "", "uint8", "byte", "int32", "rune").Replace(text)
}

func single(list *ast.FieldList, unnamed bool) {
	if list == nil {
		return
	}
	var all []*ast.Field
	for _, f := range list.List {
		if len(f.Names) == 0 {
			all = append(all, f)
		}
		for _, name := range f.Names {
			field := &ast.Field{Type: f.Type, Tag: f.Tag}
			if !unnamed {
				field.Names = []*ast.Ident{name}
			}
			all = append(all, field)
		}
	}
	list.List = all
}

func fieldName(f *ast.Field) string {
	if len(f.Names) > 0 {
		return f.Names[0].Name
	}
	return types.ExprString(f.Type)
}
