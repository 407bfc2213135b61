package depgraph

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxRequirers is the maximum number of packages that a line lists as requiring its package.
const maxRequirers = 3

// Text writes the packages of a project as tables: its own packages, the packages that they
// require, those that these bring in, and those that are not used on this machine.
func Text(w io.Writer, all []Language) error {
	var b strings.Builder
	for i := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		all[i].text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (l *Language) text(b *strings.Builder) {
	g := l.Graph
	direct, by := g.Direct(), requirers(g)
	groups := []struct {
		title string
		rows  [][]string
	}{{title: "the project's own"}, {title: "direct"}, {title: "indirect"}, {title: "not used on this machine"}}
	missing := 0
	for i := range g.Packages {
		p := &g.Packages[i]
		row := []string{line(p.Name), line(p.Version), line(p.File)}
		group := 2
		switch {
		case p.Inactive:
			group = 3
		case p.Member:
			group, row[1] = 0, ""
		case direct[i]:
			group = 1
		default:
			row[2] = l.byWhom(by[i])
		}
		if !p.Installed && !p.Inactive {
			missing++
		}
		row = append(row, strings.Join(l.notes(i), "; "))
		groups[group].rows = append(groups[group].rows, row)
	}
	fmt.Fprintf(b, "%s: %s in %s", l.Name, count(len(groups[1].rows)+len(groups[2].rows), "package"), line(g.Root))
	if missing > 0 {
		fmt.Fprintf(b, ", %d not installed", missing)
	}
	b.WriteByte('\n')
	for _, group := range groups {
		if len(group.rows) > 0 {
			fmt.Fprintf(b, "\n%s (%d)\n", group.title, len(group.rows))
			table(b, group.rows)
		}
	}
	if names, byName := versions(g); len(names) > 0 {
		fmt.Fprintf(b, "\nseveral versions (%d)\n", len(names))
		var rows [][]string
		for _, name := range names {
			rows = append(rows, []string{line(name), line(strings.Join(byName[name], ", "))})
		}
		table(b, rows)
	}
	for _, problem := range g.Problems {
		fmt.Fprintf(b, "\nnote: %s\n", line(problem))
	}
}

// byWhom lists the packages that require another one.
func (l *Language) byWhom(by []int) string {
	var names []string
	for _, i := range by {
		if name := line(l.Graph.Packages[i].Name); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	text := "by " + strings.Join(names[:min(len(names), maxRequirers)], ", ")
	if len(names) > maxRequirers {
		text += fmt.Sprintf(" and %d more", len(names)-maxRequirers)
	}
	return text
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// maxWidth is the maximum width of a column that determines the alignment.
const maxWidth = 48

// table writes rows with aligned columns.
func table(b *strings.Builder, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := utf8.RuneCountInString(cell); n <= maxWidth {
				widths[i] = max(widths[i], n)
			} else {
				widths[i] = max(widths[i], 1) // The column is not empty, so it has a minimum width.
			}
		}
	}
	for _, row := range rows {
		var text strings.Builder
		text.WriteString("  ")
		for i, cell := range row {
			if widths[i] > 0 {
				text.WriteString(cell + strings.Repeat(" ", max(widths[i]-utf8.RuneCountInString(cell), 0)) + "  ")
			}
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
}
