// Package console runs a program that uses the whole screen of a terminal. Keys, mouse clicks and
// changes of the screen's size are events, to which the program responds with frames of lines.
package console

// Key is a key that was pressed. A key that types a character is that character. Other keys have
// the names below. Modifier keys are written before the name in the order "ctrl+", "alt+" and
// "shift+", as in "ctrl+c", "alt+left" or "shift+tab".
type Key string

// These keys do not type a character.
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

// Text returns the character that a key types, or "" if it types none.
func (k Key) Text() string {
	if runes := []rune(string(k)); len(runes) == 1 {
		return string(k)
	}
	return ""
}

// Paste is text that was pasted.
type Paste string

// Button is a mouse button, or a direction of the mouse wheel.
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

// Mouse is a press of a mouse button at a position on the screen. Column and Line are counted from
// 0.
type Mouse struct {
	Button       Button
	Column, Line int
}

// Size is the size of the screen. It is the first event, and is sent again when the size has
// changed.
type Size struct{ Columns, Lines int }
