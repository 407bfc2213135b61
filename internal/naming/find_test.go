package naming_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apidoc/decltest"
	"github.com/docent-mcp/docent/internal/naming"
)

var defaults = []apidoc.Default{{Path: "default", Title: "the default export"}, {Path: "export=", Title: "the module itself"}}

func httpLike() *apidoc.Package {
	member := func(owner string, names ...string) (members []apidoc.Symbol) {
		for _, n := range names {
			members = append(members, apidoc.Symbol{Path: owner + "." + n, Kind: apidoc.Method})
		}
		return members
	}
	return &apidoc.Package{Style: apidoc.Style{Spellings: func(path string) []string { return []string{strings.TrimPrefix(path, "~")} }},
		Name: "net/http", LocalName: "http",
		Symbols: []apidoc.Symbol{
			{Path: "StatusOK", Kind: apidoc.Const}, {Path: "Get", Kind: apidoc.Func}, {Path: "GET", Kind: apidoc.Const},
			{Path: "NewRequestWithContext", Kind: apidoc.Func}, {Path: "ListenAndServe", Kind: apidoc.Func},
			{Path: "ListenAndServeTLS", Kind: apidoc.Func}, {Path: "HandleFunc", Kind: apidoc.Func},
			{Path: "Client", Kind: apidoc.Type, Members: member("Client", "Do", "Get", "Head", "Post", "PostForm", "Timeout")},
			{Path: "Request", Kind: apidoc.Type, Members: member("Request", "Header", "Host", "Clone")},
			{Path: "Response", Kind: apidoc.Type, Members: member("Response", "Header", "Body")},
		},
		Elsewhere: []apidoc.Symbol{{Path: "Handle.Duplicate", Constraint: "windows"}},
	}
}

func TestFindAcceptsWhatUsersWrite(t *testing.T) {
	p := httpLike()
	for _, tc := range []struct{ path, want string }{
		{"Client.Do", "Client.Do"},
		{"client.Do", "Client.Do"}, // Here, client is a variable of type Client.
		{"http.Client.Do", "Client.Do"},
		{"net/http.Client.Do", "Client.Do"},
		{" Client.Do ", "Client.Do"},
		{"~Client.Do", "Client.Do"}, // a notation of the language
		{"~http.Client.Do", "Client.Do"},
		{"Get", "Get"},
		{"GET", "GET"},
		{"Handle.Duplicate", "Handle.Duplicate"},
		{"Do", "Client.Do"},
		{"Timeout", "Client.Timeout"},
		{"c.PostForm", "Client.PostForm"},
	} {
		s, err := naming.Find(p, tc.path)
		if err != nil {
			t.Errorf("Find(%q): %v", tc.path, err)
		} else if s.Path != tc.want {
			t.Errorf("Find(%q) = %q, want %q", tc.path, s.Path, tc.want)
		}
	}
}

// axiosLike is shaped as the npm reader shapes packages: values that lead to
// the interfaces they are declared to be.
func axiosLike() *apidoc.Package {
	return &apidoc.Package{
		Style: apidoc.Style{FollowTypes: true, Syntax: decltest.Typed{}, Defaults: defaults}, Name: "@coins/axios",
		Symbols: []apidoc.Symbol{
			{Path: "Axios", Kind: apidoc.Class, Signature: "class Axios", Members: []apidoc.Symbol{
				{Path: "Axios.get", Kind: apidoc.Method, Signature: "get<T = any>(url: string): Promise<T>", File: "i.d.ts", Line: 5},
				{Path: "Axios.[Symbol.iterator]", Kind: apidoc.Method, Signature: "[Symbol.iterator](): Iterator<string>", File: "i.d.ts", Line: 6},
			}},
			{Path: "AxiosStatic", Kind: apidoc.Interface, Signature: "interface AxiosStatic extends Axios", Members: []apidoc.Symbol{
				{Path: "AxiosStatic.get", Kind: apidoc.Method, From: "Axios", Signature: "get<T = any>(url: string): Promise<T>", File: "i.d.ts", Line: 5},
				{Path: "AxiosStatic.Cancel", Kind: apidoc.Property, Signature: "Cancel: CancelStatic"},
				{Path: "AxiosStatic.headers", Kind: apidoc.Property, Signature: "headers: Omit<Headers, 'x'> & { [key: string]: string; }"},
			}},
			{Path: "Program", Kind: apidoc.Class, Signature: "class Program", Members: []apidoc.Symbol{
				{Path: "Program.option", Kind: apidoc.Method, Signature: "option(flags: string): this"},
				{Path: "Program.get", Kind: apidoc.Method, Signature: "get(): void"},
			}},
			{Path: "program", Kind: apidoc.Const, Signature: "const program: core.Program"},
			{Path: "factory", Kind: "function", Signature: "function factory(): void\nfunction factory<T extends { a: () => void; }>(x: (y: T) => number): core.Alias<T> & Other"},
			{Path: "Alias", Kind: apidoc.Type, Signature: "type Alias<T = Axios> = Program"},
			{Path: "maker", Kind: apidoc.Const, Signature: "const maker: (args?: ReadonlyArray<string>) => Program"},
			{Path: "string", Kind: apidoc.Const, Signature: "const string: 1", File: "s.d.ts", Line: 1},
			{Path: "list", Kind: apidoc.Const, Signature: "const list: Program[]"},
			{Path: "default", Kind: apidoc.Const, Signature: "const axios: AxiosStatic"},
			{Path: "z", Kind: apidoc.Namespace, Signature: "namespace z", Members: []apidoc.Symbol{{Path: "z.string", Kind: "function", Signature: "function string(): Program"}}},
		},
	}
}

