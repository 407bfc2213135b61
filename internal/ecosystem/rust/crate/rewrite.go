package crate

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// writer writes types as rustdoc does. It replaces aliases that are not public with the types that
// they refer to, and adds lifetimes that a path omits.
type writer struct {
	k      *krate
	m      *module
	params map[string]bool // type parameters in scope
	self   string          // the type that Self refers to in a member of an implementation
	scope  *scope          // macros in scope, which may expand to types
	// elided is true where a path may omit lifetimes: in functions and in the
	// headers of implementations.
	elided bool
	// resolved makes the writer resolve names: it replaces every alias, and writes
	// renamed imports under their original names.
	resolved bool
	// renamed makes the writer use the original names of renamed imports.
	renamed bool
	bounds  func(param, name string) string // bounds returns the trait of T::Name.
	depth   int
}

// maxAlias is the maximum nesting depth of aliases, and maxRewritten is the maximum number of
// bytes of a type.
const (
	maxAlias     = 12
	maxRewritten = 1 << 16
)

// writer returns a writer for the types of a definition.
func (d *def) writer(elided bool) *writer {
	w := &writer{k: d.krate, m: d.mod, elided: elided, params: d.params, self: d.self, scope: d.scope, renamed: !d.member}
	if params := typeParams(d.item.Generics.Text(d.unit.Text)); len(params) > 0 {
		all := make(map[string]bool, len(params)+len(d.params))
		for p := range d.params {
			all[p] = true
		}
		for p := range params {
			all[p] = true
		}
		w.params = all
	}
	return w
}

// format returns a type or bounds.
func (w *writer) format(text string) string {
	if text == "" {
		return ""
	}
	return tidied(source.Format(w.rewrite(text)))
}

// word reports whether an identifier cannot be the beginning of a path.
func word(s string) bool {
	switch s {
	case "dyn", "impl", "for", "fn", "mut", "const", "as", "where", "unsafe", "extern", "ref", "in", "use", "Self", "true", "false", "async", "_", "static", "move":
		return true
	}
	return primitives[s]
}

// rewrite replaces the paths of a type.
func (w *writer) rewrite(text string) string {
	if len(text) > maxRewritten {
		return text
	}
	var b strings.Builder
	s := source.Scanner{Text: text}
	copied := 0
	var before, last source.Token
	for t := s.Next(); t.Kind != source.EOF; before, last, t = last, t, s.Next() {
		if t.Kind == source.Lifetime && text[t.Start:t.End] == "'_" && last.Kind == source.Punct && last.Byte == '&' {
			b.WriteString(text[copied:t.Start])
			copied = t.End
			continue
		}
		if t.Kind == source.Punct && t.Byte == '#' && strings.HasPrefix(text[s.Pos:], "[") {
			s.Pos += source.GroupEnd(text[s.Pos:])
			continue
		}
		if t.Kind == source.Punct && t.Byte == ';' {
			if n, end, ok := w.lengthAt(text, t.End); ok {
				b.WriteString(text[copied:t.End] + " " + n)
				copied, s.Pos = end, end
			}
			continue
		}
		if t.Kind != source.Ident || last.Kind == source.Punct && last.Byte == ':' && before.Kind == source.Punct && before.Byte == ':' && before.End == last.Start && !w.global(text, before) {
			continue
		}
		name := text[t.Start:t.End]
		if word(name) {
			if w.k.w.likePrimitives[name] {
				w.mention(name, &def{kind: primitive, name: name, path: name})
			}
			continue
		}
		segs, end := pathAt(text, t)
		after := source.Scanner{Text: text, Pos: end}
		next := after.Next()
		if len(segs) == 1 && next.Kind == source.Punct && (next.Byte == ':' || next.Byte == '=' && !strings.HasPrefix(text[next.End:], "=")) {
			continue // the name is bound rather than used
		}
		if next.Kind == source.Punct && next.Byte == '!' {
			if expanded, stop, ok := w.expand(text, segs, next.End); ok {
				b.WriteString(text[copied:t.Start] + expanded)
				copied, s.Pos = stop, stop
			}
			continue
		}
		start := t.Start
		if w.global(text, before) && last.Kind == source.Punct && last.Byte == ':' {
			start = before.Start
			segs = append([]string{""}, segs...)
		}
		s.Pos = end
		if w.params[segs[0]] {
			w.mention(segs[0], nil)
			if w.resolved && len(segs) == 2 && w.bounds != nil {
				if trait := w.bounds(segs[0], segs[1]); trait != "" {
					b.WriteString(text[copied:start] + "<" + segs[0] + " as " + trait + ">::" + segs[1])
					copied = end
				}
			}
			continue
		}
		d := w.k.resolve(w.m, segs, types)
		if d == nil {
			continue
		}
		args, argsEnd := "", end
		if next.Kind == source.Punct && next.Byte == '<' {
			args, argsEnd = argsAt(text, next.Start)
		}
		if w.resolved && d.kind == external && args == "" {
			if t := stdAlias[d.path[strings.LastIndexByte(d.path, ':')+1:]]; t != "" && strings.Contains(d.path, "::") {
				b.WriteString(text[copied:start] + t)
				copied = end
				continue
			}
		}
		if d.kind == source.TypeAlias && w.depth < maxAlias && (w.resolved || d.krate == w.k && !w.k.exports(d)) && !d.item.Type.Empty() && !d.foreign {
			if expanded, ok := w.alias(d, args); ok {
				b.WriteString(text[copied:start] + expanded)
				copied, s.Pos = argsEnd, argsEnd
				last = source.Token{Kind: source.Ident}
				continue
			}
		}
		written := text[start:end]
		if w.resolved || w.renamed && len(segs) == 1 && !boundFollows(text, last) {
			n := d.name
			if d.kind == external {
				n = d.path[strings.LastIndexByte(d.path, ':')+1:]
			}
			if last := segs[len(segs)-1]; n != "" && n != last && (w.resolved || w.k.exportedAs(d) != last) {
				b.WriteString(text[copied:start] + n)
				copied = end
				written = n
			}
		}
		w.mention(written, d)
		if n := w.lifetimes(d); n > 0 && w.elided && !strings.HasPrefix(strings.TrimSpace(args), "'") {
			marks := strings.Repeat("'_, ", n)
			switch {
			case argsEnd == end && !(next.Kind == source.Punct && (next.Byte == '(' || next.Byte == '<')):
				b.WriteString(text[copied:end] + "<" + strings.TrimSuffix(marks, ", ") + ">")
				copied = end
			case argsEnd > end:
				b.WriteString(text[copied:next.End] + marks)
				copied = next.End
			}
		}
	}
	if copied == 0 {
		return text
	}
	b.WriteString(text[copied:])
	return b.String()
}

