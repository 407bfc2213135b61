package python

import (
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// IsSource implements ecosystem.SourceReader.
func (*Python) IsSource(name string) bool {
	return path.Ext(name) == ".py" || path.Ext(name) == notebookExtension
}

// SnippetName implements ecosystem.SourceReader.
func (*Python) SnippetName() string { return "snippet.py" }

// Uses implements ecosystem.SourceReader. It reads imports, and attributes of imported
// names that nothing else in the file binds. It omits code that may not run for every version, platform or
// type, imports in conditions, and code that expects the errors of absent names. The cells of a notebook
// are read as one file.
func (*Python) Uses(f *ecosystem.SourceFile) ([]ecosystem.Use, []ecosystem.SyntaxError) {
	if path.Ext(f.Name) == notebookExtension {
		n, ok := readNotebook(f.Text)
		if !ok {
			return nil, nil
		}
		uses := readUses(f, n.text.String())
		n.positions(uses, f.Text)
		return uses, nil
	}
	text, gap := source.Decode(f.Text)
	if gap.Text != "" {
		return nil, nil
	}
	return readUses(f, text), nil
}

// readUses reads the uses in the code of a file.
func readUses(f *ecosystem.SourceFile, text string) []ecosystem.Use {
	r := &usesReader{file: f, text: text, tokens: source.Tokens(text), lines: ecosystem.NewLines(text), imported: map[string]importedName{}, importedIn: map[string][]int{}, bound: map[string]bool{}, bindings: map[string][]int{}, own: map[string]bool{}, ambiguous: map[string]bool{}}
	r.read()
	return r.uses
}

// importedName is the module or symbol that an import binds to a name.
type importedName struct {
	// pkg is a module, or "" for the file itself. path is the path of a symbol in it, or "" for the module
	// itself.
	pkg, path string
	own       bool // whether the module belongs to the program
}

// usesReader collects the uses of modules in one file.
type usesReader struct {
	file   *ecosystem.SourceFile
	text   string
	tokens []source.Token

	imported map[string]importedName
	// importedIn are the functions and classes that import each name, or -1 for an import outside of them.
	importedIn map[string][]int
	scope      int             // the function or class around the statement that is read, or -1
	bound      map[string]bool // names that imports bind to different values, or under a condition
	modules    []string        // modules that are imported by their whole name: import a.b
	own        map[string]bool // whether a top-level module belongs to the project
	ambiguous  map[string]bool // whether the project contains several top-level modules with a name
	uses       []ecosystem.Use
	lines      ecosystem.Lines

	bindings map[string][]int // the tokens at which names may be bound
	scopes   []block          // functions and classes
	scopeOf  []int            // the innermost scope around each statement, or -1
	scopeAt  []int            // the scope that each statement begins, or -1

	code     []statement
	ignored  map[int]bool    // lines that type checkers ignore
	replaced map[string]bool // attributes that the file may assign
	guarded  []bool          // whether names in each statement are not checked
	failing  []bool          // whether each statement is expected to fail
}

const (
	// maxStepText is the maximum length, in bytes, of the text of an expression in a finding.
	maxStepText = 80
	// maxLocals is the maximum number of bindings of one name that are distinguished.
	maxLocals = 500
)

// block is the body of a function or class, with its first line.
type block struct {
	first, end int // tokens
	statement  int // the index of its statement
}

// statement is a logical line.
type statement struct {
	first, end int // tokens
	indent     int
	// doubtful is true if the statement runs under a condition, and typing if only type checkers evaluate it.
	doubtful, typing bool
}

func (r *usesReader) read() {
	statements := r.statements()
	r.code = statements
	r.blocks(statements)
	r.ignored = ignoredLines(r.text, &r.lines)
	for n, s := range statements {
		r.scope = r.scopeOf[n]
		r.bind(s)
	}
	r.guard(statements)
	r.replaced = modules.Replaced(r.tokens)
	for n, s := range statements {
		if !r.guarded[n] {
			r.use(s)
		}
	}
	r.uses = slices.DeleteFunc(r.uses, func(u ecosystem.Use) bool { return r.ignored[u.Line] && !u.Import })
	ecosystem.SortUses(r.uses)
}

// ignoresTypes matches a comment by which programmers tell type checkers that a line works nevertheless.
var ignoresTypes = lazyregexp.New(`(?m)#[ \t]*(?:type|pyright|ty|mypy):[ \t]*ignore`)

// ignoredLines returns the lines with such a comment.
func ignoredLines(text string, lines *ecosystem.Lines) map[int]bool {
	ignored := map[int]bool{}
	for _, found := range ignoresTypes().FindAllStringIndex(text, -1) {
		ignored[lines.Position(found[0]).Line] = true
	}
	return ignored
}

// blocks finds the functions and classes of the file.
func (r *usesReader) blocks(statements []statement) {
	var open []int // open contains the indices of the blocks around the current statement.
	for n, s := range statements {
		for len(open) > 0 && statements[r.scopes[open[len(open)-1]].statement].indent >= s.indent {
			r.scopes[open[len(open)-1]].end = s.first
			open = open[:len(open)-1]
		}
		word := r.text1(s.first)
		if word == "async" {
			word = r.text1(s.first + 1)
		}
		parent := -1
		if len(open) > 0 {
			parent = open[len(open)-1]
		}
		r.scopeOf, r.scopeAt = append(r.scopeOf, parent), append(r.scopeAt, -1)
		if word != "def" && word != "class" {
			continue
		}
		r.scopeAt[n] = len(r.scopes)
		open = append(open, len(r.scopes))
		r.scopes = append(r.scopes, block{first: s.first, end: len(r.tokens), statement: n})
	}
}

// statementAt returns the index of the statement that contains a token.
func (r *usesReader) statementAt(i int, statements []statement) int {
	n, found := slices.BinarySearchFunc(statements, i, func(s statement, i int) int { return s.first - i })
	if !found {
		n--
	}
	return max(n, 0)
}

// statements splits the tokens into logical lines.
func (r *usesReader) statements() (all []statement) {
	type block struct {
		indent           int
		doubtful, typing bool
		skipped          bool // whether the block is a decorator of a test that may not run
	}
	var blocks []block // blocks contains the blocks around the current line, and the last one before it.
	depth := 0
	for i := 0; i < len(r.tokens); {
		s := statement{first: i, indent: r.indent(i)}
		for ; i < len(r.tokens); i++ {
			if i > s.first && depth == 0 && (r.startsLine(i) || r.tokens[i-1].Text == ";") {
				break
			}
			switch r.tokens[i].Text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth = max(depth-1, 0)
			}
		}
		s.end = i
		if s.first > 0 && r.tokens[s.first-1].Text == ";" && !r.startsLine(s.first) && len(all) > 0 {
			s.indent = all[len(all)-1].indent
		}
		skipped := false
		for len(blocks) > 0 && blocks[len(blocks)-1].indent >= s.indent {
			last := blocks[len(blocks)-1]
			skipped = last.skipped && last.indent == s.indent
			blocks = blocks[:len(blocks)-1]
		}
		if len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			s.doubtful, s.typing = last.doubtful, last.typing
		}
		decorator := r.text1(s.first) == "@"
		typing := r.text1(s.first) == "if" && r.has(s, "TYPE_CHECKING") && !r.has(s, "not")
		blocks = append(blocks, block{s.indent, s.doubtful || skipped || r.isCondition(s), s.typing || typing, decorator && (skipped || r.has(s, skipping...))})
		all = append(all, s)
	}
	return all
}

