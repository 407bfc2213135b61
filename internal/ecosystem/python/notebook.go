package python

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// notebookExtension is the file extension of Jupyter notebooks.
const notebookExtension = ".ipynb"

// notebook is the code of the cells of a Jupyter notebook as one text.
type notebook struct {
	text    strings.Builder
	offsets []int // the offset in the file of each byte of the text
}

// readNotebook returns the code in the cells of a notebook, without magics, shell commands and help
// requests, which only IPython understands. ok is false if the file is not a notebook, or is a
// notebook in another language.
func readNotebook(file []byte) (n *notebook, ok bool) {
	var head struct {
		Cells    []json.RawMessage `json:"cells"`
		Metadata struct {
			Kernel struct {
				Language string `json:"language"`
			} `json:"kernelspec"`
			Language struct {
				Name string `json:"name"`
			} `json:"language_info"`
			Jupytext struct {
				Language string `json:"main_language"`
			} `json:"jupytext"`
		} `json:"metadata"`
	}
	if json.Unmarshal(file, &head) != nil {
		return nil, false
	}
	for _, name := range []string{head.Metadata.Kernel.Language, head.Metadata.Language.Name, head.Metadata.Jupytext.Language} {
		if name != "" && !strings.EqualFold(name, "python") {
			return nil, false
		}
	}
	n = &notebook{}
	offset := 0
	for _, raw := range head.Cells {
		i := bytes.Index(file[offset:], raw) // The raw messages are parts of the file, in the same order.
		if i < 0 {
			return nil, false
		}
		offset += i
		n.addCell(file, offset, raw)
		offset += len(raw)
	}
	return n, true
}

// addCell adds the code of a cell. raw is the JSON of the cell's code, which begins at an offset in
// the file.
func (n *notebook) addCell(file []byte, offset int, raw []byte) {
	var cell struct {
		Type string `json:"cell_type"`
	}
	if json.Unmarshal(raw, &cell) != nil || cell.Type != "code" {
		return
	}
	code := &notebook{}
	d := json.NewDecoder(bytes.NewReader(raw))
	for depth, key, source := 0, "", false; ; {
		token, err := d.Token()
		if err != nil {
			if err != io.EOF {
				return
			}
			break
		}
		switch t := token.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				source = depth == 1 && key == "source" && t == '['
				depth++
			} else {
				depth--
				source = false
			}
			key = ""
			continue
		case string:
			if depth == 1 && key == "" {
				key = t
				continue
			}
			if source && depth == 2 || depth == 1 && key == "source" {
				end := offset + int(d.InputOffset())
				code.addString(file, end)
			}
		}
		if depth == 1 {
			key = ""
		}
	}
	n.addLines(code)
}

// addString adds the string whose closing quotation mark is before an offset of the file.
func (n *notebook) addString(file []byte, end int) {
	start := end - 1
	for start--; start >= 0; start-- {
		if file[start] != '"' {
			continue
		}
		escapes := 0
		for start-escapes > 0 && file[start-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			break
		}
	}
	for i := start + 1; i < end-1; {
		if file[i] != '\\' {
			n.text.WriteByte(file[i])
			n.offsets = append(n.offsets, i)
			i++
			continue
		}
		size := 2
		if file[i+1] == 'u' {
			size = 6
			if i+12 < end && file[i+6] == '\\' && file[i+7] == 'u' && (file[i+2]|0x20) == 'd' && file[i+3] >= '8' {
				size = 12 // a surrogate pair
			}
		}
		var part string
		if json.Unmarshal([]byte(`"`+string(file[i:i+size])+`"`), &part) != nil {
			return
		}
		n.text.WriteString(part)
		for range len(part) {
			n.offsets = append(n.offsets, i)
		}
		i += size
	}
}

// addLines adds the lines of a cell, except those that only IPython understands.
func (n *notebook) addLines(cell *notebook) {
	text := cell.text.String()
	if magic, isMagic := strings.CutPrefix(strings.TrimLeft(text, " \t\n"), "%%"); isMagic {
		name := strings.Fields(magic + " ?")[0]
		if name != "time" && name != "timeit" && name != "capture" && name != "prun" {
			return // the cell has another language, or is written to a file
		}
	}
	offset := 0
	for line := range strings.Lines(text) {
		length := withoutMagic(line)
		n.text.WriteString(line[:length])
		n.offsets = append(n.offsets, cell.offsets[offset:offset+length]...)
		if !strings.HasSuffix(line[:length], "\n") {
			n.text.WriteByte('\n')
			n.offsets = append(n.offsets, cell.offsets[offset+len(line)-1])
		}
		offset += len(line)
	}
}

// withoutMagic returns the number of bytes of a line that are Python.
func withoutMagic(line string) int {
	code := strings.TrimSpace(line)
	if code == "" {
		return len(line)
	}
	if strings.ContainsRune("%!?", rune(code[0])) || strings.HasSuffix(code, "?") && !strings.Contains(code, "#") {
		return 0
	}
	// These lines have forms such as a = !ls or a, b = %magic.
	if i := strings.IndexByte(line, '='); i > 0 && !strings.ContainsAny(line[:i], "\"'#([{") {
		if rest := strings.TrimLeft(line[i+1:], " \t"); strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "%") {
			return i + 1
		}
	}
	return len(line)
}

// mover returns a function that converts a position from the text to the file.
func (n *notebook) mover(file []byte) func(*ecosystem.Position) {
	inText, inFile := ecosystem.NewLines(n.text.String()), ecosystem.NewLines(string(file))
	return func(p *ecosystem.Position) {
		if offset := inText.Offset(*p); offset < len(n.offsets) {
			*p = inFile.Position(n.offsets[offset])
		}
	}
}

// positions converts the positions of uses from the text to the file.
func (n *notebook) positions(uses []ecosystem.Use, file []byte) {
	move := n.mover(file)
	for i := range uses {
		move(&uses[i].Position)
		if args := uses[i].Args; args != nil {
			for k := range args.Named {
				move(&args.Named[k].Position)
			}
		}
	}
}
