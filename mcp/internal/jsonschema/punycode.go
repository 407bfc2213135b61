package jsonschema

import (
	"strings"
	"unicode/utf8"
)

// The parameters of RFC 3492.
const (
	punyBase    = 36
	punyTMin    = 1
	punyTMax    = 26
	punySkew    = 38
	punyDamp    = 700
	punyBias    = 72
	punyFirst   = 0x80
	punyLongest = 4 * longestLabel // bytes or runes; nothing longer is a label
)

func punyThreshold(k, bias int) int { return min(max(k-bias, punyTMin), punyTMax) }

func punyAdapt(delta, count int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (punyBase-punyTMin)*punyTMax/2; k += punyBase {
		delta /= punyBase - punyTMin
	}
	return k + (punyBase-punyTMin+1)*delta/(delta+punySkew)
}

func decodePunycode(s string) ([]rune, bool) {
	if len(s) > punyLongest {
		return nil, false
	}
	var out []rune
	if at := strings.LastIndexByte(s, '-'); at >= 0 {
		out = []rune(s[:at])
		s = s[at+1:]
	}
	n, i, bias := punyFirst, 0, punyBias
	for len(s) > 0 {
		before, weight := i, 1
		for k := punyBase; ; k += punyBase {
			if s == "" {
				return nil, false
			}
			digit := strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789", s[0])
			s = s[1:]
			if digit < 0 || weight > 1<<26 {
				return nil, false
			}
			i += digit * weight
			t := punyThreshold(k, bias)
			if digit < t {
				break
			}
			weight *= punyBase - t
		}
		count := len(out) + 1
		bias = punyAdapt(i-before, count, before == 0)
		n += i / count
		i %= count
		if !utf8.ValidRune(rune(min(n, utf8.MaxRune+1))) {
			return nil, false
		}
		out = append(out, 0)
		copy(out[i+1:], out[i:])
		out[i] = rune(n)
		i++
	}
	return out, true
}

func encodePunycode(label []rune) (string, bool) {
	if len(label) > punyLongest {
		return "", false
	}
	var out []byte
	for _, r := range label {
		if r < punyFirst {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(punyFirst), 0, punyBias
	for done := basic; done < len(label); {
		next := rune(utf8.MaxRune + 1)
		for _, r := range label {
			if r >= n && r < next {
				next = r
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range label {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			out = appendPunyNumber(out, delta, bias)
			bias = punyAdapt(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
		n++
	}
	return string(out), true
}

func appendPunyNumber(out []byte, q, bias int) []byte {
	for k := punyBase; ; k += punyBase {
		t := punyThreshold(k, bias)
		if q < t {
			return append(out, punyDigit(q))
		}
		out = append(out, punyDigit(t+(q-t)%(punyBase-t)))
		q = (q - t) / (punyBase - t)
	}
}

func punyDigit(n int) byte { return "abcdefghijklmnopqrstuvwxyz0123456789"[n] }
