package extension

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"slices"
	"strings"
	"testing"

	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

// outline formats a module, with one line for each name.
func outline(m *Module) string {
	var w strings.Builder
	function := func(indent string, f Function) {
		fmt.Fprintf(&w, "%sdef %s", indent, f.Name)
		for _, flag := range []struct {
			name string
			set  bool
		}{{"()", f.NoArguments}, {" class", f.ClassMethod}, {" static", f.StaticMethod}} {
			if flag.set {
				w.WriteString(flag.name)
			}
		}
		fmt.Fprintf(&w, " %s\n", f.Doc)
	}
	fmt.Fprintf(&w, "module %s\n", m.Doc)
	for _, f := range m.Functions {
		function("", f)
	}
	for _, c := range m.Classes {
		fmt.Fprintf(&w, "class %s %s\n", c.Name, c.Doc)
		for _, f := range c.Methods {
			function("  ", f)
		}
		for _, a := range c.Attributes {
			fmt.Fprintf(&w, "  %s %s\n", a.Name, a.Doc)
		}
	}
	return w.String()
}

// shop returns a library that contains each kind of table.
func shop() *library {
	l := &library{}
	l.module("till", "A till.", l.table(
		l.method("pay", varArgs|keywords, "pay(amount, /)\n--\n\nPays."),
		l.method("close", noArgs, "")))
	l.class("shop.till.Coin", "A coin.",
		l.table(l.method("spin", noArgs, "Spins."), l.method("mint", oneArg|classMethod, ""), l.method("toss", fastCall|static, "")),
		l.table([]uint64{l.str("weight"), 3, 16, 1, l.str("In grams.")}),
		l.table([]uint64{l.str("side"), function, 0, 0, 0}))
	l.spec("shop.till.Note", "A note.", l.table(l.method("fold", fastCall|keywords|methodCall, "")), 0, l.table([]uint64{l.str("serial"), function, function, l.str("Its number."), 0}))
	l.class("elsewhere.Thing", "", 0, 0, 0)
	l.table(l.method("nobody", noArgs, "Of no table."))
	return l
}

const shopOutline = `module A till.
def pay pay(amount, /)
--

Pays.
def close() 
class Coin A coin.
  def spin() Spins.
  def mint class 
  def toss static 
  weight In grams.
  side 
class Note A note.
  def fold 
  serial Its number.
`