// startsLine reports whether a token is the first of a logical line: a line end that does not follow a backslash is
// between the token and the one before it.
func (r *usesReader) startsLine(i int) bool {
	if i == 0 {
		return true
	}
	before := r.tokens[i-1]
	between := r.text[before.Pos+len(before.Text) : r.tokens[i].Pos]
	for {
		line, rest, found := strings.Cut(between, "\n")
		if !found {
			return false
		}
		if strings.Contains(line, "#") || !strings.HasSuffix(strings.TrimRight(line, "\r"), "\\") {
			return true
		}
		between = rest
	}
}

// indent returns the column of the first token of a line.
func (r *usesReader) indent(i int) int {
	pos := r.tokens[i].Pos
	return pos - (strings.LastIndexByte(r.text[:pos], '\n') + 1)
}

// isCondition reports whether a statement begins a block that may not run, or whose
// failures are caught.
func (r *usesReader) isCondition(s statement) bool {
	switch r.tokens[s.first].Text {
	case "try", "except", "finally", "else", "elif", "match", "case":
		return true
	case "with":
		return r.expectsException(s) || r.has(s, "warns")
	case "if", "while":
		return r.has(s, "version_info", "hasattr", "__version__", "version", "Version", "platform", "find_spec", "PY2", "PY3", "name", "environ") || !r.has(s, "TYPE_CHECKING", "__name__")
	}
	return false
}

