package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// A Swift solution is judged by its text, because a compiler is not available everywhere. Each line
// of hidden.txt is a claim about it:
//
//	func name(label:)            the solution declares the function; the claims up to the next one are about it
//	call name(label: value, _: value)
//	                             a call has these arguments, and perhaps others
//	only name(label: value)      a call has these arguments and no others
//	set label value              a call has the argument, or a property with that name is assigned the value
//	has token token              the tokens stand in the solution next to each other
//	never word                   the word does not stand in the solution
//	order word word              the words stand in the solution in this order
//	import module                the module is imported
//	declares name(label:)        something with that name is declared, at any depth
//
// A value is text without spaces; * is any value, | separates alternatives, .name also matches
// Type.name, and a constant of the function is equivalent to its value. "claim or claim" requires
// one of them.
//
// The judge does not check types, whether the code runs, its results, the order of statements
// except with "order", or the receivers of calls.

// swiftSolution is a parsed solution.
type swiftSolution struct {
	file   *source.File
	tokens []swiftToken
}

// swiftToken is one token of a solution.
type swiftToken struct {
	text       string
	newline    bool
	start, end int
}

// parseSwift reads a solution. It fails if a part cannot be read.
func parseSwift(text string) (*swiftSolution, error) {
	s := &swiftSolution{file: source.Parse("solve.swift", []byte(text))}
	if s.file.Lost > 0 {
		first := s.file.Skipped[0]
		return nil, fmt.Errorf("solve.swift:%d: %s", first.Line, first.Reason)
	}
	scanner := source.NewScanner(text)
	var open []byte
	for {
		t := scanner.Next()
		if t.Kind == source.EOF {
			break
		}
		one := swiftToken{scanner.TokenText(t), t.Newline, t.Start, t.End}
		switch one.text {
		case "(", "[", "{":
			open = append(open, one.text[0])
		case ")", "]", "}":
			if n := len(open); n == 0 || open[n-1] != map[string]byte{")": '(', "]": '[', "}": '{'}[one.text] {
				return nil, fmt.Errorf("solve.swift: %q closes nothing", one.text)
			}
			open = open[:len(open)-1]
		}
		s.tokens = append(s.tokens, one)
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("solve.swift: %q is not closed", open[len(open)-1])
	}
	return s, nil
}

// swiftScope is the scope of claims: the tokens of one function and of the functions for which
// there are no claims.
type swiftScope struct {
	tokens []swiftToken
	calls  []swiftCall
	// values are the expressions that constants and variables are set to.
	values map[string]string
}

// swiftCall is a call with its arguments.
type swiftCall struct {
	name string
	args []swiftArgument
}

type swiftArgument struct{ label, value string }

// check returns an error that describes the first false claim.
func (s *swiftSolution) check(hidden string) error {
	var named []string
	for line := range strings.Lines(hidden) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "func "); ok {
			named = append(named, name)
		}
	}
	if len(named) == 0 {
		return errors.New("hidden.txt names no function")
	}
	scope := &swiftScope{}
	for line := range strings.Lines(hidden) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if name, ok := strings.CutPrefix(line, "func "); ok {
			tokens, found := s.function(name, named)
			if !found {
				return fmt.Errorf("solve.swift declares no %s", name)
			}
			scope = newSwiftScope(tokens)
			continue
		}
		ok := false
		for claim := range strings.SplitSeq(line, " or ") {
			holds, err := s.holds(scope, strings.TrimSpace(claim))
			if err != nil {
				return err
			}
			ok = ok || holds
		}
		if !ok {
			return fmt.Errorf("solve.swift: it does not hold: %s", line)
		}
	}
	return nil
}

// function returns the tokens of the function with a title, and all tokens outside other functions
// that claims name.
func (s *swiftSolution) function(title string, named []string) (tokens []swiftToken, ok bool) {
	others := [][2]int{}
	for _, d := range s.file.Decls {
		if d.Kind != source.Func {
			continue
		}
		if d.Title() == title {
			ok = true
		} else if slices.Contains(named, d.Title()) {
			others = append(others, [2]int{d.Start, d.End})
		}
	}
	for _, t := range s.tokens {
		if !slices.ContainsFunc(others, func(o [2]int) bool { return t.start >= o[0] && t.end <= o[1] }) {
			tokens = append(tokens, t)
		}
	}
	return tokens, ok
}

func newSwiftScope(tokens []swiftToken) *swiftScope {
	s := &swiftScope{tokens: tokens, values: map[string]string{}}
	for i, t := range tokens {
		if i+1 == len(tokens) {
			break
		}
		switch next := tokens[i+1]; {
		case next.text == "(" && !next.newline && isSwiftName(t.text) && (i == 0 || tokens[i-1].text != "func"):
			s.calls = append(s.calls, swiftCall{t.text, swiftArguments(tokens, i+1)})
		case (t.text == "let" || t.text == "var") && i+3 < len(tokens) && isSwiftName(next.text):
			j := i + 2
			if tokens[j].text == ":" { // The type is written in the declaration.
				for j < len(tokens) && tokens[j].text != "=" && !tokens[j].newline {
					j++
				}
			}
			if j < len(tokens) && tokens[j].text == "=" {
				s.values[next.text] = swiftText(tokens[j+1 : swiftStatementEnd(tokens, j+1)])
			}
		}
	}
	return s
}

