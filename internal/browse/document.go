package browse

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/terminal"
)

// document is text that scrolls: a symbol, an overview, a guide, source.
type document struct {
	starter
	target target
	title  string // title of text that is not about a package
	read   read
	names  *names
	text   string // Markdown
	loaded bool

	width   int      // width for which lines were rendered
	lines   []string // rendered
	bare    []string // lines in lower case without styles, to find text in
	margin  int
	top     int
	rows    int
	find    string
	finding bool
}

func newDocument(t target) *document { return &document{target: t} }

// written is the result of writing the text of a document.
type written struct {
	read  read
	names *names
	text  string
}

func (d *document) start(m *Model) []console.Command {
	if !d.first() || d.loaded {
		return nil
	}
	return command(d, func(ctx context.Context) any {
		r := m.resolve(ctx, d.target)
		if r.err != nil {
			return written{read: r}
		}
		w := written{read: r, names: newNames(r.in, r.symbol)}
		w.text, w.read.err = m.write(ctx, d.target, r)
		return w
	})
}

// guide contains advice on how to see the omitted parts of the text.
var guide = answer.Guide{
	Symbol: "open %s", Search: "press Tab in the list of its symbols", Larger: "open its symbols", More: "search for less",
	Project: "Start docent browse in your project", Section: "open %s",
}

// write returns the text of a target.
func (m *Model) write(ctx context.Context, t target, r read) (string, error) {
	l := m.options.Lookup
	switch {
	case t.source:
		found, problems, err := l.Sources(ctx, lookup.Description{Package: r.question, Symbols: r.symbol.Path})
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			return "", errors.Join(problems...)
		}
		var b strings.Builder
		for i := range found {
			b.WriteString(found[i].Markdown(lookup.SourceView{Around: lookup.AroundSource, Whole: true}) + "\n")
		}
		return b.String(), nil
	case t.section != "":
		a, err := l.Prose(ctx, lookup.Prose{Package: r.question, Section: t.section, More: answer.Hints{Project: guide.Project}})
		if err != nil {
			return "", err
		}
		return a.Text, nil
	}
	d := lookup.Description{Package: r.question, Symbols: t.symbol, Options: answer.Options{Guide: guide}}
	if t.symbol != "" {
		d.MaxTokens = -1
	}
	a, err := l.Describe(ctx, d)
	if err != nil {
		return "", err
	}
	return a.Text, nil
}

func (d *document) update(_ *Model, value any) []console.Command {
	if w, ok := value.(written); ok {
		d.read, d.names, d.text, d.loaded, d.width = w.read, w.names, w.text, true, 0
		if w.read.in != nil {
			d.target.question = w.read.question
		}
	}
	return nil
}

func (d *document) crumbs() []crumb {
	if d.title != "" {
		return []crumb{{name: d.title}}
	}
	all := []crumb{packageCrumb(d.target, d.read.in)}
	switch t := d.target; {
	case t.source:
		documentation := t
		documentation.source = false
		all = append(all, crumb{t.symbol, &documentation}, crumb{name: "source"})
	case t.symbol != "":
		all = append(all, crumb{name: t.symbol})
	case t.section != "":
		all = append(all, crumb{name: t.section})
	default:
		all = append(all, crumb{name: "overview"})
	}
	return all
}

func (d *document) status() string {
	switch {
	case d.title == "" && !d.loaded:
		return "reading…"
	case len(d.lines) <= d.rows:
		return ""
	}
	return fmt.Sprintf("%d–%d of %d", d.top+1, min(d.top+d.rows, len(d.lines)), len(d.lines))
}

func (d *document) hints() []hint {
	if d.finding {
		return []hint{{console.Enter, "enter", "find"}, {console.Escape, "esc", "cancel"}}
	}
	all := []hint{{console.Escape, "esc", "back"}}
	if d.read.symbol != nil {
		all = append(all, hint{console.Enter, "enter", "links"})
		if d.target.source {
			all = append(all, hint{"s", "s", "documentation"})
		} else {
			all = append(all, hint{"s", "s", "source"})
		}
	} else if d.read.in != nil {
		all = append(all, hint{console.Enter, "enter", "links"})
	}
	if d.find != "" {
		all = append(all, hint{"n", "n", "next"})
	} else {
		all = append(all, hint{"/", "/", "find"})
	}
	if d.read.in != nil {
		all = append(all, hint{console.Tab, "tab", "symbols"})
	}
	return append(all, hint{"?", "?", "help"}, hint{"q", "q", "quit"})
}