// has reports whether a statement contains one of the names.
func (r *usesReader) has(s statement, names ...string) bool {
	return slices.ContainsFunc(r.tokens[s.first:s.end], func(t source.Token) bool { return slices.Contains(names, t.Text) })
}

func (r *usesReader) text1(i int) string {
	if i >= 0 && i < len(r.tokens) {
		return r.tokens[i].Text
	}
	return ""
}

func (r *usesReader) isName(i int) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].Kind == source.NameToken
}

// dotted reads a dotted name and returns the index after it.
func (r *usesReader) dotted(i int) (name string, end int) {
	for r.isName(i) {
		name += r.tokens[i].Text
		if r.text1(i+1) != "." || !r.isName(i+2) {
			return name, i + 1
		}
		name += "."
		i += 2
	}
	return name, i
}

// bind records the names that a statement binds, and adds the uses that are imports.
func (r *usesReader) bind(s statement) {
	switch r.tokens[s.first].Text {
	case "import":
		for i := s.first + 1; i < s.end; i++ {
			module, end := r.dotted(i)
			if module == "" {
				return
			}
			at := i
			i = end
			if r.text1(i) == "as" && r.isName(i+1) {
				r.add(s, at, module, "", module)
				r.bindImport(r.text1(i+1), r.importedName(module, ""), s)
				i += 2
			} else {
				r.add(s, at, module, "", module)
				top, _, _ := strings.Cut(module, ".")
				r.modules = append(r.modules, module)
				if to := r.importedName(top, ""); r.imported[top] != to {
					r.bindImport(top, to, s)
				}
			}
			if r.text1(i) != "," {
				return
			}
		}
	case "from":
		module, i := r.source(s.first + 1)
		if module == "" || r.text1(i) != "import" { // a relative import in a file that is not in a package
			for k := s.first; k < s.end; k++ {
				if r.isName(k) {
					r.bindAt(k)
				}
			}
			return
		}
		if r.text1(i+1) == "*" {
			r.add(s, s.first+1, module, "", module)
			return
		}
		r.add(s, s.first+1, module, "", module)
		for i++; i < s.end; i++ {
			if !r.isName(i) {
				continue
			}
			name, at := r.tokens[i].Text, i
			stubbed := s.typing && strings.HasPrefix(name, "_") // Stubs declare private names of their own.
			if !stubbed {
				r.add(s, at, module, name, module+"."+name)
			}
			as := name
			if r.text1(i+1) == "as" && r.isName(i+2) {
				as = r.text1(i + 2)
				i += 2
			}
			r.bindImport(as, r.importedName(module, name), s)
			r.bound[as] = r.bound[as] || stubbed
		}
	default:
		r.bindOthers(s)
	}
}