// swiftArguments reads the arguments of the call whose parenthesis is at i.
func swiftArguments(tokens []swiftToken, i int) []swiftArgument {
	end := swiftClosing(tokens, i)
	var all []swiftArgument
	start := i + 1
	for j := start; j <= end; j++ {
		switch tokens[j].text {
		case "(", "[", "{":
			j = swiftClosing(tokens, j)
			continue
		case ",":
		default:
			if j != end {
				continue
			}
		}
		if one := tokens[start:j]; len(one) > 0 {
			label := "_"
			if len(one) > 1 && one[1].text == ":" && isSwiftName(one[0].text) {
				label, one = one[0].text, one[2:]
			}
			all = append(all, swiftArgument{label, swiftText(one)})
		}
		start = j + 1
	}
	return all
}

// swiftClosing returns the index of the bracket that closes the one at i.
func swiftClosing(tokens []swiftToken, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch tokens[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(tokens) - 1
}

// swiftStatementEnd returns where the expression that begins at i ends: before a line that does not
// continue with a member.
func swiftStatementEnd(tokens []swiftToken, i int) int {
	for first := i; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.text == "(" || t.text == "[" || t.text == "{" && i == first:
			i = swiftClosing(tokens, i)
		case t.text == "{" || t.text == "}" || t.text == ";" || t.text == "else":
			return i
		case i > first && t.newline && t.text != ".":
			return i
		}
	}
	return len(tokens)
}

func swiftText(tokens []swiftToken) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && isSwiftName(t.text) && isSwiftName(tokens[i-1].text) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

var swiftName = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

func isSwiftName(s string) bool { return swiftName.MatchString(s) }

var claimCall = regexp.MustCompile(`^(\w+)\((.*)\)$`)

// holds reports whether one claim holds.
func (s *swiftSolution) holds(scope *swiftScope, claim string) (bool, error) {
	word, rest, _ := strings.Cut(claim, " ")
	switch word {
	case "call", "only":
		m := claimCall.FindStringSubmatch(rest)
		if m == nil {
			return false, fmt.Errorf("hidden.txt: %q is no call", rest)
		}
		var want []swiftArgument
		for part := range strings.SplitSeq(m[2], ", ") {
			if label, value, ok := strings.Cut(part, ": "); ok {
				want = append(want, swiftArgument{label, value})
			} else if part != "" {
				return false, fmt.Errorf("hidden.txt: %q has no label", part)
			}
		}
		return slices.ContainsFunc(scope.calls, func(c swiftCall) bool {
			return c.name == m[1] && (word == "call" || len(c.args) == len(want)) && scope.arguments(c, want)
		}), nil
	case "set":
		label, value, _ := strings.Cut(rest, " ")
		return scope.sets(label, value), nil
	case "has":
		return scope.index(strings.Fields(rest), 0) >= 0, nil
	case "never":
		return scope.index([]string{rest}, 0) < 0, nil
	case "order":
		pos := 0
		for one := range strings.FieldsSeq(rest) {
			if pos = scope.index([]string{one}, pos); pos < 0 {
				return false, nil
			}
			pos++
		}
		return true, nil
	case "import":
		return slices.ContainsFunc(s.file.Imports, func(m source.Import) bool { return m.Module == rest }), nil
	case "declares":
		return declaresSwift(s.file.Decls, rest), nil
	}
	return false, fmt.Errorf("hidden.txt: %q is no claim", claim)
}

func declaresSwift(decls []*source.Decl, title string) bool {
	return slices.ContainsFunc(decls, func(d *source.Decl) bool { return d.Title() == title || declaresSwift(d.Members, title) })
}

// index returns the index of the first sequence of words at or after a position, or -1.
func (s *swiftScope) index(words []string, from int) int {
	for i := from; i+len(words) <= len(s.tokens); i++ {
		same := true
		for j, w := range words {
			same = same && s.tokens[i+j].text == w
		}
		if same {
			return i
		}
	}
	return -1
}

// arguments reports whether a call has the wanted arguments, in order.
func (s *swiftScope) arguments(c swiftCall, want []swiftArgument) bool {
	i := 0
	for _, w := range want {
		for i < len(c.args) && (c.args[i].label != w.label || !s.is(c.args[i].value, w.value, 0)) {
			i++
		}
		if i == len(c.args) {
			return false
		}
		i++
	}
	return true
}

// sets reports whether a property or an argument with a given name has a value.
func (s *swiftScope) sets(label, value string) bool {
	for _, c := range s.calls {
		for _, a := range c.args {
			if a.label == label && s.is(a.value, value, 0) {
				return true
			}
		}
	}
	for i := 1; i+2 < len(s.tokens); i++ {
		if s.tokens[i].text == label && s.tokens[i-1].text == "." && s.tokens[i+1].text == "=" &&
			s.is(swiftText(s.tokens[i+2:swiftStatementEnd(s.tokens, i+2)]), value, 0) {
			return true
		}
	}
	return false
}

// is reports whether an expression matches a value in the syntax of claims.
func (s *swiftScope) is(expression, value string, depth int) bool {
	if value == "*" {
		return true
	}
	for one := range strings.SplitSeq(value, "|") {
		if expression == one {
			return true
		}
		if member, ok := strings.CutPrefix(one, "."); ok {
			if owner, ok := strings.CutSuffix(expression, "."+member); ok && owner != "" && owner[0] >= 'A' && owner[0] <= 'Z' {
				return true
			}
		}
		a, aErr := strconv.ParseFloat(strings.ReplaceAll(expression, "_", ""), 64)
		if b, bErr := strconv.ParseFloat(one, 64); aErr == nil && bErr == nil && a == b {
			return true
		}
	}
	set, ok := s.values[expression]
	return ok && depth < 5 && s.is(set, value, depth+1)
}
