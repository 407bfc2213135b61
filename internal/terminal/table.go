package terminal

import (
	"strings"

	table "github.com/yuin/goldmark/extension/ast"
)

// minColumn is the minimum width of a column of a table.
const minColumn = 6

// table returns the lines of a table. The widest columns are narrowed until it fits.
func (r *renderer) table(n *table.Table, f frame) []string {
	var rows [][][]span
	var widths []int
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells [][]span
		s := f.style
		if row.Kind() == table.KindTableHeader {
			s |= bold
		}
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			spans := r.inline(cell, s)
			w := 0
			for _, s := range spans {
				w += width(s.text)
			}
			if len(cells) == len(widths) {
				widths = append(widths, minColumn)
			}
			widths[len(cells)] = max(widths[len(cells)], w)
			cells = append(cells, spans)
		}
		rows = append(rows, cells)
	}
	fit(widths, f.width)
	var lines []string
	for i, row := range rows {
		lines = append(lines, tableRow(row, widths)...)
		if i == 0 {
			var rule []string
			for _, w := range widths {
				rule = append(rule, strings.Repeat("─", w))
			}
			lines = append(lines, dim.apply(strings.Join(rule, "  ")))
		}
	}
	return lines
}

// fit narrows the widest columns until all columns fit, with two spaces between them.
func fit(widths []int, limit int) {
	limit -= 2 * (len(widths) - 1)
	for {
		total, widest, second := 0, 0, minColumn
		for i, w := range widths {
			total += w
			if w > widths[widest] {
				widest = i
			}
		}
		if total <= limit || widths[widest] <= minColumn {
			return
		}
		for i, w := range widths {
			if i != widest && w < widths[widest] {
				second = max(second, w)
			}
		}
		widths[widest] = max(second, widths[widest]-(total-limit), minColumn)
		if second == widths[widest] && total > limit {
			widths[widest] = max(minColumn, widths[widest]-1)
		}
	}
}

// tableRow returns the lines of one row.
func tableRow(cells [][]span, widths []int) []string {
	columns := make([][]string, len(widths))
	height := 1
	for i := range columns {
		if i < len(cells) {
			columns[i] = wrap(cells[i], widths[i])
		}
		height = max(height, len(columns[i]))
	}
	var lines []string
	for k := range height {
		var b strings.Builder
		for i, column := range columns {
			text := ""
			if k < len(column) {
				text = column[k]
			}
			b.WriteString(text)
			if i < len(columns)-1 {
				b.WriteString(strings.Repeat(" ", max(widths[i]-width(text), 0)+2))
			}
		}
		lines = append(lines, b.String())
	}
	return lines
}
