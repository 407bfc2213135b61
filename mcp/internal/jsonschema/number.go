package jsonschema

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// decimal is an exact JSON number that refers to its text. Its value is 0.DDD × 10^exp, where DDD
// are the digits without leading and trailing zeros. The zero value is 0.
type decimal struct {
	text  []byte // the text from the first to the last non-zero digit, including the decimal point
	count int    // number of digits in text
	exp   int64
	neg   bool
}

// maxExponent is the maximum exponent; larger ones are treated as equal to it.
const maxExponent = 1_000_000_000_000_000_000

// parseDecimal parses a JSON number. For other text, the result is undefined.
func parseDecimal(s []byte) (d decimal) {
	if len(s) > 0 && s[0] == '-' {
		d.neg = true
		s = s[1:]
	}
	var whole, last int // number of digits before the decimal point, and index after the last non-zero digit
	first := -1         // index of the first non-zero digit
	point := -1
	i := 0
	for ; i < len(s); i++ {
		c := s[i]
		if c == '.' && point < 0 {
			point = i
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		if point < 0 {
			whole++
		}
		if c != '0' {
			if first < 0 {
				first = i
			}
			last = i + 1
		}
	}
	if first < 0 {
		return decimal{}
	}
	d.text = s[first:last]
	d.count = last - first
	if point >= 0 && first < point && point < last {
		d.count--
	}
	if point < 0 || first < point {
		d.exp = int64(whole - first)
	} else {
		d.exp = int64(point + 1 - first)
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		d.exp += parseExponent(s[i+1:])
	}
	return d
}

func parseExponent(s []byte) (e int64) {
	neg := false
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		neg = s[0] == '-'
		s = s[1:]
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			break
		}
		if e = e*10 + int64(c-'0'); e >= maxExponent {
			e = maxExponent
			break
		}
	}
	if neg {
		return -e
	}
	return e
}

func (d decimal) isZero() bool { return d.count == 0 }

// isInteger reports whether d has no fraction; 1.0 and 1e2 have none.
func (d decimal) isInteger() bool { return d.exp >= int64(d.count) }

// cmp compares d and o by value and returns -1, 0 or 1.
func (d decimal) cmp(o decimal) int {
	switch {
	case d.isZero() && o.isZero():
		return 0
	case d.isZero():
		return o.sign(-1)
	case o.isZero(), d.neg != o.neg:
		return d.sign(1)
	case d.exp < o.exp:
		return d.sign(-1)
	case d.exp > o.exp:
		return d.sign(1)
	}
	i, j := 0, 0
	for {
		if i < len(d.text) && d.text[i] == '.' {
			i++
		}
		if j < len(o.text) && o.text[j] == '.' {
			j++
		}
		switch {
		case i == len(d.text) && j == len(o.text):
			return 0
		case i == len(d.text):
			return d.sign(-1)
		case j == len(o.text):
			return d.sign(1)
		case d.text[i] < o.text[j]:
			return d.sign(-1)
		case d.text[i] > o.text[j]:
			return d.sign(1)
		}
		i, j = i+1, j+1
	}
}

// sign returns n, or -n if d is negative.
func (d decimal) sign(n int) int {
	if d.neg {
		return -n
	}
	return n
}

// floor returns the largest integer that is not greater than d, clamped to the range of int64. It
// also returns whether d is an integer.
func (d decimal) floor() (n int64, exact bool) {
	exact = d.isInteger()
	if d.exp > 19 {
		if d.neg {
			return math.MinInt64, exact
		}
		return math.MaxInt64, exact
	}
	var u uint64
	digits := int64(0)
	for _, c := range d.text {
		if c == '.' || digits >= d.exp {
			continue
		}
		u = u*10 + uint64(c-'0') // 19 digits fit into a uint64
		digits++
	}
	for ; digits < d.exp; digits++ {
		u *= 10
	}
	switch {
	case !d.neg && u > math.MaxInt64:
		return math.MaxInt64, exact
	case !d.neg:
		return int64(u), exact
	case u >= 1<<63:
		return math.MinInt64, exact
	case exact:
		return -int64(u), true
	}
	return -int64(u) - 1, false
}

// divisor is a compiled multipleOf with the value coef × 10^exp.
type divisor struct {
	text  string
	whole int64    // the divisor if it is an integer that fits into an int64, otherwise 0
	coef  uint64   // the coefficient, which does not end with zero; 0 if it does not fit
	big   *big.Int // the coefficient if it does not fit into a uint64
	exp   int64
}

const chunkDigits = 18 // number of decimal digits per step of a long division

func newDivisor(raw []byte) *divisor {
	d := parseDecimal(raw)
	m := &divisor{text: string(raw), exp: d.exp - int64(d.count)}
	digits := make([]byte, 0, d.count)
	for _, c := range d.text {
		if c != '.' {
			digits = append(digits, c)
		}
	}
	if n, err := strconv.ParseUint(string(digits), 10, 64); err == nil {
		m.coef = n
	} else {
		m.big, _ = new(big.Int).SetString(string(digits), 10)
	}
	if n, exact := d.floor(); exact && n < math.MaxInt64 {
		m.whole = n
	}
	return m
}

// divides reports whether d is a multiple of m. Let a be the digits of d as an integer, b the
// coefficient of m, and k the difference of the exponents. divides checks whether b divides a×10^k.
// Neither a nor b ends with zero, so for a negative k, d is not a multiple.
func (m *divisor) divides(d decimal) bool {
	if d.isZero() {
		return true
	}
	k := d.exp - int64(d.count) - m.exp
	if k < 0 {
		return false
	}
	if m.big != nil {
		return m.dividesBig(d, k)
	}
	b := m.coef
	var r uint64
	for _, c := range d.text {
		if c != '.' {
			r = mulMod(r, 10, b)
			r = addMod(r, uint64(c-'0')%b, b)
		}
	}
	return mulMod(r, powMod(10, k, b), b) == 0
}

func (m *divisor) dividesBig(d decimal, k int64) bool {
	r, part, scale := new(big.Int), new(big.Int), new(big.Int)
	var chunk, mul uint64 = 0, 1
	flush := func() {
		r.Mul(r, scale.SetUint64(mul))
		r.Add(r, part.SetUint64(chunk))
		r.Mod(r, m.big)
		chunk, mul = 0, 1
	}
	n := 0
	for _, c := range d.text {
		if c == '.' {
			continue
		}
		chunk, mul = chunk*10+uint64(c-'0'), mul*10
		if n++; n%chunkDigits == 0 {
			flush()
		}
	}
	flush()
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(k), m.big)
	return r.Mul(r, ten).Mod(r, m.big).Sign() == 0
}

func mulMod(a, b, m uint64) uint64 {
	hi, lo := bits.Mul64(a%m, b%m)
	_, r := bits.Div64(hi, lo, m)
	return r
}

// addMod returns a+b mod m, for a and b less than m.
func addMod(a, b, m uint64) uint64 {
	if a >= m-b {
		return a - (m - b)
	}
	return a + b
}

func powMod(base uint64, exp int64, m uint64) uint64 {
	r := 1 % m
	for base %= m; exp > 0; exp >>= 1 {
		if exp&1 == 1 {
			r = mulMod(r, base, m)
		}
		base = mulMod(base, base, m)
	}
	return r
}