// importedName returns the module, or a name in it, that an import binds.
func (r *usesReader) importedName(module, path string) importedName {
	return importedName{module, path, r.isOwn(module)}
}

// source reads the name of the module in a from statement, and returns the index after it. A relative name
// becomes an absolute one.
func (r *usesReader) source(i int) (module string, end int) {
	level := 0
	for ; strings.Trim(r.text1(i), ".") == "" && r.text1(i) != ""; i++ {
		level += len(r.text1(i))
	}
	if r.text1(i) != "import" {
		module, i = r.dotted(i)
	}
	if level == 0 {
		return module, i
	}
	_, pkg := moduleOfFile(r.file)
	if path.Base(r.file.Name) == "__init__.py" {
		level--
	}
	for ; level > 0; level-- {
		pkg = parentModule(pkg)
	}
	if pkg == "" {
		return "", i
	}
	return strings.Trim(pkg+"."+module, "."), i
}

func (r *usesReader) bindImport(name string, to importedName, s statement) {
	if old, ok := r.imported[name]; ok && old != to || s.doubtful || r.isAmbiguous(to.pkg) {
		r.bound[name] = true // everywhere
	}
	r.imported[name] = to
	if in := r.importedIn[name]; len(in) < maxLocals && !slices.Contains(in, r.scope) {
		r.importedIn[name] = append(in, r.scope)
	}
}

// isImported reports whether an import binds the name at the given token there: one outside functions and classes, or
// one in a function or class around the token.
func (r *usesReader) isImported(i int) bool {
	return slices.ContainsFunc(r.importedIn[r.text1(i)], func(scope int) bool {
		return scope < 0 || i >= r.scopes[scope].first && i < r.scopes[scope].end
	})
}

// bindOthers records the names that a statement other than an import binds: targets of
// assignments, parameters, loops and others. It also records some names that are not
// bound.
func (r *usesReader) bindOthers(s statement) {
	targets := r.targets(s)
	depth, parameters := 0, -1 // parameters is the bracket depth of the parameters of the innermost def or lambda.
	first := r.tokens[s.first].Text
	annotation := false // annotation is true if the token is part of the type of a variable, as in v: T = 1.
	target := first == "for" || first == "with" || first == "del" || first == "global" || first == "nonlocal"
	for i := s.first; i < s.end; i++ {
		t := r.tokens[i]
		word := t.Text
		if word == "case" && !r.mayBeginCase(s, i) {
			word = ""
		}
		switch word {
		case "(", "[", "{":
			depth++
			continue
		case ")", "]", "}":
			depth--
			if depth < parameters {
				parameters = -1
			}
			continue
		case "def", "class":
			if r.isName(i + 1) {
				r.bindAt(i + 1)
				if t.Text == "def" {
					parameters = depth + 1
				}
			}
			continue
		case "lambda":
			for k := i + 1; k < s.end && r.text1(k) != ":"; k++ {
				if r.isName(k) {
					r.bindAt(k)
				}
			}
			continue
		case "for", "as", "case":
			for k := i + 1; k < s.end && r.text1(k) != "in" && r.text1(k) != ":"; k++ {
				if r.isName(k) && r.text1(k-1) != "." {
					r.bindAt(k)
				}
				if t.Text == "as" && r.text1(k) != "(" && r.text1(k) != "," {
					break
				}
			}
			continue
		}
		if t.Text == ":" && depth == 0 {
			annotation = !pythonKeyword(first)
		}
		if t.Kind != source.NameToken || r.text1(i-1) == "." {
			continue
		}
		next := r.text1(i + 1)
		switch {
		case next == ":=", target && depth == 0 && (first == "del" || first == "global" || first == "nonlocal"),
			parameters >= 0 && depth == parameters && (next == "," || next == ")" || next == ":" || next == "=") && (r.text1(i-1) == "(" || r.text1(i-1) == "," || r.text1(i-1) == "*" || r.text1(i-1) == "**"),
			depth == 0 && parameters < 0 && (next == "=" && !annotation || next == ":" && i == s.first && first != "else" && first != "try" && first != "finally" || isAugmented(next)):
			r.bindAt(i)
		case i < targets && depth <= 1 && (next == "," || depth == 1 && (next == ")" || next == "]")): // as in a, b = …
			r.bindAt(i)
		}
	}
}

