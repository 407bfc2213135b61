package crate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/macros"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// call expands a macro call and binds the declared names. It returns false if the macro is not yet
// known.
func (k *krate) call(c *pendingCall) (*scope, bool) {
	u := k.expansion(c)
	if u == nil {
		return c.scope, false
	}
	if u.File == nil {
		return c.scope, true
	}
	u.cfg = c.cfg // The conditions include those of the unit that contains the call.
	return k.collect(c.mod, u.Items, u, c.scope), true
}

// expansion returns the text to which a call expands. It returns nil if the macro is not yet known,
// and a unit without a file if the call cannot be expanded.
func (k *krate) expansion(c *pendingCall) *unit {
	nothing := &unit{krate: k}
	if c.off && k.building || k.w.failed() {
		return nothing // items that are off are expanded only in modules that are read on demand
	}
	name := c.item.Name
	last := name[strings.LastIndexByte(name, ':')+1:]
	d := k.findMacro(c)
	if d == nil {
		if std := strings.TrimPrefix(strings.TrimPrefix(name, "::"), source.CrateMark); builtin(last) && (name == last || strings.HasPrefix(std, "std::") || strings.HasPrefix(std, "core::")) {
			return k.builtin(last, c)
		}
		if c.off {
			return nothing
		}
		return nil
	}
	if d.item != nil && d.krate != nil && builtin(last) && d.krate.has(d.item, d.unit, "rustc_builtin_macro") {
		return k.builtin(last, c) // The macro is defined in core itself.
	}
	rules := k.rules(d)
	if rules == nil {
		if u := k.joined(d, c); u != nil {
			return u
		}
		if d.macro == nil && d.kind == external && builtin(last) {
			return k.builtin(last, c)
		}
		k.lose(c, c.item.Name+"!")
		return nothing
	}
	if u := k.expand(rules, d, c); u != nil {
		return u
	}
	k.lose(c, c.item.Name+"!")
	return nothing
}

// rules returns the arms of a macro, or nil if they are unknown.
func (k *krate) rules(d *def) *macros.Rules {
	if d == nil || d.macro == nil {
		return nil
	}
	return d.macro.get()
}

// expand expands a call with the arms of a macro. If the result is again a single call, it is also
// expanded. expand returns nil on failure.
func (k *krate) expand(rules *macros.Rules, d *def, c *pendingCall) *unit {
	body := c.item.Body.Text(c.unit.Text)
	if len(body) < 2 || len(body) > maxCall {
		return nil
	}
	if attributes, ok := rules.Gate(); ok {
		if k.w.calls--; k.w.calls < 0 || c.unit.depth >= maxRecursion {
			return nil
		}
		if u := k.gated(attributes, c); u != nil {
			return u
		}
	}
	call, err := macros.ParseCall(body[1 : len(body)-1])
	if err != nil {
		return nil
	}
	for depth := c.unit.depth; depth < maxRecursion; depth++ {
		if k.w.calls--; k.w.calls < 0 {
			return nil
		}
		text, tail, err := rules.ExpandCall(call, d.krate.src.Name, &k.w.budget)
		if err != nil {
			return nil
		}
		if tail != nil {
			next := *c
			next.item, next.inner = source.NewItem(source.MacroCall, tail.Path, nil), cmp.Or(d.innerMacros(), c.unit.inner)
			if m := k.findMacro(&next); k.rules(m) != nil {
				rules, d, call = k.rules(m), m, tail
				continue
			}
			if text, err = tail.Text(&k.w.budget); err != nil {
				return nil
			}
		}
		u := k.expanded(text, c)
		u.depth, u.inner = depth+1, cmp.Or(d.innerMacros(), c.unit.inner)
		return u
	}
	return nil
}

// joined returns the items in a call of the macro of the crate paste, which joins words to names. It returns nil for other macros.
func (k *krate) joined(d *def, c *pendingCall) *unit {
	from, name := CutLast(d.path)
	if d.kind != external && d.krate != nil {
		from, name = d.krate.src.Name, d.name
	}
	body := c.item.Body.Text(c.unit.Text)
	if from != "paste" && from != "pastey" || name != "paste" && name != "item" || len(body) < 2 || len(body) > maxCall || c.unit.depth >= maxRecursion || k.w.budget.Spend(len(body)) != nil {
		return nil
	}
	if k.w.calls--; k.w.calls < 0 {
		return nil
	}
	text, err := macros.Join(body[1 : len(body)-1])
	if err != nil {
		return nil
	}
	u := k.expanded(text, c)
	u.inner = c.unit.inner
	return u
}

