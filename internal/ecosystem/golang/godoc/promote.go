package godoc

import (
	"go/ast"
	"slices"
)

// These constants limit the members that one type inherits by embedding. Real programs stay far
// below the limits, but a malicious package may not.
const (
	maxPromoted  = 20_000 // maximum number of selectors of one type
	maxEmbedding = 1_000  // maximum number of types that are searched for the selectors of one type
	maxAliases   = 64     // maximum number of aliases between a name and its type
)

// selector is a field or method that can be selected from a type, with the
// type that declares it.
type selector struct {
	name  string
	owner named
	// Exactly one of these is set: a field, a method with a receiver, or a method
	// of an interface.
	field     *ast.Field
	method    *method
	signature *ast.Field
	// pointer is true if the selector is reached through an embedded pointer.
	pointer bool
}

// named is a declared type with its type arguments, or a type literal, which
// has no declaration.
type named struct {
	decl *typeDecl
	expr ast.Expr // the type expression that the name denotes, or the literal
	env  env
}

// env resolves the names of one file.
type env struct {
	scope *scope
	file  *ast.File
	// args are the arguments of type parameters, written as in the package
	// that is being read.
	args map[string]typeArg
}

// embedding is a type that is embedded, at some depth, in the type whose
// selectors are computed.
type embedding struct {
	named
	pointer  bool
	multiple bool // whether it is embedded more than once at its depth
}

// key returns a value that identifies a type. Two instances of one generic type
// have the same members, so the key does not depend on type arguments.
func (n named) key() any {
	if n.decl != nil {
		return n.decl
	}
	return n.expr
}

// selectors returns the fields and methods that can be selected from root. As in
// the language, a name at one depth hides the same name at greater depths, and a
// name that occurs in two types at the same depth cannot be selected. Members
// that root itself declares have root as their owner.
func (u *unit) selectors(root named) []selector {
	var all []selector
	names := map[string]bool{}
	seen := map[any]bool{}
	current := []embedding{{named: root}}
	for len(current) > 0 && len(seen) < maxEmbedding && len(all) < maxPromoted && u.ctx.Err() == nil {
		var found []selector
		var next []embedding
		count := map[string]int{}
		for _, e := range current {
			if seen[e.key()] {
				continue
			}
			seen[e.key()] = true
			u.promoting++
			direct, embedded := u.direct(e)
			for _, s := range direct {
				if !names[s.name] {
					found = append(found, s)
					count[s.name]++
					if e.multiple {
						count[s.name]++
					}
				}
			}
			next = append(next, embedded...)
		}
		for _, s := range found {
			if names[s.name] = true; count[s.name] == 1 {
				all = append(all, s)
			}
		}
		current = consolidate(next)
	}
	if _, pointer, _ := u.underlying(root); pointer { // For "type T *U", only the fields of U can be selected.
		all = slices.DeleteFunc(all, func(s selector) bool { return s.field == nil })
	}
	return all
}

// consolidate merges the embeddings of the same type at one depth.
func consolidate(list []embedding) []embedding {
	index := map[any]int{}
	var joined []embedding
	for _, e := range list {
		if i, ok := index[e.key()]; ok {
			joined[i].multiple = true
			continue
		}
		index[e.key()] = len(joined)
		joined = append(joined, e)
	}
	return joined
}

// direct returns the exported fields and methods declared by a type itself, and
// the types that it embeds.
func (u *unit) direct(e embedding) (direct []selector, embedded []embedding) {
	if e.decl != nil {
		for i := range e.decl.methods {
			if m := &e.decl.methods[i]; u.exported(m.decl.Name.Name) {
				direct = append(direct, selector{name: m.decl.Name.Name, owner: e.named, method: m, pointer: e.pointer})
			}
		}
	}
	owner, pointer, ok := u.underlying(e.named)
	if !ok {
		return direct, nil
	}
	switch t := owner.literal().(type) {
	case *ast.StructType:
		for _, f := range t.Fields.List {
			for _, name := range f.Names {
				if u.exported(name.Name) {
					direct = append(direct, selector{name: name.Name, owner: owner, field: f, pointer: e.pointer})
				}
			}
			if len(f.Names) > 0 {
				continue
			}
			if name := typeName(f.Type); name != "" && u.exported(name) {
				direct = append(direct, selector{name: name, owner: owner, field: f, pointer: e.pointer})
			}
			_, star := ast.Unparen(f.Type).(*ast.StarExpr)
			if n, ok := u.resolve(f.Type, owner.env); ok {
				embedded = append(embedded, embedding{named: n, pointer: e.pointer || star, multiple: e.multiple})
			}
		}
	case *ast.InterfaceType:
		if !pointer {
			direct = append(direct, u.interfaceMethods(owner, e.pointer)...)
		}
	}
	return direct, embedded
}

