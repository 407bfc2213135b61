package golang

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/spelling"
)

// typedReader finds the uses of other packages in the files of one type-checked package, and
// mistakes in the uses of the project's own packages.
type typedReader struct {
	c    *typeChecker
	info *types.Info
	pkg  *types.Package // the package itself
	// tested is the package that an external test package tests, including the declarations in its
	// internal tests. It is nil for other packages.
	tested *types.Package
	// tagged contains the names that the package may declare with other build tags.
	tagged map[string]bool
	// undefined is true if names in the package have no declaration, perhaps because a
	// generated file is missing.
	undefined bool
	// ambiguous is true if the package declares a name twice.
	ambiguous bool
	// misfits are the values whose types do not fit, and other errors about types, as go/types
	// reports them.
	misfits []types.Error

	members bool // whether uses contains all members that exist
	shift   int
	uses    []ecosystem.TypedUse
	present int // number of members that exist and are not in uses
	// imported contains the results of typeChecker.byTypes.
	imported map[*types.Package]*importedPackage
	// claims contains, by the index of a misfit, the innermost use to which the value is passed.
	claims map[int]ecosystem.TypedUse
}

func newTypedReader(c *typeChecker) *typedReader {
	return &typedReader{c: c, info: infos.Get().(*types.Info), imported: map[*types.Package]*importedPackage{}}
}

// infos contains empty maps. Growing new ones for each package would take a large part of the time of
// a check.
var infos = sync.Pool{New: func() any {
	return &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
}}

// maxReused is the maximum number of expressions in maps that are used again. Clearing larger ones
// would slow down the checks of small packages.
const maxReused = 1 << 15

// release makes the maps of the reader available to other readers.
func (r *typedReader) release() {
	if len(r.info.Types) <= maxReused {
		clear(r.info.Types)
		clear(r.info.Uses)
		clear(r.info.Selections)
		infos.Put(r.info)
	}
	r.info = nil
}

// read returns the uses in one file.
func (r *typedReader) read(p *types.Package, file *ast.File, shift int) []ecosystem.TypedUse {
	r.pkg, r.shift, r.uses, r.present, r.claims = p, shift, nil, 0, map[int]ecosystem.TypedUse{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			r.member(n)
		case *ast.CallExpr:
			r.call(n)
		case *ast.CompositeLit:
			r.literal(n)
		case *ast.AssignStmt:
			r.assignment(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			names := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				names[i] = name
			}
			r.assignment(names, n.Values)
		}
		return true
	})
	r.faults(file)
	if r.present > 0 {
		r.uses = append(r.uses, ecosystem.TypedUse{Present: r.present})
	}
	return r.uses
}

var unsafePackage = &importedPackage{types: types.Unsafe, whole: true}

// importedFrom returns an imported package, or nil if it was not imported. It must not be called before the
// package that imports it is checked.
func (r *typedReader) importedFrom(p *types.Package) *importedPackage {
	if p == types.Unsafe {
		return unsafePackage
	}
	found, ok := r.imported[p]
	if !ok {
		found = r.c.byTypes(p)
		r.imported[p] = found
	}
	return found
}

// isKnown reports whether all declarations of a package could be read.
func (r *typedReader) isKnown(p *types.Package) bool {
	switch {
	case p == nil:
		return false
	case p == r.pkg || p == r.tested:
		return !r.undefined
	case p.Path() == r.pkg.Path() || r.tested != nil && p.Path() == r.tested.Path():
		return false // the package without its tests, as others import it
	}
	imported := r.importedFrom(p)
	return imported != nil && imported.whole
}

// needsTags reports whether a package may declare a name with other build tags.
func (r *typedReader) needsTags(p *types.Package, name string) bool {
	if p == r.pkg || p == r.tested {
		return r.tagged[name]
	}
	return r.importedFrom(p).tagged[name]
}

// mayBeDeprecated reports whether a package may declare a deprecated member of this name. Whether it does
// is in its documentation.
func (r *typedReader) mayBeDeprecated(p *types.Package, name string) bool {
	if p == nil { // error is the only type of the language with members
		return false
	}
	imported := r.importedFrom(p)
	return imported == nil || imported.deprecated[name]
}

