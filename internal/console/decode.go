package console

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxSequence is the maximum length of a control sequence, in bytes. Longer ones are dropped.
	maxSequence = 256
	// maxPaste is the maximum size of pasted text, in bytes. The rest is dropped.
	maxPaste = 64 << 10
)

// These control sequences enclose pasted text.
const pasteStart, pasteEnd = "\x1b[200~", "\x1b[201~"

// decoder turns the bytes that a terminal sends into events.
type decoder struct {
	buf     []byte // bytes that are not decoded yet
	pasting bool
	pasted  []byte
}

// feed returns the events in the bytes so far.
func (d *decoder) feed(p []byte) (events []any) {
	d.buf = append(d.buf, p...)
	for len(d.buf) > 0 {
		if d.pasting {
			event, more := d.paste()
			if !more {
				return events
			}
			events = append(events, event)
			continue
		}
		if bytes.HasPrefix(d.buf, []byte(pasteStart)) {
			d.buf, d.pasting = d.buf[len(pasteStart):], true
			continue
		}
		event, n := decode(d.buf)
		if n == 0 {
			return events
		}
		d.buf = d.buf[n:]
		if event != nil {
			events = append(events, event)
		}
	}
	return events
}

// waiting reports whether it is unclear if the bytes so far are keys or the beginning of a longer
// sequence.
func (d *decoder) waiting() bool { return len(d.buf) > 0 && !d.pasting }

// flush returns the events in the remaining bytes when no more bytes have followed. An escape
// character is then the Escape key.
func (d *decoder) flush() (events []any) {
	if !d.waiting() {
		return nil
	}
	first := d.buf[0]
	rest := bytes.Clone(d.buf[1:])
	d.buf = nil
	switch {
	case first != 0x1b: // The bytes are an incomplete character.
		return nil
	case len(rest) == 1 && rest[0] > ' ' && rest[0] < 0x7f:
		return []any{"alt+" + Key(rest)}
	case len(rest) > 0: // The bytes are an incomplete sequence.
		return nil
	}
	return []any{Escape}
}

// paste returns the pasted text once it is complete.
func (d *decoder) paste() (event any, ended bool) {
	text, rest, ended := bytes.Cut(d.buf, []byte(pasteEnd))
	if !ended { // The text may end with a part of the end marker.
		keep := min(len(d.buf), len(pasteEnd)-1)
		text, rest = d.buf[:len(d.buf)-keep], d.buf[len(d.buf)-keep:]
	}
	d.pasted = append(d.pasted, text[:min(len(text), maxPaste-len(d.pasted))]...)
	d.buf = bytes.Clone(rest)
	if !ended {
		return nil, false
	}
	event = Paste(strings.ToValidUTF8(string(d.pasted), ""))
	d.pasting, d.pasted = false, nil
	return event, true
}

// decode returns the first event in b and the number of bytes that it takes, or 0 if it is
// incomplete. The event is nil if it is not reported.
func decode(b []byte) (event any, n int) {
	if b[0] == 0x1b {
		return decodeEscape(b)
	}
	if key := controlKey(b[0]); key != "" {
		return key, 1
	}
	if !utf8.FullRune(b) {
		return nil, 0
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError || !unicode.IsPrint(r) {
		return nil, n
	}
	return Key(string(r)), n
}

// controlKey returns the key of a control character, or "".
func controlKey(b byte) Key {
	switch {
	case b == '\r' || b == '\n':
		return Enter
	case b == '\t':
		return Tab
	case b == 0x7f || b == 0x08:
		return Backspace
	case b == 0:
		return "ctrl+ "
	case b < 0x1b:
		return "ctrl+" + Key(rune(b)+'a'-1)
	case b < ' ':
		return "ctrl+" + Key(rune(b)+'@')
	}
	return ""
}

func decodeEscape(b []byte) (event any, n int) {
	if len(b) == 1 {
		return nil, 0
	}
	switch b[1] {
	case '[':
		return decodeCSI(b)
	case 'O':
		if len(b) < 3 {
			return nil, 0
		}
		if name, ok := finalKeys[b[2]]; ok {
			return name, 3
		}
		return nil, 3
	case ']', 'P', '^', '_', 'X': // The sequence is a reply of the terminal.
		return nil, stringLength(b)
	case 0x1b:
		return Escape, 1
	}
	event, n = decode(b[1:])
	if n == 0 {
		return nil, 0
	}
	if key, ok := event.(Key); ok {
		event = withModifiers(key, altModifier)
	}
	return event, n + 1
}

// stringLength returns the length of a control string, or 0 if its end is missing.
func stringLength(b []byte) int {
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == 0x07:
			return i + 1
		case b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\':
			return i + 2
		case i >= maxSequence:
			return i
		}
	}
	return 0
}