// literal returns the type literal of n's declaration, or nil if the declaration refers to another
// type by name.
func (n named) literal() ast.Expr {
	switch t := ast.Unparen(n.expr).(type) {
	case *ast.StructType:
		if t.Fields == nil {
			return nil
		}
		return t
	case *ast.InterfaceType:
		if t.Methods == nil {
			return nil
		}
		return t
	}
	return nil
}

// underlying follows definitions such as "type T U" to the type whose declaration is a struct or an
// interface. pointer is true if T is a pointer to it. ok is false if there is no such type.
func (u *unit) underlying(n named) (owner named, pointer, ok bool) {
	for range maxAliases {
		if n.literal() != nil {
			return n, pointer, true
		}
		x := ast.Unparen(n.expr)
		if star, isStar := x.(*ast.StarExpr); isStar {
			if pointer {
				return named{}, false, false
			}
			pointer, x = true, star.X
		}
		if n, ok = u.resolve(x, n.env); !ok {
			return named{}, false, false
		}
	}
	return named{}, false, false
}

// interfaceMethods returns the methods of an interface, then those of the
// interfaces that it embeds, each name once. All of them are at the same depth.
func (u *unit) interfaceMethods(n named, pointer bool) []selector {
	var all []selector
	names := map[string]bool{}
	seen := map[any]bool{}
	queue := []named{n}
	for len(queue) > 0 && len(seen) < maxEmbedding && len(all) < maxPromoted {
		n, queue = queue[0], queue[1:]
		owner, star, ok := u.underlying(n)
		if !ok || star || seen[owner.key()] {
			continue
		}
		seen[owner.key()] = true
		t, ok := owner.literal().(*ast.InterfaceType)
		if !ok {
			continue
		}
		for _, f := range t.Methods.List {
			for _, name := range f.Names {
				if _, isFunc := f.Type.(*ast.FuncType); isFunc && !names[name.Name] && u.exported(name.Name) {
					names[name.Name] = true
					all = append(all, selector{name: name.Name, owner: owner, signature: f, pointer: pointer})
				}
			}
			if len(f.Names) == 0 {
				if n, ok := u.resolve(f.Type, owner.env); ok {
					queue = append(queue, n)
				}
			}
		}
	}
	return all
}

// typeName returns the name of the type in a type expression, such as an embedded
// field or a receiver, without package, pointer and type arguments. It returns ""
// for literals.
func typeName(x ast.Expr) string {
	for {
		switch t := x.(type) {
		case *ast.SelectorExpr:
			return t.Sel.Name
		case *ast.StarExpr:
			x = t.X
		case *ast.ParenExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// resolve returns the type that x refers to, following pointers and aliases. It
// returns false for a type that has no members or is unknown.
func (u *unit) resolve(x ast.Expr, e env) (named, bool) {
	for range maxAliases {
		var args []ast.Expr
		x = ast.Unparen(x)
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
			continue
		case *ast.StructType, *ast.InterfaceType:
			return named{expr: x, env: e}, true
		case *ast.IndexExpr:
			x, args = t.X, []ast.Expr{t.Index}
		case *ast.IndexListExpr:
			x, args = t.X, t.Indices
		}
		decl := u.named(ast.Unparen(x), e)
		if decl == nil {
			return named{}, false
		}
		e = env{scope: decl.scope, file: decl.file, args: u.bind(decl.spec.TypeParams, args, e)}
		if !decl.spec.Assign.IsValid() {
			return named{decl: decl, expr: decl.spec.Type, env: e}, true
		}
		x = decl.spec.Type
	}
	return named{}, false
}

// named returns the declaration of the type that x refers to, or nil if x is not the name of a
// type.
func (u *unit) named(x ast.Expr, e env) *typeDecl {
	switch t := x.(type) {
	case *ast.Ident:
		if _, isParam := e.args[t.Name]; isParam {
			return nil
		}
		if decl := u.lookup(e.scope, t.Name); decl != nil {
			return decl
		}
		for _, spec := range e.file.Imports {
			if spec.Name != nil && spec.Name.Name == "." {
				if s := u.dotImported(spec, u.target); s != nil {
					if decl := u.lookup(s, t.Name); decl != nil {
						return decl
					}
				}
			}
		}
		if t.Name == "error" {
			return universeError
		}
	case *ast.SelectorExpr:
		if pkg, ok := t.X.(*ast.Ident); ok {
			if s := u.imported(e.file, pkg.Name, u.target); s != nil {
				return u.lookup(s, t.Sel.Name)
			}
		}
	}
	return nil
}
