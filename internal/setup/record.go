package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"github.com/docent-mcp/docent/internal/quote"
)

// written describes a change that setup made to a file: at Start, it replaced Old with New.
type written struct {
	Created bool     `json:"created,omitempty"` // the file did not exist
	Dirs    []string `json:"dirs,omitempty"`    // directories created for it, innermost first
	Start   int      `json:"start"`
	Old     string   `json:"old"`
	New     string   `json:"new"`
	// Container is true if the object that contains the part was added, too.
	Container bool `json:"container,omitempty"`
}

// record maps files, as paths with the suffix of a part, to the changes that setup made.
type record map[string]written

func loadRecord(stateDir string) (record, error) {
	path := filepath.Join(stateDir, "setup.json")
	data, err := readFile(path)
	r := record{}
	if err != nil || len(data) == 0 {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s, the record of the changes made by docent setup, cannot be read: %w", path, quote.Error(err))
	}
	return r, nil
}

func (r record) save(stateDir string) error {
	path := filepath.Join(stateDir, "setup.json")
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return err
	}
	before, err := readFile(path)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return replace(path, before, data, 0o600)
}

// changeOf returns the one range in which before and after differ.
func changeOf(before, after []byte) written {
	head, tail := common(before, after)
	return written{Start: head, Old: string(before[head : len(before)-tail]), New: string(after[head : len(after)-tail])}
}

// undo returns data with New replaced by Old, and reports whether data still contains New
// unchanged.
func (w written) undo(data []byte) ([]byte, bool) {
	start := w.Start
	if start > len(data) || !bytes.HasPrefix(data[start:], []byte(w.New)) {
		if w.New == "" || bytes.Count(data, []byte(w.New)) != 1 {
			return nil, false
		}
		start = bytes.Index(data, []byte(w.New))
	}
	return splice{start, start + len(w.New), w.Old}.apply(data), true
}

// undoChecked is like undo, but also checks that undoing changes nothing in the file except the
// parts that others omits.
func (w written) undoChecked(f format, data []byte, others func(tree any) any) ([]byte, bool) {
	result, ok := w.undo(data)
	if !ok {
		return nil, false
	}
	before, err1 := decode(f, data)
	after, err2 := decode(f, result)
	return result, err1 == nil && err2 == nil && reflect.DeepEqual(others(before), others(after))
}
