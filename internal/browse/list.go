package browse

import (
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/terminal"
)

// list is the common part of pages with a query and rows. The query filters the items, or, after
// Tab, searches the documentation.
type list struct {
	starter
	items  []item
	loaded bool
	err    error
	// noun is the plural noun for the items, such as "packages".
	noun string
	// scope describes what is searched, such as "of the project".
	scope string
	// notes are sentences about the items.
	notes []string
	// search looks for words in the documentation. It is nil if that is not possible.
	search func(m *Model, query string) console.Command
	// typed returns the target of a query that no item matches, or nil if there is none. The
	// function may be nil.
	typed func(query string) *target

	query     string
	searching bool
	hits      hits
	shown     []match
	selected  int
	top       int // index of the first row on the screen
	rows      int // number of rows on the screen
	beside    preview
}

// hits are the results of a search.
type hits struct {
	items    []item
	query    string // query that the results belong to
	notes    []string
	err      error
	running  bool
	complete bool // false if a later search may find more
}

// found is the result of a search.
type found struct {
	query    string
	items    []item
	notes    []string
	err      error
	complete bool
}

// setItems lists items.
func (l *list) setItems(items []item) {
	l.items, l.loaded = items, true
	l.refresh(false)
}

// refresh rebuilds the rows. With reset, the first row is selected; otherwise the previously
// selected row stays selected if it is still listed.
func (l *list) refresh(reset bool) {
	var before *target
	if !reset && l.selected < len(l.shown) {
		before = &l.shown[l.selected].target
	}
	if l.searching {
		l.shown = nil
		for i := range l.hits.items {
			l.shown = append(l.shown, match{item: &l.hits.items[i]})
		}
	} else {
		l.shown = matching(l.items, l.query)
	}
	l.selected, l.top = 0, 0
	for i := range l.shown {
		if before != nil && l.shown[i].target == *before {
			l.selected = i
			break
		}
	}
}

// found handles the result of a search.
func (l *list) found(m *Model, p page, f found) []console.Command {
	l.hits.running = false
	reset := f.query != l.hits.query
	l.hits.items, l.hits.query, l.hits.notes, l.hits.err, l.hits.complete = f.items, f.query, f.notes, f.err, f.complete
	if l.searching {
		l.refresh(reset)
	}
	return l.look(m, p)
}

// look starts a search if the results do not belong to the current query. Only one search runs at a
// time: while the user types, the next search begins when the previous one has ended.
func (l *list) look(m *Model, p page) []console.Command {
	query := strings.TrimSpace(l.query)
	if !l.searching || l.hits.running || query == l.hits.query && l.hits.complete {
		return nil
	}
	if query == "" {
		l.hits = hits{complete: true}
		l.refresh(true)
		return nil
	}
	l.hits.running = true
	do := l.search(m, query)
	return command(p, do)
}

// changed is called when the query has changed.
func (l *list) changed(m *Model, p page) []console.Command {
	if l.searching {
		return l.look(m, p)
	}
	l.refresh(true)
	return nil
}

// listKey handles a key.
func (l *list) listKey(m *Model, p page, key console.Key) []console.Command {
	switch key {
	case console.Up, "ctrl+p":
		l.move(-1)
	case console.Down, "ctrl+n":
		l.move(1)
	case console.PageUp:
		l.move(-max(l.rows-1, 1))
	case console.PageDown:
		l.move(max(l.rows-1, 1))
	case console.Home:
		l.move(-len(l.shown))
	case console.End:
		l.move(len(l.shown))
	case console.Enter:
		return l.open(m)
	case console.Tab, "shift+tab":
		if l.search == nil {
			return nil
		}
		l.searching = !l.searching
		l.refresh(true)
		return l.look(m, p)
	case console.Escape:
		switch {
		case l.query == "" && l.searching:
			return l.listKey(m, p, console.Tab)
		case l.query == "":
			return m.back()
		}
		l.query = ""
		return l.changed(m, p)
	case console.Backspace:
		if l.query == "" {
			return nil
		}
		_, size := utf8.DecodeLastRuneInString(l.query)
		l.query = l.query[:len(l.query)-size]
		return l.changed(m, p)
	case "ctrl+u":
		l.query = ""
		return l.changed(m, p)
	case "ctrl+w", "alt+backspace":
		l.query = l.query[:strings.LastIndexByte(strings.TrimRight(l.query, " "), ' ')+1]
		return l.changed(m, p)
	case "?":
		if l.query == "" {
			return m.help()
		}
	}
	if text := key.Text(); text != "" && len(l.query)+len(text) <= maxQuery {
		l.query += text
		return l.changed(m, p)
	}
	return nil
}

