package module

import (
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

const (
	// maxInferred bounds the bytes of an initial value that is looked at.
	maxInferred = 16 << 10
	// maxInferDepth bounds nested expressions, and values that lead to others.
	maxInferDepth = 24
)

// value is the type of an expression. The zero value stands for one that is not
// known.
type value struct {
	text    string  // the type as it is printed
	typ     *entity // if it is a type without arguments
	meta    bool    // the expression is the type itself
	literal bool    // a number that takes the type of what it is combined with
	// elements are the types of a tuple.
	elements []value
}

// inferred is the type of a property whose type is not written, "" if the initial
// value does not say it.
func (e *entity) inferred() string {
	f := e.fact()
	if f.inferring || f.inferred != "" {
		return f.inferred
	}
	f.inferring = true
	if v := e.decl.Value; v != "" && len(v) <= maxInferred {
		p := newInferer(v, e.parent, e.unit, e.file, e.decl.Static(), maxInferDepth)
		t := p.whole()
		if e.decl.Pattern != "" {
			for index := range strings.SplitSeq(e.decl.Pattern, ".") {
				i, err := strconv.Atoi(index)
				if err != nil || i >= len(t.elements) {
					return ""
				}
				t = t.elements[i]
			}
		}
		if !t.meta {
			f.inferred = t.text
		}
	}
	if f.inferred == "" && e.decl.Pattern == "" {
		f.inferred = e.required()
	}
	return f.inferred
}

// required is the type that a protocol requires of a property, "" if no protocol of
// the package does.
func (e *entity) required() string {
	if e.parent == nil || e.parent.isProtocol() {
		return ""
	}
	for _, c := range e.parent.conformances() {
		m := c.protocol.nestedMember(e)
		if m == nil || m.decl.Type == "" {
			continue
		}
		names := map[string]string{"Self": e.parent.path}
		for _, p := range e.unit.w.closureOf(c.protocol) {
			for name, a := range p.nested {
				if !a.is(source.AssociatedType) {
					continue
				}
				n := e.parent.nested[name]
				if n == nil {
					if mentions(m.decl.Type, name) {
						return ""
					}
					continue
				}
				names[name] = n.path
				if n.is(source.TypeAlias) {
					names[name] = n.decl.Type
				}
			}
		}
		return source.PrintType(substitute(m.decl.Type, names))
	}
	return ""
}

// nestedMember is the requirement of a protocol that a property fulfils.
func (e *entity) nestedMember(p *entity) *entity {
	if e.decl == nil {
		return nil
	}
	for _, m := range e.members {
		if m.is(source.Var) && m.ext == nil && m.name == p.name && m.decl.Static() == p.decl.Static() {
			return m
		}
	}
	return nil
}

// writtenType is the type of a property, written or inferred.
func (e *entity) writtenType() string {
	if e.decl.Type != "" {
		return e.decl.Type
	}
	return e.inferred()
}

// inferer finds the type of one expression.
type inferer struct {
	text   string
	tokens []source.Token
	pos    int
	scope  *entity
	unit   *unit
	file   *file
	static bool // names mean static members of the scope
	depth  int
}

func newInferer(text string, scope *entity, u *unit, f *file, static bool, depth int) *inferer {
	p := &inferer{text: text, scope: scope, unit: u, file: f, static: static, depth: depth}
	s := source.NewScanner(text)
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		p.tokens = append(p.tokens, t)
	}
	return p
}

// at is the text of a token, "" behind the last one.
func (p *inferer) at(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.text[p.tokens[i].Start:p.tokens[i].End]
}

func (p *inferer) kind(i int) source.TokenKind {
	if i < 0 || i >= len(p.tokens) {
		return source.EOF
	}
	return p.tokens[i].Kind
}

