// Package browse is the screen of docent browse. It shows the packages of a project, their symbols
// and their documentation, in lists that are searched while typing and in pages that scroll.
//
// A Model is driven by events and returns frames (see package console), so it needs no terminal.
// All text from packages passes through package terminal, which removes its control characters.
package browse

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/terminal"
)

// Options configure a Model.
type Options struct {
	Lookup *lookup.Lookup
	// Project is the absolute directory of the project.
	Project string
	// Language, Package and Symbol specify the first page. The language may be empty. Without a
	// package, the list of the project's packages is opened.
	Language, Package, Symbol string
	// NoColor omits colours.
	NoColor bool
}

// Model is a console.Program.
type Model struct {
	options Options
	size    console.Size
	history []page
	current int // index of the page that is shown
	zones   []zone
	done    bool
}

// page is a page of the history.
type page interface {
	// start returns the commands that read the content of the page. It is called once, when the
	// page is first shown.
	start(m *Model) []console.Command
	// update handles the result of such a command.
	update(m *Model, result any) []console.Command
	// key handles a key whose meaning depends on the kind of page. The key may be pasted text.
	key(m *Model, key console.Key) []console.Command
	// wheel scrolls by a number of lines.
	wheel(lines int)
	// click handles a click within the body.
	click(m *Model, line, column int) []console.Command
	// crumbs returns the breadcrumb trail of the page, without the project.
	crumbs() []crumb
	// hints returns the keys that the last line of the screen explains.
	hints() []hint
	// body returns the lines between the head and the hints, and the position of the cursor.
	// cursorLine is negative if there is no cursor.
	body(m *Model, columns, lines int) (text []string, cursorColumn, cursorLine int)
	// status returns the text at the right of the head.
	status() string
}

// crumb is a name in the head of the screen, and the target that a click on it opens, or nil if
// there is none.
type crumb struct {
	name string
	open *target
}

// hint describes the function of a key.
type hint struct {
	key  console.Key
	name string // name of the key
	does string
}

// zone is a clickable part of a line.
type zone struct {
	line, from, to int // from and to are columns; to is exclusive
	click          func() []console.Command
}

// result is the result of a command of a page.
type result struct {
	page  page
	value any
}

// New returns a model.
func New(o Options) *Model {
	m := &Model{options: o, current: -1}
	m.history = []page{&home{list: list{noun: "packages", scope: "of the project"}}}
	m.current = 0
	if o.Package != "" {
		m.history = append(m.history, newEntry(o))
		m.current = 1
	}
	return m
}

// Done reports whether the program has ended.
func (m *Model) Done() bool { return m.done }

func (m *Model) page() page { return m.history[m.current] }

// Update takes an event or the result of a command.
func (m *Model) Update(event any) []console.Command {
	switch event := event.(type) {
	case console.Size:
		first := m.size == console.Size{}
		m.size = event
		if first {
			return m.start(m.page())
		}
	case console.Key:
		return m.key(event)
	case console.Paste:
		var commands []console.Command
		for _, r := range terminal.Clean(string(event[:min(len(event), maxQuery)])) {
			commands = append(commands, m.page().key(m, console.Key(string(r)))...)
		}
		return commands
	case console.Mouse:
		return m.mouse(event)
	case result:
		if slices.Contains(m.history, event.page) {
			return event.page.update(m, event.value)
		}
	}
	return nil
}

// key handles a key that has the same meaning on all pages, and passes other keys to the page.
func (m *Model) key(key console.Key) []console.Command {
	switch key {
	case "ctrl+c", "ctrl+d":
		m.done = true
		return nil
	case "alt+left", console.Left:
		return m.back()
	case "alt+right", console.Right:
		return m.forward()
	case console.F1:
		return m.help()
	}
	return m.page().key(m, key)
}

func (m *Model) mouse(event console.Mouse) []console.Command {
	const step = 3
	switch event.Button {
	case console.WheelUp:
		m.page().wheel(-step)
	case console.WheelDown:
		m.page().wheel(step)
	case console.BackButton:
		return m.back()
	case console.ForwardButton:
		return m.forward()
	case console.LeftButton:
		for _, z := range m.zones {
			if z.line == event.Line && z.from <= event.Column && event.Column < z.to {
				return z.click()
			}
		}
		if event.Line >= headLines && event.Line < m.size.Lines-footLines {
			return m.page().click(m, event.Line-headLines, event.Column)
		}
	}
	return nil
}

// back and forward show another page of the history.
func (m *Model) back() []console.Command    { return m.show(m.current - 1) }
func (m *Model) forward() []console.Command { return m.show(m.current + 1) }

func (m *Model) show(index int) []console.Command {
	if index < 0 || index >= len(m.history) {
		return nil
	}
	m.current = index
	return m.start(m.page())
}

// maxHistory is the maximum number of pages in the history.
const maxHistory = 200

// push shows a new page. It replaces the pages after the current one in the history.
func (m *Model) push(p page) []console.Command {
	m.history = append(m.history[:m.current+1:m.current+1], p)
	if len(m.history) > maxHistory {
		m.history = slices.Delete(m.history, 1, 2) // Keep the first page, which is the list of packages.
	}
	return m.show(len(m.history) - 1)
}

// start starts a page that has not been shown before.
func (m *Model) start(p page) []console.Command { return p.start(m) }

// starter is embedded in pages and starts them once.
type starter struct{ started bool }

func (s *starter) first() bool {
	first := !s.started
	s.started = true
	return first
}

// command returns a command whose result is for a page.
func command(p page, do func(ctx context.Context) any) []console.Command {
	return []console.Command{func(ctx context.Context) any { return result{p, do(ctx)} }}
}

// These are the lines above and below the body of a page.
const headLines, footLines = 1, 1