func (l *list) move(rows int) {
	l.selected = max(0, min(l.selected+rows, len(l.shown)-1))
}

func (l *list) wheel(lines int) { l.move(lines) }

// open opens the selected row.
func (l *list) open(m *Model) []console.Command {
	if l.selected < len(l.shown) {
		return m.open(l.shown[l.selected].target)
	}
	if t := l.typedTarget(); t != nil {
		return m.open(*t)
	}
	return nil
}

// typedTarget returns the target that a query refers to if it matches no item, or nil.
func (l *list) typedTarget() *target {
	query := strings.TrimSpace(l.query)
	if l.typed == nil || l.searching || !l.loaded || query == "" || len(l.shown) > 0 {
		return nil
	}
	return l.typed(query)
}

// promptLines is the number of lines above the rows of a list.
const promptLines = 2

func (l *list) click(m *Model, line, _ int) []console.Command {
	if i := l.top + line - promptLines; line >= promptLines && i < len(l.shown) && line-promptLines < l.rows {
		l.selected = i
		return l.open(m)
	}
	if line == promptLines && l.typedTarget() != nil {
		return l.open(m)
	}
	return nil
}

func (l *list) status() string {
	switch {
	case l.searching && l.hits.running:
		return "searching…"
	case l.searching:
		return ""
	case !l.loaded && l.err == nil:
		return "reading…"
	}
	return ""
}

func (l *list) hints() []hint {
	all := []hint{{console.Enter, "enter", "open"}}
	switch {
	case l.search == nil:
	case l.searching:
		all = append(all, hint{console.Tab, "tab", "list " + l.noun})
	default:
		all = append(all, hint{console.Tab, "tab", "search documentation"})
	}
	if l.query != "" {
		all = append(all, hint{console.Escape, "esc", "clear"})
	} else {
		all = append(all, hint{console.Escape, "esc", "back"})
	}
	return append(all, hint{console.F1, "F1", "help"}, hint{"ctrl+c", "ctrl+c", "quit"})
}

// minBeside is the minimum width of the screen at which the selected symbol is shown beside the
// list.
const minBeside = 100

func (l *list) body(m *Model, columns, lines int) (text []string, cursorColumn, cursorLine int) {
	prompt := "Filter " + l.noun
	if l.searching {
		prompt = "Search documentation"
	}
	pieces := []terminal.Piece{{Text: " " + prompt + ": ", Look: terminal.Strong}, {Text: l.query}}
	cursorColumn = terminal.Columns(" " + prompt + ": " + l.query)
	text = append(text, terminal.Line(columns, false, pieces...), l.rule(columns))
	notes := l.noteLines(columns, lines)
	l.rows = max(lines-len(text)-len(notes), 0)
	l.top = max(min(l.top, l.selected, len(l.shown)-l.rows), l.selected-max(l.rows, 1)+1, 0)
	width, beside := columns, []string(nil)
	if columns >= minBeside && l.selected < len(l.shown) && l.previews() {
		width = columns * 9 / 20
		beside = l.beside.lines(m, l.shown[l.selected].item, columns-width-3, l.rows)
	}
	rows := l.rowsText(width, beside != nil)
	if len(l.shown) == 0 {
		rows = l.nothing(width)
	}
	for i := range l.rows {
		line := ""
		if i < len(rows) {
			line = rows[i]
		}
		if beside != nil {
			line = terminal.Fit(line, width) + terminal.Line(3, false, terminal.Piece{Text: " │ ", Look: terminal.Faint})
			if i < len(beside) {
				line += beside[i]
			}
		}
		text = append(text, line)
	}
	return append(text, notes...), cursorColumn, 0
}

// previews reports whether any row has a preview.
func (l *list) previews() bool {
	for i := range l.shown[l.top:min(l.top+l.rows, len(l.shown))] {
		if l.shown[l.top+i].symbol != nil {
			return true
		}
	}
	return false
}

// rule returns the line between the query and the rows. It contains the number of rows.
func (l *list) rule(columns int) string {
	count := ""
	switch {
	case !l.loaded && !l.searching:
	case l.searching:
		count = plural(len(l.shown), "results")
	case l.query != "":
		count = plural(len(l.shown), l.noun) + " match"
		if len(l.shown) == 1 {
			count += "es"
		}
	default:
		count = plural(len(l.shown), l.noun)
	}
	if count == "" {
		return terminal.Line(columns, false, terminal.Piece{Text: strings.Repeat("─", columns), Look: terminal.Faint})
	}
	rest := max(columns-terminal.Columns(count)-4, 0)
	return terminal.Line(columns, false, terminal.Piece{Text: "─ " + count + " " + strings.Repeat("─", rest+1), Look: terminal.Faint})
}

