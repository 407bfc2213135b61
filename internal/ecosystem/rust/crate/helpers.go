package crate

import (
	"slices"
	"strings"
)

const (
	maxForms = 200 // maximum number of forms of the helper attributes of one derive macro
	maxForm  = 200 // maximum size in bytes of one form
	// maxWithin is the maximum number of types that are listed for one form.
	maxWithin = 8
)

// helperForms returns Markdown about the helper attributes of a derive macro that neither its
// documentation doc nor that of the crate shows: the forms that comments in the source of the macro
// consist of, and the URL of the documentation. It returns "" if there is nothing to add.
func (w *documenter) helperForms(d *def, doc string) string {
	if len(d.helpers) == 0 || shows(doc, d.helpers) || shows(w.crateDoc(), d.helpers) {
		return ""
	}
	attributes := "Its attributes, `#[" + strings.Join(d.helpers, "]`, `#[") + "]`, are documented "
	if id := w.guideTo(d.helpers); id != "" {
		return attributes + "in the section " + id + "."
	}
	k := d.krate
	var forms []string
	within := map[string][]string{} // the types in whose implementations a form occurs
	for _, u := range k.units {
		self := ""
		for line := range strings.SplitSeq(u.Text, "\n") {
			if name, ok := implemented(line); ok {
				self = name
			} else if strings.HasPrefix(line, "}") {
				self = ""
			}
			comment, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "//")
			if !ok {
				continue
			}
			form := formOf(comment, d.helpers)
			if form == "" || len(forms) == maxForms {
				continue
			}
			if _, ok := within[form]; !ok {
				forms = append(forms, form)
				within[form] = nil
			}
			if self != "" && !slices.Contains(within[form], self) && len(within[form]) < maxWithin {
				within[form] = append(within[form], self)
			}
		}
	}
	var b strings.Builder
	if len(forms) > 0 {
		b.WriteString("Forms of its attributes, from comments in the source of the macro, each with the types that read it:\n\n")
	}
	for _, form := range forms {
		b.WriteString("- `" + form + "`")
		if len(within[form]) > 0 {
			b.WriteString(": " + strings.Join(within[form], ", "))
		}
		b.WriteString("\n")
	}
	if url := k.src.Documentation; isOnline(url) {
		b.WriteString("\n" + attributes + "at " + url + ".")
	}
	return strings.Trim(b.String(), "\n")
}

// isOnline reports whether a manifest's URL leads to documentation other than that which is
// generated from the crate, which docent shows anyway.
func isOnline(url string) bool {
	return len(url) <= 300 && strings.HasPrefix(url, "https://") && !strings.Contains(url, "docs.rs/") && !strings.ContainsAny(url, " \t\r\n<>`")
}

// implemented returns the name of the type in the first line of an implementation that is not
// indented.
func implemented(line string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(line, "impl")
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '<' {
		return "", false
	}
	if _, self, ok := strings.Cut(rest, " for "); ok {
		rest = self
	} else if rest[0] == '<' {
		depth := 0
		end := strings.IndexFunc(rest, func(r rune) bool {
			switch r {
			case '<':
				depth++
			case '>':
				depth--
			}
			return depth == 0
		})
		rest = rest[end+1:]
	}
	rest = strings.TrimLeft(rest, " &")
	if end := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}); end >= 0 {
		rest = rest[:end]
	}
	return rest, rest != ""
}

// formOf returns the attribute with one of the given names that a comment consists of, or "" if
// there is none, or if it has no specific argument, as #[name(...)].
func formOf(comment string, names []string) string {
	form := strings.Trim(comment, " \t/!`")
	if len(form) > maxForm || !strings.HasPrefix(form, "#[") || attributeEnd(form) != len(form) || strings.Contains(form, "`") {
		return ""
	}
	for _, name := range names {
		args, ok := strings.CutPrefix(form[len("#["):len(form)-1], name)
		if ok && (args == "" || strings.ContainsRune("( =", rune(args[0])) && strings.Trim(args, "() .=…") != "") {
			return form
		}
	}
	return ""
}

// shows reports whether documentation contains one of the named attributes.
func shows(doc string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(doc, "#["+name) })
}

// crateDoc returns the documentation of the crate.
func (w *documenter) crateDoc() string {
	if w.rootDoc == nil {
		root := w.k.root.def
		doc := w.k.rawDoc(w.k.attributes(root.item, root.unit))
		w.rootDoc = &doc
	}
	return *w.rootDoc
}

// attributeEnd returns the index after the bracket that closes the attribute at the beginning of
// text, or -1 if there is none.
func attributeEnd(text string) int {
	depth, quoted := 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' && text[i-1] != '\\':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