// behind is the index behind the bracket that closes the one at i.
func (p *inferer) behind(i int) int {
	depth := 0
	for ; i < len(p.tokens); i++ {
		switch p.at(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(p.tokens)
}

// whole is the type of the whole expression.
func (p *inferer) whole() value {
	if p.depth <= 0 || len(p.tokens) == 0 {
		return value{}
	}
	v := p.expression()
	if p.pos < len(p.tokens) {
		return value{}
	}
	return v
}

// sub is the type of the expression between two tokens.
func (p *inferer) sub(start, end int) value {
	if start >= end || p.depth <= 1 {
		return value{}
	}
	q := *p
	q.tokens, q.pos, q.depth = p.tokens[start:end], 0, p.depth-1
	return q.whole()
}

// split splits the tokens between two indices at commas outside of brackets.
func (p *inferer) split(start, end int, separator string) [][2]int {
	var parts [][2]int
	from := start
	for i := start; i < end; i++ {
		switch p.at(i) {
		case "(", "[", "{":
			i = p.behind(i) - 1
		case separator:
			parts = append(parts, [2]int{from, i})
			from = i + 1
		}
	}
	if from < end {
		parts = append(parts, [2]int{from, end})
	}
	return parts
}

func known(text string) value { return value{text: text} }

// expression reads operands and operators.
func (p *inferer) expression() value {
	v := p.operand()
	for p.pos < len(p.tokens) {
		op := p.at(p.pos)
		switch op {
		case "as":
			p.pos++
			optional := false
			if t := p.at(p.pos); t == "!" || t == "?" {
				optional = t == "?"
				p.pos++
			}
			text := strings.TrimSpace(p.text[p.tokens[min(p.pos, len(p.tokens)-1)].Start:])
			if p.pos >= len(p.tokens) || strings.ContainsAny(text, "{=") {
				return value{}
			}
			p.pos = len(p.tokens)
			v = p.named(text)
			if optional {
				v = value{text: v.text + "?"}
			}
			return v
		case "is", "==", "!=", "<=", ">=", "&&", "||", "===", "!==", "<", ">", "~=":
			p.pos = len(p.tokens)
			return known("Bool")
		case "?":
			p.pos++
			end := p.pos
			for end < len(p.tokens) && p.at(end) != ":" {
				if b := p.at(end); b == "(" || b == "[" || b == "{" {
					end = p.behind(end)
				} else {
					end++
				}
			}
			v = p.sub(p.pos, end)
			p.pos = len(p.tokens)
			return v
		case "...", "..<":
			p.pos++
			other := p.expression()
			if other.text == "" {
				other = v
			}
			bound := v.text
			if v.literal && other.text != "" {
				bound = other.text
			}
			if bound == "" {
				return value{}
			}
			if op == "..." {
				return known("ClosedRange<" + bound + ">")
			}
			return known("Range<" + bound + ">")
		case "??":
			p.pos++
			other := p.expression()
			if t, ok := strings.CutSuffix(v.text, "?"); ok {
				return known(t)
			}
			return other
		}
		if p.kind(p.pos) != source.Oper {
			return value{}
		}
		p.pos++
		other := p.operand()
		switch {
		case v.text == "" || other.text == "" || v.meta || other.meta:
			return value{}
		case v.literal && other.literal && other.text == "Double":
			v = other
		case v.literal && !other.literal:
			v = other
		}
	}
	return v
}

// operand reads a prefix, a value, and what is applied to it.
func (p *inferer) operand() value {
	optional := false
	for {
		switch p.at(p.pos) {
		case "try", "await", "consume", "copy", "unsafe":
			p.pos++
			switch p.at(p.pos) {
			case "!":
				p.pos++
			case "?":
				p.pos++
				optional = true
			}
			continue
		case "-", "+", "~":
			p.pos++
			continue
		case "!":
			p.pos++
			if p.operand().text == "" {
				return known("Bool")
			}
			return known("Bool")
		}
		break
	}
	v := p.primary()
	v = p.suffixes(v)
	if optional && v.text != "" && !strings.HasSuffix(v.text, "?") {
		return known(v.text + "?")
	}
	return v
}

func (p *inferer) primary() value {
	text := p.at(p.pos)
	switch p.kind(p.pos) {
	case source.EOF:
		return value{}
	case source.Integer:
		p.pos++
		return value{text: "Int", literal: true}
	case source.Float:
		p.pos++
		return value{text: "Double", literal: true}
	case source.String:
		p.pos++
		return known("String")
	case source.Regex:
		p.pos++
		return known(regexType(text))
	case source.Ident:
		return p.name()
	}
	switch text {
	case "(":
		end := p.behind(p.pos)
		parts := p.split(p.pos+1, end-1, ",")
		start := p.pos + 1
		p.pos = end
		if len(parts) == 0 {
			return known("()")
		}
		if len(parts) == 1 && p.at(start+1) != ":" {
			return p.sub(start, end-1)
		}
		return p.tuple(parts)
	case "[":
		end := p.behind(p.pos)
		start := p.pos
		p.pos = end
		if p.at(end) == "(" { // [Int]()
			t := p.text[p.tokens[start].Start:p.tokens[end-1].End]
			return value{text: source.PrintType(t), meta: true}
		}
		return p.collection(start+1, end-1)
	case "{":
		end := p.behind(p.pos)
		start := p.pos
		p.pos = end
		if p.at(end) != "(" {
			return value{}
		}
		// { () -> T in … }()
		for i := start; i < end; i++ {
			if p.at(i) == "in" {
				for k := start; k < i; k++ {
					if p.at(k) == "->" {
						p.pos = p.behind(end)
						return p.named(p.text[p.tokens[k+1].Start:p.tokens[i-1].End])
					}
				}
				break
			}
		}
		p.pos = p.behind(end)
		if p.at(start+1) == "return" {
			return p.sub(start+2, end-1)
		}
		return p.sub(start+1, end-1)
	}
	if strings.HasPrefix(text, "#") {
		return p.pound()
	}
	return value{}
}

// pound reads #file, #line and the like.
func (p *inferer) pound() value {
	word := strings.TrimPrefix(p.at(p.pos), "#")
	p.pos++
	if word == "" {
		word = p.at(p.pos)
		p.pos++
	}
	switch word {
	case "file", "fileID", "filePath", "function":
		return known("String")
	case "line", "column":
		return known("Int")
	}
	return value{}
}

func (p *inferer) tuple(parts [][2]int) value {
	var v value
	var texts []string
	for _, part := range parts {
		label := ""
		if p.at(part[0]+1) == ":" && p.kind(part[0]) == source.Ident {
			label = p.at(part[0]) + ": "
			part[0] += 2
		}
		e := p.sub(part[0], part[1])
		if e.text == "" || e.meta {
			texts = nil
			v.elements = append(v.elements, value{})
			continue
		}
		v.elements = append(v.elements, e)
		texts = append(texts, label+e.text)
	}
	if len(texts) == len(parts) {
		v.text = "(" + strings.Join(texts, ", ") + ")"
	}
	return v
}

// collection is the type of an array or dictionary literal.
func (p *inferer) collection(start, end int) value {
	parts := p.split(start, end, ",")
	if len(parts) == 0 {
		return value{}
	}
	const most = 50
	common := func(part int) string {
		text := ""
		literal := false
		for i, el := range parts {
			if i >= most {
				break
			}
			pair := p.split(el[0], el[1], ":")
			if part >= len(pair) || len(pair) > 2 || part == 0 && len(pair) == 2 != (len(p.split(parts[0][0], parts[0][1], ":")) == 2) {
				return ""
			}
			v := p.sub(pair[part][0], pair[part][1])
			switch {
			case v.text == "" || v.meta:
				return ""
			case text == "" || literal && v.text == "Double":
				text, literal = v.text, v.literal
			case v.literal && text == "Double":
			case v.text != text:
				return ""
			}
		}
		return text
	}
	key := common(0)
	if key == "" {
		return value{}
	}
	if len(p.split(parts[0][0], parts[0][1], ":")) == 2 {
		val := common(1)
		if val == "" {
			return value{}
		}
		return known("[" + key + " : " + val + "]")
	}
	return known("[" + key + "]")
}

// regexType is the type of a literal of a regular expression, by its groups.
func regexType(text string) string {
	groups := 0
	var names []string
	inClass := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '(':
			if inClass {
				continue
			}
			rest := text[i+1:]
			switch {
			case strings.HasPrefix(rest, "?<") && len(rest) > 2 && rest[2] != '=' && rest[2] != '!':
				name, _, _ := strings.Cut(rest[2:], ">")
				groups++
				names = append(names, name+": Substring")
			case strings.HasPrefix(rest, "?"), strings.HasPrefix(rest, "*"):
			default:
				groups++
				names = append(names, "Substring")
			}
		}
	}
	if groups == 0 {
		return "Regex<Substring>"
	}
	return "Regex<(Substring, " + strings.Join(names, ", ") + ")>"
}

