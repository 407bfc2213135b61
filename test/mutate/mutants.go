package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is one change.
type mutant struct {
	id       int
	position string // file:line:column
	change   string
}

// pack is a package, type-checked, and the changes found in it.
type pack struct {
	dir     string
	name    string
	fset    *token.FileSet
	files   []*ast.File
	info    *types.Info
	types   *types.Package
	mutants []*mutant
	edits   map[*ast.File][]edit
}

// edit inserts text at an offset. Edits at one offset are in the order in which
// they are found, from the outside in; closing edits come first, from the inside out.
type edit struct {
	offset int
	text   string
	closes bool
}

// load parses and type-checks the package in dir, without its tests.
func load(ctx context.Context, dir string) (*pack, error) {
	list := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-json=Dir,ImportPath,Export,GoFiles,Name", ".")
	list.Dir, list.Stderr = dir, os.Stderr
	output, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", dir, err)
	}
	type entry struct {
		Dir, ImportPath, Export, Name string
		GoFiles                       []string
	}
	exports := map[string]string{}
	var self entry
	for stream := json.NewDecoder(bytes.NewReader(output)); ; {
		var e entry
		if err := stream.Decode(&e); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		exports[e.ImportPath], self = e.Export, e // The package itself is last.
	}
	p := &pack{dir: self.Dir, name: self.Name, fset: token.NewFileSet(), edits: map[*ast.File][]edit{}}
	for _, name := range self.GoFiles {
		file, err := parser.ParseFile(p.fset, filepath.Join(self.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file)
	}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	check := types.Config{Importer: importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})}
	p.types, err = check.Check(self.ImportPath, p.fset, p.files, p.info)
	return p, err
}

// find collects the changes in the selected lines.
func (p *pack) find(include func(file string, line int) bool) {
	for _, file := range p.files {
		f := &finder{pack: p, file: file, include: include}
		ast.Walk(f, file)
	}
}

// finder visits the nodes of one file, outer nodes before inner ones.
type finder struct {
	*pack
	file    *ast.File
	include func(string, int) bool
	results *types.Tuple // of the enclosing function
}

// add records a change of node. It returns the number that enables it, or 0 if the line is not
// selected.
func (f *finder) add(node ast.Node, format string, args ...any) int {
	position := f.fset.Position(node.Pos())
	if !f.include(filepath.Base(position.Filename), position.Line) {
		return 0
	}
	m := &mutant{id: len(f.mutants) + 1, position: position.String(), change: fmt.Sprintf(format, args...)}
	f.mutants = append(f.mutants, m)
	return m.id
}

func (f *finder) wrap(node ast.Node, before, after string) {
	start, end := f.fset.Position(node.Pos()).Offset, f.fset.Position(node.End()).Offset
	f.edits[f.file] = append(f.edits[f.file], edit{start, before, false}, edit{end, after, true})
}

// text returns the source of a node on one line, shortened.
func (f *finder) text(node ast.Node) string {
	var b strings.Builder
	_ = printer.Fprint(&b, f.fset, node)
	s := strings.Join(strings.Fields(b.String()), " ")
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "..."
	}
	return s
}

func (f *finder) Visit(node ast.Node) ast.Visitor {
	switch node := node.(type) {
	case *ast.GenDecl:
		if node.Tok != token.VAR {
			return nil // imports, types and constants are not switched
		}
	case *ast.FuncDecl:
		inner := *f
		if fn, ok := f.info.Defs[node.Name].(*types.Func); ok {
			inner.results = fn.Signature().Results()
		}
		if node.Body != nil {
			ast.Walk(&inner, node.Body)
		}
		return nil
	case *ast.FuncLit:
		inner := *f
		if sig, ok := f.info.Types[node].Type.(*types.Signature); ok {
			inner.results = sig.Results()
		}
		ast.Walk(&inner, node.Body)
		return nil
	case *ast.ArrayType:
		return nil // the length must be a constant
	case *ast.CompositeLit:
		f.composite(node)
		return nil
	case *ast.IfStmt:
		f.condition(node.Cond, true, true)
	case *ast.ForStmt:
		f.condition(node.Cond, false, true)
	case *ast.SwitchStmt:
		if node.Tag == nil {
			for _, clause := range node.Body.List {
				for _, cond := range clause.(*ast.CaseClause).List {
					f.condition(cond, true, true)
				}
			}
		}
	case *ast.BlockStmt:
		f.statements(node.List)
	case *ast.CaseClause:
		f.statements(node.Body)
	case *ast.CommClause:
		f.statements(node.Body)
	case *ast.ReturnStmt:
		f.returned(node)
	case *ast.CallExpr:
		f.call(node)
		return nil
	case ast.Expr:
		if f.constant(node) {
			return nil
		}
		if binary, ok := node.(*ast.BinaryExpr); ok {
			f.comparison(binary)
		}
	}
	return f
}