// isForeign reports whether a package is known and does not belong to the project.
func (r *typedReader) isForeign(p *types.Package) bool {
	return r.isKnown(p) && p != types.Unsafe && p != r.pkg && p != r.tested && !r.importedFrom(p).own
}

// use returns the use of the object or member that an identifier refers to.
func (r *typedReader) use(name *ast.Ident, p *types.Package, path string) ecosystem.TypedUse {
	return ecosystem.TypedUse{Use: ecosystem.Use{
		Position: positionIn(r.c.fset, name.Pos(), r.shift), Package: strings.TrimPrefix(p.Path(), "vendor/"), Path: path, Text: path,
	}}
}

// member reads a selector expression that selects a member of a value or type.
func (r *typedReader) member(n *ast.SelectorExpr) {
	if s := r.info.Selections[n]; s != nil {
		if owner := ownerOf(s); owner != nil && r.isForeign(owner.Pkg()) {
			if r.members || r.mayBeDeprecated(owner.Pkg(), n.Sel.Name) || r.mayBeDeprecated(s.Obj().Pkg(), n.Sel.Name) {
				r.uses = append(r.uses, r.use(n.Sel, owner.Pkg(), owner.Name()+"."+n.Sel.Name))
			} else {
				r.present++
			}
		}
		return
	}
	if r.info.Uses[n.Sel] != nil || n.Sel.Name == "_" {
		return // a name of a package
	}
	if x, ok := n.X.(*ast.Ident); ok {
		if name, ok := r.info.Uses[x].(*types.PkgName); ok {
			if r.isKnown(name.Imported()) {
				if r.needsTags(name.Imported(), n.Sel.Name) {
					return
				}
				u := r.use(n.Sel, name.Imported(), n.Sel.Name)
				if u.Fault = ecosystem.AbsentFault; name.Imported().Scope().Lookup(n.Sel.Name) != nil {
					u.Fault = ecosystem.UnexportedFault
				}
				r.uses = append(r.uses, u)
			}
			return
		}
	}
	x, ok := r.info.Types[n.X]
	if !ok {
		return
	}
	owner := namedOf(x.Type)
	if owner == nil || owner.Obj().Pkg() == nil {
		r.unnamed(n.Sel, x.Type)
		return
	}
	if !r.isKnown(owner.Obj().Pkg()) || !r.isComplete(owner, 0) || r.needsTags(owner.Obj().Pkg(), n.Sel.Name) {
		return
	}
	u := r.use(n.Sel, owner.Obj().Pkg(), owner.Obj().Name()+"."+n.Sel.Name)
	u.Fault = ecosystem.AbsentFault
	if obj, _, _ := types.LookupFieldOrMethod(x.Type, true, owner.Obj().Pkg(), n.Sel.Name); obj != nil {
		_, _, indirect := types.LookupFieldOrMethod(x.Type, x.Addressable(), owner.Obj().Pkg(), n.Sel.Name)
		switch {
		case !obj.Exported():
			u.Fault = ecosystem.UnexportedFault
		case indirect && x.IsValue():
			u.Fault = ecosystem.TypeFault
			u.Message = fmt.Sprintf("cannot call the pointer method %s on a value that has no address", n.Sel.Name)
		default:
			return // it exists, and something else is wrong
		}
	}
	if pointer, ok := types.Unalias(x.Type).(*types.Pointer); ok && types.IsInterface(pointer.Elem()) {
		return // a pointer to an interface has no members
	}
	r.uses = append(r.uses, u)
}

// unnamed reports that a type that no package declares has no field or method, if it has none.
func (r *typedReader) unnamed(name *ast.Ident, t types.Type) {
	if _, ok := t.(*types.Tuple); ok || !r.isComplete(t, 0) {
		return
	}
	if obj, _, _ := types.LookupFieldOrMethod(t, true, r.pkg, name.Name); obj != nil {
		return
	}
	var names []string
	message := "the type has no field or method "
	switch u := t.Underlying().(type) {
	case *types.Interface:
		message = "the interface has no method "
		for m := range u.Methods() {
			names = append(names, m.Name())
		}
	default:
		structure, ok := structOf(t)
		if !ok {
			break
		}
		message = "the struct has no field "
		for f := range structure.Fields() {
			names = append(names, f.Name())
		}
	}
	r.uses = append(r.uses, ecosystem.TypedUse{
		Use:   ecosystem.Use{Position: positionIn(r.c.fset, name.Pos(), r.shift), Text: name.Name},
		Fault: ecosystem.AbsentFault, Message: message + name.Name, Near: spelling.Near(slices.Values(names), name.Name),
	})
}