// noteLines returns the notes below the rows.
func (l *list) noteLines(columns, lines int) (text []string) {
	notes := l.notes
	if l.searching {
		notes = l.hits.notes
	}
	for _, note := range notes {
		for _, line := range terminal.Wrap(note, columns-2) {
			text = append(text, terminal.Line(columns, false, terminal.Piece{Text: " " + line, Look: terminal.Faint}))
		}
	}
	return text[:min(len(text), lines/4)]
}

// nothing returns lines that explain why there are no rows.
func (l *list) nothing(columns int) []string {
	var message string
	switch {
	case l.searching && l.hits.err != nil:
		message = l.hits.err.Error()
	case l.searching && l.query == "":
		message = "Type words to search for in the documentation " + l.scope + "."
	case l.searching && (l.hits.running || l.hits.query != strings.TrimSpace(l.query)):
		message = "Searching…"
	case l.searching:
		message = "Nothing in the documentation matches. Try fewer or different words."
	case l.err != nil:
		message = l.err.Error()
	case !l.loaded:
		message = "Reading…"
	case l.typedTarget() != nil:
		return []string{terminal.Line(columns, true, terminal.Piece{Text: "▸ Open " + l.query, Look: terminal.Plain})}
	case l.query != "":
		message = "No name matches."
		if l.search != nil {
			message += " Press Tab to search the documentation."
		}
	default:
		message = "There are no " + l.noun + "."
	}
	var lines []string
	for _, line := range terminal.Wrap(message, max(columns-4, 1)) {
		lines = append(lines, terminal.Line(columns, false, terminal.Piece{Text: "  " + line}))
	}
	return lines
}

// columnGap is the number of spaces between the columns of a list.
const columnGap = 2

// minText is the minimum number of columns for the text with the purpose of an item.
const minText = 16

// rowsText returns the rows on the screen. If short is true, the last column gets the remaining
// width.
func (l *list) rowsText(columns int, short bool) []string {
	visible := l.shown[l.top:min(l.top+l.rows, len(l.shown))]
	name, first, second := 0, 0, 0
	for i := range visible {
		name = max(name, terminal.Columns(visible[i].name))
		first = max(first, terminal.Columns(visible[i].first))
		second = max(second, terminal.Columns(visible[i].second))
	}
	first, second = min(first, columns/4), min(second, columns/4)
	room := columns - 2
	for _, n := range []int{first, second} {
		if n > 0 {
			room -= n + columnGap
		}
	}
	name = min(name, max(room, 0))
	if text := columns / 4; !short && room-name-columnGap < text && hasText(visible) { // This leaves room for the text.
		name = min(name, max(room-text-columnGap, columns/3))
	}
	var rows []string
	for i := range visible {
		it := &visible[i]
		selected := l.top+i == l.selected
		look := terminal.Plain
		if it.faint {
			look = terminal.Faint
		}
		mark := "  "
		if selected {
			mark = "▸ "
		}
		var b strings.Builder
		used := 0
		cell := func(width int, pieces ...terminal.Piece) {
			width = min(width, columns-used)
			used += max(width, 0)
			b.WriteString(terminal.Line(width, selected, pieces...))
		}
		cell(2, terminal.Piece{Text: mark})
		cell(name, it.pieces(name, look)...)
		for _, column := range []struct {
			width int
			text  string
		}{{first, it.first}, {second, it.second}} {
			if column.width > 0 {
				cell(columnGap)
				cell(column.width, terminal.Piece{Text: column.text, Look: terminal.Faint})
			}
		}
		cell(columnGap)
		if short && columns-used < minText {
			cell(columns - used)
		} else {
			cell(columns-used, terminal.Piece{Text: it.text, Look: look})
		}
		rows = append(rows, b.String())
	}
	return rows
}

func hasText(rows []match) bool {
	for i := range rows {
		if rows[i].text != "" {
			return true
		}
	}
	return false
}

// preview is the rendered text beside a list.
type preview struct {
	item  *item
	width int
	text  []string
}

// lines returns the first lines of the preview of an item.
func (p *preview) lines(m *Model, item *item, width, lines int) []string {
	if p.item != item || p.width != width {
		*p = preview{item: item, width: width, text: render(m, item.preview(), width)}
	}
	return p.text[:min(len(p.text), lines)]
}

// render returns Markdown as lines for the screen.
func render(m *Model, md string, width int) []string {
	if md == "" {
		return []string{""}
	}
	text := terminal.Render(md, terminal.Options{Width: width, Lexis: m.options.Lookup.Languages().Lexis})
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if terminal.Columns(terminal.Bare(line)) > width {
			lines[i] = terminal.Fit(line, width)
		}
	}
	return lines
}
