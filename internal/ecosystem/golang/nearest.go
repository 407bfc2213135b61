package golang

import (
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/spelling"
)

// nearestIn returns the packages of a module whose paths are closest to that of an absent one. It
// compares the paths below the module, because all others resemble each other in a module with a long path.
func nearestIn(modulePath, importPath string, packages []string) []string {
	below, ok := strings.CutPrefix(importPath, modulePath+"/")
	if !ok {
		return nearest(importPath, packages)
	}
	paths := make([]string, len(packages))
	for i, p := range packages {
		paths[i] = relativeTo(modulePath, p)
	}
	near := nearest(below, paths)
	for i := range near {
		near[i] = modulePath + "/" + near[i]
	}
	return near
}

// nearest returns the names closest to a misspelt name, closest first, without
// those that differ too much.
func nearest(name string, names []string) []string {
	type scored struct {
		name string
		cost int
	}
	var list []scored
	var d spelling.Distance
	lower := strings.ToLower(name)
	last := path.Base(lower)
	for _, n := range names {
		l := strings.ToLower(n)
		cost := d.Between(lower, l, len(lower)/3+1)
		switch {
		case n == "" || n == name:
			continue
		case strings.HasSuffix(l, "/"+lower): // The name is the end of a path, as json is for encoding/json.
			cost = 0
		case path.Base(l) == last:
			cost = min(cost, 2)
		case d.Between(last, path.Base(l), 1) <= 1 && len(last) > 3:
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
		if len(out) == maxNear || s.cost > list[0].cost+2 {
			break
		}
		if !slices.Contains(out, s.name) {
			out = append(out, s.name)
		}
	}
	return out
}
