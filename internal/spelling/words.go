package spelling

import (
	"slices"
	"strings"
	"unicode"
)

// maxWords is the maximum number of words of a name that are compared.
const maxWords = 16

// wordsOf returns the words of a name in lower case and without the ending of a plural. Words begin at capital letters
// and after characters other than letters and digits.
func wordsOf(name string) (words []string) {
	letters := []rune(name)
	start := 0
	end := func(i int) {
		if start < i && len(words) < maxWords {
			words = append(words, strings.TrimSuffix(strings.ToLower(string(letters[start:i])), "s"))
		}
		start = i
	}
	for i, r := range letters {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(i)
			start = i + 1
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])):
			end(i)
		}
	}
	end(len(letters))
	return words
}

// overlap returns how many words two names have in common, from 0 to 1. It returns 0 if they share less than half of
// their words, or exactly half without the last one, which says more than a verb in front: setTimeout resembles
// withTimeout but not setInterval.
func overlap(a, b []string) float64 {
	shared := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			shared++
		}
	}
	switch total := len(a) + len(b); {
	case shared == 0 || 4*shared < total:
		return 0
	case 4*shared == total && a[len(a)-1] != b[len(b)-1]:
		return 0
	default:
		return min(1, float64(2*shared)/float64(total))
	}
}
