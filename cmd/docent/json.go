package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/markup"
)

// encode writes a value as indented JSON. Characters that control a terminal, have no width or
// reorder their neighbors are escaped, because they may come from untrusted sources.
func encode(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}

// escapeHidden escapes hidden characters in JSON. They occur only in strings.
func escapeHidden(data []byte) []byte {
	var out []byte // nil if there are no such characters so far
	copied := 0
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if size == 1 && r != utf8.RuneError && r != 0x7f || !markup.Hidden(r) && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		out = append(out, data[copied:i]...)
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		} else {
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += size
		copied = i
	}
	if copied == 0 {
		return data
	}
	return append(out, data[copied:]...)
}
