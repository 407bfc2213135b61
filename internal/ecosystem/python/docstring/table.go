package docstring

import "strings"

const (
	// maxColumns is the maximum number of columns in a table, and maxRows is the maximum number of
	// lines in it.
	maxColumns = 60
	maxRows    = 2000
)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// table writes rows as a Markdown table. If head is true, the first row is the
// header.
func (c *converter) table(rows [][]string, head bool) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	if width == 0 {
		return
	}
	var b strings.Builder
	write := func(cells []string) {
		b.WriteByte('|')
		for i := range width {
			text := ""
			if i < len(cells) {
				text = strings.ReplaceAll(cells[i], "|", `\|`)
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteByte('\n')
	}
	if head {
		write(rows[0])
		rows = rows[1:]
	} else {
		write(nil)
	}
	b.WriteByte('|')
	b.WriteString(strings.Repeat(" --- |", width))
	b.WriteByte('\n')
	for _, r := range rows {
		write(r)
	}
	c.add(strings.TrimRight(b.String(), "\n"))
}

// simpleTable reads a table whose columns are marked with "=". It returns the index of the line
// after the table, or i if there is no table.
func (c *converter) simpleTable(i int) int {
	ruler := c.ls[i]
	var starts []int
	for k := range len(ruler) {
		if ruler[k] == '=' && (k == 0 || ruler[k-1] == ' ') {
			starts = append(starts, k)
		}
	}
	if len(starts) > maxColumns {
		return i
	}
	// The table ends at a ruler followed by an empty line or the end of the text.
	if i < c.tableless {
		return i
	}
	end := -1
	var rulers []int
	k := i + 1
	for ; k < len(c.ls) && k < i+maxRows; k++ {
		if isRuler(c.ls[k]) {
			rulers = append(rulers, k)
			if k+1 == len(c.ls) || c.ls[k+1] == "" {
				end = k
				break
			}
		}
	}
	if end < 0 {
		c.tableless = k
		return i
	}
	head := len(rulers) > 1
	var rows [][]string
	var current [][]string
	flush := func() {
		if current == nil {
			return
		}
		row := make([]string, len(starts))
		for k := range current {
			row[k] = oneLine(inline(strings.Join(current[k], " "), c.targets))
		}
		rows = append(rows, row)
		current = nil
	}
	for _, l := range c.ls[i+1 : end] {
		if isRuler(l) || l == "" || strings.Trim(l, "- ") == "" {
			flush()
			continue
		}
		cells := columns(l, starts)
		if current == nil || cells[0] != "" {
			flush()
			current = make([][]string, len(starts))
		}
		for k, text := range cells {
			current[k] = append(current[k], text)
		}
	}
	flush()
	if len(rows) > 0 {
		c.table(rows, head)
	}
	return end + 1
}

func isRuler(l string) bool {
	return strings.HasPrefix(l, "=") && strings.Trim(l, "= ") == ""
}

// columns splits a line into columns. The last column extends to the end of the
// line.
func columns(l string, starts []int) []string {
	cells := make([]string, len(starts))
	for k, s := range starts {
		if s >= len(l) {
			break
		}
		e := len(l)
		if k+1 < len(starts) {
			e = min(e, starts[k+1])
		}
		cells[k] = strings.ToValidUTF8(strings.TrimSpace(l[s:e]), "")
	}
	return cells
}

// gridTable reads a table that is drawn with +, - and |. It returns the index of the line after the
// table, or i if there is no table.
func (c *converter) gridTable(i int) int {
	end := i
	for end < len(c.ls) && end < i+maxRows && c.ls[end] != "" && (c.ls[end][0] == '+' || c.ls[end][0] == '|') {
		end++
	}
	var bounds []int
	for k := range len(c.ls[i]) {
		if c.ls[i][k] == '+' {
			bounds = append(bounds, k)
		}
	}
	if len(bounds) < 2 || len(bounds) > maxColumns || end-i < 3 {
		return i
	}
	starts := make([]int, 0, len(bounds))
	for _, b := range bounds[:len(bounds)-1] {
		starts = append(starts, b+1)
	}
	var rows [][]string
	current := make([][]string, len(starts))
	head, filled := false, false
	for _, l := range c.ls[i+1 : end] {
		if l[0] == '+' {
			if filled {
				row := make([]string, len(starts))
				for k := range current {
					row[k] = oneLine(inline(strings.Join(current[k], " "), c.targets))
				}
				rows = append(rows, row)
			}
			head = head || strings.HasPrefix(l, "+=")
			current, filled = make([][]string, len(starts)), false
			continue
		}
		for k, text := range columns(l, starts) {
			current[k] = append(current[k], strings.TrimSpace(strings.Trim(text, "|")))
			filled = true
		}
	}
	if len(rows) > 0 {
		c.table(rows, head)
	}
	return end
}
