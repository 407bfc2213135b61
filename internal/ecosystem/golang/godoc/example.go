package godoc

import (
	"go/ast"
	"go/doc"
	"go/format"
	"go/printer"
	"go/scanner"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// addExamples attaches the examples in test files to the symbols that they are
// named after. An example that is not named after a known symbol is attached to
// the package.
func (u *unit) addExamples(files []*ast.File) {
	list := doc.Examples(files...)
	if len(list) == 0 {
		return
	}
	symbols := map[string]*apidoc.Symbol{}
	for s := range u.pkg.All {
		symbols[strings.ReplaceAll(s.Path, ".", "_")] = s
	}
	for _, ex := range list {
		if u.ctx.Err() != nil {
			return
		}
		owner, suffix := exampleOwner(symbols, ex.Name)
		shown := apidoc.Example{
			Name:      suffix,
			Doc:       markdown(u.parser, ex.Doc),
			Code:      u.exampleCode(ex),
			Output:    strings.TrimRight(ex.Output, "\n"),
			Unordered: ex.Unordered,
		}
		switch {
		case shown.Code == "":
		case owner == nil:
			u.pkg.Examples = append(u.pkg.Examples, shown)
		default:
			owner.Examples = append(owner.Examples, shown)
		}
	}
}

// exampleOwner splits the name of an example, without "Example", into its symbol
// and a suffix, which begins with a lower-case letter. The longest name that
// exists is chosen: if T_M and T.M exist, it is T_M. owner is nil if no such
// symbol exists.
func exampleOwner(symbols map[string]*apidoc.Symbol, name string) (owner *apidoc.Symbol, suffix string) {
	for i := len(name); i > 0; i = strings.LastIndexByte(name[:i], '_') {
		suffix := strings.TrimPrefix(name[i:], "_")
		if first, _ := utf8.DecodeRuneInString(suffix); suffix != "" && !unicode.IsLower(first) {
			continue
		}
		if owner := symbols[name[:i]]; owner != nil {
			return owner, suffix
		}
	}
	return nil, strings.TrimPrefix(name, "_")
}

// exampleCode prints the statements of an example, or the whole file of a
// whole-file example, without the output comment. It returns "" if the code
// cannot be printed or would take too long to print.
func (u *unit) exampleCode(ex *doc.Example) string {
	if _, whole := ex.Code.(*ast.File); whole && ex.Play != nil {
		return u.text(ex.Play)
	}
	body, ok := ex.Code.(*ast.BlockStmt)
	if !ok {
		return ""
	}
	if u.spent += cost(body); u.spent > maxPrinting {
		return ""
	}
	comments := commentsIn(body, ex.Comments)
	if last := len(comments) - 1; last >= 0 && (ex.Output != "" || ex.EmptyOutput) {
		// Move the closing brace up to the place of the comment.
		c := *body
		c.Rbrace = comments[last].Pos()
		body, comments = &c, comments[:last]
	}
	u.buf.Reset()
	if err := format.Node(&u.buf, u.fset, &printer.CommentedNode{Node: body, Comments: comments}); err != nil {
		return ""
	}
	return unindentBlock(u.buf.String())
}

func commentsIn(body *ast.BlockStmt, all []*ast.CommentGroup) []*ast.CommentGroup {
	var in []*ast.CommentGroup
	for _, c := range all {
		if c.Pos() > body.Pos() && c.End() < body.End() {
			in = append(in, c)
		}
	}
	return in
}

// unindentBlock removes the braces of a printed block and one level of
// indentation, except in raw strings.
func unindentBlock(block string) string {
	block = strings.TrimSuffix(strings.TrimPrefix(block, "{"), "}")
	raw := rawLines(block)
	lines := strings.Split(block, "\n")
	for i, line := range lines {
		if !raw[i] {
			lines[i] = strings.TrimPrefix(line, "\t")
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// rawLines returns the indexes of the lines that begin inside a raw string.
func rawLines(code string) map[int]bool {
	if !strings.Contains(code, "`") {
		return nil
	}
	raw := map[int]bool{}
	file := token.NewFileSet().AddFile("", -1, len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), nil, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return raw
		}
		if tok == token.STRING && lit[0] == '`' {
			first := file.Line(pos)
			for i := range strings.Count(lit, "\n") {
				raw[first+i] = true // Lines count from 1, so this index is that of the next line.
			}
		}
	}
}
