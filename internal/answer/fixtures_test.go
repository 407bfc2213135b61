package answer

import (
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	npm "github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	python "github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	rust "github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	swift "github.com/docent-mcp/docent/internal/ecosystem/swift/module"
)

// Parsers for the declarations of each language.
var (
	goSyntax     = godoc.Syntax{}
	npmSyntax    = npm.Syntax{}
	pythonSyntax = python.Syntax{}
	rustSyntax   = rust.Syntax{}
	swiftSyntax  = swift.Syntax{}
)

// parsed returns a declaration with the parts that the language's parser finds.
func parsed(syntax apidoc.Syntax, kind apidoc.Kind, signature string) *apidoc.Decl {
	return &apidoc.Decl{Text: signature, Parts: syntax.Parts(&apidoc.Symbol{Kind: kind, Signature: signature})}
}

// npmStyle is the style of npm packages.
var npmStyle = apidoc.Style{Name: "npm", Fence: "ts", KindOrder: npmOrder, Weights: npmWeights, Defaults: npmDefaults, FollowTypes: true, Aliased: true, Nested: true, Syntax: npmSyntax}

var guide = Guide{
	Symbol: "ask for symbol %s",
	Search: "search the package",
	Larger: "ask for more tokens",
	More:   "raise the limit",
}

// web returns a package like those from the Go reader.
func web() *apidoc.Package {
	return &apidoc.Package{
		Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go", Imports: true}, Name: "example.com/web", Module: "example.com/web", Version: "v1.2.3", LocalName: "web",
		Doc:      "Package web fetches pages.\n\n# Proxies\n\nThey come from the environment:\n\n\tHTTP_PROXY=http://proxy\n",
		Platform: "linux/amd64",
		Provenance: apidoc.Provenance{
			Source: "module cache", Location: "example.com/web@v1.2.3", ChosenBy: "go.mod of example.com/app", Integrity: "verified by go.sum",
		},
		Groups: []apidoc.Group{{
			Signature: "const (\n\t// All went well.\n\tOK = 200\n\n\tMissing = 404 // not there\n)",
			Doc:       "Status codes.",
		}},
		Symbols: []apidoc.Symbol{
			{Path: "OK", Kind: apidoc.Const, Signature: "const OK = 200", Doc: "All went well.", Group: 1, File: "status.go", Line: 4},
			{Path: "Missing", Kind: apidoc.Const, Signature: "const Missing = 404", Group: 1, File: "status.go", Line: 6},
			{Path: "ErrClosed", Kind: apidoc.Var, Signature: `var ErrClosed = errors.New("web: closed")`, Doc: "ErrClosed is returned after Close. It never changes.", File: "web.go", Line: 9},
			{
				Path: "Get", Kind: apidoc.Func, Signature: "func Get(url string) (*Page, error)",
				Doc: "Get fetches a page. It follows redirects.\n\n# Errors\n\nSee [ErrClosed](#ErrClosed).", File: "web.go", Line: 20,
				Examples: []apidoc.Example{{Code: "p, err := web.Get(\"http://x\")\nfmt.Println(p, err)", Output: "<nil> no\n"}},
			},
			{Path: "Old", Kind: apidoc.Func, Signature: "func Old()", Doc: "Old does it.\n\nDeprecated: Use Get.", Deprecated: "Use Get.", File: "web.go", Line: 40},
			{
				Path: "Client", Kind: apidoc.Type,
				Signature: "type Client struct {\n\t// Timeout limits a request.\n\tTimeout time.Duration\n\n\t// Has unexported fields.\n}",
				Doc:       "A Client keeps connections. Use one for all requests.", File: "client.go", Line: 10,
				Members: []apidoc.Symbol{
					{Path: "Client.Timeout", Kind: apidoc.Field, Signature: "Timeout time.Duration", Doc: "Timeout limits a request.", File: "client.go", Line: 12},
					{Path: "Client.Do", Kind: apidoc.Method, Signature: "func (c *Client) Do(r *Request) (*Page, error)", Doc: "Do sends a request. It may be called at any time.", File: "client.go", Line: 30},
					{Path: "Client.Lock", Kind: apidoc.Method, From: "sync.Mutex", Signature: "func (m *Mutex) Lock()", Doc: "Lock locks m."},
				},
			},
			{Path: "NewClient", Kind: apidoc.Func, Of: "Client", Signature: "func NewClient() *Client", Doc: "NewClient makes a client. It is ready.", File: "client.go", Line: 20},
		},
		Elsewhere:   []apidoc.Symbol{{Path: "Registry", Kind: apidoc.Func, Signature: "func Registry()", Constraint: "windows"}},
		Examples:    []apidoc.Example{{Name: "whole", Doc: "Fetch it.", Code: "x := 1"}},
		Subpackages: []apidoc.Subpackage{{Name: "example.com/web/cookie", Synopsis: "Package cookie keeps cookies."}},
		Warnings:    []string{"broken.go could not be read: line 3: expected 'package'."},
	}
}

