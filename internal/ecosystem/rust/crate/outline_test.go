package crate

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

var sources = map[string]*Source{}

// TestStandardOutline compares the outline of the standard library with the sources of the toolchain that it
// describes. If UPDATE_OUTLINE is set, it writes the outline.
func TestStandardOutline(t *testing.T) {
	out, err := exec.Command("rustc", "--print", "sysroot").Output()
	if err != nil {
		t.Skip("rustc is not installed, and this test compares standard.zip with the sources of its standard library; to run it, install Rust: ", err)
	}
	library := filepath.Join(strings.TrimSpace(string(out)), "lib", "rustlib", "src", "rust", "library")
	if _, err := os.Stat(library); err != nil {
		t.Skip("the sources of Rust's standard library are not installed, and this test compares standard.zip with them; to add them, run rustup component add rust-src: ", err)
	}
	version, err := exec.Command("rustc", "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"core", "alloc", "std"} {
		sources[name] = &Source{Name: name, FS: os.DirFS(filepath.Join(library, name)), Lib: "src/lib.rs", Edition: "2024", Target: "x86_64-unknown-linux-gnu", Deps: map[string]string{"core": "", "alloc": "", "std": ""}}
	}
	w := newWorld(t.Context(), func(_ *Source, name string) (*Source, error) {
		if src := sources[name]; src != nil {
			return src, nil
		}
		return nil, fs.ErrNotExist
	})
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	head := "// Written by TestStandardOutline from the sources of " + strings.TrimSpace(string(version)) + "\n"
	for _, name := range []string{"core", "alloc", "std"} {
		k, err := w.open(sources[name])
		if err != nil {
			t.Fatal(err)
		}
		o := &outliner{seen: map[*def]bool{}, impls: map[*module][]*impl{}}
		for _, im := range k.impls {
			if !im.off && (im.derived == "" || im.forDef.public) {
				o.impls[im.mod] = append(o.impls[im.mod], im)
			}
		}
		o.b.WriteString(head)
		for _, d := range k.primitives {
			o.b.WriteString("#[rustc_doc_primitive = \"" + d.name + "\"] mod prim_" + d.name + " {}\n")
		}
		o.module(k.root, name)
		file, err := z.Create(name + "/lib.rs")
		if err == nil {
			_, err = io.WriteString(file, o.b.String())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_OUTLINE") != "" {
		if err := os.WriteFile("standard.zip", b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.HasPrefix(standardLibrary(t), []byte(head)) {
		t.Skip("standard.zip describes another release of Rust than the installed " + strings.TrimSpace(string(version)) + ", so they differ; to write it for this release, set UPDATE_OUTLINE=1")
	}
	if !bytes.Equal(b.Bytes(), standardZip) {
		t.Error("the outline is out of date; set UPDATE_OUTLINE=1 to write it")
	}
}

func standardLibrary(t *testing.T) []byte {
	text, err := fs.ReadFile(standardCrates()["std"].FS, "lib.rs")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// outliner writes the stable public declarations of a crate without bodies and private fields.
type outliner struct {
	b     strings.Builder
	seen  map[*def]bool
	impls map[*module][]*impl
}

// hiddenModules are modules of the standard library that are unstable, or that programs rarely use.
var hiddenModules = []string{"core::core_arch", "core::arch", "core::intrinsics", "core::core_simd", "core::simd", "std::sys::pal", "std::os::windows", "std::backtrace_rs", "core::f16", "core::f128", "core::unicode", "std::sys_common", "core::contracts", "core::tuple"}

func format(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(constMark.ReplaceAllString(source.Format(source.Unmarked(text)), ""), "$crate::", "crate::"), "\n", " ")
}

var constMark = regexp.MustCompile(`\[const\] |~const |\[const_\] `)

func unstable(k *krate, it *source.Item, u *unit) bool { return k.has(it, u, "unstable") }

func (o *outliner) module(m *module, path string) {
	if slices.Contains(hiddenModules, path) {
		return
	}
	m.ensure()
	k := m.krate
	for _, e := range m.order {
		if e.off {
			continue
		}
		if e.use != nil {
			p := strings.Join(e.use.Path, "::")
			switch {
			case strings.HasPrefix(p, "$") || strings.Contains(p, source.CrateMark):
				p = "crate" + p[strings.IndexByte(p+"::", ':'):]
			}
			if e.public {
				o.b.WriteString("pub ")
			}
			o.b.WriteString("use " + p)
			switch {
			case e.use.Glob:
				o.b.WriteString("::*")
			case e.use.Self:
				o.b.WriteString("::{self as " + e.use.As + "}")
			case len(e.use.Path) == 0 || e.use.As != e.use.Path[len(e.use.Path)-1]:
				o.b.WriteString(" as " + e.use.As)
			}
			o.b.WriteString(";\n")
			continue
		}
		d := e.def
		if e.item != nil && e.item.Kind == source.ExternCrate {
			if d != nil && sources[d.name] != nil {
				name := d.name
				if d == k.root.def {
					name = "self"
				}
				o.b.WriteString("extern crate " + name + " as " + e.name + ";\n")
			}
			continue
		}
		if d == nil || o.seen[d] || d.krate != k {
			continue
		}
		o.seen[d] = true
		o.item(d, path)
	}
	for _, im := range o.impls[m] {
		o.impl(im)
	}
}

func (o *outliner) item(d *def, path string) {
	it, text := d.item, d.unit.Text
	if d.kind != source.Module && (!d.public || unstable(d.krate, it, d.unit) && d.kind != source.Struct && d.kind != source.Trait) {
		return
	}
	generics := func() string {
		g := format(it.Generics.Text(text))
		if g != "" {
			g = "<" + g + ">"
		}
		return g
	}
	where := func() string {
		if w := format(it.Where.Text(text)); w != "" {
			return " where " + w
		}
		return ""
	}
	switch d.kind {
	case source.Module:
		if d.sub == nil || d.sub.krate != d.krate {
			return
		}
		if d.public {
			o.b.WriteString("pub ")
		}
		o.b.WriteString("mod " + d.name + " {\n")
		o.module(d.sub, path+"::"+d.name)
		o.b.WriteString("}\n")
	case source.Struct, source.Union:
		o.b.WriteString("pub struct " + d.name + generics())
		var fields []string
		for _, f := range it.Items {
			if f.Vis == source.Public && !unstable(d.krate, f, d.unit) {
				if it.Shape == source.Tuple {
					fields = append(fields, "pub "+format(f.Type.Text(text)))
				} else {
					fields = append(fields, "pub "+f.Name+": "+format(f.Type.Text(text)))
				}
			}
		}
		switch {
		case it.Shape == source.Unit:
			o.b.WriteString(";\n")
		case it.Shape == source.Tuple && len(fields) == len(it.Items):
			o.b.WriteString("(" + strings.Join(fields, ", ") + ");\n")
		default:
			o.b.WriteString(" { " + strings.Join(fields, ", ") + " }\n")
		}
	case source.Enum:
		o.b.WriteString("pub enum " + d.name + generics() + " { ")
		for _, v := range it.Items {
			o.b.WriteString(v.Name)
			var fields []string
			for _, f := range v.Items {
				if v.Shape == source.Tuple {
					fields = append(fields, format(f.Type.Text(text)))
				} else {
					fields = append(fields, f.Name+": "+format(f.Type.Text(text)))
				}
			}
			switch v.Shape {
			case source.Tuple:
				o.b.WriteString("(" + strings.Join(fields, ", ") + ")")
			case source.Braced:
				o.b.WriteString(" { " + strings.Join(fields, ", ") + " }")
			}
			o.b.WriteString(", ")
		}
		o.b.WriteString("}\n")
	case source.Trait:
		o.b.WriteString("pub trait " + d.name + generics())
		if b := format(it.Bounds.Text(text)); b != "" {
			o.b.WriteString(": " + b)
		}
		o.b.WriteString(where() + " {\n")
		o.members(d.traitItems(), true)
		o.b.WriteString("}\n")
	case source.TypeAlias:
		o.b.WriteString("pub type " + d.name + generics() + " = " + format(it.Type.Text(text)) + ";\n")
	case source.Const, source.Static:
		o.b.WriteString("pub static " + d.name + ": " + format(it.Type.Text(text)) + ";\n")
	case source.Func:
		o.b.WriteString("pub ")
		o.function(d)
	}
}

func (o *outliner) function(d *def) {
	it, text := d.item, d.unit.Text
	o.b.WriteString("fn " + d.name)
	if g := format(it.Generics.Text(text)); g != "" {
		o.b.WriteString("<" + g + ">")
	}
	o.b.WriteString("(" + format(it.Params.Text(text)) + ")")
	if out := format(it.Output.Text(text)); out != "" {
		o.b.WriteString(" -> " + out)
	}
	if w := format(it.Where.Text(text)); w != "" {
		o.b.WriteString(" where " + w)
	}
	o.b.WriteString(";\n")
}

func (o *outliner) members(items []*def, trait bool) {
	for _, d := range items {
		if d.off || !trait && !d.public || unstable(d.krate, d.item, d.unit) {
			continue
		}
		text := d.unit.Text
		switch d.kind {
		case source.Func:
			if !trait {
				o.b.WriteString("pub ")
			}
			o.function(d)
		case source.Const:
			if !trait {
				o.b.WriteString("pub ")
			}
			o.b.WriteString("const " + d.name + ": " + format(d.item.Type.Text(text)) + ";\n")
		case source.TypeAlias:
			o.b.WriteString("type " + d.name)
			if b := format(d.item.Bounds.Text(text)); b != "" {
				o.b.WriteString(": " + b)
			}
			if t := format(d.item.Type.Text(text)); t != "" {
				o.b.WriteString(" = " + t)
			}
			o.b.WriteString(";\n")
		}
	}
}

func (o *outliner) impl(im *impl) {
	it, text := im.item, im.unit.Text
	if im.derived != "" {
		segs, _ := source.PathOf(im.derived)
		if len(segs) == 0 || slices.Contains(omitted, segs[len(segs)-1]) || !im.forDef.public {
			return
		}
		g, args := format(it.Generics.Text(text)), arguments(it.Generics.Text(text))
		o.b.WriteString("impl")
		if g != "" {
			o.b.WriteString("<" + g + ">")
		}
		o.b.WriteString(" " + segs[len(segs)-1] + " for " + it.Name)
		if len(args) > 0 {
			o.b.WriteString("<" + strings.Join(args, ", ") + ">")
		}
		o.b.WriteString(" {}\n")
		return
	}
	if it.Flags&source.IsNegative != 0 || len(im.item.Attrs) > 0 && unstable(im.mod.krate, it, im.unit) && !it.Trait.Empty() {
		return
	}
	trait := format(it.Trait.Text(text))
	if segs, ok := source.PathOf(trait); ok && slices.Contains(omitted, segs[len(segs)-1]) {
		return
	}
	if t := im.trait(); t != nil && t.krate != nil && !t.public {
		return
	}
	if segs, ok := source.PathOf(trait); ok && slices.Contains(conversions, segs[len(segs)-1]) && primitives[format(it.Type.Text(text))] && len(typeArgs(trait)) > 0 {
		return
	}
	before := o.b.Len()
	o.b.WriteString("impl")
	if g := format(it.Generics.Text(text)); g != "" {
		o.b.WriteString("<" + g + ">")
	}
	if trait != "" {
		o.b.WriteString(" " + trait + " for")
	}
	o.b.WriteString(" " + format(it.Type.Text(text)))
	if w := format(it.Where.Text(text)); w != "" {
		o.b.WriteString(" where " + w)
	}
	o.b.WriteString(" {\n")
	start := o.b.Len()
	items := im.associated()
	if trait != "" {
		items = slices.DeleteFunc(slices.Clone(items), func(d *def) bool { return d.kind != source.TypeAlias })
	}
	o.members(items, trait != "")
	if trait == "" && o.b.Len() == start {
		text := o.b.String()[:before]
		o.b.Reset()
		o.b.WriteString(text)
		return
	}
	o.b.WriteString("}\n")
}
