package program

import (
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// Uses returns the uses of declarations in a file of a module, with the tokens of that file.
func (p *Program) Uses(moduleName, name string, tokens *Tokens) []Use {
	m := p.modules[moduleName]
	if m == nil || m.Opaque || !tokens.paired {
		return nil
	}
	f := m.named[name]
	if f == nil || f.Text != tokens.text {
		f = newFile(m, source.Parse(name, tokens.text))
	}
	w := p.newWalker(tokens, f)
	const tokensOfUse = 8 // less than in most files
	w.uses = make([]Use, 0, len(w.tokens)/tokensOfUse)
	w.block(0, len(w.tokens))
	w.misspelled()
	return w.uses
}

func (p *Program) newWalker(tokens *Tokens, f *file) *walker {
	return &walker{program: p, Tokens: *tokens, chains: map[int]*result{}, bodies: map[int]bool{}, labels: map[int]bool{}, annotated: map[int]bool{}, closureResults: map[int]value{}, walked: map[int]bool{}, patterned: map[int]bool{}, closures: map[int][]value{}, returnTypes: map[int]value{}, subjects: map[int]value{}, payloads: map[int]value{}, resolved: map[int]bool{}, named: map[string][]int{}, file: f}
}

// infer returns the value of a property or variable that has no written type but is initialized by a chain of members.
func (p *Program) infer(m *member) value {
	if m.inferred == nil {
		m.inferred = &value{} // ends a cycle
		if text := m.decl.Value; text != "" && len(text) < maxInferred && m.decl.Pattern == "" && p.inferring < maxInferring {
			w := p.newWalker(Tokenize(text), m.file)
			if m.owner != nil {
				w.frames = []frame{{t: m.owner, static: true}}
			}
			if w.paired && len(w.tokens) > 0 {
				p.inferring++
				if r := w.initializer(0); r.end == len(w.tokens) {
					m.inferred = &r.value
				}
				p.inferring--
			}
		}
	}
	return *m.inferred
}

const (
	// maxInferred is the maximum size of an initial value whose type is inferred, in bytes.
	maxInferred = 4096
	// maxInferring is the maximum number of values that are inferred from one another.
	maxInferring = 20
)

// maxText is the maximum size of a file, in bytes.
const maxText = 4 << 20

// Use is a use of a declaration.
type Use struct {
	// Start is the offset of the name.
	Start int
	// Text is the expression that ends with the name.
	Text string
	// Module is the module of the declaration, or of the type that lacks it, and Path the path in that module.
	Module, Path string
	Fault        ecosystem.Fault
	// Message describes wrong arguments. For a name that is declared nowhere, it is the whole message, Module is empty,
	// and Near contains similar names.
	Message string
	Near    []string
	// Declaration is the declaration that does not accept the arguments.
	Declaration string
}

// walker walks over the tokens of a file in their order.
type walker struct {
	Tokens
	program *Program
	file    *file
	chains  map[int]*result
	bodies  map[int]bool // braces that begin bodies of statements, which are not closures
	labels  map[int]bool // names before the arguments of calls
	// closures are the types of the parameters of closures, by their braces, and subjects the values of switch statements.
	// returnTypes are the types of what closures must return, as far as the called functions determine them.
	closures       map[int][]value
	returnTypes    map[int]value
	closureResults map[int]value // the results of closureResult
	walked         map[int]bool  // the closures that closureResult has read
	// returns are the values that the innermost closure returns, or nil if they are not needed. measured is the closure that is
	// about to be read for them.
	returns   *[]value
	measured  int
	subjects  map[int]value
	subject   value         // the value of the innermost switch
	result    value         // the result of the innermost function, or an unknown value in a closure
	payloads  map[int]value // the types of the variables in patterns of enum cases, by their names
	patterned map[int]bool  // the dots of members without a type that are patterns
	annotated map[int]bool  // the names in written types that have been checked
	// resolved are the names whose declarations are certain.
	resolved map[int]bool
	vars     []variable
	named    map[string][]int // indices of variables by name
	base     int              // number of variables from outside the current block
	frames   []frame
	// localTypes are the types that functions around the current token declare, and their generic parameters, by name.
	localTypes map[string]value
	// headerEnd is the body of the statement whose condition is being read, or 0. Variables of the condition are in
	// scope until bodyEnd.
	headerEnd, bodyEnd int
	functions          int  // number of enclosing functions
	generated          bool // whether the file uses a type that no source declares, but perhaps one that is generated
	depth              int
	uses               []Use
}

// variable is a local variable. It is in scope from one token to another.
type variable struct {
	name        string
	from, until int
	value       value
}

// frame is an enclosing type. Its type is nil if it is unknown, or one of a system that is extended.
type frame struct {
	t      *Type
	system string // the name of the type of a system, as in value
	static bool   // whether self is the type
	// bound are the types that an extension requires associated types and generic parameters to be, by their names.
	bound map[string]value
}

// result is the value of an expression and the token after it.
type result struct {
	value value
	end   int
}

// maxDepth is the maximum nesting of blocks.
const maxDepth = 200

// block reads the tokens of a block.
func (w *walker) block(i, end int) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	vars, headerEnd, base := len(w.vars), w.headerEnd, w.base
	w.headerEnd, w.base = 0, vars
	for i < end {
		i = w.step(i, end)
	}
	w.forget(vars)
	w.headerEnd, w.base = headerEnd, base
	w.depth--
}