// composite walks the elements of a literal, but not keys, which are names or
// constants.
func (f *finder) composite(node *ast.CompositeLit) {
	for _, element := range node.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			element = pair.Value
		}
		ast.Walk(f, element)
	}
}

// call walks a call, except the capacity passed to make, which tests cannot observe, and the
// arguments of log calls.
func (f *finder) call(node *ast.CallExpr) {
	if f.constant(node) {
		return
	}
	ast.Walk(f, node.Fun)
	args := node.Args
	if name, ok := node.Fun.(*ast.Ident); ok && (name.Name == "make" || name.Name == "new") {
		args = args[min(1, len(args)):min(2, len(args))]
	}
	if f.logs(node) {
		return
	}
	for _, arg := range args {
		ast.Walk(f, arg)
	}
}

// logs reports whether the call is of a method of *slog.Logger.
func (f *finder) logs(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	return ok && f.info.Types[selector.X].Type != nil && f.info.Types[selector.X].Type.String() == "*log/slog.Logger"
}

// condition adds changes that make cond always true or always false, and changes that disable one
// operand of && or ||.
func (f *finder) condition(cond ast.Expr, always, never bool) {
	if cond == nil || !f.isBool(cond) {
		return
	}
	inner := ast.Unparen(cond)
	if binary, ok := inner.(*ast.BinaryExpr); ok && (binary.Op == token.LAND || binary.Op == token.LOR) {
		and := binary.Op == token.LAND
		f.condition(binary.X, and && always, !and && never)
		f.condition(binary.Y, and && always, !and && never)
		if and {
			always = false // the case in which an operand always holds is covered above
		} else {
			never = false
		}
	}
	if always {
		if id := f.add(cond, "%s always holds", f.text(cond)); id > 0 {
			f.wrap(cond, fmt.Sprintf("(_mutant(%d) || (", id), "))")
		}
	}
	if never {
		if id := f.add(cond, "%s never holds", f.text(cond)); id > 0 {
			f.wrap(cond, fmt.Sprintf("(!_mutant(%d) && (", id), "))")
		}
	}
}