func TestTablesAreReadOfEachFormat(t *testing.T) {
	l := shop()
	for name, data := range map[string][]byte{"ELF": l.elf(), "PE": l.pe(), "Mach-O": l.macho(false), "Mach-O with chained fixups": l.macho(true)} {
		m, err := Read(data, "shop.till")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := outline(m); got != shopOutline {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
	if _, err := Read([]byte("no library"), "shop.till"); err == nil {
		t.Error("a text is read as a library")
	}
}

func TestClassesOfPrivateModulesNameOthers(t *testing.T) {
	l := &library{}
	l.class("shop.Coin", "", 0, 0, 0)
	l.class("shop.public.Note", "", 0, 0, 0)
	l.class("_till.Token", "", 0, 0, 0)
	l.class("Bare", "Bare.", 0, 0, 0)
	l.class("structure", "", 0, 0, 0)
	l.class("shop.Large", "", 0, 0, 0)
	little.PutUint64(l.data[len(l.data)-51*8+typeBasic:], function) // This size is also a valid address.
	l.class("other.Thing", "", 0, 0, 0)
	l.words(l.str("first"), function, 0, 0, 0, l.str("second"), function, 0, 0, 0) // These are getters, which look like a class.
	l.words(make([]uint64, 50)...)
	for module, want := range map[string]string{
		"shop._till": "module \nclass Coin \nclass Note \nclass Token \nclass Bare Bare.\nclass Large \n",
		"shop.till":  "module \nclass Coin \nclass Bare Bare.\nclass Large \n",
	} {
		m, err := Read(l.elf(), module)
		if err != nil {
			t.Fatal(err)
		}
		if got := outline(m); got != want {
			t.Errorf("%s: got\n%s", module, got)
		}
	}
}

// TestFunctionsOfCython reads functions that Cython creates one by one. Their names in
// tracebacks distinguish methods from nested functions.
func TestFunctionsOfCython(t *testing.T) {
	l := &library{}
	l.str("__pyx_capi__")
	for _, name := range []string{"pay", "Coin.spin", "Coin.__init__", "Note.__init__", "pay.inner", "Coin.both", "both", "Coin.wrap", "Purse.open", "open", "_memoryviewslice.x"} {
		l.str("shop.till." + name)
	}
	for _, name := range []string{"pay", "spin", "__init__", "__init__", "inner", "lambda1", "both", "wrap", "wrap"} {
		l.words(l.method(name, varArgs|keywords, "Of "+name+".")...)
	}
	l.words(l.method("open", noArgs, "Of Purse.")...)
	l.words(l.method("open", noArgs, "Of the module.")...)
	l.str("shop.till.__pyx_fuse_0_1sum")
	l.words(l.method("sum", varArgs|keywords, "Of sum.")...)
	l.words(l.method("__pyx_fuse_0_1sum", varArgs|keywords, "Of one type.")...)
	l.class("shop.till.Purse", "", l.table(l.method("open", noArgs, "Of Purse.")), 0, 0)
	l.class("shop.till._memoryviewslice", "", 0, 0, 0)
	l.class("shop.till.memoryview", "", 0, 0, 0)
	m, err := Read(l.elf(), "shop.till")
	if err != nil {
		t.Fatal(err)
	}
	want := "module \ndef pay Of pay.\ndef both Of both.\ndef open() Of the module.\ndef sum Of sum.\nclass Purse \n  def open() Of Purse.\nclass Coin \n  def spin Of spin.\n  def __init__ \nclass Note \n  def __init__ \n"
	if got := outline(m); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestFunctionsOfNoTable(t *testing.T) {
	m, err := Read(shop().elf(), "shop.till")
	if err != nil || len(m.Loose) != 1 || m.Loose[0].Name != "nobody" || m.Loose[0].Doc != "Of no table." {
		t.Errorf("got %+v, %v", m.Loose, err)
	}
}

// TestConstantsOfCython reads the strings of a module in the form that Cython 3.2
// writes.
func TestConstantsOfCython(t *testing.T) {
	names := []string{"It has no MAX_SIZE.", "", "A", "MAX_SIZE", "ORDER_LE", "_HIDDEN", "method"}
	for i := range minLengths {
		names = append(names, fmt.Sprintf("name%d", i))
	}
	pack := func(text string, lengths []string) []byte {
		var b bytes.Buffer
		z, _ := zlib.NewWriterLevel(&b, zlib.BestCompression)
		_, _ = z.Write([]byte(text))
		_ = z.Close()
		l := &library{}
		l.str("__pyx_capi__")
		l.text = append(append(l.text, "\x78\xda no stream "...), b.Bytes()...)
		words := []uint64{7, 1 << 63, 3}
		for i := 0; i+1 < len(lengths); i += 2 {
			words = append(words, uint64(len(lengths[i]))|uint64(len(lengths[i+1]))<<32)
		}
		l.words(append(words, uint64(len(lengths[len(lengths)-1])), 5)...)
		return l.elf()
	}
	text := strings.Join(names, "")
	m, err := Read(pack(text, names), "shop.till")
	if err != nil || !slices.Equal(m.Constants, []string{"MAX_SIZE", "ORDER_LE"}) {
		t.Errorf("got %q, %v", m.Constants, err)
	}
	if m, err := Read(pack(text+"x", names), "shop.till"); err != nil || len(m.Constants) > 0 { // The lengths belong to another text.
		t.Errorf("got %q, %v", m.Constants, err)
	}
}

// TestHostileTablesEnd reads classes that all refer to one table of long docstrings,
// and unterminated strings.
func TestHostileTablesEnd(t *testing.T) {
	l := &library{}
	l.str(strings.Repeat("y", 12<<20)) // Searching a large library may take longer.
	long := l.method("long", varArgs, strings.Repeat("x", maxDoc))
	var entries [][]uint64
	for range 1000 {
		entries = append(entries, long)
	}
	table := l.table(entries...)
	for i := range 1000 {
		l.class(fmt.Sprintf("shop.till.C%d", i), "", table, 0, 0)
	}
	m, err := Read(l.elf(), "shop.till")
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, c := range m.Classes {
		for _, f := range c.Methods {
			size += len(f.Doc)
		}
	}
	if size > maxCopied {
		t.Errorf("%d bytes of docstrings are kept", size)
	}
}

// FuzzRead reads hostile libraries and checks that everything that is found has a name.
func FuzzRead(f *testing.F) {
	l := shop()
	for _, data := range [][]byte{l.elf(), l.pe(), l.macho(false), l.macho(true)} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(data, "shop.till")
		if err != nil {
			return
		}
		for _, fn := range m.Functions {
			if !isName(fn.Name) {
				t.Errorf("%q is a function", fn.Name)
			}
		}
		for _, c := range m.Classes {
			if !isName(c.Name) {
				t.Errorf("%q is a class", c.Name)
			}
		}
	})
}
