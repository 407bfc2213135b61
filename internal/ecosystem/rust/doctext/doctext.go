// Package doctext converts the documentation of Rust items to Markdown that reads well outside
// rustdoc. It removes hidden lines of examples and resolves intra-doc links.
package doctext

import (
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// Examples removes the hidden lines of Rust examples, and labels the examples with a language that
// viewers know.
func Examples(md string) string {
	if !strings.Contains(md, "```") && !strings.Contains(md, "~~~") {
		return md
	}
	var b strings.Builder
	b.Grow(len(md))
	fence := ""
	var rust bool
	first := true
	for line := range strings.SplitSeq(md, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case fence == "" && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")):
			n := 0
			for n < len(trimmed) && trimmed[n] == trimmed[0] {
				n++
			}
			fence = trimmed[:n]
			info := strings.TrimSpace(trimmed[n:])
			var label string
			rust, label = example(info)
			if rust {
				line = line[:len(line)-len(trimmed)] + fence + label
			}
		case fence != "" && strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]+" ") == "":
			fence = ""
		case fence != "" && rust:
			if trimmed == "#" || strings.HasPrefix(trimmed, "# ") {
				continue
			}
			if strings.HasPrefix(trimmed, "##") {
				line = line[:len(line)-len(trimmed)] + trimmed[1:]
			}
		}
		if !first {
			b.WriteByte('\n')
		}
		first = false
		b.WriteString(line)
	}
	return b.String()
}

// example reads the info string of a code block. It reports whether the block
// is Rust, and returns the label under which to show it.
func example(info string) (rust bool, label string) {
	var labels []string
	for word := range strings.FieldsFuncSeq(info, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		switch {
		case word == "rust" || word == "rs":
		case word == "should_panic", word == "no_run", word == "ignore", word == "compile_fail", strings.HasPrefix(word, "ignore-"),
			strings.HasPrefix(word, "edition"), word == "test_harness", word == "standalone_crate", word == "standalone", len(word) == 5 && word[0] == 'E' && word[1] >= '0' && word[1] <= '9':
			labels = append(labels, word)
		default:
			return false, info
		}
	}
	return true, strings.Join(append([]string{"rust"}, labels...), ",")
}

// Links resolves the intra-doc links of text, which have the form [Path], [`Path`] or [text](path),
// to links to the public paths, or to these paths as code. Targets that are defined on separate
// lines, as in [name]: target, are put into the links.
func Links(md string, resolve func(target string) string) string {
	if !strings.Contains(md, "[") {
		return md
	}
	l := linker{resolve: resolve, targets: targets(md), budget: 2 * len(md)}
	l.b.Grow(len(md))
	code := false
	first, dropped := true, false
	open := "" // open is text that begins with a bracket that is not closed yet.
	for line := range strings.SplitSeq(md, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		fence := strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")
		_, _, defines := definition(line)
		if code || fence || defines || trimmed == "" { // The paragraph has ended.
			l.line(open, true)
			open = ""
		}
		if fence {
			code = !code
		}
		if defines && !code {
			dropped = true
			continue
		}
		if open != "" {
			open = l.line(open+"\n"+line, false)
			continue
		}
		if !first {
			l.b.WriteByte('\n')
		}
		first = false
		if code || !strings.Contains(line, "[") {
			l.b.WriteString(line)
			continue
		}
		open = l.line(line, false)
	}
	l.line(open, true)
	if dropped { // Definitions often end text.
		return strings.TrimRight(l.b.String(), "\n")
	}
	return l.b.String()
}

// linker writes text with its links resolved.
type linker struct {
	b       strings.Builder
	resolve func(string) string
	targets map[string]string // the targets that the text defines, by their labels
	budget  int               // bytes of targets that may still be added
}

// definition splits a line that defines a link, such as [name]: target. ok is false for other
// lines.
func definition(line string) (name, target string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "[")
	if !ok {
		return "", "", false
	}
	name, target, ok = strings.Cut(rest, "]:")
	target = strings.TrimSpace(target)
	if !ok || strings.ContainsAny(name, "[]") || strings.HasPrefix(name, "^") || target == "" || strings.ContainsAny(target, " \t") {
		return "", "", false
	}
	return name, target, true
}

