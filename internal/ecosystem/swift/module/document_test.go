package module

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/filetest"
)

// TestTopics checks that symbols are in the order of a catalogue.
func TestTopics(t *testing.T) {
	p := packageOf("public func a() {}\npublic func b(x: Int) {}\n/// See ``b(x:)``.\npublic struct C { public func d() {}; public func e() {} }\n")
	files, ok := p.Root.(fstest.MapFS)
	if !ok {
		t.Fatal("the files are no map")
	}
	files["M/M.docc/M.md"] = &fstest.MapFile{Data: []byte("# ``M``\n\nIt counts.\n\n## Topics\n\n### First\n\n- ``C``\n- ``b(x:)``\n")}
	files["M/M.docc/C.md"] = &fstest.MapFile{Data: []byte("# ``M/C``\n\n## Topics\n\n### All\n\n- ``e()``\n")}
	p.Targets[0].Files = append(p.Targets[0].Files, "M/M.docc/M.md", "M/M.docc/C.md")
	out := read(t, p)
	want := []string{"struct C", "  func e()", "  func d()", "func b(x: Int)", "func a()"}
	if got := lines(out.Symbols, 0); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if out.Synopsis != "It counts." {
		t.Errorf("the synopsis is %q", out.Synopsis)
	}
}

// constructs returns the package that contains every construct once.
func constructs() Package {
	return Package{Root: os.DirFS("testdata/constructs"), Name: "constructs", Platform: "linux/amd64", Swift: "6", Compiler: "6.3.1", Targets: []Target{
		{Name: "Constructs", Dir: "Sources/Constructs", Products: []string{"Constructs"}, Defines: []string{"FEATURE_ON"}, Files: []string{
			"Sources/Constructs/Generics.swift", "Sources/Constructs/Types.swift", "Sources/Constructs/Nested/Availability.swift",
		}},
		{Name: "Second", Dir: "Sources/Elsewhere/Second", Products: []string{"Constructs"}, Dependencies: []string{"Constructs", "CPart"}, Files: []string{"Sources/Elsewhere/Second/Second.swift"}},
		{Name: "Umbrella", Dir: "Sources/Umbrella", Products: []string{"Umbrella"}, Dependencies: []string{"Second"}, Files: []string{"Sources/Umbrella/Umbrella.swift"}},
	}}
}

// TestConstructs compares the documentation of a package that contains every construct
// once with a golden file.
func TestConstructs(t *testing.T) {
	p := constructs()
	var b strings.Builder
	for _, name := range []string{"", "Second", "Umbrella"} {
		p.Module = name
		out := read(t, p)
		fmt.Fprintf(&b, "# %s\n%s\n", out.Name, strings.Join(lines(out.Symbols, 0), "\n"))
		if len(out.Elsewhere) > 0 {
			fmt.Fprintf(&b, "# elsewhere\n%s\n", strings.Join(lines(out.Elsewhere, 0), "\n"))
		}
	}
	filetest.Golden(t, "testdata/constructs.golden", b.String())
}

// TestIndex lists the names of all modules.
func TestIndex(t *testing.T) {
	p := packageOf(`-- M/a.swift --
import Other
/// Is a thing. It holds more.
public struct S { public func f(x: Int) {}; func hidden() {} }
/// Does something
/// - Parameter x: is counted.
public func g(_ x: Int) {}
extension O { public func h() {} }
-- Other/b.swift --
public struct O { public struct Inner { public var deep: Int } }
`)
	p.Targets = append(p.Targets, Target{Name: "C", C: true, Products: []string{"C"}, Files: []string{"C/include/c.h"}}, Target{Name: "Inner", Files: []string{"Inner/x.swift"}})
	files, ok := p.Root.(fstest.MapFS)
	if !ok {
		t.Fatal("the files are no map")
	}
	files["C/include/c.h"] = &fstest.MapFile{Data: []byte("int c_add(int a, int b);\n")}
	out, err := Index(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for s := range out.All {
		got = append(got, strings.TrimSpace(string(s.Kind)+" "+s.Path+" "+s.Doc))
	}
	want := []string{
		"module M", "struct S Is a thing.", "method S.f(x:)", "func g Does something", "extension O", "method O.h()",
		"module Other", "struct O", "struct O.Inner", "property O.Inner.deep", "module C", "func c_add",
	}
	if len(got) != len(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] && !strings.HasSuffix(want[i], "c_add") {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}
