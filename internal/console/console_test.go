package console

import (
	"reflect"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, bytes string
		want        []any
	}{
		{"letters", "aé漢 ", []any{Key("a"), Key("é"), Key("漢"), Key(" ")}},
		{"control characters", "\r\n\t\x7f\x08\x01\x1a\x00\x1d", []any{Enter, Enter, Tab, Backspace, Backspace, Key("ctrl+a"), Key("ctrl+z"), Key("ctrl+ "), Key("ctrl+]")}},
		{"arrows", "\x1b[A\x1b[B\x1bOC\x1bOD", []any{Up, Down, Right, Left}},
		{"arrows with other keys", "\x1b[1;3D\x1b[1;5C\x1b[1;8A", []any{Key("alt+left"), Key("ctrl+right"), Key("ctrl+alt+shift+up")}},
		{"keys with numbers", "\x1b[1~\x1b[3~\x1b[4~\x1b[5~\x1b[6;5~\x1b[11~\x1b[24~", []any{Home, Delete, End, PageUp, Key("ctrl+pgdown"), F1, Key("f12")}},
		{"Home, End and function keys", "\x1b[H\x1bOF\x1bOP\x1b[[A\x1b[Z", []any{Home, End, F1, F1, Key("shift+tab")}},
		{"keys with Alt", "\x1bx\x1b\x7f\x1b\r", []any{Key("alt+x"), Key("alt+backspace"), Key("alt+enter")}},
		{"two escapes", "\x1b\x1b[A", []any{Escape, Up}},
		{"the mouse", "\x1b[<0;5;7M\x1b[<0;5;7m\x1b[<64;1;1M\x1b[<65;1;1M\x1b[<128;2;3M\x1b[<16;1;2M", []any{
			Mouse{LeftButton, 4, 6}, Mouse{WheelUp, 0, 0}, Mouse{WheelDown, 0, 0}, Mouse{BackButton, 1, 2}, Mouse{LeftButton, 0, 1},
		}},
		{"the mouse in other forms", "\x1b[M !!a\x1b[<35;1;1M\x1b[<0;0;1M\x1b[<0;1M\x1b[<0;99999999;1Mb", []any{Key("a"), Key("b")}},
		{"a paste", "a\x1b[200~x\x1b[A\ny\xff\x1b[201~b", []any{Key("a"), Paste("x\x1b[A\ny"), Key("b")}},
		{"answers of the terminal", "\x1b]11;rgb:0/0/0\x07\x1bP1$r\x1b\\\x1b[?1;2c\x1b[5;7Ra", []any{Key("a")}},
		{"what is no text", "\xff\u0085\u202ea", []any{Key("a")}},
		{"unknown sequences", "\x1b[99~\x1b[1;1X\x1bOz\x1b[\x01", []any{Key("ctrl+a")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var d decoder
			if got := d.feed([]byte(tt.bytes)); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%q is %q, want %q", tt.bytes, got, tt.want)
			}
			if d.waiting() {
				t.Errorf("%q is left", d.buf)
			}
		})
	}
}

func TestDecode_Incomplete(t *testing.T) {
	for _, tt := range []struct {
		bytes string
		want  []any // when nothing follows
	}{
		{"\x1b", []any{Escape}}, {"\x1b[", []any{Key("alt+[")}}, {"\x1bO", []any{Key("alt+O")}}, {"\x1b]", []any{Key("alt+]")}},
		{"\x1b[1;5", nil}, {"\xc3", nil}, {"\x1b[M !", nil}, {"", nil},
	} {
		var d decoder
		if got := d.feed([]byte(tt.bytes)); len(got) > 0 || d.waiting() != (tt.bytes != "") {
			t.Errorf("%q is %q before it is complete", tt.bytes, got)
		}
		if got := d.flush(); !reflect.DeepEqual(got, tt.want) || d.waiting() {
			t.Errorf("%q is %q, want %q", tt.bytes, got, tt.want)
		}
	}
}

func TestDecode_Bounds(t *testing.T) {
	var d decoder
	d.feed([]byte("\x1b[" + strings.Repeat("1", 10*maxSequence) + "\x1b]" + strings.Repeat("1", 10*maxSequence)))
	if len(d.buf) > 2*maxSequence {
		t.Errorf("%d bytes are kept of sequences without an end", len(d.buf))
	}
	d = decoder{}
	d.feed([]byte(pasteStart))
	for range 100 {
		d.feed([]byte(strings.Repeat("x", 10_000)))
	}
	if got := d.feed([]byte(pasteEnd)); len(got) != 1 || len(got[0].(Paste)) != maxPaste {
		t.Errorf("%d events after a long paste", len(got))
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range []string{"a\x1b[A\x1b[<0;5;7M", "\x1b[200~x\x1b[201~", "\x1b]11;x\x07", "\x1b\x1b\x1b", "\x1b[M\xff\xff\xff", "\xc3\xa9"} {
		f.Add([]byte(text), 1)
	}
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		cut = max(0, min(cut, len(text)))
		var whole, parts decoder
		want := append(whole.feed(text), whole.flush()...)
		got := parts.feed(text[:cut])
		got = append(append(got, parts.feed(text[cut:])...), parts.flush()...)
		if len(text) < maxSequence && !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %q, and %q in two parts", text, want, got)
		}
	})
}

func TestPaint_WritesWhatHasChanged(t *testing.T) {
	var p painter
	size := Size{10, 3}
	first := p.paint(Frame{Lines: []string{"a", "b"}, Line: -1}, size)
	if !strings.Contains(first, "\x1b[2J") || !strings.Contains(first, "\x1b[1;1H\x1b[2Ka\x1b[2;1H\x1b[2Kb") || strings.Contains(first, "\x1b[?25h") {
		t.Errorf("the first frame is %q", first)
	}
	second := p.paint(Frame{Lines: []string{"a", "c"}, Line: 1, Column: 4}, size)
	if strings.Contains(second, "a") || !strings.Contains(second, "\x1b[2;1H\x1b[2Kc\x1b[2;5H\x1b[?25h") {
		t.Errorf("the second frame is %q", second)
	}
	if third := p.paint(Frame{Lines: []string{"a"}, Line: -1}, size); !strings.Contains(third, "\x1b[2;1H\x1b[2K\x1b[?2026l") {
		t.Errorf("a frame with fewer lines is %q", third)
	}
	if fourth := p.paint(Frame{Lines: []string{"a"}, Line: -1}, Size{9, 3}); !strings.Contains(fourth, "\x1b[2J\x1b[1;1H\x1b[2Ka") {
		t.Errorf("a frame of another size is %q", fourth)
	}
}
