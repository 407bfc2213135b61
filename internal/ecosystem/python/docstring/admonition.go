package docstring

import "strings"

// unfolded rewrites lines that are neither reStructuredText nor Markdown. It writes
// admonitions of MkDocs ("!!! note" with indented text) as a label and the text, and
// removes placeholders that are filled in at run time: %(parameters)s.
func unfolded(ls []string) []string {
	out := make([]string, 0, len(ls))
	fenced := false
	for i := 0; i < len(ls); i++ {
		content := strings.TrimLeft(ls[i], " ")
		if strings.HasPrefix(content, "```") || strings.HasPrefix(content, "~~~") {
			fenced = !fenced
		}
		label, ok := admonition(content)
		switch {
		case isPlaceholder(content):
		case fenced || !ok:
			out = append(out, ls[i])
		default:
			indent := ls[i][:len(ls[i])-len(content)]
			head := indent + "**" + label + ":**"
			began := false
			for ; i+1 < len(ls) && (ls[i+1] == "" || strings.HasPrefix(ls[i+1], indent+"    ")); i++ {
				line := strings.TrimPrefix(ls[i+1], indent+"    ")
				switch {
				case line == "" && !began:
				case line == "":
					out = append(out, "")
				case !began && !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "* "):
					out, began = append(out, head+" "+line), true
				case !began:
					out, began = append(out, head, "", indent+line), true
				default:
					out = append(out, indent+line)
				}
			}
			if !began {
				out = append(out, head, "")
			}
		}
	}
	return out
}

// admonition returns the label of a line that begins an admonition of MkDocs, such as !!! note or
// ??? tip "Title". ok is false for other lines.
func admonition(line string) (label string, ok bool) {
	rest, ok := strings.CutPrefix(line, "!!! ")
	if !ok {
		if rest, ok = strings.CutPrefix(strings.Replace(line, "???+ ", "??? ", 1), "??? "); !ok {
			return "", false
		}
	}
	kind, title, titled := strings.Cut(rest, " ")
	if title = strings.TrimSpace(title); titled && title != "" {
		if len(title) > 2 && title[0] == '"' && title[len(title)-1] == '"' {
			return title[1 : len(title)-1], true
		}
		if title != `""` {
			return "", false
		}
	}
	for i := range len(kind) {
		if c := kind[i]; (c < 'a' || c > 'z') && c != '-' && c != '_' {
			return "", false
		}
	}
	if kind == "" {
		return "", false
	}
	return strings.ToUpper(kind[:1]) + kind[1:], true
}

// isPlaceholder reports whether a line consists only of %(name)s.
func isPlaceholder(line string) bool {
	name, ok := strings.CutPrefix(line, "%(")
	name, closed := strings.CutSuffix(name, ")s")
	return ok && closed && name != "" && !strings.ContainsAny(name, "()% ")
}