// bind adds an unknown variable that is in scope until the end of the block.
func (w *walker) bind(name string, from int) { w.set(name, from, len(w.tokens), value{}) }

func (w *walker) set(name string, from, until int, v value) {
	if name = unquoted(name); name != "_" {
		w.named[name] = append(w.named[name], len(w.vars))
		w.vars = append(w.vars, variable{name, from, until, v})
	}
}

// forget removes all variables but the first n.
func (w *walker) forget(n int) {
	for k := len(w.vars) - 1; k >= n; k-- {
		name := w.vars[k].name
		w.named[name] = w.named[name][:len(w.named[name])-1]
	}
	w.vars = w.vars[:n]
}

// step reads a token, or a declaration, and returns the next token.
func (w *walker) step(i, end int) int {
	switch w.tokens[i].Kind {
	case source.Pound:
		if w.at(i) != "#if" {
			return i + 1
		}
		for k := i; k < w.closing[i]; k++ { // what the condition removes is not checked, but it may declare names
			switch w.at(k) {
			case "let", "var", "func", "class", "struct", "enum", "typealias", "actor", "protocol", "case":
				w.bind(w.at(k+1), i)
			}
		}
		return w.closing[i] + 1
	case source.Punct:
		switch w.at(i) {
		case "@":
			return w.attribute(i)
		case "{":
			if !w.walked[i] {
				w.functions++
				w.closure(i)
				w.functions--
			}
			return w.closing[i] + 1
		case ".":
			if w.isName(i+1) && w.calls(i+2) {
				w.arguments(i + 2)
			}
			return i + 2
		case "(":
			w.chain(i)
		case "[":
			if next := w.closing[i] + 1; (w.at(next) == "." || w.at(next) == "(" && w.tight(next)) && (!w.tight(i) || contains(" ( [ { , ; ", w.at(i-1))) {
				w.operand(i)
			}
		}
		return i + 1
	case source.Ident:
		return w.word(i, end)
	case source.String:
		if w.at(i+1) == "." && w.isName(i+2) && !w.begins(i+1) {
			w.chain(i)
		}
	}
	return i + 1
}

// closure reads a block in braces, which may be a closure with parameters.
func (w *walker) closure(open int) {
	end := w.closing[open]
	vars, subject, result, returns := len(w.vars), w.subject, w.result, w.returns
	if !w.bodies[open] {
		w.result = w.returnType(open)
		if w.measured != open {
			w.returns = nil
		}
		w.measured = 0
	}
	body := w.closureStart(open)
	if !w.bodies[open] {
		w.expression(w.result, body)
	}
	w.subject = w.subjects[open]
	w.block(body, end)
	w.forget(vars)
	w.subject, w.result, w.returns = subject, result, returns
}