// named is a type as it is written where the expression stands.
func (p *inferer) named(text string) value {
	return typeValue(text, p.scope, p.unit, p.file)
}

// typeValue is the value of a type that is written in the scope of another.
func typeValue(text string, scope *entity, u *unit, f *file) value {
	text = source.PrintType(strings.TrimSpace(text))
	if text == "" {
		return value{}
	}
	if text == "Self" && scope != nil {
		return value{text: scope.path, typ: scope}
	}
	if path := typePath(text); len(path) > 0 && strings.Join(path, ".") == text {
		if t := u.first(path, scope, f); t != nil {
			if t.is(source.AssociatedType) {
				return value{}
			}
			return value{text: t.path, typ: t.underlying()}
		}
	}
	return value{text: text}
}

// name reads a name with generic arguments.
func (p *inferer) name() value {
	name := strings.Trim(p.at(p.pos), "`")
	switch name {
	case "true", "false":
		p.pos++
		return known("Bool")
	case "nil", "if", "switch", "do", "_":
		return value{}
	case "self":
		p.pos++
		if p.scope == nil {
			return value{}
		}
		return value{text: p.scope.path, typ: p.scope, meta: p.static}
	case "Self":
		p.pos++
		if p.scope == nil || p.scope.isProtocol() {
			return value{}
		}
		return value{text: p.scope.path, typ: p.scope, meta: true}
	}
	start := p.pos
	p.pos++
	if args := p.generics(); args >= 0 {
		p.pos = args
		text := p.text[p.tokens[start].Start:p.tokens[args-1].End]
		t := p.unit.lookup(typePath(text), p.scope, p.file, true)
		return value{text: source.PrintType(text), typ: t, meta: true}
	}
	if t := p.unit.first([]string{name}, p.scope, p.file); t != nil {
		u := t.underlying()
		return value{text: t.path, typ: u, meta: true}
	}
	if v := p.variable(name); v.text != "" {
		return v
	}
	if name[0] >= 'A' && name[0] <= 'Z' {
		if x := p.unit.w.units[name]; x != nil || p.unit.w.platform.has(name) && knownToolchain().types[name] == nil {
			if p.at(p.pos) == "." { // a module
				p.pos++
				return p.name()
			}
		}
		if p.scope.hasParameterAround(name) {
			return value{text: name, meta: true}
		}
		return value{text: name, typ: p.unit.w.outside([]string{name}), meta: true}
	}
	return value{}
}

