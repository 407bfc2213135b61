package dts

import (
	"slices"
	"strconv"
	"strings"
)

// readJSDoc applies the types in the doc comments of a JavaScript file to its
// declarations. It also adds the types that comments declare.
func readJSDoc(f *File) {
	j := jsdoc{f: f}
	j.members(f.Root)
	var out list
	for n := f.Root.first; n != nil; n = n.next {
		out.add(n)
	}
	for i := range f.docs {
		j.typedefs(i, &out)
	}
	if out.last != nil {
		out.last.next = nil
	}
	f.Root.first = out.first
}

type jsdoc struct {
	f *File
	// pattern is the last destructured parameter that a tag describes, and patternName is its name in the tag.
	pattern     *Node
	patternName string
}

// members applies the comments of the declarations in parent.
func (j *jsdoc) members(parent *Node) {
	for link := &parent.first; *link != nil; link = &(*link).next {
		n := *link
		if n.doc != 0 {
			j.apply(n)
			for _, o := range j.overloads(n) {
				o.next, *link = n, o
				link = &o.next
			}
		}
		switch n.Kind {
		case Class, Object, Namespace, Function:
			j.members(n)
		case ExportDefault, ExportEquals, ExportAssign, MemberAssign, Property:
			// For exports.f = function () {…}, the doc comment is on the assignment.
			for c := n.first; c != nil; c = c.next {
				switch c.Kind {
				case Function, Class:
					if c.doc == 0 && n.doc != 0 {
						c.doc = n.doc
						j.apply(c)
					}
					if c.Kind == Class {
						j.members(c)
					}
				case Object:
					j.members(c)
				}
			}
		}
	}
}

// apply applies the tags of a comment to the declaration below it.
func (j *jsdoc) apply(n *Node) {
	raw := j.f.Doc(n)
	if strings.IndexByte(raw, '@') < 0 {
		return
	}
	_, tags := splitTags(cleanComment(raw))
	fn := n
	if n.Kind == Variable || n.Kind == Property {
		if t := n.Type(); t != nil && t.Kind == FuncType && t.Has(FlagInferred) {
			fn = t
		}
	}
	for _, t := range tags {
		switch t.name {
		case "type":
			j.setType(n, t.text)
		case "param", "arg", "argument":
			j.param(fn, t.text)
		case "returns", "return":
			if isCallable(fn) && fn.Type() == nil {
				typ, _ := cutType(t.text)
				appendChild(fn, j.parse(typ, n.Pos))
			}
		case "template":
			j.template(fn, t.text)
		case "private":
			n.Flags |= FlagPrivate
		case "protected":
			n.Flags |= FlagProtected
		case "readonly":
			if n.Kind == Property {
				n.Flags |= FlagReadonly
			}
		case "abstract":
			if n.Kind == Class || n.IsMember() {
				n.Flags |= FlagAbstract
			}
		case "extends", "augments":
			j.extends(n, t.text)
		}
	}
}

func isCallable(n *Node) bool {
	switch n.Kind {
	case Function, Method, Getter, Setter, FuncType:
		return true
	}
	return false
}

func appendChild(n, child *Node) {
	if child == nil {
		return
	}
	last := &n.first
	for *last != nil {
		last = &(*last).next
	}
	*last = child
}

// parse parses a type in a comment. If that fails, it returns the type any.
func (j *jsdoc) parse(text string, pos uint32) *Node {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	t := parseType(text, true)
	if t == nil {
		t = &Node{Kind: Keyword, Text: "any"}
	}
	t.Pos = pos
	return t
}

// parseType parses a type. If jsdoc is true, it accepts the extra syntax of doc
// comments. It returns nil if text is not a type.
func parseType(text string, jsdoc bool) *Node {
	if len(text) > 1<<20 {
		return nil
	}
	f := &File{Language: TypeScript, Source: text}
	lx := lexers.Get().(*lexer)
	defer lx.release()
	lx.lex(f)
	p := parser{f: f, src: text, toks: lx.toks, jsdoc: jsdoc}
	parse := p.typ
	if jsdoc {
		parse = p.returnType // The result of a function may be a predicate.
	}
	t := parse()
	if p.failed || p.kind() != eof {
		return nil
	}
	return t
}

