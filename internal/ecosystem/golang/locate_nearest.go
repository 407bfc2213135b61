package golang

import (
	"path"
	"slices"
	"strings"
)

// nearest picks the names that a misspelt one most likely means, the likeliest
// first, and none that is far off.
func nearest(name string, names []string, limit int) []string {
	type scored struct {
		name string
		cost int
	}
	var list []scored
	lower := strings.ToLower(name)
	last := path.Base(lower)
	for _, n := range names {
		l := strings.ToLower(n)
		cost := distance(lower, l, len(lower)/3+1)
		switch {
		case n == "" || n == name:
			continue
		case strings.HasSuffix(l, "/"+lower): // "json" for encoding/json
			cost = 0
		case path.Base(l) == last:
			cost = min(cost, 2)
		case distance(last, path.Base(l), 1) <= 1 && len(last) > 3:
			cost = min(cost, 3)
		}
		if cost <= len(lower)/3 || cost == 0 {
			list = append(list, scored{n, cost})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int {
		if a.cost != b.cost {
			return a.cost - b.cost
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, s := range list {
		if len(out) == limit || s.cost > list[0].cost+2 {
			break
		}
		if !slices.Contains(out, s.name) {
			out = append(out, s.name)
		}
	}
	return out
}

// distance counts the letters to change, add, drop or swap to get from a to b;
// more than limit is all the same.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j-1]+cost, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
			best = min(best, next[j])
		}
		if best > limit {
			return limit + 1
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