// closureStart binds the parameters of a closure and returns the first token of its body.
func (w *walker) closureStart(open int) int {
	types := w.spread(w.closures[open], open)
	if in := w.parameters(open + 1); in > 0 {
		w.closureParameters(open+1, in, types)
		return in + 1
	}
	if !w.bodies[open] {
		const hidden = 4 // parameters of the closures around it
		for i := range max(len(types), hidden) {
			v := value{}
			if i < len(types) {
				v = types[i]
			}
			w.set("$"+strconv.Itoa(i), open, len(w.tokens), v)
		}
	}
	return open + 1
}

// spread returns the elements of a tuple if that is the only parameter of a closure which has names for several.
func (w *walker) spread(types []value, open int) []value {
	if len(types) != 1 || types[0].tuple == nil || types[0].optional > 0 {
		return types
	}
	end := w.closing[open]
	if in := w.parameters(open + 1); in > 0 {
		if !strings.Contains(w.between(open+1, in), ",") {
			return types
		}
		return types[0].tuple.elements
	}
	const second = "$1"
	for k := open + 1; k < end; k++ {
		if w.at(k) == second {
			return types[0].tuple.elements
		}
		if w.at(k) != "{" {
			continue
		}
		if strings.Contains(w.between(k, w.closing[k]), second) {
			return nil // it may be one of another closure
		}
		k = w.closing[k]
	}
	return types
}

// implicitResult evaluates an implicit member, such as .red, that is the whole body of a function or getter. i is the
// keyword of the declaration, and body the first token of the body.
func (w *walker) implicitResult(i, body int) {
	for i--; i >= 0; i-- { // a result builder may build the result from the member
		k := i
		if w.at(k) == ")" {
			k = w.parent[k] - 1
		}
		if w.isName(k) && w.at(k-1) == "@" {
			if !contains(plainAttributes, w.at(k)) {
				return
			}
			i = k - 1
			continue
		}
		if w.begins(i+1) || !w.isName(k) {
			break
		}
		i = k
	}
	w.expression(w.result, body)
}

// parameters returns the index of the "in" that ends the parameters of a closure, or 0 if there are none.
func (w *walker) parameters(i int) int {
	for n := 0; i < len(w.tokens) && n < maxParameters; n++ {
		switch text := w.at(i); w.kind(i) {
		case source.Ident:
			switch text {
			case "in":
				return i
			case "for", "let", "var", "if", "guard", "while", "switch", "return", "func", "case", "do":
				return 0
			}
		case source.Punct:
			switch text {
			case "(", "[":
				i = w.closing[i]
			case ",", ":", ".", "@":
			default:
				return 0
			}
		case source.Oper:
			if text != "->" && strings.Trim(text, "?!<>&") != "" {
				return 0
			}
		default:
			return 0
		}
		i++
	}
	return 0
}

// maxParameters is the maximum number of tokens in the parameters of a closure.
const maxParameters = 300

// closureParameters binds the parameters and captures of a closure.
func (w *walker) closureParameters(i, in int, types []value) {
	var names []int
	defer func() {
		for k, n := range names {
			v := value{}
			if len(names) == len(types) {
				v = types[k]
			}
			w.set(w.at(n), n, len(w.tokens), v)
		}
	}()
	for ; i < in; i++ {
		switch text := w.at(i); {
		case text == "->":
			w.annotation(i+1, in)
			return
		case text == "@":
			i++
		case text == "(":
			w.functionParameters(i, i)
			if c := w.closing[i]; !strings.ContainsAny(w.between(i+1, c), ":({[@") {
				for k := i + 1; k < c; k++ {
					if w.isName(k) {
						names = append(names, k)
					}
				}
			}
			i = w.closing[i]
		case text == "[":
			for k := i + 1; k < w.closing[i]; k++ { // captures such as [weak self, x = y]
				if w.isName(k) && w.at(k+1) == "=" {
					w.bind(w.at(k), i)
				}
				if w.at(k-1) == "weak" {
					v := w.lookup(w.at(k), i)
					v.optional = 1
					w.set(w.at(k), i, len(w.tokens), v)
				}
			}
			i = w.closing[i]
		case text == "async", text == "throws":
		case w.isName(i):
			names = append(names, i)
		}
	}
}