func (j *jsdoc) setType(n *Node, text string) {
	typ, _ := cutType(text)
	t := j.parse(typ, n.Pos)
	if t == nil {
		return
	}
	switch n.Kind {
	case Variable, Property:
		n.first = t
	case Function, Method:
		// @type may give a function the type of a callback.
		if t.Kind == FuncType {
			n.first = t.first
		}
	case ExportDefault, ExportEquals, ExportAssign, MemberAssign:
		for c := n.first; c != nil; c = c.next {
			if c.Kind == Expression || c.Kind == Initial || c.Kind == Literal {
				c.Kind, c.first = Expression, t
			}
		}
	}
}

func (j *jsdoc) param(fn *Node, text string) {
	if !isCallable(fn) && fn.Kind != Constructor {
		return
	}
	name, typ, _ := cutName(text)
	_, rest := cutType(text)
	if base, property, ok := strings.Cut(name, "."); ok {
		base = strings.TrimSuffix(base, "[]")
		target := paramOf(fn, base)
		if target == nil && base == j.patternName {
			target = j.pattern
		}
		if target != nil {
			j.property(target, property, typ, strings.HasPrefix(rest, "["))
		}
		return
	}
	if name == "" || strings.Contains(name, "[") {
		return
	}
	var target, firstPattern *Node
	for p := range fn.All(Param) {
		if p.Text == name {
			target = p
			break
		}
		if firstPattern == nil && (p.Text[0] == '{' || p.Text[0] == '[') && p.Type() == nil {
			firstPattern = p
		}
	}
	if target == nil {
		target, j.pattern, j.patternName = firstPattern, firstPattern, name
	}
	if target == nil || target.first != nil && target.first.Kind >= Keyword {
		return
	}
	if strings.HasPrefix(rest, "[") {
		target.Flags |= FlagOptional
	}
	t := j.parse(typ, target.Pos)
	if t == nil {
		return
	}
	switch t.Kind {
	case Optional:
		target.Flags |= FlagOptional
		t = t.first
	case Rest:
		t = &Node{Kind: Array, first: t.first, Pos: t.Pos}
	}
	t.next = nil
	target.first = t
}

func paramOf(fn *Node, name string) *Node {
	for p := range fn.All(Param) {
		if p.Text == name {
			return p
		}
	}
	return nil
}

// property adds a property to the type of a parameter that is documented as an
// object or as a list of objects, as in @param {string} options.name.
func (j *jsdoc) property(owner *Node, name, typ string, optional bool) {
	target := owner
	for target.first != nil && target.first.Kind == Array {
		target = target.first
	}
	switch t := target.first; {
	case t == nil:
		target.first = &Node{Kind: TypeLiteral, Pos: owner.Pos}
	case (t.Kind == Keyword || t.Kind == Ref) && (t.Text == "any" || t.Text == "object"):
		target.first = &Node{Kind: TypeLiteral, Pos: owner.Pos, next: t.next}
	case t.Kind != TypeLiteral:
		return
	}
	literal := target.first
	if first, rest, ok := strings.Cut(name, "."); ok {
		for p := range literal.All(Property) {
			if p.Text == strings.TrimSuffix(first, "[]") {
				j.property(p, rest, typ, optional)
			}
		}
		return
	}
	if name == "" || identEnd(name, 0) != len(name) {
		return
	}
	p := &Node{Kind: Property, Text: name, Pos: owner.Pos, first: j.parse(typ, owner.Pos)}
	if optional {
		p.Flags |= FlagOptional
	}
	if p.first != nil && p.first.Kind == Optional {
		p.Flags |= FlagOptional
		p.first = p.first.first
	}
	appendChild(literal, p)
}

// template adds type parameters: {Constraint} T, U.
func (j *jsdoc) template(n *Node, text string) {
	switch n.Kind {
	case Function, Method, Class, FuncType, TypeAlias:
	default:
		return
	}
	constraint, rest := cutType(text)
	line, _, _ := strings.Cut(rest, "\n")
	line, _, _ = strings.Cut(line, " -")
	var params list
	for name := range strings.SplitSeq(line, ",") {
		name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), "[]"))
		name, def, hasDefault := strings.Cut(name, "=")
		name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "const "))
		if i := strings.IndexAny(name, " \t"); i > 0 {
			name = name[:i]
		}
		if name == "" || identEnd(name, 0) != len(name) {
			break
		}
		p := &Node{Kind: TypeParam, Text: name, Pos: n.Pos}
		if c := j.parse(constraint, n.Pos); c != nil {
			c.Flags |= FlagConstraint
			p.first = c
		}
		if hasDefault {
			if d := j.parse(def, n.Pos); d != nil {
				d.Flags |= FlagDefault
				appendChild(p, d)
			}
		}
		params.add(p)
	}
	if params.first == nil {
		return
	}
	// Append to the type parameters of the declaration.
	last := &n.first
	for *last != nil && (*last).Kind == TypeParam {
		last = &(*last).next
	}
	params.last.next = *last
	*last = params.first
}

