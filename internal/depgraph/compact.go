package depgraph

import (
	"cmp"
	"fmt"
	"strings"
)

// Compact returns the packages of a project in few words, for coding agents. The packages that the
// project requires come first, followed by indirect ones, within the limit. maxBytes is the
// approximate maximum length of the text. more describes how to get the omitted packages.
func Compact(all []Language, maxBytes int, more string) string {
	var b strings.Builder
	for i := range all {
		l := &all[i]
		g := l.Graph
		direct := g.Direct()
		room := (maxBytes - b.Len()) / (len(all) - i)
		start := b.Len()
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s, %s\n", l.Name, line(cmp.Or(l.Remote, g.Root)))
		if l.Remote == "" {
			for _, problem := range g.Problems {
				b.WriteString(line(problem) + "\n")
			}
		}
		var own, required, others, inactive []string
		for n := range g.Packages {
			p := &g.Packages[n]
			switch text := l.compact(n); {
			case p.Inactive:
				inactive = append(inactive, text)
			case p.Member:
				own = append(own, text)
			case direct[n]:
				required = append(required, text)
			default:
				others = append(others, text)
			}
		}
		names, byName := versions(g)
		for n, name := range names {
			names[n] = line(name) + " " + line(strings.Join(byName[name], " and "))
		}
		for _, group := range []struct {
			title string
			items []string
		}{{"Own", own}, {"Direct", required}, {"Several versions", names}, {"Indirect", others}, {"Not used on this machine", inactive}} {
			writeList(&b, group.title, group.items, room-(b.Len()-start), more)
		}
	}
	return b.String()
}

// compact describes one package in a list.
func (l *Language) compact(i int) string {
	p := &l.Graph.Packages[i]
	text := label(p)
	if p.Member {
		text = line(p.Name)
		if dir := l.Graph.Rel(p.Dir); dir != "." && dir != "" {
			text += " (" + line(dir) + ")"
		}
		return text
	}
	if notes := l.notes(i); len(notes) > 0 && !p.Inactive {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	return text
}

// writeList writes the items that fit into maxBytes, and the number of the others.
func writeList(b *strings.Builder, title string, items []string, maxBytes int, more string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "%s (%d): ", title, len(items))
	size, end := 0, 0
	for end < len(items) && size+len(items[end])+2 <= maxBytes {
		size += len(items[end]) + 2
		end++
	}
	b.WriteString(strings.Join(items[:end], ", "))
	if rest := len(items) - end; rest > 0 {
		if end > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "… %d more (%s)", rest, more)
	}
	b.WriteByte('\n')
}
