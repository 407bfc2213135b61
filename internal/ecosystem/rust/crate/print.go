package crate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// formatAll splits a list and formats its parts.
func (w *writer) formatAll(text string) []string {
	if text == "" {
		return nil
	}
	parts := source.Split(w.rewrite(text))
	for i, p := range parts {
		parts[i] = tidied(source.Format(p))
	}
	return parts
}

// destruct removes the bound Destruct from constant functions, because rustdoc does not
// show it. With this bound, values can be dropped at compile time.
var destruct = strings.NewReplacer(" + [const] Destruct", "", "[const] Destruct + ", "", ": [const] Destruct", "")

// tidied rewrites formatted types in the places where rustdoc's output differs from the source.
func tidied(text string) string {
	if strings.Contains(text, "[const] Destruct") {
		text = destruct.Replace(text)
	}
	if strings.Contains(text, "dyn ") && strings.Contains(text, " + '") {
		text = lifetimesLast(text)
	}
	return text
}

// lifetimesLast moves the lifetime of each trait object after its traits.
func lifetimesLast(text string) string {
	for start := 0; ; {
		i := strings.Index(text[start:], "dyn ")
		if i < 0 {
			return text
		}
		start += i + len("dyn ")
		end := boundsEnd(text, start)
		bounds := splitBounds(text[start:end])
		slices.SortStableFunc(bounds, func(a, b string) int {
			return strings.Compare(lifetimeMark(a), lifetimeMark(b))
		})
		text = text[:start] + strings.Join(bounds, " + ") + text[end:]
	}
}

// lifetimeMark returns "'" for a lifetime among bounds. It returns "" if there is
// no lifetime.
func lifetimeMark(bound string) string {
	if strings.HasPrefix(bound, "'") {
		return "'"
	}
	return ""
}

// boundsEnd returns the end of the bounds that begin at a position.
func boundsEnd(text string, start int) int {
	s := source.Scanner{Text: text, Pos: start}
	depth := 0
	var last source.Token
	for t := s.Next(); ; last, t = t, s.Next() {
		if t.Kind == source.EOF {
			return len(text)
		}
		if t.Kind != source.Punct {
			continue
		}
		switch t.Byte {
		case '(', '[', '{':
			s.Pos = t.Start + source.GroupEnd(text[t.Start:])
		case '<':
			depth++
		case '>':
			if last.Kind == source.Punct && last.Byte == '-' {
				continue
			}
			if depth--; depth < 0 {
				return t.Start
			}
		case ')', ']', '}', ',', ';', '=':
			if depth == 0 {
				return t.Start
			}
		}
	}
}

// generics formats the parameters of an item. If a parameter also has a where
// condition, its bounds are written there.
func (w *writer) generics(it *source.Item, text string) []string {
	all := w.formatAll(it.Generics.Text(text))
	conditioned := w.conditioned(it, text)
	for i, p := range all {
		if name, bounds, ok := source.Cut(p, ':'); ok && (bounds == "" || conditioned[name] && !strings.HasPrefix(p, "'")) {
			_, fallback, _ := source.Cut(bounds, '=')
			if all[i] = name; fallback != "" {
				all[i] += " = " + fallback
			}
		}
	}
	return all
}

// conditioned returns the types that have where conditions in an item.
func (w *writer) conditioned(it *source.Item, text string) map[string]bool {
	var all map[string]bool
	for _, p := range source.Split(it.Where.Text(text)) {
		if rest, bounds, ok := source.Cut(p, ':'); ok && bounds != "" {
			if all == nil {
				all = map[string]bool{}
			}
			all[source.Format(rest)] = true
		}
	}
	return all
}

// where formats the where clause of an item. It combines the conditions on the same type.
func (w *writer) where(it *source.Item, text string) []string {
	if it.Where.Empty() {
		return nil
	}
	var all []string
	index := map[string]*conditions{}
	for _, p := range w.formatAll(it.Where.Text(text)) {
		rest, bounds, ok := source.Cut(p, ':')
		if !ok || bounds == "" {
			continue
		}
		if c := index[rest]; c != nil {
			c.add(bounds)
			continue
		}
		index[rest] = &conditions{index: len(all), first: p}
		all = append(all, p)
	}
	for _, p := range w.formatAll(it.Generics.Text(text)) {
		name, bounds, _ := source.Cut(p, ':')
		bounds, _, _ = source.Cut(bounds, '=')
		if c := index[name]; c != nil && bounds != "" && !strings.HasPrefix(name, "'") && !strings.HasPrefix(name, "const ") {
			c.add(bounds)
		}
	}
	for _, c := range index {
		if len(c.more) > 0 {
			all[c.index] = c.first + " + " + strings.Join(c.more, " + ")
		}
	}
	return all
}