func (j *jsdoc) extends(n *Node, text string) {
	if n.Kind != Class {
		return
	}
	typ, _ := cutType(text)
	if typ == "" { // The braces are optional.
		typ, _, _ = strings.Cut(text, "\n")
	}
	if h := n.Child(Extends); h != nil && h.first != nil && typ != "" {
		if t := parseType(typ, true); t != nil && t.Kind == Ref {
			t.Pos = h.first.Pos
			h.first = t
		}
	}
}

// typedefs adds the declarations of a comment's @typedef, @callback and @import
// tags.
func (j *jsdoc) typedefs(doc int, out *list) {
	c := j.f.docs[doc]
	raw := c.text(j.f.Source)
	if !strings.Contains(raw, "@typedef") && !strings.Contains(raw, "@callback") && !strings.Contains(raw, "@import") {
		return
	}
	_, tags := splitTags(cleanComment(raw))
	for i, t := range tags {
		var n *Node
		switch t.name {
		case "typedef":
			n = j.typedef(t, tags[i+1:], c.pos)
		case "callback":
			n = j.callback(t, tags[i+1:], c.pos)
		case "import":
			n = importTag(t.text)
		}
		if n == nil {
			continue
		}
		n.Pos = c.pos
		if n.Kind == TypeAlias {
			n.doc = int32(doc + 1)
			n.Flags |= FlagExport
			for _, p := range tags[:i] {
				if p.name == "template" {
					j.template(n, p.text)
				}
			}
		}
		out.add(n)
	}
}

// typedef parses @typedef {Type} Name, or @typedef Name with the @property tags
// after it. It returns nil if the tag has no name.
func (j *jsdoc) typedef(t tag, rest []tag, pos uint32) *Node {
	typ, after := cutType(t.text)
	name := after[:identEnd(after, 0)]
	if name == "" {
		return nil
	}
	n := &Node{Kind: TypeAlias, Text: name, Pos: pos}
	n.first = &Node{Kind: TypeLiteral, Pos: pos}
	if typ != "" && !strings.EqualFold(typ, "object") {
		n.first = j.parse(typ, pos)
		if !strings.EqualFold(strings.TrimRight(typ, "[]"), "object") {
			return n
		}
	}
	for _, r := range rest {
		if r.name == "typedef" || r.name == "callback" {
			break
		}
		if r.name == "property" || r.name == "prop" {
			property, propertyType, _ := cutName(r.text)
			_, after := cutType(r.text)
			j.property(n, property, propertyType, strings.HasPrefix(after, "["))
		}
	}
	return n
}

// callback parses @callback Name with the @param and @returns tags after it. It
// returns nil if the tag has no name.
func (j *jsdoc) callback(t tag, rest []tag, pos uint32) *Node {
	name := t.text[:identEnd(t.text, 0)]
	if name == "" {
		return nil
	}
	fn := &Node{Kind: FuncType, Pos: pos}
	j.signature(fn, rest)
	return &Node{Kind: TypeAlias, Text: name, first: fn}
}

// signature adds the parameters and the result in tags to fn. It stops at the tag of another
// declaration.
func (j *jsdoc) signature(fn *Node, tags []tag) {
	var result *Node
	for _, t := range tags {
		switch t.name {
		case "param", "arg", "argument":
			if name, typ, _ := cutName(t.text); name != "" && !strings.ContainsAny(name, ".[]") {
				p := &Node{Kind: Param, Text: name, Pos: fn.Pos}
				if strings.HasPrefix(typ, "...") {
					p.Flags |= FlagRest
				}
				appendChild(fn, p)
			}
			j.param(fn, t.text)
		case "returns", "return":
			typ, _ := cutType(t.text)
			result = j.parse(typ, fn.Pos)
		case "template":
			j.template(fn, t.text)
		case "typedef", "callback", "overload":
			appendChild(fn, result)
			return
		}
	}
	appendChild(fn, result)
}

