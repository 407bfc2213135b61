package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// forwardKind specifies how the function that a decorator returns calls the decorated one.
type forwardKind uint8

const (
	forwardsNothing   forwardKind = iota // it may change arguments, or the code is unknown
	forwardsArguments                    // it passes all its arguments on unchanged
	forwardsCall                         // it also returns the result
)

// forwards returns how the function that a decorator returns, according to its code, calls the decorated one.
func (r *Reader) forwards(s *scope, t *source.Tree) forwardKind {
	e := r.resolve(s, t.Function())
	if !e.known() || !e.isDef() || e.code == nil || e.code.stmt == nil || e.code.scope.file.stub || e.code.alt != nil {
		return forwardsNothing
	}
	stmt, file := e.code.stmt, e.code.scope.file
	if stmt.Kind != source.Def || stmt.Async || slices.ContainsFunc(stmt.Decorators, func(d *source.Expression) bool { return !shownDecorators[decorator(d)] }) {
		return forwardsNothing
	}
	key := forwarderKey{e.code, t.Kind == source.Call}
	kind, ok := r.forwarders[key]
	if ok {
		return kind
	}
	if c := source.ParseFunction(file.source, file.offsetOf(stmt.Line)); c != nil && c.Kind == source.DefCode && c.Name == stmt.Name {
		if !key.called {
			kind = forwardingOf(c)
		} else if inner := returnedFunctions(c, ""); len(inner) == 1 { // a function that returns the decorator
			kind = forwardingOf(inner[0])
		}
	}
	if r.forwarders == nil {
		r.forwarders = map[forwarderKey]forwardKind{}
	}
	r.forwarders[key] = kind
	return kind
}

// forwarderKey identifies a decorator, or one that a function returns.
type forwarderKey struct {
	function *binding
	called   bool
}

// forwardingOf returns how the functions that a decorator returns call its first argument.
func forwardingOf(decorator *source.Code) forwardKind {
	params := source.Params(decorator.Params)
	if decorator.Async || len(decorator.Decorators) > 0 || len(params) == 0 || params[0].Kind > source.Positional || assigns(decorator.Body, source.Name, params[0].Name) {
		return forwardsNothing
	}
	function := params[0].Name
	for _, name := range [...]string{"__defaults__", "__kwdefaults__", "__code__"} {
		if assigns(decorator.Body, source.Attribute, name) {
			return forwardsNothing
		}
	}
	d := &forwarding{function: function}
	eachStatement(decorator.Body, func(s *source.Code) {
		if s.Kind != source.DefCode && s.Kind != source.ClassCode || s.Name == function {
			d.binds(s)
		}
		eachTree(s.Value, func(x *source.Tree) { d.other = d.other || x.Kind == source.Walrus && x.Name == function })
		if s.Kind == source.AssignCode && s.Value != nil && s.Value.Kind == source.Name && s.Value.Name == function { // another name
			d.other = d.other || slices.ContainsFunc(s.Targets, func(x *source.Tree) bool { return x.Kind == source.Name })
		}
	})
	if d.other {
		return forwardsNothing
	}
	wrappers := returnedFunctions(decorator, function)
	if len(wrappers) == 0 || !ends(decorator.Body) {
		return forwardsNothing
	}
	kind := forwardsCall
	for _, w := range wrappers {
		if w != decorator {
			kind = min(kind, wrapperKind(w, function))
		}
	}
	return kind
}

// ends reports whether statements end with a return statement in each branch.
func ends(body []source.Code) bool {
	if len(body) == 0 {
		return false
	}
	switch s := &body[len(body)-1]; s.Kind {
	case source.ReturnCode, source.RaiseCode:
		return true
	case source.IfCode:
		return ends(s.Body) && ends(s.Else)
	case source.WithCode:
		return ends(s.Body) && !swallowing(s)
	case source.TryCode:
		return ends(s.Finally) || (ends(s.Body) || ends(s.Else)) && !slices.ContainsFunc(s.Handlers, func(h source.Code) bool { return !ends(h.Body) })
	}
	return false
}