// ownerOf returns the named type that declares a selected member, or nil if an unnamed type
// does.
func ownerOf(s *types.Selection) *types.TypeName {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		structure, ok := structOf(t)
		if !ok || i >= structure.NumFields() {
			return nil
		}
		t = structure.Field(i).Type()
	}
	if named := namedOf(t); named != nil {
		return named.Obj()
	}
	return nil
}

// namedOf returns the named type that a type is or points to, or nil if there is none.
func namedOf(t types.Type) *types.Named {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

func structOf(t types.Type) (*types.Struct, bool) {
	if pointer, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	return s, ok
}

// maxEmbedded is the maximum depth of embedded types.
const maxEmbedded = 20

// isComplete reports whether all members of a type, including those of embedded types, are
// known.
func (r *typedReader) isComplete(t types.Type, depth int) bool {
	if depth > maxEmbedded {
		return false
	}
	if named := namedOf(t); named != nil {
		if p := named.Obj().Pkg(); p != nil && !r.isKnown(p) {
			return false
		}
		t = named
	}
	if parameter, ok := types.Unalias(t).(*types.TypeParam); ok {
		t = parameter.Constraint()
		if named := namedOf(t); named != nil {
			return r.isComplete(named, depth+1)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return r.isComplete(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Embedded() && !r.isComplete(f.Type(), depth+1) {
				return false
			}
		}
	case *types.Interface:
		for e := range u.EmbeddedTypes() {
			if !r.isComplete(e, depth+1) {
				return false
			}
		}
	case *types.Basic:
		return u.Kind() != types.Invalid
	}
	return true
}

// callee returns the function of another package that is called, its signature, and its use.
func (r *typedReader) callee(call *ast.CallExpr) (fn *types.Func, sig *types.Signature, u ecosystem.TypedUse) {
	x, ok := r.info.Types[call.Fun]
	if !ok || !x.IsValue() {
		return nil, nil, u
	}
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) { // The function has type arguments.
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var obj types.Object
	name, path := (*ast.Ident)(nil), ""
	switch f := fun.(type) {
	case *ast.Ident:
		name, obj, path = f, r.info.Uses[f], f.Name
	case *ast.SelectorExpr:
		name, obj, path = f.Sel, r.info.Uses[f.Sel], f.Sel.Name
		if s := r.info.Selections[f]; s != nil {
			owner := ownerOf(s)
			if owner == nil || owner.Pkg() == nil {
				return nil, nil, u
			}
			obj, path = s.Obj(), owner.Name()+"."+f.Sel.Name
		}
	}
	fn, ok = obj.(*types.Func)
	if !ok || fn.Pkg() == nil {
		return nil, nil, u
	}
	if sig, ok = x.Type.Underlying().(*types.Signature); !ok {
		return nil, nil, u
	}
	if r.isKnown(fn.Pkg()) {
		u = r.use(name, fn.Pkg(), path)
	}
	return fn, sig, u
}

// call checks the arguments of a call.
func (r *typedReader) call(n *ast.CallExpr) {
	fn, sig, u := r.callee(n)
	for _, arg := range n.Args {
		if fn == nil {
			r.claim(arg, nil, u)
		} else {
			r.claim(arg, fn.Pkg(), u)
		}
	}
	if sig == nil || u.Package == "" {
		return
	}
	passed := len(n.Args)
	if passed == 1 {
		x, ok := r.info.Types[n.Args[0]]
		if !ok {
			return
		}
		if list, ok := x.Type.(*types.Tuple); ok {
			passed = list.Len()
		}
	}
	params := sig.Params()
	minimum := params.Len()
	switch {
	case sig.Variadic() && n.Ellipsis.IsValid():
	case sig.Variadic():
		if minimum--; passed >= minimum {
			return
		}
	}
	if passed == minimum {
		return
	}
	u.Fault = ecosystem.ArgumentsFault
	if passed < minimum {
		var missing []string
		for i := passed; i < minimum; i++ {
			missing = append(missing, nameOfParam(params.At(i), i))
		}
		u.Message = "it needs an argument for " + strings.Join(missing, ", ")
	} else {
		u.Message = fmt.Sprintf("it takes %s, but %d %s passed", count(minimum, "argument"), passed, isAre(passed))
	}
	r.uses = append(r.uses, u)
}

func nameOfParam(p *types.Var, i int) string {
	if p.Name() == "" || p.Name() == "_" {
		return fmt.Sprintf("number %d", i+1)
	}
	return p.Name()
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// literal checks the fields of a struct literal.
func (r *typedReader) literal(n *ast.CompositeLit) {
	x, ok := r.info.Types[n]
	if !ok {
		return
	}
	owner := namedOf(x.Type)
	var structure *types.Struct
	if owner != nil {
		structure, _ = owner.Underlying().(*types.Struct)
	}
	known := structure != nil && r.isKnown(owner.Obj().Pkg())
	for _, element := range n.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			r.claim(element, nil, ecosystem.TypedUse{})
			continue
		}
		key, ok := pair.Key.(*ast.Ident)
		if ok && owner == nil {
			if unnamed, is := types.Unalias(x.Type).(*types.Struct); is {
				r.unnamed(key, unnamed)
			}
		}
		if !ok || !known {
			r.claim(pair.Value, nil, ecosystem.TypedUse{})
			continue
		}
		u := r.use(key, owner.Obj().Pkg(), owner.Obj().Name()+"."+key.Name)
		r.claim(pair.Value, owner.Obj().Pkg(), u)
		if r.needsTags(owner.Obj().Pkg(), key.Name) {
			continue
		}
		if hasField(structure, key.Name) {
			if !ast.IsExported(key.Name) && owner.Obj().Pkg() != r.pkg {
				u.Fault = ecosystem.UnexportedFault
				r.uses = append(r.uses, u)
			}
			continue
		}
		u.Fault, u.Path, u.Type = ecosystem.FieldsFault, owner.Obj().Name(), true
		u.Fields = []ecosystem.Field{{Position: u.Position, Name: key.Name}}
		r.uses = append(r.uses, u)
	}
}

func hasField(s *types.Struct, name string) bool {
	for f := range s.Fields() {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// assignment checks the assignment of values to fields of other packages, and the number of
// results of a call.
func (r *typedReader) assignment(to, values []ast.Expr) {
	for i, v := range values {
		var p *types.Package
		u := ecosystem.TypedUse{}
		if len(to) == len(values) {
			if sel, ok := ast.Unparen(to[i]).(*ast.SelectorExpr); ok && r.info.Selections[sel] != nil {
				if owner := ownerOf(r.info.Selections[sel]); owner != nil && r.isKnown(owner.Pkg()) {
					p, u = owner.Pkg(), r.use(sel.Sel, owner.Pkg(), owner.Name()+"."+sel.Sel.Name)
				}
			}
		}
		r.claim(v, p, u)
	}
	if len(values) != 1 {
		return
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	_, sig, u := r.callee(call)
	if sig == nil || u.Package == "" || sig.Results().Len() == len(to) {
		return
	}
	u.Fault = ecosystem.ArgumentsFault
	u.Message = fmt.Sprintf("it returns %s, but %d %s assigned", count(sig.Results().Len(), "value"), len(to), isAre(len(to)))
	r.uses = append(r.uses, u)
}

// claim records that a value is passed to a declaration of p, whose use is u. If p is one of
// the project's own packages, claim ignores it in external tests: the types of the tested package
// exist twice there, with and without its internal tests, so misfits are not reliable.
func (r *typedReader) claim(value ast.Expr, p *types.Package, u ecosystem.TypedUse) {
	if !r.isKnown(p) || r.tested != nil && !r.isForeign(p) {
		u = ecosystem.TypedUse{}
	}
	for i := range r.misfits {
		if p := r.misfits[i].Pos; p >= value.Pos() && p < value.End() {
			r.claims[i] = u
		}
	}
}
