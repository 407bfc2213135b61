package golang

import (
	"errors"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// quotedPath matches the import path that go/types writes before a name if two packages have
// the same name.
var quotedPath = lazyregexp.New(`"(?:[\w.~-]+/)*([\w.~-]+)"\.`)

// declaredAt matches the position of another declaration.
var declaredAt = lazyregexp.New(` \(declared at [^)]*\)`)

// otherFaults are parts of the errors that have no relation to the types of other packages, or that
// typedReader finds itself.
var otherFaults = lazyregexp.New(`^undefined: | undefined \(|^(?:not enough|too many) arguments in call |^assignment mismatch|^unknown field |` +
	`^declared and not used|imported and not used|not exported by package|^missing return|^could not import|^duplicate |^label |^initialization cycle|` +
	`^invalid recursive type|other declaration of|invalid type|cannot refer to unexported`)

// report records an error from go/types. It ignores types that are not known, such as those of C.
func (r *typedReader) report(err error) {
	r.undefined = r.undefined || isUndefined(err)
	e, ok := errors.AsType[types.Error](err)
	if !ok {
		return
	}
	r.ambiguous = r.ambiguous || strings.Contains(e.Msg, "redeclared")
	if !otherFaults().MatchString(e.Msg) {
		e.Msg = declaredAt().ReplaceAllString(quotedPath().ReplaceAllString(e.Msg, "$1."), "")
		r.misfits = append(r.misfits, e)
	}
}

// faults adds the recorded errors in a file to the uses of the declarations that they concern.
func (r *typedReader) faults(file *ast.File) {
	if r.ambiguous { // The directory may contain several programs.
		return
	}
	whole := !r.undefined && !slices.ContainsFunc(r.pkg.Imports(), func(p *types.Package) bool {
		imported := r.importedFrom(p)
		return imported != nil && !imported.whole
	})
	for i := range r.misfits {
		u, e := r.claims[i], &r.misfits[i]
		if r.mentionsUnknownType(e.Msg) {
			continue
		}
		if u.Package == "" && whole && e.Pos >= file.FileStart && e.Pos < file.FileEnd && (r.tested == nil || !strings.Contains(e.Msg, r.tested.Name()+".")) {
			u = r.nearestUse(file, e)
		}
		if u.Package != "" {
			u.Fault, u.Message = ecosystem.TypeFault, e.Msg
			r.uses = append(r.uses, u)
		}
	}
}

// mentionsUnknownType reports whether an error mentions a type whose underlying type is not known, such as one of C. Any
// value may be assignable to it.
func (r *typedReader) mentionsUnknownType(message string) bool {
	for name := range strings.FieldsFuncSeq(message, func(c rune) bool { return c != '.' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		scope := r.pkg.Scope()
		if qualifier, member, ok := strings.Cut(name, "."); ok {
			i := slices.IndexFunc(r.pkg.Imports(), func(p *types.Package) bool { return p.Name() == qualifier })
			if i < 0 {
				continue
			}
			scope, name = r.pkg.Imports()[i].Scope(), member
		}
		if t, ok := scope.Lookup(name).(*types.TypeName); ok && t.Type().Underlying() == types.Typ[types.Invalid] {
			return true
		}
	}
	return false
}

// nearestUse returns the use of another package in the smallest expression or simple statement
// around an error, or none.
func (r *typedReader) nearestUse(file *ast.File, e *types.Error) (u ecosystem.TypedUse) {
	var around []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || e.Pos < n.Pos() || e.Pos >= n.End() {
			return false
		}
		around = append(around, n)
		return true
	})
	isValue := strings.HasPrefix(e.Msg, "cannot use ") // at the beginning of the value
	for _, n := range slices.Backward(around) {
		switch block := n.(type) {
		case *ast.RangeStmt:
			return r.firstUse(block.X)
		case *ast.SwitchStmt:
			if block.Tag == nil {
				return u
			}
			return r.firstUse(block.Tag)
		case *ast.CaseClause: // Its values are compared with that of the statement.
			continue
		case *ast.BlockStmt:
			if len(block.List) == 0 || !isCase(block.List[0]) {
				return u
			}
			continue
		case *ast.FuncLit, *ast.FuncDecl, *ast.IfStmt, *ast.ForStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.GenDecl, *ast.File:
			return u
		}
		if isValue && n.Pos() != e.Pos {
			return u
		}
		if u = r.firstUse(n); u.Package != "" {
			return u
		}
	}
	return u
}

func isCase(s ast.Stmt) bool {
	_, is := s.(*ast.CaseClause)
	return is
}

// firstUse returns the first use of another package in n.
func (r *typedReader) firstUse(n ast.Node) (u ecosystem.TypedUse) {
	ast.Inspect(n, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || u.Package != "" {
			return u.Package == ""
		}
		if s := r.info.Selections[sel]; s != nil {
			if owner := ownerOf(s); owner != nil && r.isForeign(owner.Pkg()) {
				u = r.use(sel.Sel, owner.Pkg(), owner.Name()+"."+sel.Sel.Name)
			}
		} else if obj := r.info.Uses[sel.Sel]; obj != nil && r.isForeign(obj.Pkg()) {
			u = r.use(sel.Sel, obj.Pkg(), obj.Name())
		}
		return u.Package == ""
	})
	return u
}