// returnedFunctions returns the functions in a function that it returns, and the function itself if it returns the variable
// argument. It returns nil if it may return something else.
func returnedFunctions(c *source.Code, argument string) (functions []*source.Code) {
	declared := map[string][]*source.Code{}
	eachFunction(c.Body, func(f *source.Code) { declared[f.Name] = append(declared[f.Name], f) })
	var values []*source.Tree
	eachReturn(c.Body, func(x *source.Tree) { values = append(values, x) })
	for _, x := range values {
		if x != nil && x.Kind == source.Call && len(x.Args) > 0 {
			switch lastOf("." + x.Function()) {
			case "cast":
				x = x.Args[len(x.Args)-1]
			case "update_wrapper":
				x = x.Args[0]
			}
		}
		switch {
		case x == nil || x.Kind != source.Name:
			return nil
		case x.Name == argument:
			functions = append(functions, c)
		case len(declared[x.Name]) == 0 || assigns(c.Body, source.Name, x.Name):
			return nil
		}
		functions = append(functions, declared[x.Name]...)
	}
	return functions
}

// eachReturn calls a function for the values of the return statements of a function.
func eachReturn(body []source.Code, do func(*source.Tree)) {
	for i := range body {
		switch s := &body[i]; s.Kind {
		case source.ReturnCode:
			do(s.Value)
		case source.DefCode, source.ClassCode:
		default:
			eachReturn(s.Body, do)
			eachReturn(s.Else, do)
			eachReturn(s.Handlers, do)
			eachReturn(s.Finally, do)
		}
	}
}

// forwarding is a wrapper of a function.
type forwarding struct {
	function       string
	leading        []source.Param // the parameters before *args
	args, keywords string
	calls          int
	other          bool // whether the wrapper may call the function with other arguments
}

// wrapperKind returns how a function with the parameters *args and **kwargs calls another one.
func wrapperKind(c *source.Code, function string) forwardKind {
	if slices.ContainsFunc(c.Decorators, func(d *source.Tree) bool { return lastOf("."+d.Function()) != "wraps" }) {
		return forwardsNothing
	}
	params := source.Params(c.Params)
	n := len(params) - 2
	if n < 0 || params[n].Kind != source.VarPositional || params[n+1].Kind != source.VarKeyword || slices.ContainsFunc(params[:n], func(p source.Param) bool { return p.Kind > source.Positional || p.Default != "" }) {
		return forwardsNothing
	}
	w := &forwarding{function: function, leading: params[:n], args: params[n].Name, keywords: params[n+1].Name}
	w.statements(c.Body)
	if w.calls == 0 || w.other {
		return forwardsNothing
	}
	kind := forwardsCall
	eachReturn(c.Body, func(x *source.Tree) {
		if x != nil && x.Kind == source.Await && c.Async {
			x = x.X
		} else if c.Async {
			x = nil
		}
		if x == nil || x.Kind != source.Call || x.X.Kind != source.Name || x.X.Name != function {
			kind = forwardsArguments
		}
	})
	if !ends(c.Body) || yields(c.Body) {
		kind = forwardsArguments
	}
	return kind
}

func (w *forwarding) statements(body []source.Code) {
	for i := range body {
		s := &body[i]
		w.binds(s)
		for _, target := range s.Targets {
			w.target(target)
		}
		for _, item := range s.Items {
			w.value(item.Value)
			if item.Target != nil {
				w.target(item.Target)
			}
		}
		switch s.Kind {
		case source.IfCode, source.WhileCode, source.AssertCode:
			w.condition(s.Value)
			if w.mentions(s.Value) && (w.returnsOther(s.Body) || w.returnsOther(s.Else)) {
				w.other = true // The wrapper handles some arguments itself.
			}
		case source.ForCode:
			w.operand(s.Value)
		case source.DelCode:
			if s.Value != nil {
				w.target(s.Value)
			}
		default:
			w.value(s.Value)
		}
		w.statements(s.Body)
		w.statements(s.Else)
		w.statements(s.Handlers)
		w.statements(s.Finally)
	}
}