// overloads returns the signatures that @overload declares in the comments directly above a function.
func (j *jsdoc) overloads(n *Node) (all []*Node) {
	if n.Kind != Function && n.Kind != Method && n.Kind != Constructor || !n.Has(FlagBody) {
		return nil
	}
	first := int(n.doc) - 1
	for first > 0 && strings.TrimSpace(j.f.Source[j.f.docs[first-1].end:j.f.docs[first].pos]) == "" {
		first--
	}
	for i := first; i < int(n.doc); i++ {
		c := j.f.docs[i]
		raw := c.text(j.f.Source)
		if !strings.Contains(raw, "@overload") {
			continue
		}
		_, tags := splitTags(cleanComment(raw))
		first := slices.IndexFunc(tags, func(t tag) bool { return t.name == "overload" })
		for k, t := range tags {
			if t.name != "overload" {
				continue
			}
			o := &Node{Kind: n.Kind, Text: n.Text, Flags: n.Flags &^ FlagBody, Pos: c.pos, doc: int32(i + 1)}
			j.signature(o, tags[k+1:])
			for _, p := range tags[:first] {
				if p.name == "template" {
					j.template(o, p.text)
				}
			}
			all = append(all, o)
		}
	}
	return all
}

// importTag parses @import {A, B} from "x" as an import declaration. It returns
// nil if the syntax is invalid.
func importTag(text string) *Node {
	f := &File{Language: Declarations, Source: "import " + text}
	lx := lexers.Get().(*lexer)
	defer lx.release()
	lx.lex(f)
	p := parser{f: f, src: f.Source, toks: lx.toks, ambient: true}
	n := p.importForm()
	if p.failed || n == nil || n.Kind != Import {
		return nil
	}
	n.Flags |= FlagTypeOnly
	return n
}

// jsdocType parses the syntax of types in doc comments, such as *, ?T and !T. It
// returns nil after a syntax error.
func (p *parser) jsdocType() *Node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	k := p.kind()
	n := p.node(Keyword)
	n.Text = "any"
	p.next()
	switch {
	case k == '?' && p.typeFollows(0):
		t := p.postfixType()
		if p.failed {
			return nil
		}
		return p.nullable(t)
	case k == '!':
		return p.postfixType()
	}
	return n
}

// jsdocFunction parses function(string, this: X): boolean. It returns nil after a
// syntax error.
func (p *parser) jsdocFunction() *Node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	n := p.node(FuncType)
	p.next()
	end := p.closing()
	p.next()
	var out list
	var result *Node
	count := 0
	for p.i < end && !p.failed {
		if p.take(',') {
			continue
		}
		a := p.node(Param)
		a.Text = "arg" + strconv.Itoa(count)
		count++
		if k := p.kind(); (k == kwThis || k == kwNew) && p.peek(1) == ':' {
			if k == kwNew {
				n.Kind = NewType
			}
			a.Text = "this"
			p.next()
			p.next()
		}
		t := p.typ()
		if p.failed {
			return nil
		}
		switch t.Kind {
		case Optional:
			a.Flags |= FlagOptional
			t = t.first
		case Rest:
			a.Flags |= FlagRest
			arr := p.node(Array)
			arr.first = t.first
			t = arr
		}
		if n.Kind == NewType && a.Text == "this" {
			result = t // function(new:X) is a constructor of X.
			continue
		}
		a.first = t
		out.add(a)
	}
	p.i = end
	if !p.expect(')', ")") {
		return nil
	}
	switch {
	case result != nil:
		out.add(result)
	case p.take(':'):
		out.add(p.typ())
	default:
		any := p.node(Keyword)
		any.Text = "any"
		out.add(any)
	}
	n.first = out.first
	return n
}

// jsdocName returns TypeScript's name for a type that is named in a doc comment.
func jsdocName(s string) string {
	switch s {
	case "String":
		return "string"
	case "Number", "int", "integer", "float", "double", "Integer", "Float":
		return "number"
	case "Boolean", "bool", "Bool":
		return "boolean"
	case "Undefined":
		return "undefined"
	case "Null":
		return "null"
	case "Void":
		return "void"
	case "Object":
		return "any"
	case "array", "Array":
		return "any[]"
	case "function":
		return "Function"
	case "Promise", "promise":
		return "Promise<any>"
	}
	return s
}