func (d *document) key(m *Model, key console.Key) []console.Command {
	if d.finding {
		d.findKey(key)
		return nil
	}
	switch key {
	case console.Up, "k", "ctrl+p":
		d.top--
	case console.Down, "j", "ctrl+n":
		d.top++
	case console.PageUp, "b":
		d.top -= max(d.rows-1, 1)
	case console.PageDown, " ":
		d.top += max(d.rows-1, 1)
	case "u":
		d.top -= max(d.rows/2, 1)
	case "d":
		d.top += max(d.rows/2, 1)
	case console.Home, "g":
		d.top = 0
	case console.End, "G":
		d.top = len(d.lines)
	case console.Escape, console.Backspace:
		return m.back()
	case console.Enter:
		if d.names != nil {
			return m.push(&links{list: list{noun: "links"}, document: d})
		}
	case console.Tab:
		if d.read.in != nil {
			return m.open(target{question: d.target.question, version: d.target.version})
		}
	case "s":
		return d.toggleSource(m)
	case "/":
		d.finding, d.find = true, ""
	case "n":
		d.seek(d.top+1, 1)
	case "N":
		d.seek(d.top-1, -1)
	case "?":
		return m.help()
	case "q":
		m.done = true
	}
	d.scroll()
	return nil
}

// toggleSource shows the source of a symbol, or its documentation.
func (d *document) toggleSource(m *Model) []console.Command {
	if d.read.symbol == nil {
		return nil
	}
	t := d.target
	t.source = !t.source
	if m.current > 0 {
		if before, ok := m.history[m.current-1].(*document); ok && before.target == t {
			return m.back()
		}
	}
	return m.open(t)
}

// scroll limits the scroll position to the length of the text.
func (d *document) scroll() { d.top = max(0, min(d.top, len(d.lines)-d.rows)) }

func (d *document) wheel(lines int) {
	d.top += lines
	d.scroll()
}

// findKey handles a key while the user types the text to find.
func (d *document) findKey(key console.Key) {
	switch key {
	case console.Enter:
		d.finding = false
		return
	case console.Escape:
		d.finding, d.find = false, ""
		return
	case console.Backspace:
		_, size := utf8.DecodeLastRuneInString(d.find)
		d.find = d.find[:len(d.find)-size]
	case "ctrl+u":
		d.find = ""
	default:
		if text := key.Text(); text != "" && len(d.find)+len(text) <= maxQuery {
			d.find += text
		}
	}
	d.seek(d.top, 1)
}

// seek scrolls to the next line that contains the text to find. It wraps around at both ends.
func (d *document) seek(from, step int) {
	n := len(d.bare)
	if d.find == "" || n == 0 {
		return
	}
	find := strings.ToLower(d.find)
	for i := range n {
		if at := ((from+i*step)%n + n) % n; strings.Contains(d.bare[at], find) {
			d.top = at
			d.scroll()
			return
		}
	}
}

// layOut renders the text for a width.
func (d *document) layOut(m *Model, width int) {
	if d.width == width {
		return
	}
	d.width = width
	text := strings.ReplaceAll(d.text, " "+answer.Notice, "")
	d.lines = render(m, text, width)
	if err := d.read.err; err != nil {
		d.lines = terminal.Wrap(err.Error(), width)
	}
	d.bare = make([]string, len(d.lines))
	for i, line := range d.lines {
		d.bare[i] = strings.ToLower(terminal.Bare(line))
	}
}

// margin is the number of empty columns on either side of the text, unless the screen is narrower
// than minMargin.
const margin, minMargin = 1, 20

func (d *document) body(m *Model, columns, lines int) (text []string, cursorColumn, cursorLine int) {
	d.rows = lines
	cursorLine = -1
	if d.finding {
		d.rows--
	}
	if !d.loaded {
		return []string{"", " Reading…"}, 0, -1
	}
	d.margin = margin
	if columns < minMargin {
		d.margin = 0
	}
	d.layOut(m, columns-2*d.margin)
	d.scroll()
	for _, line := range d.lines[d.top:min(d.top+d.rows, len(d.lines))] {
		text = append(text, strings.Repeat(" ", d.margin)+d.marked(line))
	}
	if d.finding {
		for len(text) < d.rows {
			text = append(text, "")
		}
		prompt := " Find: " + d.find
		text = append(text, terminal.Line(columns, false, terminal.Piece{Text: " Find: ", Look: terminal.Strong}, terminal.Piece{Text: d.find}))
		cursorColumn, cursorLine = terminal.Columns(prompt), len(text)-1
	}
	return text, cursorColumn, cursorLine
}

// marked returns a line with the text to find in reverse video.
func (d *document) marked(line string) string {
	bare := terminal.Bare(line)
	find := strings.ToLower(d.find)
	lower := strings.ToLower(bare)
	if find == "" || len(lower) != len(bare) || !strings.Contains(lower, find) {
		return line
	}
	var pieces []terminal.Piece
	for {
		i := strings.Index(lower, find)
		if i < 0 {
			break
		}
		pieces = append(pieces, terminal.Piece{Text: bare[:i]}, terminal.Piece{Text: bare[i : i+len(find)], Look: terminal.Marked})
		bare, lower = bare[i+len(find):], lower[i+len(find):]
	}
	return terminal.Line(d.width, false, append(pieces, terminal.Piece{Text: bare})...)
}

// click opens the symbol that the name under the mouse refers to.
func (d *document) click(m *Model, line, column int) []console.Command {
	if d.names == nil || d.top+line >= len(d.lines) || line >= d.rows {
		return nil
	}
	token := tokenAt(terminal.Bare(d.lines[d.top+line]), column-d.margin)
	if t := d.names.target(m, d.target, token); t != nil {
		return m.open(*t)
	}
	return nil
}
