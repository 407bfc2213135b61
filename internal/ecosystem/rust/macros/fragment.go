package macros

import "github.com/docent-mcp/docent/internal/ecosystem/rust/source"

// fragments finds the ends of fragments of Rust's grammar in trees. Each method
// takes a position and returns the position after the fragment, or the same
// position if there is no such fragment.
type fragments struct {
	in     []tree
	budget *Budget
}

func (f *fragments) text(i int) string {
	if i < len(f.in) && f.in[i].delim == 0 {
		return f.in[i].text
	}
	return ""
}

func (f *fragments) group(i int, delim byte) bool {
	return i < len(f.in) && f.in[i].delim == delim
}

func (f *fragments) ident(i int) bool {
	return i < len(f.in) && f.in[i].delim == 0 && f.in[i].kind == source.Ident
}

func (f *fragments) colons(i int) bool { return f.text(i) == "::" }

func (f *fragments) arrow(i int) bool { return f.text(i) == "->" }

func (f *fragments) visibility(i int) int {
	if f.group(i, source.FragmentStart) && len(f.in[i].children()) > 0 && f.in[i].children()[0].text == "pub" {
		return i + 1
	}
	if f.text(i) != "pub" {
		if f.group(i, source.FragmentStart) && len(f.in[i].children()) == 0 {
			return i + 1
		}
		return i
	}
	if f.group(i+1, '(') && len(f.in[i+1].children()) > 0 {
		switch f.in[i+1].children()[0].text {
		case "crate", "self", "super", "in":
			return i + 2
		}
	}
	return i + 1
}

// turn returns the amount by which a token changes the depth of angle brackets.
func turn(text string) int {
	switch text {
	case "<":
		return 1
	case "<<":
		return 2
	case ">", ">=":
		return -1
	case ">>", ">>=":
		return -2
	}
	return 0
}

// angles skips <…>.
func (f *fragments) angles(i int) int {
	depth := 0
	for j := i; j < len(f.in); j++ {
		f.budget.step(1)
		text := f.text(j)
		if text == ";" {
			return i
		}
		if depth += turn(text); depth <= 0 {
			return j + 1
		}
	}
	return i
}

// path skips a path with its arguments, such as a::B<C>, Fn(A) -> B or <A as B>::C.
func (f *fragments) path(i int) int {
	start := i
	switch {
	case f.group(i, source.FragmentStart):
		if i++; !f.colons(i) {
			return i
		}
		i++
	case turn(f.text(i)) > 0:
		end := f.angles(i)
		if end == i || !f.colons(end) {
			return start
		}
		i = end + 1
	case f.colons(i):
		i++
	}
	for f.ident(i) || f.group(i, source.FragmentStart) {
		i++
		if f.colons(i) && turn(f.text(i+1)) > 0 {
			i++
		}
		switch {
		case turn(f.text(i)) > 0:
			end := f.angles(i)
			if end == i {
				return i
			}
			i = end
		case f.group(i, '(') && (f.arrow(i+1) || isFn(f.text(i-1))):
			if i++; f.arrow(i) {
				i = f.typ(i + 1)
			}
			return i
		}
		if !f.colons(i) {
			return i
		}
		i++
	}
	return start // a path does not end with ::
}

func isFn(name string) bool { return name == "Fn" || name == "FnMut" || name == "FnOnce" }

// typ skips a type.
func (f *fragments) typ(i int) int {
	start := i
	for { // skip prefixes such as & and *
		f.budget.step(1)
		switch text := f.text(i); {
		case text == "&" || text == "&&":
			i++
			if i < len(f.in) && f.in[i].kind == source.Lifetime {
				i++
			}
			if f.text(i) == "mut" {
				i++
			}
			continue
		case text == "*" && (f.text(i+1) == "const" || f.text(i+1) == "mut"):
			i += 2
			continue
		case text == "for" && f.text(i+1) == "<":
			end := f.angles(i + 1)
			if end == i+1 {
				return start
			}
			i = end
			continue
		}
		break
	}
	switch text := f.text(i); {
	case f.group(i, '('), f.group(i, '['), text == "_", text == "!":
		return i + 1
	case text == "impl" || text == "dyn":
		return f.bounds(i + 1)
	case text == "fn" || text == "unsafe" || text == "extern":
		for f.ident(i) && f.text(i) != "fn" || i < len(f.in) && f.in[i].kind == source.Literal {
			i++
		}
		if f.text(i) != "fn" || !f.group(i+1, '(') {
			return start
		}
		i += 2
		if f.arrow(i) {
			return f.typ(i + 1)
		}
		return i
	}
	end := f.path(i)
	if end == i {
		return start
	}
	if f.text(end) == "!" && end+1 < len(f.in) && f.in[end+1].delim != 0 && f.in[end+1].delim != source.FragmentStart {
		return end + 2
	}
	for f.text(end) == "+" && (f.ident(end+1) || end+1 < len(f.in) && f.in[end+1].kind == source.Lifetime) {
		end = f.bounds(end + 1)
	}
	return end
}