// conditions are the conditions on one type in a where clause.
type conditions struct {
	index int    // index in the list of all conditions
	first string // the first condition
	more  []string
	has   map[string]bool // all bounds
}

// add adds missing bounds.
func (c *conditions) add(bounds string) {
	if c.has == nil {
		c.has = map[string]bool{}
		_, has, _ := source.Cut(c.first, ':')
		for _, b := range splitBounds(has) {
			c.has[b] = true
		}
	}
	for _, b := range splitBounds(bounds) {
		if !c.has[b] {
			c.has[b] = true
			c.more = append(c.more, b)
		}
	}
}

// parameters formats the parameters of a function.
func (w *writer) parameters(it *source.Item, text string) []string {
	parts := source.Split(it.Params.Text(text))
	all := parts[:0]
	for i, p := range parts {
		if w.paramOff(p) {
			continue
		}
		if p = w.param(p, i == 0); p != "" {
			all = append(all, p)
		}
	}
	return all
}

func (w *writer) param(p string, first bool) string {
	p = withoutAttributes(p)
	if p == "" {
		return ""
	}
	pattern, typ, ok := source.Cut(p, ':')
	if first {
		if self, ok := w.selfParam(pattern, typ); ok {
			return self
		}
	}
	if !ok {
		if p == "..." {
			return p
		}
		return "_: " + w.format(p) // In the 2015 edition, a parameter does not need a name.
	}
	return patternText(pattern) + ": " + w.format(typ)
}

// paramOff reports whether a #[cfg] attribute excludes a parameter.
func (w *writer) paramOff(p string) bool {
	s := source.Scanner{Text: p}
	for t := s.Next(); t.Kind == source.Punct && t.Byte == '#' && strings.HasPrefix(p[s.Pos:], "["); t = s.Next() {
		end := s.Pos + source.GroupEnd(p[s.Pos:])
		m := source.ParseMeta(p[s.Pos+1 : max(s.Pos+1, end-1)])
		if m.Path == "cfg" && !w.k.platform.holds(parsePredicate(m.Args, 0)) {
			return true
		}
		s.Pos = end
	}
	return false
}

// withoutAttributes removes the attributes and comments before a parameter.
func withoutAttributes(p string) string {
	s := source.Scanner{Text: p}
	for {
		t := s.Next()
		switch {
		case t.Kind == source.DocOuter || t.Kind == source.DocInner:
			continue
		case t.Kind == source.Punct && t.Byte == '#' && strings.HasPrefix(p[s.Pos:], "["):
			s.Pos += source.GroupEnd(p[s.Pos:])
			continue
		case t.Kind == source.EOF:
			return ""
		}
		return p[t.Start:]
	}
}

// selfParam formats the receiver of a method. It returns false for other
// parameters.
func (w *writer) selfParam(pattern, typ string) (string, bool) {
	p := source.Format(pattern)
	rest := strings.TrimPrefix(p, "&")
	lifetime := ""
	if strings.HasPrefix(rest, "'") {
		if lifetime, rest, _ = strings.Cut(rest, " "); lifetime == "'_" {
			lifetime = ""
		} else {
			lifetime += " "
		}
	}
	mut := strings.HasPrefix(rest, "mut ")
	if strings.TrimPrefix(rest, "mut ") != "self" {
		return "", false
	}
	if typ == "" {
		if !strings.HasPrefix(p, "&") {
			return "self", true
		}
		if mut {
			return "&" + lifetime + "mut self", true
		}
		return "&" + lifetime + "self", true
	}
	t := w.format(typ)
	if t == "Self" {
		return "self", true
	}
	if inner, ok := strings.CutPrefix(t, "&"); ok {
		lifetime := ""
		if strings.HasPrefix(inner, "'") {
			lifetime, inner, _ = strings.Cut(inner, " ")
			lifetime += " "
		}
		if inner == "Self" {
			return "&" + lifetime + "self", true
		}
		if inner == "mut Self" {
			return "&" + lifetime + "mut self", true
		}
	}
	return "self: " + t, true
}

