package docstring

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// examples reads a section of examples: prose, doctests and blocks of code. Each
// doctest or block is an example, with the prose before it.
func (p *parser) examples(body []string) {
	var prose []string
	checked := 0 // checked is the line up to which no other code has been found.
	add := func(code, output string) {
		code = strings.Trim(code, "\n")
		if code == "" {
			return
		}
		if len(p.out.Examples) < maxExamples {
			doc := strings.TrimRight(p.convert(trimEmpty(prose)), " ")
			if rest, ok := strings.CutSuffix(doc, "::"); ok {
				doc = rest + ":"
			}
			p.out.Examples = append(p.out.Examples, apidoc.Example{Doc: doc, Code: code, Output: output})
		}
		prose = nil
	}
	if isCode(body) {
		add(strings.Join(body, "\n"), "")
		return
	}
	for i := 0; i < len(body); {
		line := body[i]
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case strings.HasPrefix(trimmed, ">>>"):
			end := i
			blank := false
			for end < len(body) { // An example ends before a paragraph of prose.
				t := strings.TrimLeft(body[end], " ")
				if blank && t != "" && !strings.HasPrefix(t, ">>>") {
					break
				}
				blank = t == ""
				end++
			}
			add(doctest(markup.Dedent(trimEmpty(body[i:end]))))
			i = end
		case strings.HasPrefix(trimmed, "```"):
			fence := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
			end := i + 1
			for end < len(body) && !strings.HasPrefix(strings.TrimLeft(body[end], " "), fence) {
				end++
			}
			if ls := markup.Dedent(body[i+1 : end]); len(ls) > 0 && strings.HasPrefix(ls[0], ">>>") {
				add(doctest(ls))
			} else {
				add(strings.Join(ls, "\n"), "")
			}
			i = min(end+1, len(body))
		case strings.HasPrefix(trimmed, ".. code") || strings.HasPrefix(trimmed, ".. sourcecode") || strings.HasPrefix(trimmed, ".. ipython"):
			code, next := indentedBy(body, i+1, indentOf(line)+1)
			if _, language, _ := strings.Cut(line, "::"); otherLanguage(language) {
				prose = append(prose, body[i:next]...)
			} else {
				add(strings.Join(withoutOptions(code), "\n"), "")
			}
			i = next
		case line != "" && line[0] == ' ' && len(prose) > 0 && (i >= checked || endsWithColons(prose)):
			code, next := indented(body, i)
			if !endsWithColons(prose) && !isCode(code) {
				checked = next
				continue
			}
			add(strings.Join(code, "\n"), "")
			i = next
		default:
			prose = append(prose, line)
			i++
		}
	}
	if text := p.convert(trimEmpty(prose)); text != "" {
		p.block("**Examples:** " + text)
	}
}

// otherLanguage reports whether the argument of a block of code names a language other than Python.
func otherLanguage(argument string) bool {
	fields := strings.Fields(argument)
	return len(fields) > 0 && fields[0] != "none" && fields[0] != "text" && !pythonNames[strings.ToLower(fields[0])]
}

func endsWithColons(prose []string) bool {
	t := trimEmpty(prose)
	return len(t) > 0 && strings.HasSuffix(t[len(t)-1], "::")
}

// doctest splits a doctest into code and output. Output in the middle becomes a
// comment at the same place.
func doctest(ls []string) (code, output string) {
	var c, pending []string
	for _, l := range ls {
		t := strings.TrimLeft(l, " ")
		switch {
		case strings.HasPrefix(t, ">>>"), strings.HasPrefix(t, "...") && len(pending) == 0:
			for _, o := range trimEmpty(pending) {
				c = append(c, strings.TrimRight("# "+o, " "))
			}
			pending = nil
			t = strings.TrimPrefix(t[3:], " ")
			if i := strings.Index(t, "# doctest:"); i >= 0 {
				t = strings.TrimRight(t[:i], " ")
			}
			c = append(c, t)
		default:
			if l == "<BLANKLINE>" {
				l = ""
			}
			pending = append(pending, l)
		}
	}
	return strings.Join(c, "\n"), strings.Join(trimEmpty(pending), "\n")
}

// fenceDoctests encloses the doctests in Markdown in code fences.
func fenceDoctests(ls []string) []string {
	var out []string
	fenced := false
	for i := 0; i < len(ls); {
		t := strings.TrimLeft(ls[i], " ")
		if strings.HasPrefix(t, "```") {
			fenced = !fenced
		}
		if fenced || !strings.HasPrefix(t, ">>> ") {
			out = append(out, ls[i])
			i++
			continue
		}
		end := i
		for end < len(ls) && ls[end] != "" {
			end++
		}
		out = append(out, "```python")
		out = append(out, markup.Dedent(ls[i:end])...)
		out = append(out, "```")
		i = end
	}
	return out
}
