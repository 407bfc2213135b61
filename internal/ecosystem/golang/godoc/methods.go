package godoc

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
)

// parseFile is parser.ParseFile that also reads methods with type parameters (Go
// 1.27) when docent is built with an older release, whose parser rejects them.
func parseFile(fset *token.FileSet, path string, src []byte, mode parser.Mode) (*ast.File, error) {
	file, err := parser.ParseFile(fset, path, src, mode)
	var list scanner.ErrorList
	if file == nil || !errors.As(err, &list) || !refusesTypeParams(list[0]) {
		return file, err
	}
	file, err = parser.ParseFile(fset, path, src, mode|parser.AllErrors)
	if file == nil || !errors.As(err, &list) {
		return file, err
	}
	refused := map[int]bool{} // refused contains the offsets of the opening brackets of rejected type parameters.
	var others scanner.ErrorList
	for _, e := range list {
		if refusesTypeParams(e) {
			refused[e.Pos.Offset] = true
		} else {
			others = append(others, e)
		}
	}
	addTypeParams(fset, file, src, refused)
	return file, others.Err()
}

func refusesTypeParams(e *scanner.Error) bool { return e.Msg == "method must have no type parameters" }

// addTypeParams completes the methods of file whose type parameters the parser
// has rejected. It parses src again with the receivers of these methods blanked,
// so that they parse as functions.
func addTypeParams(fset *token.FileSet, file *ast.File, src []byte, refused map[int]bool) {
	offset := func(pos token.Pos) int { return fset.PositionFor(pos, false).Offset }
	methods := map[int]*ast.FuncDecl{} // methods contains the methods by the offsets of their names.
	blanked := bytes.Clone(src)
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || !refused[typeParamsAt(src, offset(fn.Name.End()))] {
			continue
		}
		methods[offset(fn.Name.Pos())] = fn
		for i := offset(fn.Recv.Pos()); i < offset(fn.Recv.End()); i++ {
			if blanked[i] != '\n' {
				blanked[i] = ' '
			}
		}
	}
	// The positions in the second parse are those in the first.
	same := token.NewFileSet()
	if base := fset.File(file.Package).Base(); base > 1 {
		same.AddFile("", 1, base-2)
	}
	functions, _ := parser.ParseFile(same, "", blanked, parser.SkipObjectResolution|parser.AllErrors)
	if functions == nil {
		return
	}
	for _, decl := range functions.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			if method := methods[offset(fn.Name.Pos())]; method != nil {
				method.Type.TypeParams = fn.Type.TypeParams
			}
		}
	}
}

// typeParamsAt returns the offset of the first bracket in src at or after pos. It
// returns -1 if there is none.
func typeParamsAt(src []byte, pos int) int {
	if pos < 0 || pos > len(src) {
		return -1
	}
	return pos + bytes.IndexByte(src[pos:], '[')
}