// gated returns the items in a macro call, each with the attributes that the
// macro adds to it. It returns nil if the call encloses anything else.
func (k *krate) gated(attributes string, c *pendingCall) *unit {
	text := c.item.Body.Text(c.unit.Text)
	text = text[1 : len(text)-1]
	if k.w.budget.Spend(len(text)+len(attributes)) != nil {
		return nil
	}
	f := k.parse(text)
	if f.Lost > 0 || len(f.Inner) > 0 {
		k.counted(-f.Count)
		return nil
	}
	f.AddAttributes(attributes)
	u := &unit{File: f, krate: k, path: c.unit.path, dir: c.unit.dir, depth: c.unit.depth + 1, line: c.unit.line}
	if u.line == 0 {
		u.before = c.unit.Line(c.item.Body.Start) - 1
	}
	return u
}

// expanded parses the text to which a call expands.
func (k *krate) expanded(text string, c *pendingCall) *unit {
	return &unit{File: k.parse(text), krate: k, path: c.unit.path, dir: c.unit.dir, line: c.unit.Line(c.item.Start), depth: c.unit.depth + 1}
}

// lose records a call that was not expanded, unless its conditions disable it.
func (k *krate) lose(c *pendingCall, name string) {
	if !c.off {
		k.lost[name]++
		if !k.w.program {
			return
		}
		body := c.item.Body.Text(c.unit.Text)
		if c.item.Name == "include" && strings.Contains(body, `"OUT_DIR"`) {
			if text, ok := k.generatedText(); ok {
				k.lostCalls = append(k.lostCalls, text)
				return
			}
		}
		if d := k.findMacro(c); name != c.item.Name+"!" || d != nil && d.krate == k {
			k.opaque = true
		} else { // it knows only the types in the call
			k.lostCalls = append(k.lostCalls, body)
			k.losePassed(c, body)
			c.mod.generates = c.mod.generates || c.into == nil
		}
	}
}

// losePassed records the macros whose names a call that was not expanded contains, because it may call them.
func (k *krate) losePassed(c *pendingCall, body string) {
	s := source.Scanner{Text: body}
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		if t.Kind != source.Ident {
			continue
		}
		for sc := c.scope; sc != nil; sc = sc.next {
			if sc.name != body[t.Start:t.End] {
				continue
			}
			if rules := sc.def.item.Body.Text(sc.def.unit.Text); !slices.Contains(k.lostCalls, rules) {
				k.lostCalls = append(k.lostCalls, rules)
			}
			break
		}
	}
}

func (m *macroDef) get() *macros.Rules {
	if !m.parsed {
		m.parsed = true
		if it, text := m.def.item, m.def.unit.Text; it.Kind == source.MacroDecl && it.Params.End > 0 {
			m.rules, m.err = macros.ParseDecl(it.Params.Text(text), it.Body.Text(text))
		} else {
			m.rules, m.err = macros.Parse(it.Body.Text(text))
		}
	}
	return m.rules
}

// innerMacros returns the crate in which the calls in the expansion of a macro are looked up, or nil for the crate of the caller.
func (d *def) innerMacros() *krate {
	if d.item != nil && slices.ContainsFunc(d.item.Attrs, func(a source.Attr) bool { return strings.Contains(a.Body.Text(d.unit.Text), "local_inner_macros") }) {
		return d.krate
	}
	return nil
}

// findMacro returns the macro that a call refers to, or nil if it is unknown.
func (k *krate) findMacro(c *pendingCall) *def {
	name := c.item.Name
	if !strings.Contains(name, ":") {
		for s := c.scope; s != nil; s = s.next {
			if s.name == name {
				return s.def
			}
		}
	}
	segs := strings.Split(name, "::")
	inner := c.inner
	if inner == nil && c.unit != nil {
		inner = c.unit.inner
	}
	if inner != nil && inner.root != nil && len(segs) == 1 {
		if d := inner.root.lookup(name, macroNames); d != nil {
			return d
		}
	}
	if d := k.resolve(c.mod, segs, macroNames); d != nil && (d.kind != external || d.path != "") {
		return d
	}
	if len(segs) == 1 {
		for _, used := range k.macroUse {
			if used.root == nil {
				continue
			}
			if d := used.root.lookup(name, macroNames); d != nil {
				return d
			}
		}
	}
	return nil
}

// expandPending expands the calls whose macros were found only after all modules had been read, and
// the calls that result from the expansion.
func (k *krate) expandPending() {
	for round := 0; len(k.pending) > 0 && round < maxRecursion; round++ {
		calls := k.pending
		k.pending = nil
		k.forget()
		before := len(calls)
		for _, c := range calls {
			if c.into != nil {
				continue
			}
			if _, ok := k.call(c); !ok {
				k.pending = append(k.pending, c)
			}
		}
		if len(k.pending) >= before {
			break
		}
	}
	for _, c := range k.pending {
		k.lose(c, c.item.Name+"!")
	}
	k.pending = nil
	k.forget()
}

// forget drops the results of lookups that were made while names were missing.
func (k *krate) forget() {
	for _, other := range k.w.crates {
		if other.root != nil {
			other.epoch++
		}
	}
}