// label returns the name of a link in the form in which links and definitions are
// compared: in lower case, with white space replaced by single spaces.
func label(name string) string {
	if strings.ContainsAny(name, " \t\n") {
		name = strings.Join(strings.Fields(name), " ")
	}
	return strings.ToLower(name)
}

// targets returns the targets of the links that text defines outside code, by their labels.
func targets(md string) map[string]string {
	if !strings.Contains(md, "]:") {
		return nil
	}
	all := map[string]string{}
	code := false
	for line := range strings.SplitSeq(md, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			code = !code
		}
		if name, target, ok := definition(line); ok && !code {
			if name = label(name); all[name] == "" {
				all[name] = target
			}
		}
	}
	return all
}

// defined writes a link to a target that the text defines. Links to other pages of the
// documentation become plain text, because readers do not have these pages.
func (l *linker) defined(text, target string) {
	if path := l.resolve(strings.Trim(target, "`")); path != "" {
		if name := strings.Trim(text, "`"); path == name || strings.HasSuffix(path, "::"+name) {
			l.b.WriteString("`" + path + "`")
			return
		}
		target = path
	} else if !strings.Contains(target, "://") {
		l.b.WriteString(text)
		return
	}
	if l.budget -= len(target); l.budget < 0 {
		l.b.WriteString(text)
		return
	}
	l.b.WriteString("[" + text + "](" + target + ")")
}

// line writes a line that is not code. If the line contains a bracket that it does not close, line
// returns the text from that bracket on without writing it, unless the line is the last of its
// paragraph.
func (l *linker) line(line string, last bool) (open string) {
	b := &l.b
	for {
		at := strings.IndexAny(line, "[`")
		if at < 0 {
			b.WriteString(line)
			return ""
		}
		if line[at] == '`' { // Skip a code span.
			n := at
			for n < len(line) && line[n] == '`' {
				n++
			}
			ticks := line[at:n]
			end := strings.Index(line[n:], ticks)
			if end < 0 {
				b.WriteString(line)
				return ""
			}
			b.WriteString(line[:n+end+len(ticks)])
			line = line[n+end+len(ticks):]
			continue
		}
		b.WriteString(line[:at])
		line = line[at:]
		more := !last && len(line) < maxLink
		end := markup.Closing(line[:min(len(line), maxLink)])
		if end < 0 && more {
			return line
		}
		if end < 0 {
			b.WriteByte('[')
			line = line[1:]
			continue
		}
		text, rest := line[1:end], line[end+1:]
		name := text // name is the name of the target.
		switch {
		case strings.HasPrefix(rest, "("):
			stop := strings.IndexByte(rest[:min(len(rest), maxLink)], ')')
			if stop < 0 {
				break
			}
			target := rest[1:stop]
			if path := l.resolve(strings.Trim(target, "`")); path != "" {
				target = path
			}
			b.WriteString("[" + text + "](" + target + ")")
			line = rest[stop+1:]
			continue
		case strings.HasPrefix(rest, "["):
			stop := strings.IndexByte(rest[:min(len(rest), maxLink)], ']')
			if stop < 0 && more {
				return line
			}
			if stop < 0 {
				break
			}
			if stop > 1 {
				name = rest[1:stop]
			}
			if target := l.targets[label(name)]; target != "" {
				l.defined(text, target)
				line = rest[stop+1:]
				continue
			}
			if path := l.resolve(strings.Trim(name, "`")); path != "" && stop > 1 {
				b.WriteString("[" + text + "](" + path + ")")
				line = rest[stop+1:]
				continue
			}
			if stop == 1 {
				rest = rest[2:]
			}
		}
		if !strings.HasPrefix(rest, "[") {
			if target := l.targets[label(text)]; target != "" && !strings.HasPrefix(rest, "(") {
				l.defined(text, target)
				line = rest
				continue
			}
			if path := l.resolve(strings.Trim(text, "`")); path != "" {
				b.WriteString("`" + path + "`")
				line = rest
				continue
			}
		}
		b.WriteString("[" + text + "]")
		line = rest
	}
}

// maxLink is the maximum number of bytes of the text or the target of a link.
const maxLink = 400
