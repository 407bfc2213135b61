package modules

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/docstring"
)

// Compiled modules carry their docstrings as text. Where nothing else documents
// what a stub declares, the text is found by the examples in it, which call the
// function by its name.

// maxNative bounds the compiled file that is searched, in bytes.
const maxNative = 64 << 20

// nativeDocs finds docstrings in a compiled module by the name of the function
// whose calls their examples begin with.
func nativeDocs(fsys fs.FS, name string) map[string]string {
	info, err := fs.Stat(fsys, name)
	if err != nil || info.Size() > maxNative {
		return nil
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil
	}
	docs := map[string]string{}
	mark := []byte(">>> np.")
	for at := 0; at < len(data); {
		k := bytes.Index(data[at:], mark)
		if k < 0 {
			break
		}
		k += at
		start := bytes.LastIndexByte(data[at:k], 0) + at + 1
		end := bytes.IndexByte(data[k:], 0)
		if end < 0 {
			break
		}
		text := string(data[start : k+end])
		at = k + end
		if !strings.Contains(text, "\nParameters\n") || len(text) > 1<<16 {
			continue
		}
		if called := mostCalled(text); called != "" && docs[called] == "" {
			docs[called] = docstring.Clean(text)
		}
	}
	return docs
}

// mostCalled is the function of the package whose calls examples hold most often,
// the first of several.
func mostCalled(text string) string {
	counts := map[string]int{}
	best := ""
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " ")
		if !strings.HasPrefix(line, ">>> ") && !strings.HasPrefix(line, "... ") {
			continue
		}
		for rest := line; ; {
			_, after, ok := strings.Cut(rest, "np.")
			if !ok {
				break
			}
			rest = after
			n := 0
			for n < len(after) && (identStart(after[n]) || after[n] >= '0' && after[n] <= '9') {
				n++
			}
			if n == 0 || n == len(after) || after[n] != '(' || made[after[:n]] {
				continue
			}
			counts[after[:n]]++
			if best == "" || counts[after[:n]] > counts[best] {
				best = after[:n]
			}
		}
	}
	return best
}

// made are functions that examples make arguments with.
var made = set("array", "arange", "linspace", "zeros", "ones", "meshgrid", "asarray", "full", "eye", "empty")

// compiled returns what compiled modules of a distribution say of a declaration.
func (d *documenter) compiled(in *dist, m *module, name string) string {
	docs, ok := d.natives[in]
	if !ok {
		docs = map[string]string{}
		d.natives[in] = docs
		top := topOf(m.name)
		for _, dir := range []string{path.Join(top, "_core"), path.Join(top, "core")} {
			for file := range in.entries(0, dir) {
				if !strings.HasPrefix(file, "_multiarray_umath.") || !strings.HasSuffix(file, ".so") && !strings.HasSuffix(file, ".pyd") {
					continue
				}
				maps.Copy(docs, nativeDocs(in.Root, path.Join(dir, file)))
			}
		}
	}
	return docs[name]
}