// mayBeginCase reports whether the word "case" at a token may begin a clause of a match statement rather than be a name.
func (r *usesReader) mayBeginCase(s statement, i int) bool {
	return i == s.first && !slices.Contains([]string{"=", ":", ",", ".", ":="}, r.text1(i+1))
}

// bindAt records that the name at the given token may be bound there.
func (r *usesReader) bindAt(i int) {
	name := r.tokens[i].Text
	r.bindings[name] = append(r.bindings[name], i)
}

// isBound reports whether the name at the given token may refer there to anything other than what a single import
// binds.
func (r *usesReader) isBound(i int) bool {
	name := r.text1(i)
	return r.bound[name] || slices.ContainsFunc(r.bindings[name], func(at int) bool {
		n := r.statementAt(at, r.code)
		scope := r.scopeOf[n]
		if word := r.text1(r.code[n].first); word == "global" || word == "nonlocal" {
			return true
		}
		if k := r.scopeAt[n]; k >= 0 && r.text1(at-1) != "def" && r.text1(at-1) != "class" {
			scope = k // a parameter
		}
		return scope < 0 || i >= r.scopes[scope].first && i < r.scopes[scope].end
	})
}

func isAugmented(op string) bool {
	return len(op) > 1 && strings.HasSuffix(op, "=") && op != "==" && op != "!=" && op != "<=" && op != ">=" && op != ":="
}

// targets returns the index of the token that ends the targets of a statement, which is its last assignment operator. It
// returns the first token of a statement that assigns nothing.
func (r *usesReader) targets(s statement) (end int) {
	depth := 0
	end = s.first
	for i := s.first; i < s.end; i++ {
		switch r.tokens[i].Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "=":
			if depth == 0 {
				end = i
			}
		}
	}
	return end
}

// add records the import of a module, or of a name in a module.
func (r *usesReader) add(s statement, token int, module, name, text string) {
	own := r.isOwn(module)
	top, _, _ := strings.Cut(module, ".")
	if s.doubtful || s.typing && r.ignored[r.lines.Position(r.tokens[s.first].Pos).Line] || r.isAmbiguous(module) || own && (name == "" || rootOf(r.file, top, false) == "") || r.writes(module) {
		return
	}
	u := ecosystem.Use{Position: r.lines.Position(r.tokens[token].Pos), Package: module, Own: own, Path: name, Text: text, Import: true}
	if name != "" {
		u.Module = module + "." + name
	}
	r.uses = append(r.uses, u)
}

// isOwn reports whether a module is in the project itself or in the file's directory.
func (r *usesReader) isOwn(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	own, known := r.own[top]
	if !known {
		own = top == "__future__" || top == "__main__" || strings.HasPrefix(top, "_typeshed") || rootOf(r.file, top, false) != ""
		r.own[top] = own
	}
	return own
}

// isAmbiguous reports whether directories around the file contain different top-level modules with the name of a module.
// Which of them an import finds depends on how the program is run.
func (r *usesReader) isAmbiguous(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	if !r.isOwn(top) {
		return false
	}
	ambiguous, known := r.ambiguous[top]
	if !known {
		first := rootOf(r.file, top, false)
		for root := range rootsOf(r.file, top, false) {
			ambiguous = ambiguous || root != first
		}
		r.ambiguous[top] = ambiguous
	}
	return ambiguous
}

