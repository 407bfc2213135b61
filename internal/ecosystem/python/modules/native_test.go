package modules

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// readTill reads the library of a module, which has tables but no instructions, from
// the corpus of package extension's fuzz target.
func readTill(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("../extension/testdata/fuzz/FuzzRead/elf")
	if err != nil {
		t.Fatal(err)
	}
	_, quoted, _ := strings.Cut(string(text), "[]byte(")
	till, err := strconv.Unquote(strings.TrimSuffix(strings.TrimSpace(quoted), ")"))
	if err != nil {
		t.Fatal("the corpus of FuzzRead is not one []byte:", err)
	}
	return []byte(till)
}

func TestTablesOfACompiledModule(t *testing.T) {
	till := readTill(t)
	src := &Source{Module: "shop.till", Modules: []string{"shop"}, Python: "3.11", Root: fstest.MapFS{
		"shop/__init__.py": {Data: []byte("from .till import pay, Coin\n")}, "shop/till.cpython-311-x86_64-linux-gnu.so": {Data: till},
	}}
	r := Open(context.Background(), src, nil)
	p, err := r.Read("shop.till")
	if err != nil {
		t.Fatal(err)
	}
	want := "function pay | def pay(amount, /) | Pays.\nfunction close | def close()\n" +
		"class Coin | class Coin | A coin.\n  method Coin.spin | def spin(self) | Spins.\n  method Coin.mint | @classmethod ; def mint(cls, ...)\n  method Coin.toss | @staticmethod ; def toss(...)\n" +
		"  property Coin.weight | @property ; def weight(self) | In grams.\n  property Coin.side | @property ; def side(self)\n" +
		"class Note | class Note | A note.\n  method Note.fold | def fold(self, ...)\n  property Note.serial | @property ; def serial(self) | Its number.\n"
	if got := outline(p.Symbols); got != want {
		t.Errorf("got\n%s", got)
	}
	if p.Doc != "A till." {
		t.Errorf("the module is %q", p.Doc)
	}
	if got := strings.Join(p.Warnings, "\n"); !strings.Contains(got, "tables of the compiled module") {
		t.Errorf("the warning is %q", got)
	}
	src.Root = fstest.MapFS{
		"shop/__init__.py": {Data: []byte("from .till import pay, close\n")}, "shop/__init__.pyi": {Data: []byte("def pay(amount: int) -> None: ...\nclose: object\n")},
		"shop/till.cpython-311-x86_64-linux-gnu.so": {Data: till},
	}
	src.Module = "shop"
	stubbed, err := Read(context.Background(), src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := outline(stubbed.Symbols), "function pay | def pay(amount: int) -> None | Pays.\nfunction close | def close()\n"; got != want {
		t.Errorf("beside a stub: got\n%s", got)
	}
	if p, err = r.Read("shop"); err != nil || len(p.Symbols) != 2 || p.Symbols[0].Doc != "Pays." {
		t.Errorf("the package has %+v, %v", p.Symbols, err)
	}
}

func TestNamesThatFilesTakeFromACompiledModule(t *testing.T) {
	r := Open(context.Background(), &Source{Module: "shop.till", Modules: []string{"shop"}, Python: "3.11", Root: fstest.MapFS{
		"shop/__init__.py": {Data: []byte("from .till import pay, nobody, _hidden\nfrom . import till as t\nimport shop.till\n\ndef f(x):\n    return t.LIMIT + x.t.other + shop.till.area(x) + nott.no\n")},
		"shop/more.py":     {Data: []byte("import other.till as till\nfrom . import m as t\ntill.no\nt.no\n")},
		"shop/till.cpython-311-x86_64-linux-gnu.so": {Data: readTill(t)},
	}}, nil)
	p, err := r.Read("shop.till")
	if err != nil {
		t.Fatal(err)
	}
	got := outline(p.Symbols)
	want := "name LIMIT | from shop.till import LIMIT\nname area | from shop.till import area\nfunction nobody | def nobody() | Of no table.\n"
	if !strings.HasSuffix(got, want) || strings.Count(got, "\nname ") != 2 {
		t.Errorf("got\n%s", got)
	}
	if p, err := r.Read("shop"); err != nil || !strings.Contains(outline(p.Symbols), "function nobody | def nobody() | Of no table.\n") {
		t.Errorf("the package has %+v, %v", p, err)
	}
}