// word reads a keyword or an expression.
func (w *walker) word(i, end int) int {
	text := w.at(i)
	label := w.at(i+1) == ":" && (w.at(i-1) == "(" || w.at(i-1) == ",") // of an argument
	if label && w.at(w.parent[i]) != "[" {
		return i + 2
	}
	if w.at(i+1) == "." && w.tight(i+1) { // such as package, which is a keyword only before a declaration
		w.expected(w.chain(i))
		return i + 1
	}
	switch text {
	case "import":
		for i++; i < end && !w.begins(i); i++ {
		}
		return i
	case "struct", "class", "enum", "actor", "protocol", "extension":
		if w.isName(i+1) && (text != "class" || !isMemberKeyword(w.at(i+1))) && w.at(i+1) != "in" {
			return w.typeDeclaration(i, end)
		}
		return i + 1
	case "func":
		return w.function(i, i+2, end)
	case "init":
		if w.typeLevel() && (w.at(i+1) == "(" || w.at(i+1) == "<" || w.at(i+1) == "?" || w.at(i+1) == "!") {
			return w.function(i, i+1, end)
		}
		return i + 1
	case "subscript":
		if w.typeLevel() {
			return w.function(i, i+1, end)
		}
	case "typealias", "associatedtype", "precedencegroup", "operator", "macro":
		if w.isName(i+1) || w.kind(i+1) == source.Oper {
			w.bindLocal(w.at(i+1), i)
			if k := i + 3; text == "typealias" && w.at(i+2) == "=" {
				w.annotation(k, min(w.typeEnd(k), end))
			}
			continues := func(k int) bool { return w.at(k) == "where" || contains(" where , : & == = ", w.at(k-1)) }
			for i++; i < end && (!w.begins(i) || continues(i)) && w.at(i) != "{" && w.at(i) != ";"; i++ {
			}
			if i < end && w.at(i) == "{" && !w.begins(i) {
				return w.closing[i] + 1
			}
			return i
		}
	case "let", "var":
		return w.binding(i, end)
	case "case":
		if w.at(i-1) == "[" && w.at(i+1) == ":" { // an argument label of a subscript
			return i + 2
		}
		if w.typeLevel() {
			return w.enumCase(i, end)
		}
		switch w.at(i - 1) {
		case "for":
		case "if", "guard", "while", ",":
			w.conditionCase(i)
		default:
			w.forget(w.base) // variables of the case before it
			w.patterns(i, end)
		}
		return i + 1
	case "default":
		if w.at(i+1) == ":" && !label {
			w.forget(w.base)
		}
		return i + 1
	case "if", "guard", "while", "switch", "for", "catch", "repeat", "do", "else", "defer":
		return w.statement(i, end)
	case "get", "set", "willSet", "didSet", "_read", "_modify", "unsafeAddress", "unsafeMutableAddress":
		if w.at(i+1) == "{" || w.at(i+1) == "(" && w.closing[i+1] == i+3 && w.at(i+4) == "{" {
			w.bind("newValue", i)
			w.bind("oldValue", i)
			if w.at(i+1) == "(" {
				w.bind(w.at(i+2), i)
				i += 3
			}
			w.bodies[i+1] = true
			return i + 1
		}
	case "return":
		v := value{}
		if !w.begins(i + 1) {
			w.expression(w.result, i+1)
			if w.returns != nil {
				v = w.initializer(i + 1).value
			}
		}
		if w.returns != nil {
			*w.returns = append(*w.returns, v)
		}
		return i + 1
	case "try", "await", "throw", "in", "break", "continue", "fallthrough", "nil", "true", "false", "inout", "any", "some", "each", "where", "async", "throws", "rethrows",
		"public", "private", "fileprivate", "internal", "open", "package", "static", "final", "override", "mutating", "nonmutating", "lazy", "weak", "unowned", "required", "convenience", "dynamic",
		"optional", "indirect", "nonisolated", "consuming", "borrowing", "consume", "copy", "is", "as", "_", "infix", "prefix", "postfix", "deinit", "unsafe", "yield", "distributed", "isolated":
		return i + 1
	}
	w.expected(w.chain(i))
	return i + 1
}