// isBool reports whether e is a plain bool that is not a constant.
func (f *finder) isBool(e ast.Expr) bool {
	tv := f.info.Types[e]
	basic, ok := tv.Type.(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0 && tv.Value == nil
}

// comparison adds changes that move the boundary of <, <=, > and >= by one.
func (f *finder) comparison(e *ast.BinaryExpr) {
	if f.info.Types[e].Value != nil || !ordered(f.info.Types[e.X].Type) || !ordered(f.info.Types[e.Y].Type) {
		return
	}
	helper := map[token.Token]string{token.LSS: "_mutantLess", token.LEQ: "_mutantAtMost", token.GTR: "_mutantMore", token.GEQ: "_mutantAtLeast"}[e.Op]
	if helper == "" {
		return
	}
	id := f.add(e, "%s with its boundary moved", f.text(e))
	if id == 0 {
		return
	}
	f.wrap(e, fmt.Sprintf("%s(%d, ", helper, id), ")")
	op := f.fset.Position(e.OpPos).Offset
	// The operator is replaced with a comma, and the rest of it with a comment.
	f.edits[f.file] = append(f.edits[f.file], edit{op, ", /*", true}, edit{op + len(e.Op.String()), "*/", true})
}

func ordered(t types.Type) bool {
	if _, ok := t.(*types.TypeParam); ok {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsOrdered != 0
}

// constant adds a change of a constant, and reports whether e is one.
func (f *finder) constant(e ast.Expr) bool {
	tv := f.info.Types[e]
	if tv.Value == nil {
		return false
	}
	basic, ok := tv.Type.Underlying().(*types.Basic)
	name := f.typeName(tv.Type)
	if !ok || basic.Info()&types.IsUntyped != 0 || name == "" {
		return true
	}
	switch tv.Value.Kind() {
	case constant.Int, constant.Float:
		if basic.Info()&(types.IsInteger|types.IsFloat) != 0 {
			if id := f.add(e, "%s is one more", f.text(e)); id > 0 {
				f.wrap(e, fmt.Sprintf("_mutantNumber[%s](%d, ", name, id), ")")
			}
		}
	case constant.Bool:
		if name == "bool" {
			if id := f.add(e, "not %s", f.text(e)); id > 0 {
				f.wrap(e, fmt.Sprintf("(_mutant(%d) != ", id), ")")
			}
		}
	case constant.String:
		// Sentences are for people; strings with a meaning in a protocol are single words.
		if text := constant.StringVal(tv.Value); text != "" && !strings.ContainsAny(text, " %\n") {
			if id := f.add(e, "%s with a letter more", f.text(e)); id > 0 {
				f.wrap(e, fmt.Sprintf("_mutantText[%s](%d, ", name, id), ")")
			}
		}
	}
	return true
}

// typeName returns the name of the type in the file, or "" if it cannot be named.
func (f *finder) typeName(t types.Type) string {
	known := true
	name := types.TypeString(t, func(other *types.Package) string {
		if other == f.types {
			return ""
		}
		for _, spec := range f.file.Imports {
			if strings.Trim(spec.Path.Value, `"`) == other.Path() {
				if spec.Name != nil {
					return spec.Name.Name
				}
				return other.Name()
			}
		}
		known = false
		return ""
	})
	if named, ok := t.(*types.Named); ok && named.Obj().Parent() != nil && named.Obj().Pkg() == f.types && named.Obj().Parent() != f.types.Scope() {
		return "" // The name is that of a function.
	}
	if !known || strings.ContainsAny(name, "{") {
		return ""
	}
	return name
}

// returned adds changes that drop or negate results.
func (f *finder) returned(node *ast.ReturnStmt) {
	if f.results == nil || len(node.Results) != f.results.Len() {
		return
	}
	for i, e := range node.Results {
		if tv := f.info.Types[e]; tv.Value != nil || tv.IsNil() {
			continue
		}
		want := f.results.At(i).Type()
		if f.isBool(e) && types.Identical(want, types.Typ[types.Bool]) {
			if id := f.add(e, "returns not %s", f.text(e)); id > 0 {
				f.wrap(e, fmt.Sprintf("(_mutant(%d) != (", id), "))")
			}
			continue
		}
		name := f.typeName(want)
		if name == "" || !losable(want) {
			continue
		}
		if id := f.add(e, "returns no %s", f.text(e)); id > 0 {
			f.wrap(e, fmt.Sprintf("_mutantLost[%s](%d, ", name, id), ")")
		}
	}
}

// losable reports whether callers check values of that type for nil.
func losable(t types.Type) bool {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Basic:
		return u.Info()&(types.IsString|types.IsNumeric) != 0
	case *types.Pointer:
		return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
	}
	return false
}

// statements adds changes that remove a statement.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok || f.logs(call) || slices.Contains([]string{"panic", "Lock", "Unlock", "RLock", "RUnlock"}, calledName(call)) {
				continue
			}
		case *ast.IncDecStmt:
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || isBlank(s.Lhs) {
				continue
			}
		default:
			continue
		}
		if id := f.add(s, "without %s", f.text(s)); id > 0 {
			f.wrap(s, fmt.Sprintf("if !_mutant(%d) { ", id), " }")
		}
	}
}

func calledName(call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

func isBlank(list []ast.Expr) bool {
	for _, e := range list {
		if name, ok := e.(*ast.Ident); !ok || name.Name != "_" {
			return false
		}
	}
	return true
}

// rewritten returns the source of a file with all changes in it.
func (p *pack) rewritten(file *ast.File) ([]byte, error) {
	source, err := os.ReadFile(p.fset.Position(file.FileStart).Filename)
	if err != nil {
		return nil, err
	}
	edits := p.edits[file]
	order := make([]int, len(edits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := edits[i], edits[j]
		switch {
		case a.offset != b.offset:
			return a.offset - b.offset
		case a.closes != b.closes:
			return map[bool]int{true: -1, false: 1}[a.closes]
		case a.closes:
			return cmp.Compare(j, i)
		}
		return cmp.Compare(i, j)
	})
	var b bytes.Buffer
	last := 0
	for _, i := range order {
		b.Write(source[last:edits[i].offset])
		b.WriteString(edits[i].text)
		last = edits[i].offset
	}
	b.Write(source[last:])
	return b.Bytes(), nil
}