// hasParameterAround reports whether a name is a generic parameter of a type or of
// one around it.
func (e *entity) hasParameterAround(name string) bool {
	for ; e != nil; e = e.parent {
		if e.hasParameter(name) {
			return true
		}
	}
	return false
}

// generics is the index behind generic arguments at the position, -1 if there are
// none.
func (p *inferer) generics() int {
	if p.at(p.pos) != "<" || p.tokens[p.pos].Space {
		return -1
	}
	depth := 0
	for i := p.pos; i < len(p.tokens); i++ {
		switch t := p.at(i); {
		case t == "(" || t == "[":
			i = p.behind(i) - 1
		case strings.Trim(t, "<") == "":
			depth += len(t)
		case t != "" && strings.Trim(t, ">?") == "" && strings.Contains(t, ">"):
			if depth -= strings.Count(t, ">"); depth <= 0 {
				if depth < 0 {
					return -1
				}
				return i + 1
			}
		case t == "{" || t == ";":
			return -1
		}
	}
	return -1
}

// variable is a property, function or variable that a name alone means.
func (p *inferer) variable(name string) value {
	call := p.at(p.pos) == "("
	labels := p.labels()
	for s, n := p.scope, 0; s != nil && n < maxSteps; s, n = s.parent, n+1 {
		if m := s.member(name, labels, call, true); m != nil {
			return p.used(m, s, call)
		}
		if !p.static {
			if m := s.member(name, labels, call, false); m != nil {
				return p.used(m, s, call)
			}
		}
	}
	for _, x := range p.unit.reachable() {
		for _, e := range x.topNamed(name) {
			if e.is(source.Var) && !call || e.is(source.Func) && call && fits(e.decl, labels) {
				return p.used(e, nil, call)
			}
		}
	}
	return value{}
}

// topNamed are the functions and variables of a module with a name.
func (u *unit) topNamed(name string) []*entity {
	if u.named == nil {
		u.named = map[string][]*entity{}
		for _, e := range u.top {
			if e.is(source.Var) || e.is(source.Func) {
				u.named[e.name] = append(u.named[e.name], e)
			}
		}
	}
	return u.named[name]
}

// labels are those of the call at the position, nil if there is none.
func (p *inferer) labels() []string {
	if p.at(p.pos) != "(" {
		return nil
	}
	labels := []string{}
	for _, part := range p.split(p.pos+1, p.behind(p.pos)-1, ",") {
		if p.kind(part[0]) == source.Ident && p.at(part[0]+1) == ":" {
			labels = append(labels, p.at(part[0]))
		} else {
			labels = append(labels, "_")
		}
	}
	return labels
}