// View returns the frame.
func (m *Model) View() console.Frame {
	columns, lines := m.size.Columns, m.size.Lines
	m.zones = m.zones[:0]
	frame := console.Frame{Line: -1}
	if lines < headLines+footLines+1 {
		return frame
	}
	body, cursorColumn, cursorLine := m.page().body(m, columns, lines-headLines-footLines)
	frame.Lines = append(frame.Lines, m.head(columns))
	frame.Lines = append(frame.Lines, body...)
	for len(frame.Lines) < lines-footLines {
		frame.Lines = append(frame.Lines, "")
	}
	frame.Lines = append(frame.Lines[:lines-footLines], m.foot(columns, lines-1))
	if cursorLine >= 0 {
		frame.Column, frame.Line = min(cursorColumn, columns-1), headLines+cursorLine
	}
	if m.options.NoColor {
		for i, line := range frame.Lines {
			frame.Lines[i] = terminal.WithoutColor(line)
		}
	}
	return frame
}

// row builds a line with clickable parts.
type row struct {
	m      *Model
	line   int
	pieces []terminal.Piece
	used   int
}

func (r *row) add(text string, look terminal.Look, click func() []console.Command) {
	text = terminal.Clean(text)
	n := terminal.Columns(text)
	if click != nil {
		r.m.zones = append(r.m.zones, zone{r.line, r.used, r.used + n, click})
	}
	r.pieces = append(r.pieces, terminal.Piece{Text: text, Look: look})
	r.used += n
}

// head returns the first line: back and forward, the breadcrumb trail of the page and its status.
func (m *Model) head(columns int) string {
	r := row{m: m}
	look := func(possible bool) terminal.Look {
		if possible {
			return terminal.Strong
		}
		return terminal.Faint
	}
	r.add(" ‹ ", look(m.current > 0), m.back)
	r.add(" › ", look(m.current < len(m.history)-1), m.forward)
	status := m.page().status()
	if status != "" {
		status = " " + status + " "
	}
	room := columns - terminal.Columns(status)
	crumbs := append([]crumb{{filepath.Base(m.options.Project), &target{}}}, m.page().crumbs()...)
	shorten(crumbs, room-r.used-1)
	r.add(" ", terminal.Plain, nil)
	for i, c := range crumbs {
		if i > 0 {
			r.add(crumbGap, terminal.Faint, nil)
		}
		switch {
		case i == len(crumbs)-1:
			r.add(c.name, terminal.Strong, nil)
		case c.open == nil:
			r.add(c.name, terminal.Plain, nil)
		default:
			r.add(c.name, terminal.Plain, func() []console.Command { return m.open(*c.open) })
		}
	}
	if room < columns/2 {
		return terminal.Line(columns, false, r.pieces...)
	}
	return terminal.Line(room, false, r.pieces...) + terminal.Line(columns-room, false, terminal.Piece{Text: status, Look: terminal.Faint})
}

// minCrumb is the minimum number of columns to which a name is shortened.
const minCrumb = 10

// crumbGap separates two crumbs.
const crumbGap = " › "

// shorten cuts the beginnings of crumbs until all fit in a number of columns. It cuts the first
// crumb first, because the last one is the most important.
func shorten(crumbs []crumb, columns int) {
	total := (len(crumbs) - 1) * terminal.Columns(crumbGap)
	for i := range crumbs {
		crumbs[i].name = oneLine(crumbs[i].name)
		total += terminal.Columns(crumbs[i].name)
	}
	for i := range crumbs {
		n := terminal.Columns(crumbs[i].name)
		if total <= columns {
			return
		}
		if room := max(n-(total-columns), minCrumb); room < n {
			crumbs[i].name = "…" + lastColumns(crumbs[i].name, room-1)
			total -= n - terminal.Columns(crumbs[i].name)
		}
	}
}

// lastColumns returns the longest end of text that fits in a number of columns.
func lastColumns(text string, columns int) string {
	runes := []rune(text)
	start := len(runes)
	for ; start > 0; start-- {
		if columns -= terminal.Columns(string(runes[start-1])); columns < 0 {
			break
		}
	}
	return string(runes[start:])
}

// foot returns the last line, which explains keys.
func (m *Model) foot(columns, line int) string {
	r := row{m: m, line: line}
	for _, h := range m.page().hints() {
		if text := h.name + " " + h.does; r.used+terminal.Columns(text)+2 > columns {
			break
		}
		r.add(" ", terminal.Plain, nil)
		start := r.used
		r.add(h.name, terminal.Strong, nil)
		r.add(" "+h.does, terminal.Faint, nil)
		r.add(" ", terminal.Plain, nil)
		m.zones = append(m.zones, zone{line, start, r.used - 1, func() []console.Command { return m.key(h.key) }})
	}
	return terminal.Line(columns, false, r.pieces...)
}

// target is the subject of a page. An empty target is the list of the project's packages.
type target struct {
	question lookup.Package
	// version is the listed version. It is used to read the package if the project has chosen
	// another version.
	version  string
	symbol   string
	section  string
	overview bool
	source   bool
}

// open shows a target.
func (m *Model) open(t target) []console.Command {
	switch {
	case t.question.Name == "":
		return m.push(m.history[0]) // The list of packages keeps its query and selection.
	case t.symbol != "" || t.section != "" || t.overview:
		return m.push(newDocument(t))
	}
	return m.push(newSymbols(t))
}

// maxText is the maximum length of the text of a row, in bytes.
const maxText = 500

// oneLine returns text on one line. Very long text is truncated.
func oneLine(text string) string {
	if len(text) > 4*maxText {
		text = text[:4*maxText]
	}
	text = strings.Join(strings.Fields(terminal.Clean(text)), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	return text
}