// patternText returns the pattern of a parameter, without mut and ref if it is a name.
func patternText(pattern string) string {
	s := source.Scanner{Text: pattern}
	name := ""
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		word := pattern[t.Start:t.End]
		if t.Kind == source.Ident && (word == "mut" || word == "ref") {
			continue
		}
		if t.Kind != source.Ident || name != "" {
			if name != "" && t.Kind == source.Punct && t.Byte == '@' {
				return name
			}
			return source.Format(pattern)
		}
		name = strings.TrimPrefix(word, "r#")
	}
	if name == "" {
		return "_"
	}
	return name
}

// qualifiers returns the words before fn. constant is true in a const impl, and foreign in an
// extern block.
func qualifiers(it *source.Item, text string, foreign, constant bool) string {
	var b strings.Builder
	if it.Flags&source.IsDefault != 0 {
		b.WriteString("default ")
	}
	if it.Flags&source.IsConst != 0 || constant {
		b.WriteString("const ")
	}
	if it.Flags&source.IsAsync != 0 {
		b.WriteString("async ")
	}
	if it.Flags&source.IsSafe != 0 {
		b.WriteString("safe ")
	}
	if it.Flags&source.IsUnsafe != 0 || foreign && it.Flags&source.IsSafe == 0 {
		b.WriteString("unsafe ")
	}
	if it.Flags&source.IsExtern != 0 {
		abi := cmp.Or(it.ABI.Text(text), `"C"`)
		if abi != `"Rust"` {
			b.WriteString("extern " + abi + " ")
		}
	}
	return b.String()
}

// function returns the declaration of a function. public is true if it begins with
// pub. body is the text after it: a body or a semicolon.
func (d *def) function(public bool, body string) string {
	it, text := d.item, d.unit.Text
	head := qualifiers(it, text, d.foreign, d.constant)
	if d.foreign {
		head = "unsafe extern " + d.foreignABI() + " "
		if it.Flags&source.IsSafe != 0 {
			head = "extern " + d.foreignABI() + " "
		}
	}
	if public {
		head = "pub " + head
	}
	w := d.writer(true)
	generics, parameters := d.legacyConst(w.generics(it, text), w.parameters(it, text))
	f := signature.Func{
		Head:   head + "fn " + it.Name + signature.Generics(generics),
		Params: parameters, Output: w.format(it.Output.Text(text)), Where: w.where(it, text), Body: body,
	}
	return f.String()
}

// legacyConst moves the first generic parameters of a function in core::arch to
// its parameters, as rustdoc does. Callers may pass them there, because of the
// attribute rustc_legacy_const_generics.
func (d *def) legacyConst(generics, parameters []string) (remaining, all []string) {
	for _, a := range d.krate.attributes(d.item, d.unit) {
		if a.comment != "" || a.meta.Path != "rustc_legacy_const_generics" {
			continue
		}
		for _, position := range source.Split(a.meta.Args) {
			i, err := strconv.Atoi(position)
			if err != nil || i < 0 || i > len(parameters) || len(generics) == 0 {
				return generics, parameters
			}
			parameters = slices.Insert(parameters, i, strings.TrimPrefix(generics[0], "const "))
			generics = generics[1:]
		}
	}
	return generics, parameters
}

func (d *def) foreignABI() string {
	if d.abi != "" {
		return d.abi
	}
	return `"C"`
}

// head returns the text before the body of a type, such as "pub struct A<T>".
func (d *def) head(word string) string {
	return "pub " + word + " " + d.item.Name + signature.Generics(d.writer(false).generics(d.item, d.unit.Text))
}

// value returns the value of a constant if it is short.
func (d *def) value() string {
	v := source.Squeeze(d.item.Value.Text(d.unit.Text))
	if v == "" {
		return ""
	}
	if len(v) > maxValue || strings.ContainsAny(v, "{;") {
		return "_"
	}
	return v
}

// maxValue is the maximum number of bytes of a value that is shown.
const maxValue = 100