func TestFindFollowsValuesToTheirTypes(t *testing.T) {
	p := axiosLike()
	for path, want := range map[string]string{
		"axios.get": "AxiosStatic.get", "get": "AxiosStatic.get", "default.get": "AxiosStatic.get", "axios": "default",
		"@coins/axios.get": "AxiosStatic.get", "Axios.get": "Axios.get", "program.option": "Program.option",
		"factory.option": "Program.option", "maker.option": "Program.option", "axios.program.option": "Program.option",
		"z.string": "z.string", "axios.z.string": "z.string", "z.string.option": "Program.option",
		"Axios.[Symbol.iterator]": "Axios.[Symbol.iterator]", "option": "Program.option", "app.option": "Program.option",
	} {
		s, err := naming.Find(p, path)
		if err != nil || s.Path != want {
			t.Errorf("Find(%q) = %v, %v; want %s", path, s, err, want)
		}
	}
	for _, path := range []string{"App.option", "Program.string", "app.get", "list.option", "axios.nothing", "Axios.option", "Other.get", "app.string", strings.Repeat("axios.", 10_000)} {
		if s, err := naming.Find(p, path); err == nil {
			t.Errorf("Find(%.40q) = %s", path, s.Path)
		}
	}
}

func TestNamesAreTheLastOfAPath(t *testing.T) {
	for path, want := range map[string]string{
		"A.b": "b", "A.[Symbol.iterator]": "[Symbol.iterator]", "A.[key: string]": "[key: string]", "A.()": "()", "[x.y]": "[x.y]",
		"a::b": "b", "c/d.E": "E", "E": "E", "": "", "]": "]", ".[": "[",
	} {
		if got := (&apidoc.Symbol{Path: path}).Name(); got != want {
			t.Errorf("the name of %q is %q, want %q", path, got, want)
		}
	}
}

func TestFindOffersTheNearestFive(t *testing.T) {
	p := httpLike()
	for _, tc := range []struct{ path, first string }{
		{"Client.Doo", "Client.Do"},
		{"http.Client.Doo", "Client.Do"},
		{"Client.Post2", "Client.Post"},
		{"r.Header", "Request.Header"},
		{"Clent.Do", "Client.Do"},
		{"Request.Heaedr", "Request.Header"},
		{"Reqest", "Request"},
		{"NewRequestContext", "NewRequestWithContext"},
		{"ListenAndServeHTTPS", "ListenAndServe"},
		{"HandleFunction", "HandleFunc"},
		{"STATUS_OK", "StatusOK"},
		{"zzz", "Get"},
		{"", "Get"},
		{strings.Repeat("Client.", 10_000), "Client"},
	} {
		_, err := naming.Find(p, tc.path)
		var missing *naming.NoSymbolError
		if !errors.As(err, &missing) || missing.Case || len(missing.Near) != 5 {
			t.Errorf("Find(%.40q): %v, want an error with five names", tc.path, err)
		} else if missing.Near[0] != tc.first && tc.path != "zzz" && tc.path != "" {
			t.Errorf("Find(%.40q) offers %v, want %s first", tc.path, missing.Near, tc.first)
		}
	}
}