// expand expands a macro call in place of a type. ok is false if the call cannot be expanded. end
// is the index after the call.
func (w *writer) expand(text string, segs []string, pos int) (expanded string, end int, ok bool) {
	s := source.Scanner{Text: text, Pos: pos}
	t := s.Next()
	if w.depth > maxAlias || t.Kind != source.Punct || t.Byte != '(' && t.Byte != '[' && t.Byte != '{' {
		return "", 0, false
	}
	end = t.Start + source.GroupEnd(text[t.Start:])
	c := &pendingCall{mod: w.m, scope: w.scope, item: source.NewItem(source.MacroCall, strings.Join(segs, "::"), nil)}
	d := w.k.findMacro(c)
	if d == nil && len(segs) == 1 {
		d = w.k.root.lookup(segs[0], macroNames)
	}
	if end-1 <= t.End-1 {
		return "", 0, false
	}
	switch {
	case segs[len(segs)-1] == "cfg_select" && (d == nil || d.kind == external || d.krate.has(d.item, d.unit, "rustc_builtin_macro")):
		if expanded, ok = w.k.selected(text[t.End : end-1]); !ok {
			return "", 0, false
		}
	case d == nil || d.macro == nil || d.macro.get() == nil:
		return "", 0, false
	default:
		var err error
		if expanded, err = d.macro.get().Expand(text[t.End:end-1], d.krate.src.Name, &w.k.w.budget); err != nil {
			return "", 0, false
		}
	}
	inner := *w
	inner.depth++
	return inner.rewrite(expanded), end, true
}

// stdAlias maps aliases of the standard library to the types that they represent.
var stdAlias = map[string]string{
	"NonZeroU8": "NonZero<u8>", "NonZeroU16": "NonZero<u16>", "NonZeroU32": "NonZero<u32>", "NonZeroU64": "NonZero<u64>", "NonZeroU128": "NonZero<u128>", "NonZeroUsize": "NonZero<usize>",
	"NonZeroI8": "NonZero<i8>", "NonZeroI16": "NonZero<i16>", "NonZeroI32": "NonZero<i32>", "NonZeroI64": "NonZero<i64>", "NonZeroI128": "NonZero<i128>", "NonZeroIsize": "NonZero<isize>",
	"c_int": "i32", "c_uint": "u32", "c_short": "i16", "c_ushort": "u16", "c_schar": "i8", "c_uchar": "u8", "c_longlong": "i64", "c_ulonglong": "u64", "c_float": "f32", "c_double": "f64",
}

// boundFollows reports whether a trait follows a token, as in A + B.
func boundFollows(text string, t source.Token) bool {
	if t.Kind == source.Punct {
		return t.Byte == '+' || t.Byte == ':' || t.Byte == '?' || t.Byte == '>'
	}
	name := text[t.Start:t.End]
	return name == "dyn" || name == "impl"
}

// global reports whether colons begin a path rather than continue it.
func (w *writer) global(text string, colon source.Token) bool {
	if colon.Kind != source.Punct || colon.Byte != ':' {
		return false
	}
	before := strings.TrimRight(text[:colon.Start], " \t\r\n\x01\x02")
	if before == "" {
		return true
	}
	switch c := before[len(before)-1]; c {
	case '<', '(', '[', ',', '&', '=', '+', '*', ':', '>':
		return c != '>' || strings.HasSuffix(before, "->")
	}
	for _, name := range []string{"dyn", "impl", "mut", "const", "as", "for"} {
		if strings.HasSuffix(before, " "+name) || before == name {
			return true
		}
	}
	return false
}

