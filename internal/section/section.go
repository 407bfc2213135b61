// Package section maintains a marked section in a Markdown file that other people and programs also
// write, such as AGENTS.md. It does not change a single byte of the rest of the file.
package section

import (
	"bytes"
	"fmt"
	"strings"
)

// Markers of the section "index":
//
//	<!-- docent:index -->
//	<!-- /docent:index -->
func markers(name string) (begin, end string) {
	return "<!-- docent:" + name + " -->", "<!-- /docent:" + name + " -->"
}

// span is the location of a section in a file. It includes the markers, but not the line
// end after the section.
type span struct {
	begin, bodyBegin, bodyEnd, end int
	newline                        string // the line end that the section uses
}

// find returns the place of a section. A marker counts only if it is alone on its line.
func find(file []byte, name string) (s span, ok bool, err error) {
	begin, end := markers(name)
	var begins, ends []int
	offset := 0
	for line := range bytes.Lines(file) {
		switch string(bytes.TrimRight(line, " \t\r\n")) {
		case begin:
			begins = append(begins, offset)
		case end:
			ends = append(ends, offset)
		}
		offset += len(line)
	}
	switch {
	case len(begins) == 0 && len(ends) == 0:
		return s, false, nil
	case len(begins) != 1 || len(ends) != 1 || ends[0] < begins[0]:
		return s, false, fmt.Errorf("the section cannot be identified: there must be one line %q, followed by one line %q", begin, end)
	}
	s = span{begin: begins[0], bodyEnd: ends[0], end: ends[0] + len(end)}
	s.bodyBegin = s.begin + bytes.IndexByte(file[s.begin:], '\n') + 1
	s.newline = lineEnd(file[s.begin:])
	return s, true, nil
}

// lineEnd returns the line end of the first line of text, or "\n" if the text has only one line.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// Get returns the body of a section. ok is false if the file does not contain the section. Line
// ends are "\n", regardless of those in the file.
func Get(file []byte, name string) (body string, ok bool, err error) {
	s, ok, err := find(file, name)
	if err != nil || !ok {
		return "", false, err
	}
	return strings.ReplaceAll(string(file[s.bodyBegin:s.bodyEnd]), "\r\n", "\n"), true, nil
}

// Set returns the file with a section that has the given body. It replaces the section with that
// name, or appends it after an empty line. The section gets the line ends of the file.
func Set(file []byte, name, body string) ([]byte, error) {
	begin, end := markers(name)
	if strings.Contains(body, begin) || strings.Contains(body, end) {
		return nil, fmt.Errorf("the section contains its own marker, %q", begin)
	}
	s, ok, err := find(file, name)
	if err != nil {
		return nil, err
	}
	newline := lineEnd(file)
	if ok {
		newline = s.newline
	}
	text := strings.ReplaceAll(begin+"\n"+strings.TrimRight(body, "\n")+"\n"+end, "\n", newline)
	if ok {
		return join(file[:s.begin], []byte(text), file[s.end:]), nil
	}
	switch {
	case len(file) == 0:
		return []byte(text + newline), nil
	case file[len(file)-1] == '\n':
		return join(file, []byte(newline+text+newline)), nil
	}
	// The section does not end with a line end either, so that Remove can restore the file.
	return join(file, []byte(newline+newline+text)), nil
}

// Remove returns the file without a section. If Set appended the section and the file has
// not changed since, the result is the original file. ok is false if there is no such
// section.
func Remove(file []byte, name string) (rest []byte, ok bool, err error) {
	s, ok, err := find(file, name)
	if err != nil || !ok {
		return file, false, err
	}
	before, after := file[:s.begin], file[s.end:]
	switch {
	case len(after) == 0:
		before = bytes.TrimSuffix(bytes.TrimSuffix(before, []byte(s.newline)), []byte(s.newline))
	default:
		before = bytes.TrimSuffix(before, []byte(s.newline))
		if i := bytes.IndexByte(after, '\n'); i >= 0 {
			after = after[i+1:]
		}
	}
	return join(before, after), true, nil
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