// bounds skips bounds such as A + B + 'a.
func (f *fragments) bounds(i int) int {
	for {
		for f.text(i) == "?" || f.text(i) == "~" {
			i++
		}
		switch {
		case i < len(f.in) && f.in[i].delim == 0 && f.in[i].kind == source.Lifetime, f.group(i, '('):
			i++
		case f.text(i) == "for" && f.text(i+1) == "<":
			i = f.path(f.angles(i + 1))
		case f.text(i) == "use" && f.text(i+1) == "<":
			i = f.angles(i + 1)
		default:
			i = f.path(i)
		}
		if f.text(i) != "+" {
			return i
		}
		i++
	}
}

// meta skips the content of an attribute.
func (f *fragments) meta(i int) int {
	if f.group(i, source.FragmentStart) {
		return i + 1
	}
	start := i
	if f.colons(i) {
		i++
	}
	for f.ident(i) {
		i++
		if !f.colons(i) {
			break
		}
		i++
	}
	if i == start {
		return start
	}
	switch {
	case f.group(i, '('), f.group(i, '['), f.group(i, '{'):
		return i + 1
	case f.text(i) == "=":
		return f.expr(i + 1)
	}
	return i
}

// expr skips an expression, which ends before a comma, a semicolon or =>, or between a literal and a name.
func (f *fragments) expr(i int) int {
	start := i
	if f.text(i) == "let" { // The statement may have a type with commas, as in let a: B<C, D> = e.
		for i < len(f.in) && f.text(i) != ":" && f.text(i) != "=" && f.text(i) != ";" {
			f.budget.step(1)
			i++
		}
		if f.text(i) == ":" {
			i = f.typ(i + 1)
		}
	}
	for f.text(i) == "move" || f.text(i) == "async" || f.text(i) == "static" {
		i++
	}
	if f.text(i) == "||" {
		i++
	} else if f.text(i) == "|" { // This is a closure.
		for i++; i < len(f.in) && f.text(i) != "|"; i++ {
		}
		i++
	}
	for i < len(f.in) {
		f.budget.step(1)
		if i > start && f.in[i-1].kind == source.Literal && f.in[i-1].delim == 0 && f.ident(i) && f.text(i) != "as" {
			return i
		}
		switch f.text(i) {
		case ",", ";", "=>":
			return i
		case "::":
			if turn(f.text(i+1)) > 0 {
				if end := f.angles(i + 1); end > i+1 {
					i = end
					continue
				}
			}
		case "as":
			i = f.typ(i+1) - 1
		}
		i++
	}
	if i == start {
		return start
	}
	return min(i, len(f.in))
}

// pat skips a pattern. If or is false, the pattern ends before a vertical bar.
func (f *fragments) pat(i int, or bool) int {
	for ; i < len(f.in); i++ {
		f.budget.step(1)
		switch f.text(i) {
		case ",", "if", "in", ";", "=", "=>":
			return i
		case "|":
			if !or {
				return i
			}
		}
	}
	return i
}

// item skips an item with its attributes.
func (f *fragments) item(i int) int {
	start := i
	for f.text(i) == "#" && f.group(i+1, '[') {
		i += 2
	}
	if f.group(i, source.FragmentStart) {
		return i + 1
	}
	i = f.visibility(i)
	for {
		switch f.text(i) {
		case "default", "unsafe", "async", "safe", "auto":
			i++
			continue
		case "const":
			if next := f.text(i + 1); next == "fn" || next == "unsafe" || next == "async" || next == "extern" {
				i++
				continue
			}
		case "extern":
			j := i + 1
			if j < len(f.in) && f.in[j].kind == source.Literal && f.in[j].delim == 0 {
				j++
			}
			if f.text(j) == "fn" || f.text(j) == "unsafe" {
				i = j
				continue
			}
		}
		break
	}
	braces := true // braces is true if braces end the item.
	switch word := f.text(i); {
	case word == "fn", word == "mod", word == "trait", word == "impl", word == "enum", word == "struct", word == "extern" && f.text(i+1) != "crate":
	case word == "union" && f.ident(i+1):
	case word == "const", word == "static", word == "type", word == "use", word == "extern":
		braces = false
	case f.ident(i) || f.colons(i): // This is a macro call.
		i = f.path(i)
		if f.text(i) != "!" {
			return start
		}
		i++
		if f.ident(i) {
			i++
		}
		if f.group(i, '{') {
			return i + 1
		}
		if f.text(i+1) == ";" {
			return i + 2
		}
		return start
	default:
		return start
	}
	depth := 0
	for ; i < len(f.in); i++ {
		f.budget.step(1)
		switch {
		case f.text(i) == ";", braces && depth <= 0 && f.group(i, '{'):
			return i + 1
		case braces:
			depth += turn(f.text(i))
		}
	}
	return start
}
