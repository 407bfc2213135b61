package golang

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/usetest"
)

func TestUses_Go(t *testing.T) {
	const src = `package web

import (
	"net/http"
	y "gopkg.in/yaml.v3"
	_ "embed"
	. "strings"
	"./local"
	"C"
)

type server struct{ http.Handler }

func f(json struct{ X int }) *http.Request {
	http := local.Get() // hides the package
	_ = http.Client{}
	_ = json.X
	return nil
}

var client = &http.Client{Timeout: 3, Transport: nil}

func g(all []string) {
	y.Unmarshal(nil, two()...)
	y.Marshal(pair())
	y.Node[int]{}.Decode(1, 2)
	defer http.Error(nil, "", http.StatusOK)
}
`
	usetest.Run(t, &Golang{}, "", []usetest.Case{{File: "web.go", Src: src, Want: []string{
		"4:2 net/http", "5:4 gopkg.in/yaml.v3", "6:4 embed", "7:4 strings",
		"12:26 net/http Handler", "14:36 net/http Request",
		"21:20 net/http Client .Timeout .Transport",
		"24:4 gopkg.in/yaml.v3 Unmarshal (1)", "25:4 gopkg.in/yaml.v3 Marshal (0 *)", "26:4 gopkg.in/yaml.v3 Node",
		"27:13 net/http Error (3)", "27:33 net/http StatusOK",
	}}})
}

func TestUses_GoTestsOfTheirOwnPackage(t *testing.T) {
	if got := usetest.List(&Golang{}, "", "web_test.go", "package web_test\nimport \"example.com/web\"\nvar _ = web.Hidden\n"); len(got) != 0 {
		t.Errorf("the uses are %v", got)
	}
}

func TestUses_GoNewerRelease(t *testing.T) {
	usetest.Run(t, &Golang{}, "", []usetest.Case{
		{Name: "packages and names of the standard library", File: "a.go", Src: "//go:build go1.99\n\npackage a\n\nimport (\n\t\"os\"\n\t\"example.com/web\"\n)\n\nvar a, b = os.New, web.New\n", Want: []string{"7:2 example.com/web", "10:24 example.com/web New"}},
		{Name: "a platform", File: "a.go", Src: "//go:build linux || go1.99\n\npackage a\n\nimport \"os\"\n\nvar a = os.New\n", Want: []string{"5:8 os", "7:12 os New"}},
	})
}

// TestUses_GoReleaseOfTheProject checks files whose build constraints name the Go release with which the project is built,
// an older one and a newer one.
func TestUses_GoReleaseOfTheProject(t *testing.T) {
	w := newWorld(t, map[string]string{"ws/app/go.mod": "module corp.example/app\ngo 1.20\n"})
	for constraint, want := range map[string]string{"go1.20": "5:8 os, 7:12 os New", "go1.26": "5:8 os, 7:12 os New", "go1.27": ""} {
		src := "//go:build " + constraint + "\n\npackage a\n\nimport \"os\"\n\nvar a = os.New\n"
		if got := strings.Join(usetest.List(w.golang(), w.path("ws/app"), "a.go", src), ", "); got != want {
			t.Errorf("%s: got %q, want %q", constraint, got, want)
		}
	}
}

// TestUses_GoPlatforms checks files for other platforms, for which syscall.Syscall, for example, has other parameters.
func TestUses_GoPlatforms(t *testing.T) {
	const src = "package a\n\nimport \"os\"\n\nvar a = os.Getenv(\"\")\nvar b = os.File{A: 1}\n"
	usetest.Run(t, &Golang{}, "", []usetest.Case{
		{Name: "all", File: "a.go", Src: src, Want: []string{"3:8 os", "5:12 os Getenv (1)", "6:12 os File .A"}},
		{Name: "a name", File: "a_plan9.go", Src: src, Want: []string{"3:8 os", "5:12 os Getenv", "6:12 os File"}},
		{Name: "a condition", File: "a.go", Src: "//go:build plan9\n" + src, Want: []string{"4:8 os", "6:12 os Getenv", "7:12 os File"}},
		{Name: "a platform of forks", File: "a_zos_s390x.go", Src: src, Want: nil},
		{Name: "a file for TinyGo", File: "a.go", Src: "//go:build tinygo && !baremetal\n" + src, Want: nil},
		{Name: "a file that TinyGo does not compile", File: "a.go", Src: "//go:build !tinygo\n" + src, Want: []string{"4:8 os", "6:12 os Getenv (1)", "7:12 os File .A"}},
		{Name: "packages of TinyGo", File: "a.go", Src: "package a\n\nimport (\n\t\"runtime\"\n\t\"machine/usb\"\n\t\"example.com/x\"\n)\n\nvar a = runtime.AdjustTimeOffset\nvar b = x.X\n", Want: []string{"6:2 example.com/x", "10:11 example.com/x X"}},
		{Name: "a package with a similar name", File: "a.go", Src: "package a\n\nimport \"machines\"\n", Want: []string{"3:8 machines"}},
		{Name: "a build tag", File: "a.go", Src: "//go:build vectors\n" + src, Want: []string{"4:8 os", "6:12 os Getenv", "7:12 os File"}},
		{Name: "a program that is run alone", File: "a.go", Src: "//go:build ignore\n" + src, Want: []string{"4:8 os", "6:12 os Getenv (1)", "7:12 os File .A"}},
	})
}

func TestUses_GoImportsAndStatements(t *testing.T) {
	usetest.Run(t, &Golang{}, "", []usetest.Case{
		{Name: "on lines of their own", File: "snippet.go", Src: "import \"os\"\n\nx := os.Getenv(\"\")\nos.Exit(1)\n", Want: []string{"1:8 os", "3:9 os Getenv (1)", "4:4 os Exit (1)"}},
		{Name: "a name that is hidden", File: "snippet.go", Src: "import (\n\t\"os\"\n)\nos := f()\nos.Exit(1)\n", Want: []string{"2:2 os"}},
	})
}

func TestUses_GoSyntaxErrors(t *testing.T) {
	got := usetest.List(&Golang{}, "", "a.go", "package a\nimport \"os\"\nvar x = os.Getenv(\nfunc f() {}\n")
	if !slices.Contains(got, "2:8 os") || !strings.HasSuffix(got[len(got)-1], "error") {
		t.Errorf("the uses are %v", got)
	}
}

func FuzzUses(f *testing.F) {
	usetest.Fuzz(f, &Golang{}, "a.go", "package a\nimport \"os\"\nvar x = os.Getenv(\"\")\n", "package a\nimport x \"os\"\nvar y = x.T[int]{A: 1}\nfunc (")
}