func TestFind_NamesInTheSameCaseAreTheNearest(t *testing.T) {
	p := &apidoc.Package{Name: "shop", Symbols: []apidoc.Symbol{{Path: "Command", Kind: apidoc.Type}, {Path: "command", Kind: apidoc.Func}}}
	for path, want := range map[string][]string{"comand": {"command", "Command"}, "Comand": {"Command", "command"}} {
		_, err := naming.Find(p, path)
		if missing, ok := errors.AsType[*naming.NoSymbolError](err); !ok || !slices.Equal(missing.Near, want) {
			t.Errorf("Find(%q) = %v, want an error with %v", path, err, want)
		}
	}
}

func TestFind_DefaultExportInAnotherCaseIsSuggested(t *testing.T) {
	p := &apidoc.Package{Name: "swift-hooks", Style: apidoc.Style{FollowTypes: true, Syntax: decltest.Typed{}, Defaults: defaults}, Symbols: []apidoc.Symbol{{Path: "default", Kind: apidoc.Const, Signature: "const useSWR: SWRHook"}, {Path: "useSWRConfig", Kind: apidoc.Const}}}
	if s, err := naming.Find(p, "useSwr"); err == nil || err.Error() != "no symbol useSwr in swift-hooks; did you mean useSWR?" {
		t.Errorf("found %v, %v", s, err)
	}
}

func TestDefaultExportsAreCalledByTheirNames(t *testing.T) {
	for _, tc := range []struct{ pkg, signature, others, path, want string }{
		{"p-queue", "class PQueue", "", "default", "PQueue"},
		{"p-queue", "class PQueue", "", "default.add", "PQueue.add"},
		{"p-queue", "class PQueue", "PQueue", "default.add", "default.add"},
		{"express", "function e(): Express", "", "export=.add", "express.add"},
		{"@scope/box", "class", "", "default.add", "box.add"},
		{"@scope/box", "class", "box", "default.add", "default.add"},
		{"p-queue", "class PQueue", "defaults", "defaults", "defaults"},
		{"p-queue", "class PQueue", "", "Other.add", "Other.add"},
	} {
		root, _, _ := strings.Cut(tc.path, ".")
		if root != "export=" {
			root = "default"
		}
		p := &apidoc.Package{Style: apidoc.Style{FollowTypes: true, Syntax: decltest.Typed{}, Defaults: defaults}, Name: tc.pkg, Symbols: []apidoc.Symbol{
			{Path: root, Signature: tc.signature, Members: []apidoc.Symbol{{Path: root + ".add", Signature: "add(): void"}}},
		}}
		if tc.others != "" {
			p.Symbols = append(p.Symbols, apidoc.Symbol{Path: tc.others, Members: []apidoc.Symbol{{Path: tc.others + ".add"}}})
		}
		got := naming.Called(p, tc.path)
		if got != tc.want {
			t.Errorf("%s of %s is called %s, want %s", tc.path, tc.signature, got, tc.want)
		}
		if s, err := naming.Find(p, got); tc.path != "Other.add" && (err != nil || s.Path != tc.path) {
			t.Errorf("Find(%s): %v, %v", got, s, err)
		}
	}
}

func TestFind_CaseIsNotIgnored(t *testing.T) {
	http, axios := httpLike(), axiosLike()
	for _, tt := range []struct {
		p          *apidoc.Package
		path, want string
	}{
		{http, "get", "no symbol get in net/http; did you mean Get or GET?"},
		{http, "statusok", "no symbol statusok in net/http; did you mean StatusOK?"},
		{http, "client.do", "no symbol client.do in net/http; did you mean Client.Do?"},
		{axios, "AXIOS.GET", "no symbol AXIOS.GET in @coins/axios; did you mean Axios.get?"},
		{axios, "cancel", "no symbol cancel in @coins/axios; did you mean AxiosStatic.Cancel?"},
	} {
		s, err := naming.Find(tt.p, tt.path)
		var missing *naming.NoSymbolError
		if !errors.As(err, &missing) || !missing.Case || err.Error() != tt.want || naming.Named(tt.p, tt.path) != nil {
			t.Errorf("Find(%s): %v, %v, want %s", tt.path, s, err, tt.want)
		}
	}
}