// pathAt reads the names of the path that begins with a token. end is the index
// after them.
func pathAt(text string, t source.Token) (segs []string, end int) {
	s := source.Scanner{Text: text, Pos: t.End}
	segs = append(segs, strings.TrimPrefix(text[t.Start:t.End], "r#"))
	end = t.End
	for {
		a, b, c := s.Next(), s.Next(), s.Next()
		if a.Kind != source.Punct || a.Byte != ':' || b.Kind != source.Punct || b.Byte != ':' || b.Start != a.End || c.Kind != source.Ident || len(segs) > maxPath {
			return segs, end
		}
		segs = append(segs, strings.TrimPrefix(text[c.Start:c.End], "r#"))
		end = c.End
	}
}

// argsAt returns the text between the angle brackets at the given position, and the end of the
// brackets.
func argsAt(text string, start int) (args string, end int) {
	s := source.Scanner{Text: text, Pos: start}
	depth := 0
	var before source.Token
	for t := s.Next(); t.Kind != source.EOF; before, t = t, s.Next() {
		if t.Kind != source.Punct {
			continue
		}
		switch t.Byte {
		case '<':
			depth++
		case '>':
			if before.Kind == source.Punct && before.Byte == '-' && before.End == t.Start {
				continue
			}
			if depth--; depth == 0 {
				return text[start+1 : t.Start], t.End
			}
		}
	}
	return text[start+1:], len(text)
}

// alias replaces an alias with the type that it represents. It returns false if the type would be
// too long.
func (w *writer) alias(d *def, args string) (string, bool) {
	target := d.writer(w.elided)
	target.depth = w.depth + 1
	target.resolved = w.resolved
	target.bounds = w.bounds
	body := target.rewrite(d.item.Type.Text(d.unit.Text))
	generics := source.Split(w.rewrite(args))
	var lifetimes, rest []string
	for _, g := range generics {
		if strings.HasPrefix(g, "'") {
			lifetimes = append(lifetimes, g)
		} else {
			rest = append(rest, g)
		}
	}
	values := map[string]string{}
	for _, p := range source.Split(d.item.Generics.Text(d.unit.Text)) {
		p = withoutAttributes(p)
		decl, fallback, _ := source.Cut(p, '=')
		name, _, _ := source.Cut(decl, ':')
		if strings.HasPrefix(name, "'") {
			if len(lifetimes) > 0 {
				values[name], lifetimes = lifetimes[0], lifetimes[1:]
			} else {
				values[name] = "'_"
			}
			continue
		}
		name = strings.TrimSpace(strings.TrimPrefix(name, "const "))
		switch {
		case len(rest) > 0:
			values[name], rest = rest[0], rest[1:]
		case fallback != "":
			values[name] = target.rewrite(fallback)
		}
	}
	if len(values) == 0 {
		return body, true
	}
	var b strings.Builder
	s := source.Scanner{Text: body}
	copied := 0
	var last source.Token
	for t := s.Next(); t.Kind != source.EOF; last, t = t, s.Next() {
		if t.Kind != source.Ident && t.Kind != source.Lifetime || last.Kind == source.Punct && last.Byte == ':' && t.Kind == source.Ident && strings.HasSuffix(body[:t.Start], "::") {
			continue
		}
		if v, ok := values[body[t.Start:t.End]]; ok {
			b.WriteString(body[copied:t.Start] + v)
			copied = t.End
		}
		if b.Len() > maxRewritten {
			return "", false
		}
	}
	b.WriteString(body[copied:])
	return b.String(), true
}

// lifetimes returns the number of lifetime parameters of a type or trait.
func (w *writer) lifetimes(d *def) int {
	switch d.kind {
	case source.Struct, source.Enum, source.Union, source.Trait, source.TypeAlias:
		if d.item.Generics.Empty() {
			return 0
		}
		if !d.counted {
			d.counted = true
			for _, p := range source.Split(d.item.Generics.Text(d.unit.Text)) {
				if strings.HasPrefix(withoutAttributes(p), "'") {
					d.lifetimes++
				}
			}
		}
		return d.lifetimes
	case external:
		_, path, _ := strings.Cut(d.path, "::")
		if head, _, _ := strings.Cut(d.path, "::"); head == "std" || head == "core" || head == "alloc" {
			return stdLifetimes[path]
		}
	}
	return 0
}

// exportedAs returns the name under which users of the crate know a definition, or "" if
// there is none.
func (k *krate) exportedAs(d *def) string {
	p, _ := k.pathOf(d)
	return p[strings.LastIndexByte(p, ':')+1:]
}

// exports reports whether a definition is accessible from outside the crate.
func (k *krate) exports(d *def) bool {
	k.findPaths(func() bool { return k.exported[d] })
	return k.exported[d]
}
