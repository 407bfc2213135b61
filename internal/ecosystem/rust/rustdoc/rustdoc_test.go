package rustdoc

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

func demo(tb testing.TB) []byte {
	tb.Helper()
	b, err := os.ReadFile("testdata/demo.json")
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestAModuleIsRead(t *testing.T) {
	p, err := read(bytes.NewReader(demo(t)), "demo")
	if err != nil {
		t.Fatal(err)
	}
	p.Style.Separator = "::"
	for path, want := range map[string]string{
		"Point::new": "#[must_use]\npub const fn new(x: i32, y: i32) -> Self",
		"opaque":     "pub fn opaque<'a>(x: &'a str) -> impl Iterator<Item = char> + use<'a>",
		"raw":        "pub unsafe extern \"C\" fn raw(p: *const u8) -> Box<dyn Fn(&str) -> u8 + Send>",
		"Greet":      "pub trait Greet: Send",
		"sum":        "macro_rules! sum {\n    ($($x:expr),* $(,)?) => { ... };\n    (@inner $y:ident) => { ... };\n}",
		"Old":        "pub type Old<T> = Vec<T>;",
		"Bits::int":  "pub int: u32",
	} {
		if s := p.At(path); s == nil || s.Signature != want {
			t.Errorf("%s is %+v", path, s)
		}
	}
	if s := p.At("Old"); s != nil && s.Deprecated != "deprecated since 1.1.0: use Point" {
		t.Errorf("Old is deprecated by %q", s.Deprecated)
	}
	if len(p.Subpackages) != 2 || p.Subpackages[0].Synopsis != "Servers." {
		t.Errorf("the modules are %v", p.Subpackages)
	}
	q, err := read(bytes.NewReader(demo(t)), "demo::net")
	if err != nil || q.LocalName != "net" || len(q.Symbols) != 3 {
		t.Errorf("demo::net is %v, %v", q, err)
	}
	if _, err := read(bytes.NewReader(demo(t)), "demo::nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing module gives %v", err)
	}
}

// TestEveryItemIsDocumented compares the number of items in the file with the number of
// documented ones.
func TestEveryItemIsDocumented(t *testing.T) {
	c, err := Load(bytes.NewReader(demo(t)))
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]bool{}
	names := []string{"demo"}
	for i := 0; i < len(names); i++ {
		p, err := c.Module(names[i])
		if err != nil {
			t.Fatal(err)
		}
		for s := range p.All {
			written[s.Name()] = true
		}
		if i == 0 {
			for _, sub := range p.Subpackages {
				names = append(names, sub.Name)
			}
		}
	}
	inImpl := map[id]bool{}
	for _, it := range c.index {
		if im := it.Inner.Impl; im != nil && im.Trait != nil {
			for _, i := range im.Items {
				inImpl[i] = true
			}
		}
	}
	for i, it := range c.index {
		if it.Name == "" || it.Inner.Module != nil || it.Inner.Use != nil || inImpl[i] {
			continue
		}
		// Deep is re-exported as Renamed; one Square shadows another.
		if name := it.Name; !written[name] && name != "Deep" && name != "other" && name != "Level" {
			t.Errorf("%s is not documented", name)
		}
	}
}

func TestFormatsOfOtherVersions(t *testing.T) {
	text := string(demo(t))
	for _, v := range []string{"1", "35", "9999"} {
		_, err := Load(strings.NewReader(strings.Replace(text, `"format_version":57`, `"format_version":`+v, 1)))
		if _, ok := errors.AsType[*VersionError](err); !ok {
			t.Errorf("version %s gives %v", v, err)
		}
	}
	// Before 2025 a path was called name, and attributes were written out.
	old := strings.NewReplacer(`"format_version":57`, `"format_version":36`, `"path":"`, `"name":"`, `"must_use"`, `"#[must_use]"`, `"non_exhaustive"`, `"#[non_exhaustive]"`).Replace(text)
	p, err := read(strings.NewReader(old), "demo")
	if err != nil {
		t.Fatal(err)
	}
	p.Style.Separator = "::"
	if s := p.At("Old"); s == nil || s.Signature != "pub type Old<T> = Vec<T>;" {
		t.Errorf("an old file has %v", s)
	}
}

// TestTypesOfTheLanguage reads a primitive type next to a module with the same name, as
// in core.
func TestTypesOfTheLanguage(t *testing.T) {
	c, err := Load(strings.NewReader(`{"root":0,"index":{
		"0":{"id":0,"name":"core","visibility":"public","inner":{"module":{"items":[1,2]}}},
		"1":{"id":1,"name":"u8","visibility":"public","inner":{"primitive":{"name":"u8","impls":[]}}},
		"2":{"id":2,"name":"u8","visibility":"public","inner":{"module":{"items":[]}}}},"paths":{},"format_version":57}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Module("core")
	if err != nil || len(p.Symbols) != 1 || p.Symbols[0].Kind != "primitive type" || len(p.Subpackages) != 1 {
		t.Errorf("core is %+v, %v", p, err)
	}
	if _, err := c.Module("core::u8"); err != nil {
		t.Error(err)
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	text := string(demo(t))
	for _, bad := range []string{
		"", "[]", "{}", "null", `{"root":1}`, text[:len(text)/2], `{"format_version":57,"root":0,"index":[]}`, `{"format_version":57,"root":0,"index":{"0":5}}`,
		`{"format_version":57,"root":0,"index":{"0":` + strings.Repeat("[", 100_000),
	} {
		if _, err := read(strings.NewReader(bad), "demo"); err == nil {
			t.Errorf("%.60q is read", bad)
		}
	}
}

// FuzzRead reads arbitrary files.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"root":0,"index":{"0":{"id":0,"crate_id":0,"name":"a","visibility":"public","docs":"x [y]","links":{"y":1},"attrs":[],"inner":{"module":{"items":[1,2]}}},"1":{"name":"y","inner":{"struct":{"kind":{"tuple":[null]},"generics":{"params":[],"where_predicates":[]},"impls":[]}}},"2":{"inner":{"use":{"source":"y","name":"z","id":1,"is_glob":false}}}},"paths":{},"format_version":57}`))
	f.Add([]byte(`{"root":"0:0","index":{"0:0":{"name":"a","inner":{"module":{"items":["1"]}}},"1":{"inner":{"use":{"id":"0:0","is_glob":true}}}},"format_version":36}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Load(bytes.NewReader(text))
		if err != nil {
			return
		}
		p, err := c.Module("a")
		if err != nil {
			return
		}
		if _, err := apicodec.Encode(p); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text := demo(b)
	b.SetBytes(int64(len(text)))
	var p *apidoc.Package
	for b.Loop() {
		var err error
		if p, err = read(bytes.NewReader(text), "demo"); err != nil {
			b.Fatal(err)
		}
	}
	_ = p
}

// read reads the documentation of a module.
func read(r io.Reader, name string) (*apidoc.Package, error) {
	c, err := Load(r)
	if err != nil {
		return nil, err
	}
	return c.Module(name)
}