func TestFindInAnEmptyPackage(t *testing.T) {
	_, err := naming.Find(&apidoc.Package{Name: "x"}, "Y")
	if want := "no symbol Y in x, which exports nothing"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = naming.Find(&apidoc.Package{Name: "x", Warnings: []string{"x.d.ts is missing", "so is y.d.ts"}}, "Y")
	if want := "no symbol Y in x, which exports nothing (x.d.ts is missing)"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func BenchmarkFindNearest(b *testing.B) {
	p := &apidoc.Package{Name: "big"}
	for i := range 10_000 {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: fmt.Sprintf("Type%d.Method%d", i%500, i)})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := naming.Find(p, "Typ17.Methd4"); err == nil {
			b.Fatal("found")
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, path := range []string{"http.Client.Do", "(*Client).Do()", "a[b[c]].d", "Client.", ".", "ÄÖ\xff", "x::y#z"} {
		f.Add(path)
	}
	p := httpLike()
	f.Add("get") // This name differs from Get only in case.
	f.Fuzz(func(t *testing.T, path string) {
		values := axiosLike()
		values.Symbols = append(values.Symbols, apidoc.Symbol{Path: "fuzzed", Signature: path})
		if s, err := naming.Find(values, "fuzzed."+path); err == nil && s == nil {
			t.Errorf("Find(%q) found nothing and says nothing", path)
		}
		s, err := naming.Find(p, path)
		if named := naming.Named(p, path); named != s {
			t.Errorf("Named(%q) is %v, Find has %v", path, named, s)
		}
		var missing *naming.NoSymbolError
		switch {
		case err == nil && s == nil:
			t.Errorf("Find(%q) found nothing and says nothing", path)
		case err != nil && (!errors.As(err, &missing) || !missing.Case && len(missing.Near) != 5):
			t.Errorf("Find(%q): %v", path, err)
		}
	})
}

func TestPathsWithAnotherSeparator(t *testing.T) {
	p := &apidoc.Package{Style: apidoc.Style{Separator: "::", FollowTypes: true, Syntax: decltest.Typed{}}, Name: "serde", LocalName: "serde", Symbols: []apidoc.Symbol{
		{Path: "de", Kind: apidoc.Namespace, Signature: "mod de", Members: []apidoc.Symbol{
			{Path: "de::Reader", Kind: apidoc.Interface, Signature: "trait Reader", Members: []apidoc.Symbol{
				{Path: "de::Reader::read", Kind: apidoc.Method, Signature: "fn read(&self) -> u8"},
			}},
		}},
		{Path: "INPUT", Kind: apidoc.Const, Signature: "const INPUT: Reader", Members: nil},
		{Path: "Reader", Kind: apidoc.Type, Signature: "type Reader = Buffer", Members: []apidoc.Symbol{{Path: "Reader::skip", Kind: apidoc.Method, Signature: "fn skip()"}}},
	}}
	for path, want := range map[string]string{
		"de::Reader::read": "de::Reader::read", "serde::de::Reader": "de::Reader", "de.Reader.read": "de::Reader::read",
		"INPUT::skip": "Reader::skip", "read": "de::Reader::read",
	} {
		if s, err := naming.Find(p, path); err != nil || s.Path != want {
			t.Errorf("%s leads to %v, %v; want %s", path, s, err, want)
		}
	}
	for pattern, want := range map[string][]string{
		"de::Reader::*": {"de::Reader::read"}, "de.Reader.*": {"de::Reader::read"}, "serde::de::*": {"de::Reader"}, "Re*": {"Reader"},
	} {
		var got []string
		found, _ := naming.Select(p, pattern)
		for _, s := range found {
			got = append(got, s.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s matches %q, want %q", pattern, got, want)
		}
	}
	for path, want := range map[string]string{"de::Reader::read": "de::Reader", "INPUT": "", "[Symbol.iterator]": "", "A.[Symbol.iterator]": "A"} {
		s := apidoc.Symbol{Path: path}
		if got := s.ParentPath(); got != want {
			t.Errorf("the parent of %s is %q, want %q", path, got, want)
		}
	}
}

// TestSelect_Stars compares a pattern that begins with a star with a pointer type.
func TestSelect_Stars(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Name: "rail", Symbols: []apidoc.Symbol{
		{Path: "Hook", Kind: apidoc.Func, Signature: "func Hook()"}, {Path: "untilHookRests", Kind: apidoc.Func, Signature: "func untilHookRests()"},
	}}
	p.Style.Spellings = func(path string) []string { return []string{strings.Trim(path, "*")} }
	for name, want := range map[string]string{"*Hook": "Hook", "*Hook*": "Hook untilHookRests", "Hook*": "Hook", "*Rests": "untilHookRests"} {
		found, err := naming.Select(p, name)
		var got []string
		for _, s := range found {
			got = append(got, s.Path)
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
}