// writes reports whether the code may write a top-level module before it imports it, as tests do.
func (r *usesReader) writes(module string) bool {
	top, _, below := strings.Cut(module, ".")
	if !below && (strings.Contains(r.text, top+".py\"") || strings.Contains(r.text, top+".py'")) {
		return true
	}
	return strings.Contains(r.text, "__init__.py") && (strings.Contains(r.text, `"`+top) || strings.Contains(r.text, `'`+top))
}

// use adds the attributes of imported names in a statement.
func (r *usesReader) use(s statement) {
	if word := r.tokens[s.first].Text; word == "import" || word == "from" {
		return
	}
	for i := s.first; i < s.end; i++ {
		if !r.isName(i) || r.text1(i-1) == "." {
			continue
		}
		name := r.tokens[i].Text
		to, ok := r.imported[name]
		if !ok || r.text1(i+1) == "=" || !r.isImported(i) || r.isBound(i) {
			continue
		}
		full, end := r.dotted(i)
		if next := r.text1(end); next == "=" && (i == s.first || r.text1(i-1) != ":") || isAugmented(next) {
			continue // it is replaced
		}
		pkg, symbol := to.pkg, to.path
		attributes := strings.TrimPrefix(full, name)
		if to.path == "" && to.pkg == name { // The statement import a.b binds a.
			pkg, attributes = r.longest(full)
		}
		symbol = strings.Trim(symbol+attributes, ".")
		if symbol == "" {
			continue
		}
		at := i
		if attributes != "" {
			at = end - 1 // the last name
		}
		u := ecosystem.Use{Position: r.lines.Position(r.tokens[at].Pos), Package: pkg, Own: to.own, Path: symbol, Text: full, Module: pkg + "." + symbol}
		if r.text1(end) == "(" {
			u.Args = r.callArgs(r.text1(end-1), end, s.end)
		}
		r.uses = append(r.uses, u)
	}
}

// callArgs reads the arguments of the call of a name whose opening parenthesis is at the given token. It returns
// nil if the call is expected to fail, or if the file replaces functions with that name, as tests do.
func (r *usesReader) callArgs(name string, open, end int) *ecosystem.Args {
	isClass := name[0] >= 'A' && name[0] <= 'Z'
	if r.failing[r.statementAt(open, r.code)] || r.replaced[name] || isClass && r.replaced["__init__"] {
		return nil
	}
	return r.args(open, end)
}

// longest splits a dotted name after the longest module that is imported.
func (r *usesReader) longest(full string) (module, rest string) {
	module, _, _ = strings.Cut(full, ".")
	for _, m := range r.modules {
		if len(m) > len(module) && (full == m || strings.HasPrefix(full, m+".")) {
			module = m
		}
	}
	return module, strings.TrimPrefix(full, module)
}

// args reads the arguments of the call whose opening parenthesis is at the given token.
func (r *usesReader) args(open, end int) *ecosystem.Args {
	a := &ecosystem.Args{}
	depth := 0
	begins := true // begins is true if the next token begins an argument.
	lambda, generator := false, false
	for i := open; i < end; i++ {
		t := r.tokens[i]
		switch t.Text {
		case "(", "[", "{":
			if depth++; depth == 1 {
				continue
			}
		case ")", "]", "}":
			if depth--; depth == 0 {
				return a
			}
		case ",":
			if depth == 1 {
				begins = !lambda && !generator
				continue
			}
		case ":":
			lambda = lambda && depth != 1
		case "lambda":
			lambda = lambda || depth == 1
		case "for":
			if depth == 1 {
				begins, generator = false, true // A generator is one argument.
				continue
			}
		}
		if depth < 1 || !begins {
			continue
		}
		begins = false
		switch {
		case t.Text == "*":
			a.Spread = true
		case t.Text == "**":
			a.NamedSpread = true
		case t.Kind == source.NameToken && r.text1(i+1) == "=":
			a.Named = append(a.Named, ecosystem.Field{Position: r.lines.Position(t.Pos), Name: t.Text})
		default:
			a.Positional++
		}
	}
	return nil // it is not closed
}