func isMemberKeyword(word string) bool {
	switch word {
	case "func", "var", "let", "subscript", "init", "override", "final", "public", "private", "internal", "open", "package", "fileprivate":
		return true
	}
	return false
}

// typeLevel reports whether the walker is directly in the body of a type.
func (w *walker) typeLevel() bool { return len(w.frames) > 0 && w.functions == 0 }

// bindLocal binds a name if it is declared in a function.
func (w *walker) bindLocal(name string, from int) {
	if !w.typeLevel() && w.functions > 0 {
		w.bind(name, from)
	}
}

// statement reads the keyword of a statement, and finds its body.
func (w *walker) statement(i, end int) int {
	text := w.at(i)
	if text == "while" && w.at(i-1) == "}" && w.at(w.parent[i-1]-1) == "repeat" {
		return i + 1
	}
	body := i + 1
	for last := min(end, i+maxHeader); body < last; body++ {
		if t := w.at(body); t == "}" || t == ";" {
			return i + 1
		}
		if w.at(body) == "{" && (text != "guard" || w.at(body-1) == "else") && !w.isInCondition(body) {
			break
		}
		if c := w.closing[body]; c > 0 {
			body = c
		}
	}
	if body >= end || w.at(body) != "{" {
		return i + 1
	}
	w.bodies[body] = true
	switch text {
	case "if", "while":
		w.headerEnd, w.bodyEnd = body, w.closing[body]
	case "switch":
		if r := w.initializer(i + 1); r.end == body {
			w.subjects[body] = r.value
		}
	case "for":
		k := i + 1
		for k < body && w.at(k) != "in" {
			k++
		}
		w.bindElements(i+1, k, body)
		return k + 1
	case "catch":
		w.bind("error", i)
	}
	return i + 1
}

// bindElements binds the variables of a loop, whose pattern begins at token i. in is the token before the sequence, and body
// that after it.
func (w *walker) bindElements(i, in, body int) {
	e := value{}
	if r := w.initializer(in + 1); r.end == body || w.at(r.end) == "where" {
		e = w.program.element(r.value)
	}
	from, until := body, w.closing[body]
	for k := in + 1; k < body; k++ {
		if w.at(k) == "where" {
			from = k
			break
		}
		k = max(k, w.closing[k])
	}
	for w.at(i) == "try" || w.at(i) == "await" || w.at(i) == "var" {
		i++
	}
	switch {
	case w.at(i) == "(" && w.closing[i]+1 == in:
		w.bindTuple(e, i, from, until)
	case w.isName(i) && i+1 == in:
		w.set(w.at(i), from, until, e)
	case w.isName(i) && w.at(i+1) == ":":
		w.set(w.at(i), from, until, w.written(i+2, in))
	default:
		if w.at(i) == "case" {
			w.pattern(e, i+1, maxPatterns)
		}
		for ; i < in; i++ {
			if w.isName(i) && w.at(i+1) != ":" && w.at(i-1) != "." {
				w.set(w.at(i), from, until, w.payloads[i])
			}
		}
	}
}

// maxHeader is the maximum number of tokens between the keyword of a statement and its body.
const maxHeader = 5000

// isInCondition reports whether a brace in the condition of a statement begins a closure, because the condition goes on
// after it.
func (w *walker) isInCondition(open int) bool {
	next := w.closing[open] + 1
	if w.begins(next) {
		return w.at(next) == "{" || w.at(next) == "."
	}
	switch w.at(next) {
	case "{", ",", ".", "(":
		return true
	}
	return w.kind(next) == source.Oper
}

func (w *walker) context() context {
	c := context{file: w.file, parameters: true, local: func(name string) (value, bool) {
		indices := w.named[name]
		if len(indices) == 0 {
			return value{}, false
		}
		return w.vars[indices[len(indices)-1]].value, true
	}}
	if n := len(w.frames); n > 0 {
		c.scope = w.frames[n-1].t
	}
	return c
}
