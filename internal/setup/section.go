package setup

import (
	"bytes"
	"errors"
	"strings"
)

const (
	sectionStart = "<!-- docent: start of the section that docent setup writes -->"
	sectionEnd   = "<!-- docent: end -->"
)

// sectionRange returns the range of the marked section with its last line
// ending. It fails if the markers do not form one section.
func sectionRange(data []byte) (start, end int, err error) {
	start = bytes.Index(data, []byte(sectionStart))
	if start < 0 {
		return -1, -1, nil
	}
	length := bytes.Index(data[start:], []byte(sectionEnd))
	if length < 0 || bytes.Count(data, []byte(sectionStart)) > 1 {
		return 0, 0, errors.New("the markers of docent's section are incomplete or repeated")
	}
	end = start + length + len(sectionEnd)
	rest := data[end:]
	switch {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		end += 2
	case bytes.HasPrefix(rest, []byte("\n")):
		end++
	}
	return start, end, nil
}

// setSection replaces the marked section of a file, or adds it at the end.
func setSection(data []byte, text string) (splice, error) {
	newline := newlineOf(data)
	text = strings.ReplaceAll(sectionStart+"\n"+text+sectionEnd+"\n", "\n", newline)
	start, end, err := sectionRange(data)
	if err != nil || start >= 0 {
		return splice{start, end, text}, err
	}
	lead := ""
	if len(data) > 0 {
		lead = newline
		if !bytes.HasSuffix(data, []byte("\n")) {
			lead += newline
		}
	}
	return splice{len(data), len(data), lead + text}, nil
}

// removeSection removes the marked section and one empty line before it.
func removeSection(data []byte) (splice, error) {
	start, end, err := sectionRange(data)
	if err != nil {
		return splice{}, err
	}
	if start < 0 {
		return splice{}, errors.New("there is no section of docent")
	}
	newline := newlineOf(data)
	if bytes.HasSuffix(data[:start], []byte(newline+newline)) {
		start -= len(newline)
	}
	return splice{start, end, ""}, nil
}