// finalKeys maps the last byte of a control sequence to a key, and numberedKeys its first number.
var (
	finalKeys = map[byte]Key{
		'A': Up, 'B': Down, 'C': Right, 'D': Left, 'H': Home, 'F': End, 'M': Enter,
		'P': F1, 'Q': "f2", 'R': "f3", 'S': "f4",
	}
	numberedKeys = map[int]Key{
		1: Home, 2: Insert, 3: Delete, 4: End, 5: PageUp, 6: PageDown, 7: Home, 8: End,
		11: F1, 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11", 24: "f12",
	}
)

// decodeCSI decodes a control sequence.
func decodeCSI(b []byte) (event any, n int) {
	end := 2
	for end < len(b) && b[end] >= 0x20 && b[end] < 0x40 {
		end++
	}
	switch {
	case end >= maxSequence:
		return nil, end
	case end == len(b):
		return nil, 0
	case b[end] < 0x20 || b[end] >= 0x7f: // The bytes are not a control sequence.
		return nil, end
	}
	final, parameters := b[end], string(b[2:end])
	n = end + 1
	switch {
	case final == '[' && parameters == "": // The sequence is a function key of the Linux console.
		if len(b) == n {
			return nil, 0
		}
		if b[n] == 'A' {
			return F1, n + 1
		}
		return nil, n + 1
	case final == 'M' && parameters == "": // The sequence is a mouse report in a format that was not requested.
		if len(b) < n+3 {
			return nil, 0
		}
		return nil, n + 3
	case strings.HasPrefix(parameters, "<"):
		if final != 'M' { // The sequence reports the release of a button.
			return nil, n
		}
		return decodeMouse(parameters[1:]), n
	case final == 'Z':
		return withModifiers(Tab, shiftModifier), n
	}
	numbers := strings.Split(parameters, ";")
	key := finalKeys[final]
	if final == '~' {
		first, _ := strconv.Atoi(numbers[0])
		key = numberedKeys[first]
	}
	if key == "" || final == 'M' || final == 'R' { // R is also the reply with the position of the cursor
		return nil, n
	}
	modifiers := 0
	if len(numbers) > 1 {
		modifiers, _ = strconv.Atoi(numbers[1])
		modifiers--
	}
	return withModifiers(key, modifiers), n
}

// These are the bits for modifier keys.
const shiftModifier, altModifier, ctrlModifier = 1, 2, 4

func withModifiers(key Key, modifiers int) Key {
	if modifiers <= 0 {
		return key
	}
	if modifiers&shiftModifier != 0 {
		key = "shift+" + key
	}
	if modifiers&altModifier != 0 {
		key = "alt+" + key
	}
	if modifiers&ctrlModifier != 0 {
		key = "ctrl+" + key
	}
	return key
}

// buttons maps the number in a mouse report, without the bits in heldKeys, to a button.
var buttons = map[int]Button{
	0: LeftButton, 1: MiddleButton, 2: RightButton, 64: WheelUp, 65: WheelDown, 128: BackButton, 129: ForwardButton,
}

// heldKeys are the bits of a mouse report for modifier keys.
const heldKeys = 4 | 8 | 16

// decodeMouse returns the event of a mouse report, or nil if there is none.
func decodeMouse(parameters string) any {
	parts := strings.Split(parameters, ";")
	if len(parts) != 3 {
		return nil
	}
	var numbers [3]int
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return nil
		}
		numbers[i] = int(n)
	}
	button, ok := buttons[numbers[0]&^heldKeys]
	if !ok || numbers[1] == 0 || numbers[2] == 0 {
		return nil
	}
	return Mouse{Button: button, Column: numbers[1] - 1, Line: numbers[2] - 1}
}
