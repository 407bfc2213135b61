package jsonschema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"unicode"
)

const (
	maxPattern     = 8 << 10   // maximum size in bytes of a pattern's source
	maxPatternSize = 20_000    // maximum number of instructions of a pattern
	maxPatternsSum = 1_000_000 // maximum number of instructions of all patterns in one call to Compile
)

// Errors for valid patterns that Go's regexp does not support.
var (
	errLookaround    = errors.New("uses lookahead or lookbehind, which is not supported")
	errBackReference = errors.New("uses a back-reference, which is not supported")
)

// pattern is a compiled regular expression and its source in the schema.
type pattern struct {
	source string
	re     *regexp.Regexp
	size   int  // estimated number of instructions
	run    *run // used instead of re if it is not nil
}

// newPattern compiles an ECMA-262 regular expression in Unicode mode. It returns an error for
// lookaround and back-references, which Go's regexp does not support.
func newPattern(source string) (*pattern, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("is longer than %d bytes", maxPattern)
	}
	out, err := translatePattern(source)
	if err != nil {
		return nil, err
	}
	parsed, err := syntax.Parse(out, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("cannot be used: %w", err)
	}
	size := patternSize(parsed)
	if size > maxPatternSize {
		return nil, errors.New("is too large, because of its repetitions")
	}
	re, err := regexp.Compile(out)
	if err != nil {
		return nil, fmt.Errorf("cannot be used: %w", err)
	}
	return &pattern{source: source, re: re, size: size, run: newRun(parsed)}, nil
}

// patternSize estimates the number of instructions of a compiled expression, up to a limit.
func patternSize(re *syntax.Regexp) int {
	size := 1
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	for _, sub := range re.Sub {
		size += patternSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min, re.Max, 1)
	}
	return min(size, maxPatternSize+1)
}

// match reports whether a part of s matches.
func (p *pattern) match(s []byte) bool {
	if p.run != nil {
		if matches, sure := p.run.match(s); sure {
			return matches
		}
	}
	return p.re.Match(s)
}

// steps returns the maximum number of steps for matching s.
func (p *pattern) steps(s []byte) int { return 1 + len(s)*p.size/64 }

// run matches patterns of the most common kind, a repeated character class that must match the
// whole string, such as ^[a-z0-9-]+$. It uses a table.
type run struct {
	ascii    [128]bool
	min, max int // max is -1 if there is no maximum
}

// newRun returns the run for re, or nil if re is of another kind.
func newRun(re *syntax.Regexp) *run {
	if re.Op != syntax.OpConcat || len(re.Sub) != 3 || re.Sub[0].Op != syntax.OpBeginText || re.Sub[2].Op != syntax.OpEndText {
		return nil
	}
	r := &run{min: 1, max: 1}
	class := re.Sub[1]
	switch class.Op {
	case syntax.OpStar:
		r.min, r.max = 0, -1
	case syntax.OpPlus:
		r.min, r.max = 1, -1
	case syntax.OpQuest:
		r.min, r.max = 0, 1
	case syntax.OpRepeat:
		r.min, r.max = class.Min, class.Max
	}
	if len(class.Sub) == 1 {
		class = class.Sub[0]
	}
	if class.Op != syntax.OpCharClass {
		return nil
	}
	for i := 0; i+1 < len(class.Rune); i += 2 {
		for c := class.Rune[i]; c <= class.Rune[i+1] && c <= unicode.MaxASCII; c++ {
			r.ascii[c] = true
		}
	}
	return r
}

// match reports whether s matches. If sure is false, the result is unknown, because s contains a
// non-ASCII character before the first mismatch.
func (r *run) match(s []byte) (matches, sure bool) {
	for _, c := range s {
		if c > unicode.MaxASCII {
			return false, false
		}
		if !r.ascii[c] {
			return false, true
		}
	}
	return len(s) >= r.min && (r.max < 0 || len(s) <= r.max), true
}
