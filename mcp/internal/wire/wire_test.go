package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func replaced(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

func checkString(t *testing.T, s string) {
	t.Helper()
	got := String([]byte("x"), s)
	if string(String([]byte("x"), []byte(s))) != string(got) || `x"`+string(Text(nil, s))+`"` != string(got) {
		t.Fatalf("%q: String of bytes, String of a string and Text differ", s)
	}
	got = got[1:]
	var back string
	if err := json.Unmarshal(got, &back); err != nil || back != replaced(s) || !utf8.Valid(got) {
		t.Fatalf("%q became %q, which is read as %q: %v", s, got, back, err)
	}
	for _, c := range got {
		if c < ' ' {
			t.Fatalf("%q became %q, with a control character", s, got)
		}
	}
	if bytes.Contains(got, []byte("\u2028")) || bytes.Contains(got, []byte("\u2029")) {
		t.Fatalf("%q became %q, with a line separator", s, got)
	}
}

var strs = []string{"", "a", "\"", "\\", "\n\r\t\b\f", "\x00\x1f\x7f", "<&>", "é", "\u2027\u2028\u2029\u202a", "😀", "\uFFFD", "\xff", "a\xc3", "\xe2\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "12345678", "1234567\"", "12345678\n"}

func TestStringIsReadBackAsItWas(t *testing.T) {
	for _, s := range strs {
		for pad := range 17 {
			checkString(t, strings.Repeat("x", pad)+s+strings.Repeat("y", 16-pad))
			checkString(t, strings.Repeat("é", pad)+s)
		}
	}
	for r := range rune(0x11000) {
		if s := string(r); r < 0x300 || r > 0x1ff0 && r < 0x2100 || r > 0xff00 {
			checkString(t, s)
		}
	}
	if got := string(String(nil, "a\"\\\n\u2028/<é\x01")); got != `"a\"\\\n\u2028/<é\u0001"` {
		t.Errorf("got %s", got)
	}
}

func FuzzString(f *testing.F) {
	for _, s := range strs {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkString(t, s) })
}

func TestFloatIsShortAndExact(t *testing.T) {
	for f, want := range map[float64]string{0: "0", 1: "1", -1: "-1", 0.5: "0.5", 1e15: "1000000000000000", 1 << 53: "9.007199254740992e+15", 1e300: "1e+300", -2.5e-9: "-2.5e-09",
		math.Inf(1): "0", math.Inf(-1): "0", math.MaxFloat64: "1.7976931348623157e+308", math.SmallestNonzeroFloat64: "5e-324"} {
		if got := string(Float(nil, f)); got != want {
			t.Errorf("%v is %s, not %s", f, got, want)
		}
	}
	if got := string(Float(nil, math.NaN())); got != "0" {
		t.Errorf("NaN is %s", got)
	}
	if got := string(Float(nil, math.Copysign(0, -1))); got != "0" {
		t.Errorf("minus zero is %s", got)
	}
}

func FuzzFloat(f *testing.F) {
	f.Add(0.1)
	f.Add(1e21)
	f.Fuzz(func(t *testing.T, v float64) {
		got := Float(nil, v)
		back, err := strconv.ParseFloat(string(got), 64)
		if err != nil || !json.Valid(got) || back != v && !math.IsNaN(v) && !math.IsInf(v, 0) {
			t.Fatalf("%v became %s: %v", v, got, err)
		}
	})
}

func TestMembersMakeAnObject(t *testing.T) {
	b := []byte{'{'}
	b = Optional(b, "none", "")
	b = Raw(b, "nothing", nil)
	b = Field(b, "s", "a{[")
	b = Optional(b, "o", "x\"")
	b = Raw(b, "r", []byte(`[1]`))
	b = Bool(b, "b", true)
	b = Int(b, "i", math.MinInt64)
	b = append(Name(b, "l"), '[')
	for range 2 {
		b = Base64(Comma(b), []byte{0, 255})
	}
	b = append(Name(append(b, ']'), "e"), '{', '}', '}')
	if want := `{"s":"a{[","o":"x\"","r":[1],"b":true,"i":-9223372036854775808,"l":["AP8=","AP8="],"e":{}}`; string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
}

func BenchmarkString(b *testing.B) {
	for name, s := range map[string]string{
		"short":       "hello, world",
		"64KiB":       strings.Repeat("The quick brown fox jumps over the lazy dog. ", 1456),
		"64KiB lines": strings.Repeat("The quick brown fox jumps over the \"dog\".\n", 1524),
		"64KiB é":     strings.Repeat("é", 32<<10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			buf := make([]byte, 0, 2*len(s)+16)
			for b.Loop() {
				buf = String(buf[:0], s)
			}
		})
	}
}

func TestAppendingToABufferWithRoomAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, 1000)
	if n := testing.AllocsPerRun(100, func() {
		buf = append(buf[:0], '{')
		b := buf
		b = Field(b, "a", "some \"text\"\n é\u2028")
		b = Float(Name(b, "f"), 0.1)
		Base64(Name(b, "d"), []byte("data"))
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
