// Package spelling compares names that may contain typing errors.
package spelling

import "strings"

// MaxCompared is the maximum length in bytes of names that a Distance compares. Longer names count
// as more distant than any limit.
const MaxCompared = 128

// Distance computes edit distances. It must not be used concurrently, because
// it reuses its rows. The zero value is ready to use.
type Distance struct {
	rows [3][MaxCompared + 2]uint8
}

// Between returns the number of bytes to insert, delete, replace or swap with their neighbour to
// turn a into b. It returns limit+1 if that number exceeds limit or a name is longer than
// MaxCompared.
func (d *Distance) Between(a, b string, limit int) int {
	limit = min(limit, MaxCompared)
	if limit < 0 || len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > MaxCompared || len(b) > MaxCompared {
		return limit + 1
	}
	if a == b {
		return 0
	}
	// Only cells at most limit away from the diagonal can be on a path within the limit. Cells
	// beyond them get a value above the limit.
	before, last, row := &d.rows[0], &d.rows[1], &d.rows[2]
	far := uint8(limit + 1)
	for j := range min(len(b), limit) + 1 {
		last[j] = uint8(j)
	}
	if limit+1 <= len(b) {
		last[limit+1] = far
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-limit), min(len(b), i+limit)
		row[from-1] = far
		if from == 1 {
			row[0] = uint8(min(i, limit+1))
		}
		minimum := row[from-1]
		for j := from; j <= to; j++ {
			v := last[j-1]
			if a[i-1] != b[j-1] {
				v++
			}
			v = min(v, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				v = min(v, before[j-2]+1)
			}
			row[j] = v
			minimum = min(minimum, v)
		}
		if minimum > uint8(limit) {
			return limit + 1
		}
		if to < len(b) {
			row[to+1] = far
		}
		before, last, row = last, row, before
	}
	return min(int(last[len(b)]), limit+1)
}

// Similarity returns how similar two words are, from 0 to 1, according to their edit distance and to
// whether one contains the other.
func (d *Distance) Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	score := 0.0
	if len(a) >= 2 && strings.Contains(b, a) {
		score = 0.6 + 0.4*float64(len(a))/float64(len(b))
	}
	// The lengths give an upper bound for the similarity.
	if float64(len(a))/float64(len(b)) <= score {
		return score
	}
	limit := int((1 - score) * float64(len(b)))
	if n := d.Between(a, b, limit); n <= limit {
		score = max(score, 1-float64(n)/float64(len(b)))
	}
	return score
}
