package golang

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// kiln is a module that a project requires, in its vendor directory.
var kiln = map[string]string{
	"go.mod":             "module example.com/shop\n\ngo 1.26\n\nrequire example.com/kiln v1.0.0\n",
	"vendor/modules.txt": "# example.com/kiln v1.0.0\n## explicit; go 1.26\nexample.com/kiln\nexample.com/kiln/part\n",
	"vendor/example.com/kiln/kiln.go": `package kiln

import "example.com/kiln/part"

type Kiln struct {
	part.Door
	Name  string
	heat  int
	Parts map[string]part.Part
}

// Fire fires.
//
// Deprecated: use Burn.
func (k *Kiln) Fire(degrees int, names ...string) (int, error) { return 0, nil }

func (k *Kiln) Burn(degrees int) {}

func New(name string) (*Kiln, error) { return nil, nil }

func Map[T, U any](all []T, f func(T) U) []U { return nil }

type Burner interface{ Burn(degrees int) }

func Use(b Burner) {}
`,
	"vendor/example.com/kiln/part/part.go": "package part\n\ntype Door struct{ Open bool }\n\nfunc (Door) Shut() {}\n\ntype Part struct{ Size, width int }\n\ntype Lost struct{ missing.Type }\n",
	"shop.go":                              "package shop\n\ntype Shop struct{ Open bool }\n\nfunc (s Shop) Sell(n int) error { return nil }\n",
	"made/made.go":                         "package made\n\ntype Made struct{ Size int }\n\nvar All = generated()\n",
}

// typedUses checks the types in a file of a project that requires kiln. It returns the
// position, the path and the error of each use.
func typedUses(t *testing.T, name, src string, others map[string]string) (all []string) {
	t.Helper()
	files := maps.Clone(kiln)
	maps.Copy(files, others)
	dir := filetest.Dir(t, files)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: name, Dir: dir, Text: []byte(src)}
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		s := fmt.Sprintf("%d:%d %s.%s", u.Line, u.Column, path.Base(u.Package), u.Path)
		if u.Present > 0 {
			s = fmt.Sprintf("present: %d", u.Present)
		}
		switch u.Fault {
		case ecosystem.AbsentFault:
			s += " is absent"
		case ecosystem.UnexportedFault:
			s += " is not exported"
		case ecosystem.FieldsFault:
			s += " has no " + u.Fields[0].Name
		}
		all = append(all, strings.TrimSpace(s+" "+u.Message))
	}
	slices.Sort(all)
	return all
}

