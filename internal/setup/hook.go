package setup

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/docent-mcp/docent/internal/quote"
)

// hook describes where a host keeps the commands that run after the agent has edited files. All
// these files are JSON and contain an object "hooks" with a list for each event.
type hook struct {
	user, project paths
	name          string // argument of docent check --hook
	event         string
	matcher       string // tools that edit files
	// flat is true if an element of the list is a command, and the file contains a version.
	// Otherwise an element contains a list of commands.
	flat bool
	note string // what the user must do before the hook runs
}

func (*hook) suffix() string { return "#hooks" }

// command returns the command line of the hook, for the shell of the host.
func (h *hook) command(program string) string {
	if strings.Trim(program, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") != "" {
		if strings.Contains(program, `\`) { // This is the case on Windows, where file names cannot contain quotation marks.
			program = `"` + program + `"`
		} else {
			program = "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
		}
	}
	return program + h.arguments()
}

func (h *hook) arguments() string { return " check --hook " + h.name }

// element returns docent's element for the list of the event.
func (h *hook) element(program string) []field {
	if h.flat {
		return []field{{"command", h.command(program)}, {"matcher", h.matcher}}
	}
	return []field{{"matcher", h.matcher}, {"hooks", [][]field{{{"type", "command"}, {"command", h.command(program)}}}}}
}

// key returns the path to the list of the event.
func (h *hook) key() []string { return []string{"hooks", h.event} }

// isOwn reports whether an element of the list runs docent and nothing else.
func (h *hook) isOwn(element any) bool { return h.commandOf(element) != "" }

// commandOf returns the command line of an element that runs docent and nothing else, otherwise "".
func (h *hook) commandOf(element any) string {
	object, _ := element.(map[string]any)
	if !h.flat {
		commands, _ := object["hooks"].([]any)
		if len(commands) != 1 {
			return ""
		}
		object, _ = commands[0].(map[string]any)
	}
	line, _ := object["command"].(string)
	if !strings.HasSuffix(line, h.arguments()) {
		return ""
	}
	return line
}

// find returns docent's element in the list of the event and its index, or -1 if there is none.
func (h *hook) find(tree any) (element any, index int) {
	list, _ := lookUp(tree, h.key()).([]any)
	index = slices.IndexFunc(list, h.isOwn)
	if index < 0 {
		return nil, -1
	}
	return list[index], index
}

func (h *hook) set(data []byte, w *written, program string) ([]byte, error) {
	tree, err := decode(jsonFormat, data)
	if err == nil {
		want, _ := decode(jsonFormat, []byte(jsonStyle{}.inline(h.element(program))))
		if element, _ := h.find(tree); reflect.DeepEqual(element, any(want)) {
			return data, nil
		}
		if w != nil {
			if original, err := h.undo(data, *w); err == nil {
				data = original
			}
		}
		data, err = h.add(data, program)
	}
	if err != nil {
		whole := jsonStyle{newline: "\n", unit: "  "}.render(nest(h.key(), [][]field{h.element(program)}), "")
		return nil, fmt.Errorf("%w. Add this yourself:\n\n%s", quote.Error(err), whole)
	}
	return data, nil
}

// add returns data with docent's element, which replaces an earlier one.
func (h *hook) add(data []byte, program string) ([]byte, error) {
	original, err := decode(jsonFormat, data)
	if err != nil {
		return nil, err
	}
	text, marked := bytes.CutPrefix(data, byteOrderMark)
	if h.flat && original["version"] == nil {
		s, err := jsonEditor{}.put(text, []string{"version"}, 1)
		if err != nil {
			return nil, err
		}
		text = s.apply(text)
	}
	if _, index := h.find(original); index >= 0 {
		s, err := jsonEditor{}.cut(text, h.key(), index)
		if err != nil {
			return nil, err
		}
		text = s.apply(text)
	}
	s, err := jsonEditor{}.push(text, h.key(), h.element(program))
	if err != nil {
		return nil, err
	}
	text = s.apply(text)
	changed, err := decode(jsonFormat, text)
	if err != nil {
		return nil, fmt.Errorf("the changed file cannot be read: %w", quote.Error(err))
	}
	if _, index := h.find(changed); index < 0 || !reflect.DeepEqual(h.others(original), h.others(changed)) {
		return nil, errors.New("the change would alter other settings")
	}
	if marked {
		text = append(bytes.Clone(byteOrderMark), text...)
	}
	return text, nil
}

func (h *hook) remove(data []byte, w *written, program string) ([]byte, error) {
	tree, err := decode(jsonFormat, data)
	if err != nil {
		return nil, fmt.Errorf("%w. Remove the hook %q by hand", quote.Error(err), strings.TrimSpace(h.arguments()))
	}
	element, index := h.find(tree)
	if index < 0 {
		return data, nil
	}
	if w == nil {
		want, _ := decode(jsonFormat, []byte(jsonStyle{}.inline(h.element(program))))
		if !reflect.DeepEqual(element, any(want)) {
			return data, nil // The hook was added by the user.
		}
		w = &written{}
	}
	result, err := h.undo(data, *w)
	if err != nil {
		return nil, fmt.Errorf("%w. Remove the hook %q by hand", quote.Error(err), strings.TrimSpace(h.arguments()))
	}
	if w.Created && h.emptied(result) {
		return nil, nil
	}
	return result, nil
}

// emptied reports whether a file contains nothing but a version.
func (h *hook) emptied(data []byte) bool {
	tree, err := decode(jsonFormat, data)
	if h.flat {
		delete(tree, "version")
	}
	return err == nil && len(tree) == 0 && !bytes.ContainsAny(data, "/")
}

func (h *hook) undo(data []byte, w written) ([]byte, error) {
	if result, ok := w.undoChecked(jsonFormat, data, h.others); ok {
		return result, nil
	}
	text, marked := bytes.CutPrefix(data, byteOrderMark)
	before, err := decode(jsonFormat, text)
	if err != nil {
		return nil, err
	}
	_, index := h.find(before)
	if index < 0 {
		return nil, errors.New("there is no such hook")
	}
	s, err := jsonEditor{}.cut(text, h.key(), index)
	if err != nil {
		return nil, err
	}
	text = s.apply(text)
	for i := len(h.key()); w.Container && i > 0; i-- {
		tree, err := decode(jsonFormat, text)
		value := lookUp(tree, h.key()[:i])
		if list, ok := value.([]any); err != nil || !isEmpty(value) && !(ok && len(list) == 0) {
			break
		}
		if s, err = (jsonEditor{}).remove(text, h.key()[:i]); err != nil {
			break // an empty list stays
		}
		text = s.apply(text)
	}
	after, err := decode(jsonFormat, text)
	if err != nil || !reflect.DeepEqual(h.others(before), h.others(after)) {
		return nil, errors.New("the change would alter other settings")
	}
	if marked {
		text = append(bytes.Clone(byteOrderMark), text...)
	}
	return text, nil
}

func (h *hook) container(data []byte) bool {
	tree, err := decode(jsonFormat, data)
	return err == nil && lookUp(tree, h.key()) == nil
}

// others returns a copy of a tree without docent's element, without containers that contain nothing
// else, and without the version if docent adds it.
func (h *hook) others(tree any) any {
	object, ok := tree.(map[string]any)
	if !ok {
		return tree
	}
	rest := map[string]any{}
	for k, v := range object {
		if k != "hooks" && !(h.flat && k == "version") {
			rest[k] = v
		}
	}
	events, ok := object["hooks"].(map[string]any)
	if !ok {
		if object["hooks"] != nil {
			rest["hooks"] = object["hooks"]
		}
		return rest
	}
	hooks := map[string]any{}
	for event, v := range events {
		if list, ok := v.([]any); ok && event == h.event {
			list = slices.DeleteFunc(slices.Clone(list), h.isOwn)
			if len(list) > 0 {
				hooks[event] = list
			}
			continue
		}
		hooks[event] = v
	}
	if len(hooks) > 0 {
		rest["hooks"] = hooks
	}
	return rest
}

// push adds an element to the list at the path key. Missing objects and a missing list are added.
func (jsonEditor) push(data []byte, key []string, element []field) (splice, error) {
	style := styleOf(data)
	value, change, err := style.find(data, key, [][]field{element})
	if value == nil {
		return change, err
	}
	array, ok := value.Value.(*hujson.Array)
	if !ok {
		return splice{}, fmt.Errorf("%s is not a list", strings.Join(key, "."))
	}
	return style.add(data, value, array, element), nil
}

// cut removes an element of the list at the path key.
func (jsonEditor) cut(data []byte, key []string, index int) (splice, error) {
	root, err := parseJSON(data)
	if err != nil {
		return splice{}, err
	}
	value, _, missing, err := walk(&root, key)
	if err != nil {
		return splice{}, err
	}
	array, ok := value.Value.(*hujson.Array)
	if !ok || len(missing) > 0 || index >= len(array.Elements) {
		return splice{}, errors.New("there is no such list")
	}
	var previous *hujson.Value
	if index > 0 {
		previous = &array.Elements[index-1]
	}
	element := &array.Elements[index]
	return cutElement(data, element.StartOffset, element, previous), nil
}
