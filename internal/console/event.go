// Package console runs a program that takes the whole screen of a terminal: keys, the mouse and
// the size of the screen come as events, and the program answers with frames of lines.
package console

// Key is a key that was pressed. A key that types a character is that character. Others have the
// names below, after "ctrl+", "alt+" and "shift+" in this order for the keys held with them: "ctrl+c",
// "alt+left", "shift+tab".
type Key string

// These keys type no character.
const (
	Enter     Key = "enter"
	Tab       Key = "tab"
	Escape    Key = "esc"
	Backspace Key = "backspace"
	Delete    Key = "delete"
	Insert    Key = "insert"
	Up        Key = "up"
	Down      Key = "down"
	Left      Key = "left"
	Right     Key = "right"
	Home      Key = "home"
	End       Key = "end"
	PageUp    Key = "pgup"
	PageDown  Key = "pgdown"
	F1        Key = "f1"
)

// Text returns the character that a key types, or "".
func (k Key) Text() string {
	if runes := []rune(string(k)); len(runes) == 1 {
		return string(k)
	}
	return ""
}

// Paste is text that was pasted.
type Paste string

// Button is a button of the mouse, or a turn of its wheel.
type Button int

// These are the buttons that are reported.
const (
	LeftButton Button = iota
	MiddleButton
	RightButton
	WheelUp
	WheelDown
	BackButton
	ForwardButton
)

// Mouse is a press of a button at a place on the screen. Column and Line count from 0.
type Mouse struct {
	Button       Button
	Column, Line int
}

// Size is the size of the screen. It is the first event, and comes again when the screen has changed.
type Size struct{ Columns, Lines int }