func TestTypes_Uses(t *testing.T) {
	const imports = "package main\nimport \"example.com/kiln\"\nimport \"example.com/shop\"\nimport \"example.com/shop/made\"\n"
	for _, tt := range []struct {
		name, code string // from line 5 on
		want       []string
	}{
		{"members", "func f(k *kiln.Kiln) { k.Burn(1); _ = k.Name; k.Shut(); _ = k.Open }\n",
			[]string{"present: 4"}},
		{"absent members", "func f(k *kiln.Kiln) { k.Burnt(1); k.Parts[\"\"].Weight() }\n",
			[]string{"5:26 kiln.Kiln.Burnt is absent", "5:48 part.Part.Weight is absent", "present: 1"}},
		{"unexported members", "func f(k kiln.Kiln) { _ = k.heat }\n", []string{"5:29 kiln.Kiln.heat is not exported"}},
		{"arguments", "func f(k *kiln.Kiln) { k.Burn(); k.Burn(1, 2); k.Fire(); k.Fire(1, \"a\", \"b\") }\n",
			[]string{"5:26 kiln.Kiln.Burn it needs an argument for degrees", "5:36 kiln.Kiln.Burn it takes 1 argument, but 2 are passed",
				"5:50 kiln.Kiln.Fire", "5:50 kiln.Kiln.Fire it needs an argument for degrees", "5:60 kiln.Kiln.Fire", "present: 2"}},
		{"arguments that are results", "func two() (int, string) { return 1, \"\" }\nfunc f(k *kiln.Kiln, s []string) { k.Fire(two()); k.Fire(1, s...); k.Burn(two()) }\n",
			[]string{"6:38 kiln.Kiln.Fire", "6:53 kiln.Kiln.Fire", "6:70 kiln.Kiln.Burn it takes 1 argument, but 2 are passed", "present: 1"}},
		{"results", "func f() { k := kiln.New(\"\"); k.Burn(1) }\n", []string{"5:22 kiln.New it returns 2 values, but 1 is assigned"}},
		{"generic functions", "var x = kiln.Map([]int{1}, func(i int) string { return \"\" })\nvar y = kiln.Map[int, int](nil)\n", []string{"6:14 kiln.Map it needs an argument for f"}},
		{"literals", "var x = []kiln.Kiln{{Name: \"\", Size: 1, heat: 2}}\nvar y = map[string]int{}\n", []string{"5:32 kiln.Kiln has no Size", "5:41 kiln.Kiln.heat is not exported"}},
		{"types", "type b struct{}\nfunc (b) Burn() {}\nfunc f(k *kiln.Kiln) { k.Burn(\"1\"); k.Name = 1; kiln.Use(b{}); kiln.Use(k); _ = kiln.Kiln{Name: 2} }\n",
			[]string{`7:26 kiln.Kiln.Burn cannot use "1" (untyped string constant) as int value in argument to k.Burn`,
				`7:39 kiln.Kiln.Name cannot use 1 (untyped int constant) as string value in assignment`,
				`7:54 kiln.Use cannot use b{} (value of struct type b) as kiln.Burner value in argument to kiln.Use: b does not implement kiln.Burner (wrong type for method Burn)` + "\n\t\thave Burn()\n\t\twant Burn(int)",
				`7:91 kiln.Kiln.Name cannot use 2 (untyped int constant) as string value in struct literal`, "present: 2"}},
		{"types of C, which are not known", "import \"C\"\ntype union C.union_size\ntype handle *C.struct_kiln\ntype s struct { u union; h handle; n int }\nvar x = s{u: [4]byte{1}, n: \"\"}\nfunc f(k kiln.Kiln) { x.h = nil; var u union = k.Name; x.n = k.Name }\n",
			[]string{`10:58 cmd.s.n cannot use k.Name (variable of type string) as int value in assignment`,
				`9:26 cmd.s.n cannot use "" (untyped string constant) as int value in struct literal`, "present: 2"}},
		{"the project's own packages", "func f(s shop.Shop) { s.Sell(1); s.Sell(); s.Buy(); _ = shop.Shop{Shut: true} }\n",
			[]string{"5:36 shop.Shop.Sell it needs an argument for n", "5:46 shop.Shop.Buy is absent", "5:67 shop.Shop has no Shut"}},
		{"a package that may have a generated file", "func f(m made.Made) { m.Weigh() }\n", nil},
		{"a type of which a part is not known", "type own struct{ kiln.Kiln; other.Type }\nfunc f(o own) { o.Weigh() }\n", nil},
		{"absent names", "var x = kiln.Missing\nvar y = kiln.hidden\n", []string{"5:14 kiln.Missing is absent", "6:14 kiln.hidden is absent"}},
		{"an interface", "func f(b kiln.Burner, p *kiln.Burner) { b.Fire(); p.Burn(1) }\n", []string{"5:43 kiln.Burner.Fire is absent"}},
		{"a method with a pointer receiver", "func f(all map[string]kiln.Kiln, k kiln.Kiln) { all[\"\"].Burn(1); k.Burn(1); _ = kiln.Kiln.Burn }\n",
			[]string{"5:57 kiln.Kiln.Burn cannot call the pointer method Burn on a value that has no address", "present: 1"}},
		{"structs without a name", "var s = struct{ want kiln.Kiln }{need: kiln.Kiln{}}\nfunc f() { for _, tt := range []struct{ a, b int }{{1, 2}} { _, _, _ = tt.a, tt.c, s.want } }\n",
			[]string{"5:34 .. is absent the struct has no field need", "6:81 .. is absent the struct has no field c"}},
		{"other types without a name", "type h = interface{ Help() }\nfunc f[T interface{ Run() }](h h, err error, v any, t T, p *[]int) { h.Helpp(); h.Help(); _ = err.Code; _ = err.Error; v.X(); t.Rum(); t.Run(); p.Len() }\n",
			[]string{"6:122 .. is absent the interface has no method X", "6:129 .. is absent the interface has no method Rum", "6:147 .. is absent the type has no field or method Len",
				"6:72 .. is absent the interface has no method Helpp", "6:99 .. is absent the interface has no method Code"}},
		{"types without a name of which a part is not known", "type h = interface{ other.Helper }\nfunc f[T other.Runner, U interface{ missing }](h h, t T, u U) { h.Help(); t.Run(); u.Run(); other.Get().Run(); f[int]().Run() }\n", nil},
		{"unsafe", "import \"unsafe\"\nvar _ unsafe.Pointre\nvar _ unsafe.Pointer = 1\n", []string{"6:14 unsafe.Pointre is absent"}},
		{"a snippet of another file", "func f() { undefined(kiln.New) }\nfunc g(k kiln.Kiln) { k.Weigh() }\n", []string{"6:25 kiln.Kiln.Weigh is absent"}},
	} {
		if got := typedUses(t, "cmd/main.go", imports+tt.code, nil); !slices.Equal(got, tt.want) {
			t.Errorf("%s: the uses are\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// TestTypes_Tests checks files in directories that also contain tests, both internal and
// external.
func TestTypes_Tests(t *testing.T) {
	others := map[string]string{
		"inside_test.go": "package shop\n\nfunc (s Shop) Reset() {}\n",
		"use/use.go":     "package use\n\nimport \"example.com/shop\"\n\nfunc Get() shop.Shop { return shop.Shop{} }\n\nfunc Put(s shop.Shop) {}\n",
	}
	const src = "package shop_test\nimport (\n\"example.com/shop\"\n\"example.com/shop/use\"\n)\nfunc f(s shop.Shop) { s.Reset(); s.Weigh(); use.Get().Reset(); use.Put(s); shop.Sell() }\n"
	if got, want := typedUses(t, "outside_test.go", src, others), []string{"6:36 shop.Shop.Weigh is absent", "6:81 shop.Sell is absent"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %q, want %q", got, want)
	}
}

// TestTypes_Platforms checks that a file that is not built on the host's platform is skipped.
func TestTypes_Platforms(t *testing.T) {
	src := "//go:build plan9\n\npackage shop\nfunc f(s Shop) { s.Weigh() }\n"
	if got := typedUses(t, "shop_other.go", src, map[string]string{"shop_other.go": src}); len(got) > 0 {
		t.Errorf("the uses are %q", got)
	}
}

// TestTypes_Cycle reads packages that import each other.
// TestTypes_DamagedProject checks that the reason is not an *ecosystem.Error, which the check of types leaves to the check of packages.
func TestTypes_DamagedProject(t *testing.T) {
	for _, name := range []string{"go.mod", "go.work"} {
		dir := filetest.Dir(t, map[string]string{"go.mod": "module example.com/a\n\ngo 1.25\n", name: "go 1.25\nreplace\n"})
		_, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
		if _, ok := errors.AsType[*ecosystem.Error](err); err == nil || ok || !strings.Contains(err.Error(), "is not a valid "+name) {
			t.Errorf("a damaged %s: error %v", name, err)
		}
	}
}

func TestTypes_Cycle(t *testing.T) {
	others := map[string]string{
		"a/a.go": "package a\nimport \"example.com/shop/b\"\ntype A struct{ b.B }\n",
		"b/b.go": "package b\nimport \"example.com/shop/a\"\ntype B struct{ a.A }\n",
	}
	src := "package main\nimport \"example.com/shop/a\"\nimport \"example.com/kiln\"\nfunc f(x a.A, k kiln.Kiln) { x.Weigh(); k.Weigh() }\n"
	if got, want := typedUses(t, "cmd/main.go", src, others), []string{"4:43 kiln.Kiln.Weigh is absent"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %q, want %q", got, want)
	}
}

func TestTypes_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := filetest.Dir(t, kiln)
	checked, err := New(ecosystem.Options{Offline: true}).Types(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	f := &ecosystem.SourceFile{Name: "cmd/main.go", Dir: dir, Text: []byte("package main\nimport \"example.com/kiln\"\nfunc f(k kiln.Kiln) { k.Weigh() }\n")}
	if got := checked.Uses([]*ecosystem.SourceFile{f}); len(got[f]) > 0 {
		t.Errorf("a cancelled check found %+v", got)
	}
}

// FuzzTypes has no seed with generic types, because mutations of a generic type that embeds
// itself soon produce infinite types, for which type checking ends only if its process is
// killed.
func FuzzTypes(f *testing.F) {
	f.Add("package shop\nimport \"example.com/kiln\"\nfunc f(k kiln.Kiln) { k.Weigh(); x := kiln.New(1, 2) }\n")
	f.Add("package shop_test\nimport \"example.com/shop\"\nvar _ = shop.Shop{X: shop.Y[int]{}}\n")
	f.Add("package shop\nfunc f[T interface{ *T }](x interface{}, t T) { x.Open(); t.Open(); struct{}{}.Open() }\n")
	dir := filetest.Dir(f, kiln)
	g := New(ecosystem.Options{Offline: true})
	f.Fuzz(func(t *testing.T, src string) {
		checked, err := g.Types(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		file := &ecosystem.SourceFile{Name: "x_test.go", Dir: dir, Text: []byte(src)}
		for _, u := range checked.Uses([]*ecosystem.SourceFile{file})[file] {
			if u.Present == 0 && (u.Line < 1 || u.Column < 1 || (u.Package == "" || u.Path == "") && u.Message == "") { // types without a name belong to no package
				t.Errorf("%+v", u)
			}
		}
	})
}

// TestTypes_BuildTags checks uses of names that dependencies and the project's own packages declare only with build
// tags, which a check does not know, and of types that are declared in C.
func TestTypes_BuildTags(t *testing.T) {
	others := map[string]string{
		"vendor/example.com/kiln/gas.go":   "//go:build kiln_gas || kiln_oil\n\npackage kiln\n\ntype Gas struct{ Pressure int }\n\nfunc (k *Kiln) Vent() {}\n",
		"vendor/example.com/kiln/plan9.go": "//go:build plan9\n\npackage kiln\n\nfunc Plan() {}\n",
		"vendor/example.com/kiln/clay.go":  "package kiln\n\n// #include <clay.h>\nimport \"C\"\n\nconst Clay = C.CLAY\n",
		"made/tagged.go":                   "//go:build tagged\n\npackage made\n\nfunc Tagged() {}\n",
	}
	const src = "package main\nimport \"example.com/kiln\"\nvar _ kiln.Gas\nfunc f(k *kiln.Kiln) { k.Vent(); k.Went(); kiln.Plan(); k.Burn(kiln.Clay) }\n"
	got := typedUses(t, "cmd/main.go", src, others)
	want := []string{"4:36 kiln.Kiln.Went is absent", "4:49 kiln.Plan is absent", "present: 1"}
	if !slices.Equal(got, want) {
		t.Errorf("the uses are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := typedUses(t, "made/more.go", "package made\nimport \"example.com/shop\"\nfunc f() { Tagged(); shop.Shop{}.Sell(1) }\n", others); len(got) > 0 {
		t.Errorf("the uses of a package's own names are %q", got)
	}
}

func TestTypes_Faults(t *testing.T) {
	const imports = "package main\nimport \"example.com/kiln\"\nimport \"example.com/shop\"\n"
	for _, tt := range []struct {
		code string // from line 4 on
		want []string
	}{
		{"func f(k *kiln.Kiln) string { return k.Name() }", []string{"4:40 kiln.Kiln.Name invalid operation: cannot call k.Name (variable of type string): string is not a function", "present: 1"}},
		{"func f() *kiln.Kiln { return kiln.New(\"\") }", []string{"4:35 kiln.New too many return values\n\thave (*kiln.Kiln, error)\n\twant (*kiln.Kiln)"}},
		{"func f() { println(kiln.New(\"\"), 1) }", []string{"4:25 kiln.New multiple-value kiln.New(\"\") (value of type (*kiln.Kiln, error)) in single-value context"}},
		{"var x = kiln.Map([]int{1}, nil)[0] + 1\nvar y = kiln.Map([]int{1}, func() int { return 1 })",
			[]string{"4:14 kiln.Map in call to kiln.Map, cannot infer U", "5:14 kiln.Map in call to kiln.Map, type func() int of (func() int literal) does not match inferred type func(int) U for func(T) U"}},
		{"func f() { k := kiln.Kiln; for range (&kiln.Kiln{}) {}; var y kiln.New }",
			[]string{"4:22 kiln.Kiln kiln.Kiln (type) is not an expression", "4:45 kiln.Kiln cannot range over (&kiln.Kiln{}) (value of type *kiln.Kiln)", "4:68 kiln.New kiln.New (value of type func(name string) (*kiln.Kiln, error)) is not a type"}},
		{"func f(k kiln.Kiln) { if k.Name == 1 {}; k.Burn; switch k.Name { case 2: } }",
			[]string{"4:28 kiln.Kiln.Name invalid operation: k.Name == 1 (mismatched types string and untyped int)",
				"4:44 kiln.Kiln.Burn k.Burn (value of type func(degrees int)) is not used", "4:59 kiln.Kiln.Name cannot convert 2 (untyped int constant) to type string", "present: 3"}},
		{"var s string = kiln.Kiln{}", []string{"4:21 kiln.Kiln cannot use kiln.Kiln{} (value of struct type kiln.Kiln) as string value in variable declaration"}},
		{"func f(own func(int), k *kiln.Kiln) { own(\"a\"); own(len(k.Name) + 1.5); _ = 1 + \"a\" }", []string{"4:59 kiln.Kiln.Name 1.5 (untyped float constant) truncated to int", "present: 1"}},
		{"func f() { var k kiln.Kiln; if k { } }\nfunc f() {}", nil},
		{"import \"example.com/shop/made\"\nfunc f(m made.Made) { var k kiln.Kiln = m; _ = generated() + kiln.Kiln{} }", nil},
		{"func f(s shop.Shop) { var k kiln.Kiln = s.Open }", nil},
	} {
		if got := typedUses(t, "cmd/main.go", imports+tt.code+"\n", nil); !slices.Equal(got, tt.want) {
			t.Errorf("%s: the uses are\n%s\nwant\n%s", tt.code, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// TestTypes_Deprecated checks that uses of members whose documentation may contain a deprecation notice are not only counted.
func TestTypes_Deprecated(t *testing.T) {
	others := map[string]string{"vendor/example.com/kiln/old.go": `package kiln

// Oven is an oven.
type Oven struct {
	Old int // Deprecated: use New.
}

type Stove struct{ Gas bool } // Deprecated: use Oven.

type Heater interface {
	// Heat heats.
	//
	// Deprecated: use Burn.
	Heat()
}

type Cooker interface {
	Heater
	Cook()
}

// Hot is not deprecated.
func (Oven) Hot() {}

// Deprecated: use Hot.
func (Oven) Warm() {}
`}
	const src = "package main\nimport \"example.com/kiln\"\nfunc f(o kiln.Oven, s kiln.Stove, c kiln.Cooker) { _ = o.Old; _ = s.Gas; c.Heat(); c.Cook(); o.Hot(); o.Warm() }\n"
	want := []string{"3:105 kiln.Oven.Warm", "3:58 kiln.Oven.Old", "3:69 kiln.Stove.Gas", "3:76 kiln.Cooker.Heat", "present: 2"}
	if got := typedUses(t, "cmd/main.go", src, others); !slices.Equal(got, want) {
		t.Errorf("the uses are %q, want %q", got, want)
	}
}

// TestTypes_Members checks that members that exist are not only counted if the file requests them.
func TestTypes_Members(t *testing.T) {
	dir := filetest.Dir(t, kiln)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: "cmd/main.go", Dir: dir, Text: []byte("package main\nimport \"example.com/kiln\"\nfunc f(k *kiln.Kiln) { k.Burn(1) }\n"), Members: true}
	if uses := checked.Uses([]*ecosystem.SourceFile{f})[f]; len(uses) != 1 || uses[0].Path != "Kiln.Burn" || uses[0].Line != 3 {
		t.Errorf("the uses are %+v, want Kiln.Burn in line 3", uses)
	}
}

// TestTypes_EditedConstraint checks that the build constraint of a file is that of the checked text, which may not be saved yet.
func TestTypes_EditedConstraint(t *testing.T) {
	const src, constraint = "package main\nimport \"example.com/kiln\"\nfunc f(k kiln.Kiln) { k.Weigh() }\n", "//go:build plan9\n\n"
	for _, tt := range []struct {
		saved, edited string
		want          []string
	}{
		{constraint + src, src, []string{"3:25 kiln.Kiln.Weigh is absent"}},
		{src, constraint + src, nil},
	} {
		if got := typedUses(t, "cmd/main.go", tt.edited, map[string]string{"cmd/main.go": tt.saved}); !slices.Equal(got, tt.want) {
			t.Errorf("%q instead of %q: the uses are %q, want %q", tt.edited, tt.saved, got, tt.want)
		}
	}
}

// TestTypes_TinyGo checks a program for TinyGo, whose standard library has additional declarations.
func TestTypes_TinyGo(t *testing.T) {
	const src = "package main\nimport \"machine\"\nimport \"runtime\"\nimport \"example.com/kiln\"\nfunc f(k kiln.Kiln) { machine.LED.Low(); runtime.Sleeping(); k.Weigh() }\n"
	if got, want := typedUses(t, "cmd/main.go", src, nil), []string{"5:64 kiln.Kiln.Weigh is absent"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %q, want %q", got, want)
	}
}
