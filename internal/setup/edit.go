package setup

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/docent-mcp/docent/internal/quote"
)

// serverName is the name of docent's entry in every host.
const serverName = "docent"

// splice replaces a range of a file.
type splice struct {
	start, end int
	text       string
}

func (s splice) apply(data []byte) []byte {
	return append(append(bytes.Clone(data[:s.start]), s.text...), data[s.end:]...)
}

type format int

const (
	jsonFormat format = iota
	tomlFormat
	yamlFormat
)

// editor changes files of one format. Everything outside the splices that it returns stays
// unchanged.
type editor interface {
	decode(data []byte) (map[string]any, error)
	// set adds or replaces the object at the path key.
	set(data []byte, key []string, fields []field) (splice, error)
	// remove removes the object at the path key.
	remove(data []byte, key []string) (splice, error)
}

func (f format) editor() editor {
	switch f {
	case tomlFormat:
		return tomlEditor{}
	case yamlFormat:
		return yamlEditor{}
	}
	return jsonEditor{}
}

// decode reads a file that may begin with a byte order mark.
func decode(f format, data []byte) (map[string]any, error) {
	return f.editor().decode(bytes.TrimPrefix(data, byteOrderMark))
}

var byteOrderMark = []byte("\ufeff")

// maxSize is the maximum size of the files that are edited, in bytes.
const maxSize = 32 << 20

// setEntry returns data with the entry at the path key. It fails if the result would differ from data in
// any other way.
func setEntry(f format, data []byte, key []string, fields []field) ([]byte, error) {
	return edit(f, data, key, fields, func(e editor, text []byte) (splice, error) {
		return e.set(text, key, fields)
	})
}

// removeEntry returns data without the entry at the path key. With container, it also removes the object
// that holds the servers if it contains no other server.
func removeEntry(f format, data []byte, key []string, container bool) ([]byte, error) {
	result, err := edit(f, data, key, nil, func(e editor, text []byte) (splice, error) {
		return e.remove(text, key)
	})
	if err != nil || !container {
		return result, err
	}
	tree, err := decode(f, result)
	if err != nil {
		return nil, err
	}
	for i := len(key) - 1; i > 0 && isEmpty(lookUp(tree, key[:i])); i-- {
		shorter, err := edit(f, result, key, nil, func(e editor, text []byte) (splice, error) { return e.remove(text, key[:i]) })
		if err != nil {
			return result, nil //nolint:nilerr // a container that cannot be removed stays, empty
		}
		result = shorter
	}
	return result, nil
}

// edit applies one splice and compares the parsed file before and after.
func edit(f format, data []byte, key []string, fields []field, change func(editor, []byte) (splice, error)) ([]byte, error) {
	if len(data) > maxSize {
		return nil, fmt.Errorf("the file is larger than %d bytes", maxSize)
	}
	e := f.editor()
	text, marked := bytes.CutPrefix(data, byteOrderMark)
	before, err := e.decode(text)
	if err != nil {
		return nil, err
	}
	s, err := change(e, text)
	if err != nil {
		return nil, err
	}
	result := s.apply(text)
	after, err := e.decode(result)
	if err != nil {
		return nil, fmt.Errorf("the changed file cannot be read: %w", quote.Error(err))
	}
	if entry := lookUp(after, key); fields != nil && !equalEntry(entry, fields) || fields == nil && entry != nil {
		return nil, errors.New("the entry cannot be written")
	}
	if !reflect.DeepEqual(withoutEntry(before, key), withoutEntry(after, key)) {
		return nil, errors.New("the change would alter other settings")
	}
	if marked {
		result = append(bytes.Clone(byteOrderMark), result...)
	}
	return result, nil
}

func lookUp(tree any, key []string) any {
	for _, name := range key {
		object, ok := tree.(map[string]any)
		if !ok {
			return nil
		}
		tree = object[name]
	}
	return tree
}

func isEmpty(value any) bool {
	object, ok := value.(map[string]any)
	return value == nil || ok && len(object) == 0
}

// withoutEntry returns a copy of a tree without the entry at the path key and without the
// objects that hold nothing else.
func withoutEntry(tree any, key []string) any {
	object, ok := tree.(map[string]any)
	if !ok {
		return tree
	}
	name := key[0]
	rest := map[string]any{}
	for k, v := range object {
		if k != name {
			rest[k] = v
		}
	}
	if len(key) > 1 {
		if v := withoutEntry(object[name], key[1:]); !isEmpty(v) {
			rest[name] = v
		}
	}
	return rest
}

// equalEntry reports whether an entry contains all settings in fields. It may contain others, which
// the user has added.
func equalEntry(entry any, fields []field) bool {
	object, ok := entry.(map[string]any)
	if !ok {
		return false
	}
	for _, f := range fields {
		value, ok := object[f.name]
		want := f.value
		switch v := want.(type) {
		case map[string]any:
			if _, isMap := value.(map[string]any); !isMap && ok {
				return false
			}
			continue // the user must fill it in
		case []field:
			if !equalEntry(value, v) {
				return false
			}
			continue
		case []string:
			items, _ := value.([]any)
			if len(items) != len(v) {
				return false
			}
			for i := range v {
				if items[i] != v[i] {
					return false
				}
			}
			continue
		}
		if !ok || fmt.Sprint(value) != fmt.Sprint(want) {
			return false
		}
	}
	return true
}

// manual returns the text that a user can add to a file by hand.
func manual(f format, key []string, fields []field) string {
	s, err := f.editor().set(nil, key, fields)
	if err != nil {
		return ""
	}
	return strings.TrimRight(s.text, "\n")
}
