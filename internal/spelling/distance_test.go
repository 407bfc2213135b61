package spelling

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	var d Distance
	tests := []struct {
		a, b        string
		limit, want int
	}{
		{"marshal", "marshal", 2, 0},
		{"marshal", "marshall", 2, 1},
		{"marshal", "mashal", 2, 1},
		{"marshal", "marsahl", 2, 1},
		{"marshal", "narshul", 2, 2},
		{"marshal", "unmarshal", 1, 2},
		{"abcdef", "uvwxyz", 2, 3},
		{"", "ab", 3, 2},
		{strings.Repeat("a", MaxCompared), strings.Repeat("b", MaxCompared), 1000, MaxCompared},
		{strings.Repeat("a", MaxCompared+1), "", 1000, MaxCompared + 1},
	}
	for _, tt := range tests {
		if got := d.Between(tt.a, tt.b, tt.limit); got != tt.want {
			t.Errorf("Between(%.20q, %.20q, %d) = %d, want %d", tt.a, tt.b, tt.limit, got, tt.want)
		}
	}
}

// plainDistance returns the distance without the short cuts.
func plainDistance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			v := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				v++
			}
			v = min(v, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				v = min(v, rows[i-2][j-2]+1)
			}
			rows[i][j] = v
		}
	}
	return rows[len(a)][len(b)]
}

func TestDistanceIsThatOfThePlainAlgorithm(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func() string {
		b := make([]byte, r.IntN(9))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	var d Distance
	for range 20_000 {
		a, b, limit := word(), word(), r.IntN(12)
		if got, want := d.Between(a, b, limit), min(plainDistance(a, b), limit+1); got != want {
			t.Fatalf("Between(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
		}
	}
}
