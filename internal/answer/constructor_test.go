package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestTheConstructorIsShownWhereMembersAreOnlyNamed(t *testing.T) {
	class := apidoc.Symbol{Path: "App", Kind: apidoc.Class, Signature: "class App(Node)", Members: []apidoc.Symbol{
		{Path: "App.__init__", Kind: "constructor", Signature: "def __init__(self, path: str | None = None)"},
	}}
	for i := range 300 {
		name := fmt.Sprintf("member_with_a_long_name_%d", i)
		class.Members = append(class.Members, apidoc.Symbol{Path: "App." + name, Kind: apidoc.Method, Signature: "def " + name + "(self, first: int, second: int, third: int) -> None"})
	}
	p := &apidoc.Package{Ecosystem: "python", Style: apidoc.Style{Syntax: pythonSyntax, Name: "Python", Fence: "python"}, Name: "app", Symbols: []apidoc.Symbol{
		class, {Path: "run", Kind: "function", Signature: "def run() -> None"},
	}}
	text := describe(t, p, Options{Guide: guide}, "App run").Text
	if strings.Count(text, "def __init__(self, path: str | None = None)") != 1 || strings.Contains(text, "def member_") || !strings.Contains(text, "member_with_a_long_name") || strings.Contains(text, "Members: __init__") {
		t.Errorf("got\n%s", text)
	}
}

// worker returns a package with a class that has many members, both declared and inherited. The
// constructor of the class takes options.
func worker() *apidoc.Package {
	class := apidoc.Symbol{Path: "Worker", Kind: apidoc.Class, Signature: "class Worker<B extends Backend = Disk> extends Base", Members: []apidoc.Symbol{
		{Path: "Worker.constructor", Kind: "constructor", Signature: "constructor(name: string, options: WorkerOptions)"},
	}}
	for i := range 100 {
		name := fmt.Sprintf("member_with_a_long_name_%d", i)
		class.Members = append(class.Members, apidoc.Symbol{Path: "Worker." + name, Kind: apidoc.Method, Signature: name + "(first: number, second: number): void"})
	}
	inherited := apidoc.Symbol{Path: "Worker.inherited", Kind: apidoc.Method, Signature: "inherited(first: number): void", From: "Base"}
	backend := apidoc.Symbol{Path: "Backend", Kind: apidoc.Interface, Signature: "interface Backend"}
	for i := range 100 {
		name := fmt.Sprintf("write%d", i)
		backend.Members = append(backend.Members, apidoc.Symbol{Path: "Backend." + name, Kind: apidoc.Method, Signature: name + "(text: string): Promise<void>", Doc: "Writes a text."})
	}
	return &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "jobs", Symbols: []apidoc.Symbol{
		withMembers(class, append(class.Members, inherited)...), backend,
		{Path: "Disk", Kind: apidoc.Class, Signature: "class Disk implements Backend"},
		{Path: "Base", Kind: apidoc.Class, Signature: "class Base", Members: []apidoc.Symbol{{Path: "Base.inherited", Kind: apidoc.Method, Signature: "inherited(first: number): void"}}},
		{Path: "WorkerOptions", Kind: apidoc.Interface, Signature: "interface WorkerOptions", Members: []apidoc.Symbol{
			{Path: "WorkerOptions.concurrency", Kind: apidoc.Property, Signature: "concurrency?: number", Doc: "Jobs at a time."},
		}},
		{Path: "run", Kind: "function", Signature: "function run(): void"},
	}}
}

func withMembers(s apidoc.Symbol, members ...apidoc.Symbol) apidoc.Symbol {
	s.Members = members
	return s
}

func TestWhatAConstructorTakesComesBeforeWhatItsClassNames(t *testing.T) {
	for _, request := range []string{"Worker", "Worker run"} {
		text := describe(t, worker(), Options{Guide: guide}, request).Text
		options, backend := strings.Index(text, "interface WorkerOptions {"), strings.Index(text, "interface Backend")
		if options < 0 || backend >= 0 && backend < options || !strings.Contains(text, "concurrency?: number") {
			t.Errorf("%s: got\n%s", request, text)
		}
	}
}

func TestInheritedMembersAreNamedWhereTheOthersAre(t *testing.T) {
	text := describe(t, worker(), Options{Guide: guide}, "Worker run").Text
	if !strings.Contains(text, "Inherited from Base: inherited") || !strings.Contains(text, "member_with_a_long_name_") || strings.Contains(text, "second: number") {
		t.Errorf("got\n%s", text)
	}
}

func TestAParameterOfATypeHidesTheTypeOfItsName(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "auth", Symbols: []apidoc.Symbol{
		{Path: "auth", Kind: apidoc.Const, Signature: "const auth: <Options extends AuthOptions>(options: Options & {}) => Auth<Options>"},
		{Path: "Options", Kind: apidoc.Interface, Signature: "interface Options", Members: []apidoc.Symbol{{Path: "Options.other", Kind: apidoc.Property, Signature: "other: 1"}}},
		{Path: "AuthOptions", Kind: apidoc.Interface, Signature: "interface AuthOptions", Members: []apidoc.Symbol{{Path: "AuthOptions.secret", Kind: apidoc.Property, Signature: "secret: string"}}},
	}}
	text := describe(t, p, Options{Guide: guide}, "auth").Text
	if strings.Contains(text, "interface Options ") || !strings.Contains(text, "secret: string") {
		t.Errorf("got\n%s", text)
	}
}

func TestDecoratorsStandAboveOverloadsThatAreCut(t *testing.T) {
	long := "def type(cls, name: str, " + strings.Repeat("option: int, ", 40)
	signature := "@transform(order=False)\n" + long + "a: 1)\n" + long + "b: 2)\n" + long + "c: 3)"
	d, n := fewer(parsed(pythonSyntax, apidoc.Function, signature), 1200, "# ")
	if want := "@transform(order=False)\n" + long + "a: 1)\n# … 1 more overload\n" + long + "c: 3)"; d.Text != want || n != 1 {
		t.Errorf("%d left out of\n%s", n, d.Text)
	}
	p := &apidoc.Package{Ecosystem: "python", Style: apidoc.Style{Syntax: pythonSyntax, Name: "Python", Fence: "python"}, Name: "app", Symbols: []apidoc.Symbol{
		{Path: "type", Kind: "function", Signature: "@transform(order=False)\n" + long + strings.Repeat("option: int, ", 160) + ")"},
	}}
	if text := describe(t, p, Options{Guide: guide, MaxTokens: minTokens}, "type").Text; !strings.Contains(text, "@transform(order=False)\ndef type(cls, name: str, ") {
		t.Errorf("got\n%s", text)
	}
}
