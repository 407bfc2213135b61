package setup

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/docent-mcp/docent/internal/quote"
)

// entry is a server in the configuration of a host: docent's own, unless server is set.
type entry struct {
	host   *host
	server *Server
}

func (e *entry) suffix() string {
	if e.server == nil {
		return ""
	}
	return "#server " + e.server.Name
}

// key is the path of the entry in the file.
func (e *entry) key() []string {
	name := serverName
	if e.server != nil {
		name = e.server.Name
	}
	return append(slices.Clone(e.host.key), name)
}

// fill returns the settings of the entry.
func (e *entry) fill(program string) []field {
	if e.server == nil {
		return e.host.fill(program)
	}
	return e.server.fill(e.host, program)
}

// fill returns the settings of the entry.
func (h *host) fill(program string) []field {
	fields := slices.Clone(h.entry)
	for i := range fields {
		switch fields[i].value {
		case command:
			fields[i].value = program
		case arguments:
			fields[i].value = []string{"serve"}
		case argv:
			fields[i].value = []string{program, "serve"}
		}
	}
	return fields
}

func (e *entry) set(data []byte, w *written, program string) ([]byte, error) {
	h, fields := e.host, e.fill(program)
	tree, err := decode(h.format, data)
	if err == nil && equalEntry(lookUp(tree, e.key()), fields) {
		return data, nil
	}
	if err == nil && w != nil {
		if original, err := e.undo(data, *w); err == nil {
			data = original
		}
	}
	if err == nil {
		data, err = setEntry(h.format, data, e.key(), fields)
	}
	if err != nil {
		return nil, fmt.Errorf("%w. Add this yourself:\n\n%s", quote.Error(err), manual(h.format, e.key(), fields))
	}
	return data, nil
}

func (e *entry) remove(data []byte, w *written, program string) ([]byte, error) {
	h, key := e.host, e.key()
	name := key[len(key)-1]
	tree, err := decode(h.format, data)
	if err != nil {
		return nil, fmt.Errorf("%w. Remove the entry %q by hand", quote.Error(err), name)
	}
	current := lookUp(tree, key)
	if current == nil || w == nil && (e.server != nil || !equalEntry(current, e.fill(program))) {
		return data, nil // The entry was added by the user.
	}
	if w == nil {
		w = &written{}
	}
	result, err := e.undo(data, *w)
	if err != nil {
		return nil, fmt.Errorf("%w. Remove the entry %q by hand", quote.Error(err), name)
	}
	if w.Created && emptied(h.format, result) {
		return nil, nil
	}
	return result, nil
}

func (e *entry) undo(data []byte, w written) ([]byte, error) {
	result, ok := w.undoChecked(e.host.format, data, func(tree any) any { return withoutEntry(tree, e.key()) })
	if ok {
		return result, nil
	}
	return removeEntry(e.host.format, data, e.key(), w.Container)
}

func (e *entry) container(data []byte) bool {
	tree, err := decode(e.host.format, data)
	return err == nil && lookUp(tree, e.host.key) == nil
}

// emptied reports whether a file contains no settings and no comments.
func emptied(f format, data []byte) bool {
	tree, err := f.editor().decode(data)
	return err == nil && len(tree) == 0 && !bytes.ContainsAny(data, "#/")
}
