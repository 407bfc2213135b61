package doctext

import "strings"

// Topic is a group of symbols and pages.
type Topic struct {
	Title string
	// Links contains the paths of symbols, with names separated by dots, and the
	// names of pages, with the prefix "doc:".
	Links []string
}

// topics reads the section "Topics" that begins at line i. If there is none,
// next is i.
func (p *parser) topics(lines []string, i int) (next int) {
	level, title := heading(lines[i])
	if level == 0 || level > 2 || title != "Topics" {
		return i
	}
	p.flush()
	var group *Topic
	for next = i + 1; next < len(lines); next++ {
		if n, title := heading(lines[next]); n > 0 {
			if n <= level {
				break
			}
			p.out.Topics = append(p.out.Topics, Topic{Title: title})
			group = &p.out.Topics[len(p.out.Topics)-1]
			continue
		}
		content, _, ok := item(lines[next])
		if !ok {
			continue
		}
		if link, ok := onlyLink(content); ok {
			if group == nil {
				p.out.Topics = append(p.out.Topics, Topic{})
				group = &p.out.Topics[len(p.out.Topics)-1]
			}
			group.Links = append(group.Links, link)
		}
	}
	return next
}

// heading returns the level and title of a heading. The level is 0 for other
// lines.
func heading(line string) (level int, title string) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' {
		return 0, ""
	}
	return level, strings.TrimSpace(strings.TrimRight(strings.TrimSpace(line[level:]), "#"))
}

// onlyLink returns the target of the link at the beginning of a list item. ok is
// false for other lines.
func onlyLink(content string) (link string, ok bool) {
	switch {
	case strings.HasPrefix(content, "``"):
		target, _, ok := strings.Cut(content[2:], "``")
		return SymbolPath(target), ok && isSymbolLink(target)
	case strings.HasPrefix(content, "<doc:"):
		target, _, ok := strings.Cut(content[len("<doc:"):], ">")
		return "doc:" + pageName(target), ok
	case strings.HasPrefix(content, "["):
		if _, rest, ok := strings.Cut(content, "](doc:"); ok {
			target, _, ok := strings.Cut(rest, ")")
			return "doc:" + pageName(target), ok
		}
	}
	return "", false
}