// isArgument reports whether a name is that of a variable with arguments, or of the function.
func (w *forwarding) isArgument(name string) bool {
	return name != "" && (name == w.function || name == w.args || name == w.keywords || slices.ContainsFunc(w.leading, func(p source.Param) bool { return p.Name == name }))
}

// isShared reports whether an expression is the function or the dictionary of the keywords, which other code may call or change.
func (w *forwarding) isShared(x *source.Tree) bool {
	return x.Kind == source.Name && x.Name != "" && (x.Name == w.function || x.Name == w.keywords)
}

// mentions reports whether an expression contains a variable with arguments.
func (w *forwarding) mentions(x *source.Tree) (found bool) {
	eachTree(x, func(x *source.Tree) {
		found = found || x.Kind == source.Name && x.Name != w.function && w.isArgument(x.Name)
	})
	return found
}

// returnsOther reports whether statements return something other than the result of the function.
func (w *forwarding) returnsOther(body []source.Code) (other bool) {
	eachReturn(body, func(x *source.Tree) {
		if x != nil && x.Kind == source.Await {
			x = x.X
		}
		other = other || x == nil || x.Kind != source.Call || x.X.Kind != source.Name || x.X.Name != w.function
	})
	return other
}

// binds examines the names that a statement binds other than by targets.
func (w *forwarding) binds(s *source.Code) {
	names := slices.Clone(s.Names)
	switch s.Kind {
	case source.DefCode, source.ClassCode, source.HandlerCode, source.CaseCode:
		names = append(names, words(s.Name)...)
		for _, p := range source.Params(s.Params) {
			names = append(names, p.Name)
		}
	case source.ImportCode:
		if s.Import != nil {
			for _, i := range s.Import.Names {
				names = append(names, i.As, topOf(i.Name))
			}
		}
	}
	w.other = w.other || slices.ContainsFunc(names, w.isArgument)
	if s.Kind == source.HandlerCode { // The wrapper may call the function another way if the arguments do not fit.
		eachTree(s.Value, func(x *source.Tree) { w.other = w.other || x.Kind == source.Name && x.Name == "TypeError" })
	}
}

// words returns the words of a text.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) })
}

// target examines what a statement assigns or deletes.
func (w *forwarding) target(x *source.Tree) {
	switch x.Kind {
	case source.Name:
		w.other = w.other || w.isArgument(x.Name)
	case source.Subscript:
		w.other = w.other || x.X.Kind == source.Name && w.isArgument(x.X.Name)
		w.value(x.X)
		for _, a := range x.Args {
			w.value(a)
		}
	case source.Tuple, source.List:
		for _, a := range x.Args {
			w.target(a)
		}
	case source.Starred:
		w.target(x.X)
	}
}

// readers are builtin functions, and methods, that do not change their arguments or pass them to the function.
var readers = set("len", "dict", "set", "frozenset", "list", "tuple", "sorted", "str", "repr", "zip", "enumerate", "any", "all", "isinstance", "bool", "print", "iter", "next", "getattr", "hasattr", "id", "type",
	"get", "items", "keys", "values", "copy", "index", "count", "update", "format", "bind", "signature", "iscoroutinefunction")

// keywordReaders are methods that do not change a dictionary.
var keywordReaders = set("get", "items", "keys", "values", "copy")

// operand examines an expression of which only elements, attributes or the text are used.
func (w *forwarding) operand(x *source.Tree) {
	if x != nil && x.Kind != source.Name {
		w.value(x)
	}
}