// fits reports whether a call with labels can be one of a declaration: parameters
// with a default value, variadic ones and closures behind the call may be missing.
func fits(d *source.Decl, labels []string) bool {
	i := 0
	for k := range d.Params {
		q := &d.Params[k]
		if i < len(labels) && (labels[i] == q.Label || labels[i] == "_" && q.Label == "") {
			i++
			for q.Variadic && i < len(labels) && labels[i] == "_" {
				i++
			}
			continue
		}
		if q.Default == "" && !q.Variadic && !strings.Contains(q.Type, "->") {
			return false
		}
	}
	return i == len(labels)
}

// member finds a member by its name and the labels of a call.
func (e *entity) member(name string, labels []string, call, static bool) *entity {
	for s, n := e, 0; s != nil && n < maxSteps; s, n = s.superclass(), n+1 {
		if m := s.ownMember(name, labels, call, static); m != nil {
			return m
		}
	}
	if e.isProtocol() {
		return nil
	}
	for _, c := range e.fact().conforms {
		if m := c.protocol.ownMember(name, labels, call, static); m != nil {
			return m
		}
	}
	return nil
}

func (e *entity) ownMember(name string, labels []string, call, static bool) *entity {
	for _, m := range e.members {
		if m.name != name {
			continue
		}
		switch {
		case m.is(source.Case) && static:
			return m
		case m.decl.Static() != static:
		case m.is(source.Var), m.is(source.Func) && call && fits(m.decl, labels):
			return m
		}
	}
	return nil
}

// used is the type of a property, a case, or the result of a function. A call is
// skipped.
func (p *inferer) used(m, owner *entity, call bool) value {
	switch {
	case m.is(source.Case):
		if call {
			p.pos = p.behind(p.pos)
		}
		return value{text: owner.path, typ: owner}
	case m.is(source.Func):
		p.pos = p.behind(p.pos)
		if len(m.decl.Generics) > 0 || m.decl.Result == "" {
			return value{}
		}
		return m.valueOf(m.decl.Result, owner)
	}
	if m.decl.Type != "" {
		return m.valueOf(m.decl.Type, owner)
	}
	if p.depth <= 1 {
		return value{}
	}
	return m.valueOf(m.inferred(), owner)
}

// valueOf is a type in the declaration of a member, for a type that has it.
func (e *entity) valueOf(text string, owner *entity) value {
	if text == "" {
		return value{}
	}
	if trimType(text) == "Self" && owner != nil {
		return value{text: owner.path, typ: owner}
	}
	for s := e.parent; s != nil; s = s.parent {
		for i := range s.genericNames() {
			if mentions(text, s.decl.Generics[i].Name) {
				return value{}
			}
		}
	}
	return typeValue(text, e.parent, e.unit, e.file)
}

func (e *entity) genericNames() []source.GenericParam {
	if e.decl == nil || e.decl.Kind == source.Protocol {
		return nil
	}
	return e.decl.Generics
}

// mentions reports whether a name stands in a type.
func mentions(text, name string) bool {
	for i := 0; ; {
		k := strings.Index(text[i:], name)
		if k < 0 {
			return false
		}
		start, end := i+k, i+k+len(name)
		if (start == 0 || !isNameByte(text[start-1])) && (end == len(text) || !isNameByte(text[end])) {
			return true
		}
		i = end
	}
}

// suffixes follow calls and members behind a value.
func (p *inferer) suffixes(v value) value {
	for p.pos < len(p.tokens) {
		switch t := p.at(p.pos); t {
		case "(":
			if p.tokens[p.pos].Space {
				return v
			}
			labels := p.labels()
			p.pos = p.behind(p.pos)
			v = p.called(v, labels)
			if p.at(p.pos) == "{" {
				p.pos = p.behind(p.pos)
			}
		case "{":
			// A closure behind a name is a call.
			p.pos = p.behind(p.pos)
			v = p.called(v, nil)
		case "!":
			if p.tokens[p.pos].Space {
				return v
			}
			p.pos++
			v = value{text: strings.TrimSuffix(v.text, "?")}
		case ".":
			p.pos++
			name := strings.Trim(p.at(p.pos), "`")
			if p.kind(p.pos) != source.Ident {
				return value{}
			}
			p.pos++
			v = p.selected(v, name)
		default:
			return v
		}
		if v.text == "" {
			p.pos = len(p.tokens)
			return value{}
		}
	}
	return v
}

