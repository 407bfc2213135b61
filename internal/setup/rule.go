package setup

import (
	"bytes"
	_ "embed"
	"errors"

	"github.com/docent-mcp/docent/internal/section"
)

//go:embed rule.md
var rule string

// ruleSection is the name of the marked section that contains the rule.
const ruleSection = "rule"

func (*rulePlace) suffix() string { return "" }

func (*rulePlace) container([]byte) bool { return false }

// set returns the content of a rule file with the rule of this version.
func (r *rulePlace) set(data []byte, _ *written, _ string) ([]byte, error) {
	if r.own {
		return []byte(r.head + rule), nil
	}
	return section.Set(data, ruleSection, rule)
}

// remove returns the content of a rule file without the rule, or nil if the file must be deleted.
func (r *rulePlace) remove(data []byte, w *written, _ string) ([]byte, error) {
	var result []byte
	undone := false
	if w != nil {
		result, undone = w.undo(data)
	}
	switch {
	case r.own && undone && !w.Created:
		return result, nil
	case r.own && (w != nil && w.Created || string(data) == r.head+rule):
		return nil, nil
	case r.own:
		return nil, errors.New("the file differs from the one that docent setup wrote. Delete it by hand")
	case !undone:
		var err error
		if result, _, err = section.Remove(data, ruleSection); err != nil {
			return nil, err
		}
	}
	if w != nil && w.Created && len(bytes.TrimSpace(result)) == 0 {
		return nil, nil
	}
	return result, nil
}

func (*rulePlace) undo(data []byte, w written) ([]byte, error) {
	if result, ok := w.undo(data); ok {
		return result, nil
	}
	return nil, errors.New("the file has changed")
}

// state compares the rule in a file with the rule of this version.
func (r *rulePlace) state(path string) string {
	data, err := readFile(path)
	if err != nil || data == nil {
		return "missing"
	}
	if !r.own {
		if _, ok, err := section.Get(data, ruleSection); !ok && err == nil {
			return "missing"
		}
	}
	if want, err := r.set(data, nil, ""); err != nil || !bytes.Equal(want, data) {
		return "out of date"
	}
	return "current"
}
