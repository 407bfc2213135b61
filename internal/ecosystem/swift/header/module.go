package header

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/work"
)

const (
	maxFiles = 1000      // maximum number of headers of a module
	maxAll   = 32 << 20  // maximum size in bytes of all headers
	maxMap   = 256 << 10 // maximum size in bytes of a module map
)

// ReadModule reads the public headers of a module, whose paths are relative to
// root. If a module map is among the files, it determines which headers are
// omitted. Warnings are sentences about files that were not read. The steps are
// counted with m.
func ReadModule(m *work.Meter, root fs.FS, files []string) (symbols []apidoc.Symbol, warnings []string) {
	var list moduleMap
	for _, file := range files {
		if base := path.Base(file); base == "module.modulemap" || base == "module.map" {
			if text, _, err := project.ReadHead(root, file, maxMap); err == nil {
				list.read(path.Dir(file), string(text))
			}
		}
	}
	type text struct {
		name string
		data []byte
	}
	var texts []text
	known := macros{}
	size, remaining := 0, 0
	for _, file := range files {
		if !IsHeader(file) || !list.public(file) {
			continue
		}
		if len(texts) >= maxFiles || size >= maxAll {
			remaining++
			continue
		}
		data, whole, err := project.ReadHead(root, file, maxHeader)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("docent could not read %s: %v", file, err))
			continue
		}
		if !whole {
			warnings = append(warnings, fmt.Sprintf("docent read only the first %[2]d bytes of %[1]s", file, maxHeader))
		}
		size += len(data)
		texts = append(texts, text{file, data})
		m.Grant(int64(len(data)))
		l := lexer{meter: m, text: string(data), macros: known, cpp: isCPP(file)}
		l.run() // Headers use macros of other headers.
	}
	if remaining > 0 {
		warnings = append(warnings, fmt.Sprintf("docent did not read %d more headers", remaining))
	}
	for _, t := range texts {
		symbols = append(symbols, read(m, t.name, t.data, known)...)
	}
	return unique(symbols), warnings
}

// IsHeader reports whether a file is a header, by its name.
func IsHeader(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".h", ".hpp", ".hh", ".hxx", ".h++":
		return true
	}
	return false
}

// moduleMap is the content of a module map.
type moduleMap struct {
	known     bool
	headers   []string // headers listed in the map
	umbrellas []string // directories whose headers all belong to the module
	excluded  []string
}

// read reads a module map in a directory.
func (m *moduleMap) read(dir, text string) {
	l := lexer{text: text, macros: macros{}}
	l.run()
	m.known = true
	for i, t := range l.tokens {
		if t.kind != quoted {
			continue
		}
		name := path.Join(dir, strings.Trim(t.text, `"`))
		before, first := "", ""
		if i > 0 {
			before = l.tokens[i-1].text
		}
		if i > 1 {
			first = l.tokens[i-2].text
		}
		switch {
		case before == "umbrella":
			m.umbrellas = append(m.umbrellas, name)
		case before != "header":
		case first == "umbrella":
			m.umbrellas = append(m.umbrellas, path.Dir(name))
		case first == "exclude":
			m.excluded = append(m.excluded, name)
		case first == "private":
		default:
			m.headers = append(m.headers, name)
		}
	}
}

// public reports whether a header belongs to the module.
func (m *moduleMap) public(file string) bool {
	if !m.known {
		return true
	}
	if slices.Contains(m.excluded, file) {
		return false
	}
	if slices.Contains(m.headers, file) {
		return true
	}
	return slices.ContainsFunc(m.umbrellas, func(dir string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") })
}