// failable are initialisers of the toolchain's types that may fail.
const failable = " URL(string:) URL(string:relativeTo:) UUID(uuidString:) Data(base64Encoded:) Int(_:) TimeZone(identifier:) URLComponents(string:) Unicode.Scalar(_:) "

// called is the type of a call.
func (p *inferer) called(v value, labels []string) value {
	if !v.meta {
		return value{}
	}
	t := v.typ
	plain := !strings.Contains(v.text, "<")
	if t != nil && t.decl != nil {
		if plain && len(t.decl.Generics) > 0 && t != p.scope {
			return value{}
		}
		for _, m := range t.members {
			if m.is(source.Init) && m.decl.Failable == '?' && fits(m.decl, labels) {
				sure := true
				for _, o := range t.members {
					if o != m && o.is(source.Init) && o.decl.Failable == 0 && fits(o.decl, labels) {
						sure = false
					}
				}
				if sure {
					return known(v.text + "?")
				}
			}
		}
	} else if plain && contains(genericTypes, v.text) {
		return value{}
	} else if len(labels) > 0 && contains(failable, v.text+"("+strings.Join(labels, ":")+":)") && labels[0] != "_" {
		return known(v.text + "?")
	}
	return value{text: v.text, typ: t}
}

// genericTypes are types of the toolchain with parameters, which a call does not say.
const genericTypes = " Array Set Dictionary Optional Range ClosedRange ArraySlice ContiguousArray Slice Result AnySequence AnyIterator AnyCollection KeyValuePairs Mutex Atomic Task AsyncStream " +
	"AsyncThrowingStream UnsafePointer UnsafeMutablePointer UnsafeBufferPointer UnsafeMutableBufferPointer ManagedBuffer Unmanaged Regex Measurement PassthroughSubject CurrentValueSubject " +
	"TaskLocal Predicate SortDescriptor CollectionOfOne EmptyCollection Repeated ReversedCollection SIMD2 SIMD3 SIMD4 SIMD8 SIMD16 SIMD32 SIMD64 NSCache NSMapTable NSHashTable Zip2Sequence "

// selected is the type of a member of a value, or of a type.
func (p *inferer) selected(v value, name string) value {
	call := p.at(p.pos) == "("
	switch {
	case name == "self":
		if v.meta {
			return known(v.text + ".Type")
		}
		return v
	case name == "init" && v.meta:
		return v
	case v.typ == nil:
		return value{}
	}
	labels := p.labels()
	if v.meta {
		if t := v.typ.nestedType(name, maxDepthOfNames); t != nil {
			if t.is(source.AssociatedType) {
				return value{}
			}
			text := t.path
			if args := p.generics(); args >= 0 {
				text += p.text[p.tokens[p.pos].Start:p.tokens[args-1].End]
				p.pos = args
			}
			return value{text: text, typ: t.underlying(), meta: true}
		}
	}
	if m := v.typ.member(name, labels, call, v.meta); m != nil {
		return p.used(m, v.typ, call)
	}
	if v.typ.decl != nil {
		return value{}
	}
	if !v.meta {
		return value{}
	}
	if name[0] >= 'A' && name[0] <= 'Z' {
		return value{text: v.text + "." + name, typ: p.unit.w.outside([]string{v.typ.path, name}), meta: true}
	}
	// Static members of the toolchain's types are most often of the type.
	if call {
		return value{}
	}
	return value{text: selfValued(v.text, name)}
}

// selfValued is the type of a static member of a type of the toolchain, "" if it
// is not known.
func selfValued(typ, name string) string {
	switch typ {
	case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "Duration", "CharacterSet", "DispatchQueue", "Locale", "TimeZone",
		"Calendar", "Bundle", "FileManager", "NotificationCenter", "ProcessInfo", "UserDefaults", "URLSession", "String.Encoding", "DispatchQoS", "TaskPriority", "OperationQueue", "RunLoop",
		"JSONEncoder.DateEncodingStrategy", "JSONDecoder.DateDecodingStrategy":
		if name == "bitWidth" {
			return "Int"
		}
		switch typ {
		case "ProcessInfo", "FileManager", "NotificationCenter", "UserDefaults":
			if name != "processInfo" && name != "default" && name != "standard" {
				return ""
			}
		case "DispatchQueue":
			if name != "main" {
				return ""
			}
		}
		return typ
	}
	return ""
}