func builtin(name string) bool {
	switch name {
	case "thread_local", "include", "compile_error", "global_asm", "cfg_select", "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne",
		"panic", "unreachable", "todo", "unimplemented", "println", "eprintln", "print", "eprint", "write", "writeln", "format", "vec", "matches", "dbg":
		return true
	}
	return false
}

// builtin expands a macro of the standard library that declares items. For other
// macros, the unit is empty.
func (k *krate) builtin(name string, c *pendingCall) *unit {
	body := c.item.Body.Text(c.unit.Text)
	if len(body) < 2 {
		return &unit{krate: k}
	}
	body = body[1 : len(body)-1]
	switch name {
	case "thread_local":
		f := source.Parse(body)
		var b strings.Builder
		for _, it := range f.Items {
			if it.Kind != source.Static {
				continue
			}
			for _, a := range it.Attrs {
				if a.Kind == source.Punct {
					b.WriteString("#[" + a.Body.Text(f.Text) + "]\n")
				} else {
					b.WriteString(a.Body.Text(f.Text) + "\n")
				}
			}
			if it.Vis != source.Inherited {
				b.WriteString("pub")
				if it.Vis == source.Restricted {
					b.WriteString("(in " + it.VisPath.Text(f.Text) + ")")
				}
			}
			b.WriteString(" const " + it.Name + ": std::thread::LocalKey<" + it.Type.Text(f.Text) + ">;\n")
		}
		return k.expanded(b.String(), c)
	case "include":
		if name, ok := k.pathExpr(body, 0); ok {
			if u, err := k.file(relative(name, c.unit)); err == nil {
				u.depth, u.dir = c.unit.depth+1, path.Dir(u.path)
				return u
			}
		}
		k.lose(c, "include!("+source.Squeeze(body)+")")
	case "cfg_select":
		if arm, ok := k.selected(body); ok {
			return k.expanded(arm, c)
		}
	}
	return &unit{krate: k}
}

// selected returns the first arm of a cfg_select! whose condition holds. It
// returns false if there is none.
func (k *krate) selected(body string) (string, bool) {
	s := source.Scanner{Text: body}
	var last source.Token
	for from := 0; ; {
		t := s.Next()
		if t.Kind == source.EOF {
			return "", false
		}
		arrow := t.Kind == source.Punct && t.Byte == '>' && last.Kind == source.Punct && last.Byte == '=' && last.End == t.Start
		if last = t; !arrow {
			continue
		}
		condition := source.Squeeze(body[from : t.Start-1])
		var arm string
		if t = s.Next(); t.Kind == source.Punct && t.Byte == '{' {
			s.Pos = t.Start + source.GroupEnd(body[t.Start:])
			arm = body[t.End:max(t.End, s.Pos-1)]
		} else {
			arm, _, _ = source.Cut(body[t.Start:], ',')
			s.Pos = t.Start + len(arm)
		}
		if condition == "_" || k.platform.holds(parsePredicate(condition, 0)) {
			return arm, true
		}
		from = s.Pos
		if t = s.Next(); t.Kind == source.Punct && t.Byte == ',' {
			from = s.Pos
		}
		s.Pos = from
		last = source.Token{}
	}
}

// rootMark is the prefix of a path that is relative to the root of the package.
const rootMark = "\x00/"

// relative returns the path of a file whose name is given in a unit.
func relative(name string, u *unit) string {
	if rest, ok := strings.CutPrefix(name, rootMark); ok {
		return path.Clean(strings.TrimLeft(rest, "/"))
	}
	return path.Join(path.Dir(u.path), name)
}

// pathExpr evaluates the expression that gives the name of a file: a string, or
// concat! of strings and env!("CARGO_MANIFEST_DIR"). It returns false for other
// expressions.
func (k *krate) pathExpr(text string, depth int) (string, bool) {
	text = strings.Trim(strings.TrimSpace(text), "\x01\x02, \t\r\n")
	if s, ok := source.Unquote(text); ok {
		return s, true
	}
	if depth > maxConditional {
		return "", false
	}
	name, rest, ok := strings.Cut(text, "!")
	rest = strings.TrimSpace(rest)
	if !ok || len(rest) < 2 {
		return "", false
	}
	args := rest[1 : len(rest)-1]
	switch name = strings.TrimSpace(name); name[strings.LastIndexByte(name, ':')+1:] {
	case "concat":
		var b strings.Builder
		for _, part := range source.Split(args) {
			s, ok := k.pathExpr(part, depth+1)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	case "env":
		if s, _ := source.Unquote(args); s == "CARGO_MANIFEST_DIR" {
			return rootMark, true
		}
		if s, _ := source.Unquote(args); s == "CARGO_PKG_NAME" {
			return k.src.Package, true
		}
	}
	return "", false
}