// condition examines an expression whose truth is tested.
func (w *forwarding) condition(x *source.Tree) {
	if x != nil && x.Kind == source.Logical {
		w.condition(x.X)
		w.condition(x.Args[0])
		return
	}
	w.operand(x)
}

// value examines an expression. The function and the dictionary of the keywords must not become part of other values, through
// which other code may use them.
func (w *forwarding) value(x *source.Tree) {
	if x == nil {
		return
	}
	visit, visitX := w.value, w.value
	switch x.Kind {
	case source.Name:
		w.other = w.other || w.isShared(x)
	case source.Other:
		w.other = w.other || slices.ContainsFunc(words(x.Text), w.isArgument)
	case source.Call:
		w.call(x)
		return
	case source.Attribute:
		if x.X.Kind == source.Name && x.X.Name == w.function {
			return
		}
	case source.Lambda:
		w.other = w.other || slices.ContainsFunc(words(x.Name), w.isArgument)
	case source.Walrus:
		w.other = w.other || w.isArgument(x.Name)
	case source.Not, source.Condition:
		visitX = w.condition
	case source.Starred, source.Subscript:
		visitX = w.operand
	case source.Compare, source.Format:
		visit, visitX = w.operand, w.operand
	case source.For:
		w.target(x.X)
		visit, visitX = w.operand, func(*source.Tree) {}
	case source.Binary:
		if x.Name == "%" && x.Args[0] != nil && x.Args[0].Kind == source.Tuple {
			w.value(x.X)
			for _, a := range x.Args[0].Args {
				w.operand(a)
			}
			return
		}
	case source.Dict:
		for i, a := range x.Args {
			if i < len(x.Keys) && x.Keys[i] != nil {
				w.value(x.Keys[i])
				w.value(a)
			} else {
				w.operand(a)
			}
		}
		return
	}
	visitX(x.X)
	for _, a := range x.Args {
		visit(a)
	}
	for _, k := range x.Keys {
		visit(k)
	}
}

// call examines a call in the wrapper.
func (w *forwarding) call(x *source.Tree) {
	callee, name := x.X, ""
	if callee.Kind == source.Name || callee.Kind == source.Attribute {
		name = callee.Name
	}
	switch {
	case callee.Kind == source.Name && callee.Name == w.function:
		w.calls++
		w.other = w.other || !w.isExact(x)
		return
	case callee.Kind == source.Attribute && w.isShared(callee.X): // such as f.original(*args) or kwargs.pop("x")
		w.other = w.other || callee.X.Name == w.function || !keywordReaders[name]
	case callee.Kind == source.Name && (name == "locals" || name == "vars"):
		w.other = true
	default:
		w.value(callee)
	}
	for _, a := range x.Args {
		stars := a.Kind == source.Starred
		if (stars || a.Kind == source.Keyword) && a.X != nil {
			a = a.X
		}
		switch {
		case a.Kind != source.Name:
			w.value(a)
		case stars: // The callee may be, or call, the function.
			w.other = w.other || !readers[name] && (a.Name == w.args || a.Name == w.keywords)
		case w.isShared(a):
			w.other = w.other || !readers[name] || name == "getattr" && a.Name == w.keywords
		}
	}
}

// isExact reports whether a call passes exactly the arguments of the wrapper.
func (w *forwarding) isExact(x *source.Tree) bool {
	n := len(w.leading)
	if len(x.Args) != n+2 {
		return false
	}
	for i, p := range w.leading {
		if x.Args[i].Kind != source.Name || x.Args[i].Name != p.Name {
			return false
		}
	}
	isSpread := func(a *source.Tree, stars, name string) bool {
		return a.Kind == source.Starred && a.Name == stars && a.X != nil && a.X.Kind == source.Name && a.X.Name == name
	}
	return isSpread(x.Args[n], "*", w.args) && isSpread(x.Args[n+1], "**", w.keywords)
}
