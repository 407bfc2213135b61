package crate

import (
	"cmp"
	"math/bits"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// The compiler evaluates the lengths of arrays, so rustdoc shows [u8; 512] for
// [u8; BLOCK as usize]. This file does the same for lengths that consist of
// numbers, constants, casts and arithmetic.

// maxLength is the maximum nesting depth of constants that use other constants, and of
// parentheses.
const maxLength = 16

// lengthAt evaluates the length of an array that follows a semicolon at the given position. end is
// the position of the array's closing bracket. ok is false if the length is already a number or
// cannot be evaluated.
func (w *writer) lengthAt(text string, pos int) (number string, end int, ok bool) {
	s := source.Scanner{Text: text, Pos: pos}
	first := s.Next()
	for t := first; ; t = s.Next() {
		switch {
		case t.Kind == source.EOF || t.Kind == source.Punct && (t.Byte == '{' || t.Byte == ';'):
			return "", 0, false
		case t.Kind == source.Punct && (t.Byte == '(' || t.Byte == '['):
			s.Pos = t.Start + source.GroupEnd(text[t.Start:])
		case t.Kind == source.Punct && (t.Byte == ']' || t.Byte == ')'):
			e := evaluator{w: w, in: w.m, Scanner: source.Scanner{Text: text[pos:t.Start]}}
			n, ok := e.value()
			number = strconv.FormatUint(n, 10)
			return number, t.Start, ok && number != text[first.Start:first.End]
		}
	}
}

// evaluator evaluates one constant expression with non-negative integers.
type evaluator struct {
	source.Scanner
	w     *writer
	in    *module // the module in which names are resolved
	tok   source.Token
	depth int
}

func (e *evaluator) next() { e.tok = e.Next() }

func (e *evaluator) is(c byte) bool { return e.tok.Kind == source.Punct && e.tok.Byte == c }

// value evaluates the whole text.
func (e *evaluator) value() (uint64, bool) {
	e.next()
	n, ok := e.binary(0)
	return n, ok && e.tok.Kind == source.EOF
}

// lengthOperators are the operators by precedence, the weakest first. An
// operator of several bytes is identified by its first byte.
var lengthOperators = []string{"|", "&", "<>", "+-", "*/%"}

// binary evaluates operators of the given level of lengthOperators and higher levels. It
// returns false if the value cannot be determined.
func (e *evaluator) binary(level int) (uint64, bool) {
	if level == len(lengthOperators) {
		return e.operand()
	}
	remaining, ok := e.binary(level + 1)
	for ok && e.tok.Kind == source.Punct && strings.IndexByte(lengthOperators[level], e.tok.Byte) >= 0 {
		op := e.tok
		e.next()
		if op.Byte == '<' || op.Byte == '>' {
			if !e.is(op.Byte) || e.tok.Start != op.End {
				return 0, false
			}
			e.next()
		}
		var right uint64
		if right, ok = e.binary(level + 1); ok {
			remaining, ok = apply(op.Byte, remaining, right)
		}
	}
	return remaining, ok
}

// apply applies an operator. It returns false if the compiler would report an
// error.
func apply(op byte, a, b uint64) (uint64, bool) {
	switch op {
	case '|':
		return a | b, true
	case '&':
		return a & b, true
	case '<':
		return a << b, b < 64 && a<<b>>b == a
	case '>':
		return a >> b, b < 64
	case '+':
		n, carry := bits.Add64(a, b, 0)
		return n, carry == 0
	case '-':
		return a - b, a >= b
	case '*':
		high, n := bits.Mul64(a, b)
		return n, high == 0
	}
	if b == 0 {
		return 0, false
	}
	if op == '%' {
		return a % b, true
	}
	return a / b, true
}

// operand evaluates a number, a constant or an expression in parentheses, and
// casts after it. ok is false if the value cannot be determined.
func (e *evaluator) operand() (n uint64, ok bool) {
	switch {
	case e.tok.Kind == source.Literal:
		n, ok = number(e.Text[e.tok.Start:e.tok.End])
		e.next()
	case e.is('(') && e.depth < maxLength:
		e.depth++
		e.next()
		n, ok = e.binary(0)
		ok = ok && e.is(')')
		e.next()
		e.depth--
	case e.tok.Kind == source.Ident:
		segs, end := pathAt(e.Text, e.tok)
		e.Pos = end
		e.next()
		if segs[len(segs)-1] == "size_of" && e.is(':') {
			n, ok = e.size()
		} else {
			n, ok = e.constant(segs)
		}
	}
	for ok && e.tok.Kind == source.Ident && e.Text[e.tok.Start:e.tok.End] == "as" {
		e.next()
		width, known := widths[e.Text[e.tok.Start:e.tok.End]]
		ok = known && bits.Len64(n) <= width
		e.next()
	}
	return n, ok
}

// widths maps number types to the number of bits that can store their values without the sign, at
// most 64. For usize and isize, it is the smallest width of all targets.
var widths = map[string]int{
	"usize": 32, "u8": 8, "u16": 16, "u32": 32, "u64": 64, "u128": 64, "isize": 31, "i8": 7, "i16": 15, "i32": 31, "i64": 63, "i128": 64,
}

// constant evaluates the constant that a path refers to. It returns false if the value
// cannot be determined.
func (e *evaluator) constant(segs []string) (uint64, bool) {
	if e.depth >= maxLength || len(segs) == 1 && e.in == e.w.m && e.w.params[segs[0]] {
		return 0, false
	}
	d := e.in.krate.resolve(e.in, segs, values)
	if d == nil || d.kind != source.Const || d.member || d.item.Value.Empty() {
		return 0, false
	}
	inner := evaluator{w: e.w, in: d.mod, depth: e.depth + 1, Scanner: source.Scanner{Text: d.item.Value.Text(d.unit.Text)}}
	return inner.value()
}

// size evaluates the part after size_of, such as ::<u32>(). The type must be a number, a character,
// or a Self that refers to one. It returns false for other types.
func (e *evaluator) size() (uint64, bool) {
	open := strings.IndexByte(e.Text[e.tok.Start:], '<') + e.tok.Start
	if open < e.tok.Start {
		return 0, false
	}
	arg, end := argsAt(e.Text, open)
	e.Pos = end
	for _, c := range []byte("()") {
		if e.next(); !e.is(c) {
			return 0, false
		}
	}
	e.next()
	name := strings.TrimSpace(source.Unmarked(arg))
	if name == "Self" && e.in == e.w.m {
		name = strings.TrimSpace(source.Unmarked(e.w.self))
	}
	switch name {
	case "u8", "i8", "bool":
		return 1, true
	case "u16", "i16", "f16":
		return 2, true
	case "u32", "i32", "f32", "char":
		return 4, true
	case "u64", "i64", "f64":
		return 8, true
	case "u128", "i128", "f128":
		return 16, true
	case "usize", "isize":
		n, ok := number(e.w.k.platform.values["target_pointer_width"][0])
		return n / 8, ok
	}
	return 0, false
}

// number reads an integer, such as 512, 1_024usize or 0xff. It returns false for other literals.
func number(literal string) (uint64, bool) {
	s := strings.ReplaceAll(literal, "_", "")
	if i := strings.IndexAny(s, "ui"); i > 0 {
		if widths[s[i:]] == 0 {
			return 0, false
		}
		s = s[:i]
	}
	if len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
		s = strings.TrimLeft(s, "0") // octal numbers in Rust begin with 0o
		s = cmp.Or(s, "0")
	}
	n, err := strconv.ParseUint(s, 0, 64)
	return n, err == nil
}