// large returns a package of n types with members, which is much too long for most budgets.
func large(n int) *apidoc.Package {
	p := web()
	p.Doc = strings.Repeat("All work and no play makes Jack a dull boy.\n\n", n)
	for i := range n {
		name := fmt.Sprintf("Type%d", i)
		s := apidoc.Symbol{Path: name, Kind: apidoc.Type, Signature: "type " + name + " int", Doc: name + " is a type. " + strings.Repeat("More. ", 50)}
		for j := range 10 {
			m := fmt.Sprintf("%s.Method%d", name, j)
			s.Members = append(s.Members, apidoc.Symbol{Path: m, Kind: apidoc.Method, Signature: "func (t " + name + ") Method()", Doc: m + " does it. " + strings.Repeat("More. ", 20)})
		}
		p.Symbols = append(p.Symbols, s)
		p.Subpackages = append(p.Subpackages, apidoc.Subpackage{Name: "example.com/web/" + strings.ToLower(name)})
	}
	return p
}

// till returns a package like those from the npm reader.
func till() *apidoc.Package {
	return &apidoc.Package{
		Ecosystem: "npm", Style: npmStyle, Name: "till", Module: "till", Version: "2.1.0", Doc: "Counts coins", Synopsis: "Counts coins",
		Provenance: apidoc.Provenance{Source: "node_modules", Location: "/app/node_modules/till", ChosenBy: "package-lock.json of app", Integrity: "none, as installed"},
		Symbols: []apidoc.Symbol{
			{Path: "Coins", Kind: apidoc.Type, Signature: "type Coins = readonly number[]", Doc: "All of them.", File: "i.d.ts", Line: 1},
			{Path: "Options", Kind: apidoc.Interface, Signature: "interface Options", File: "i.d.ts", Line: 2, Members: []apidoc.Symbol{
				{Path: "Options.size", Kind: apidoc.Property, Signature: "size?: number", File: "i.d.ts", Line: 3},
				{Path: "Options.[key: string]", Kind: "index signature", Signature: "[key: string]: unknown", File: "i.d.ts", Line: 4},
			}},
			{Path: "Till", Kind: apidoc.Class, Signature: "class Till extends Box", Doc: "A till. It opens.", File: "i.d.ts", Line: 5, Members: []apidoc.Symbol{
				{Path: "Till.constructor", Kind: "constructor", Signature: "constructor(options?: Options)", File: "i.d.ts", Line: 6},
				{Path: "Till.[Symbol.iterator]", Kind: apidoc.Method, Signature: "[Symbol.iterator](): Iterator<number>", File: "i.d.ts", Line: 7},
				{Path: "Till.count", Kind: apidoc.Method, Signature: "count(): number\ncount(coin: number): number", Doc: "Counts. Again.", File: "i.d.ts", Line: 8,
					Examples: []apidoc.Example{{Code: "till.count()"}}},
				{Path: "Till.open", Kind: apidoc.Method, Signature: "open(): void", From: "Box", File: "box.d.ts", Line: 2},
				{Path: "Till.shut", Kind: apidoc.Method, Signature: "shut(): void", From: "Box", File: "box.d.ts", Line: 3},
			}},
			{Path: "Thin", Kind: apidoc.Interface, Signature: "interface Thin extends Box", File: "i.d.ts", Line: 9, Members: []apidoc.Symbol{
				{Path: "Thin.open", Kind: apidoc.Method, Signature: "open(): void", From: "Box", File: "box.d.ts", Line: 2},
			}},
			{Path: "OldTill", Kind: apidoc.Class, Signature: "class Till extends Box", Deprecated: "Use Till.", File: "i.d.ts", Line: 5},
			{Path: "count", Kind: "function", Signature: "function count(coins: Coins): number\nfunction count(...coins: number[]): number", Doc: "Counts coins.", File: "i.d.ts", Line: 10},
			{Path: "default", Kind: apidoc.Const, Signature: "const till: Till", File: "i.d.ts", Line: 11},
		},
		Sections: []apidoc.Section{
			{ID: "readme/till", Title: "Till", Level: 1, Body: "Counts coins.", File: "README.md"},
			{ID: "readme/install", Title: "Install", Level: 2, Body: "```sh\nnpm i till\n```", File: "README.md"},
			{ID: "readme/usage", Title: "Usage", Level: 2, Body: "```js\nimport till from 'till'\n```", File: "README.md"},
			{ID: "docs/api", Title: "API", Level: 1, Body: "All about it.", File: "docs/api.md"},
			{ID: "docs/api/size", Title: "Size", Level: 2, Body: "Big.", File: "docs/api.md"},
			{ID: "examples/basic", Title: "examples/basic.js", Level: 1, Body: "```js\nx\n```", File: "examples/basic.js"},
		},
		Subpackages: []apidoc.Subpackage{{Name: "till/mini"}},
		Warnings:    []string{"members inherited from Error are left out because it was not found"},
	}
}

var npmOrder = [][]apidoc.Kind{
	{apidoc.Function, apidoc.Method}, {apidoc.Class}, {apidoc.Const}, {apidoc.Var, apidoc.Let, apidoc.Property}, {apidoc.Enum}, {apidoc.Namespace}, {apidoc.Interface},
}

var npmWeights = map[apidoc.Kind]float32{apidoc.Property: 0.9, apidoc.Class: 1.05, apidoc.Const: 1.06, apidoc.Var: 1.06, apidoc.Interface: 1.01, apidoc.Type: 0.883}

var npmDefaults = []apidoc.Default{{Path: "default", Title: "the default export"}, {Path: "export=", Title: "the module itself, export ="}}
