package depgraph

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/spelling"
)

// Tree writes the direct and indirect dependencies of the project's own packages as a tree. The
// requirements of a package are written only once. After that, the package is marked with (*).
func Tree(w io.Writer, all []Language) error {
	var b strings.Builder
	for i := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s in %s\n", all[i].Name, line(all[i].Graph.Root))
		t := tree{b: &b, language: &all[i], shown: map[int]bool{}}
		for n := range all[i].Graph.Packages {
			if all[i].Graph.Packages[n].Member {
				t.write(n, "", "", nil)
			}
		}
		for _, problem := range all[i].Graph.Problems {
			fmt.Fprintf(&b, "\nnote: %s\n", line(problem))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

type tree struct {
	b        *strings.Builder
	language *Language
	shown    map[int]bool
}

// maxDepth is the maximum depth of a tree.
const maxDepth = 200

// write writes a package after the lines of its branch, and the packages below it. above contains
// the packages above it in the tree.
func (t *tree) write(i int, branch, indent string, above []int) {
	p := &t.language.Graph.Packages[i]
	text := label(p)
	if notes := t.language.notes(i); len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	requires := slices.DeleteFunc(slices.Clone(p.Requires), func(to int) bool { return t.language.Graph.Packages[to].Inactive })
	repeated := t.shown[i] && len(requires) > 0
	if repeated {
		text += " (*)"
	}
	t.b.WriteString(branch + text + "\n")
	if repeated || len(above) > maxDepth {
		return
	}
	t.shown[i] = true
	for n, to := range requires {
		if n == len(requires)-1 {
			t.write(to, indent+"└── ", indent+"    ", append(above, i))
		} else {
			t.write(to, indent+"├── ", indent+"│   ", append(above, i))
		}
	}
}

// maxChains is the maximum number of chains that Why writes for one version of a package.
const maxChains = 20

// Why writes why the project needs the package with a given name, for each of its versions: the
// shortest chain through each package that requires it. found is false if the project does not use
// such a package.
func Why(w io.Writer, all []Language, name string) (found bool, err error) {
	var b strings.Builder
	for i := range all {
		g := all[i].Graph
		by := requirers(g)
		from := shortest(g)
		for n := range g.Packages {
			p := &g.Packages[n]
			if !sameName(p.Name, name) && !slices.Contains(p.Aliases, name) {
				continue
			}
			if found {
				b.WriteByte('\n')
			}
			found = true
			fmt.Fprintf(&b, "%s: %s", all[i].Name, label(p))
			notes := all[i].notes(n)
			if p.File != "" {
				notes = append([]string{line(p.File)}, notes...)
			}
			fmt.Fprintf(&b, " (%s)\n", strings.Join(notes, "; "))
			switch {
			case p.Member:
				b.WriteString("  one of the project's own packages\n")
			case p.Inactive:
				b.WriteString("  not used on this machine\n")
			case len(by[n]) == 0:
				b.WriteString("  no known package requires it\n")
			}
			for k, last := range by[n] {
				if k == maxChains {
					fmt.Fprintf(&b, "  and through %d more\n", len(by[n])-k)
					break
				}
				b.WriteString("  " + chain(g, from, last) + " > " + label(p) + "\n")
			}
		}
	}
	_, err = io.WriteString(w, b.String())
	return found, err
}

// Near returns the names of packages that resemble a name, best first.
func Near(all []Language, name string) []string {
	return spelling.Near(func(yield func(string) bool) {
		for i := range all {
			for n := range all[i].Graph.Packages {
				if !yield(all[i].Graph.Packages[n].Name) {
					return
				}
			}
		}
	}, name)
}

// sameName reports whether a package has the name that a user wrote. Case, hyphens and underscores
// are ignored, because some package managers ignore them.
func sameName(name, request string) bool {
	return strings.EqualFold(strings.ReplaceAll(name, "_", "-"), strings.ReplaceAll(request, "_", "-"))
}

// shortest returns, for each package, the previous package on a shortest chain from a package of
// the project, or -1 if there is none.
func shortest(g *ecosystem.Graph) []int {
	before := make([]int, len(g.Packages))
	var queue []int
	reached := make([]bool, len(g.Packages))
	for i := range g.Packages {
		if before[i] = -1; g.Packages[i].Member {
			queue, reached[i] = append(queue, i), true
		}
	}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, to := range g.Packages[next].Requires {
			if !reached[to] {
				reached[to], before[to] = true, next
				queue = append(queue, to)
			}
		}
	}
	return before
}

// chain returns the chain of packages that leads to a package.
func chain(g *ecosystem.Graph, before []int, i int) string {
	text := label(&g.Packages[i])
	for i = before[i]; i >= 0; i = before[i] {
		text = label(&g.Packages[i]) + " > " + text
	}
	return text
}
