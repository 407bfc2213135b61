package depgraph

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// shop is a project with a package in two versions, one that is in a directory, one for
// another platform, a circle, and a name that would control a terminal.
func shop() []Language {
	g := &ecosystem.Graph{
		Root: "/src/shop",
		Packages: []ecosystem.Used{
			{Name: "shop", Dir: "/src/shop", Member: true, Installed: true, File: "package.json", Requires: []int{1, 2, 4}},
			{Name: "a", Version: "1.0.0", File: "package-lock.json", Installed: true, Requires: []int{3, 5, 6}, Wants: []string{"^1.0.0"}},
			{Name: "b", Version: "2.0.0-beta.1", File: "package-lock.json", Aliases: []string{"bee"}, Requires: []int{4}},
			{Name: "circle", Version: "1.0.0", File: "package-lock.json", Installed: true, Requires: []int{1}},
			{Name: "c_d", Version: "1.0.0", File: "package-lock.json", Installed: true},
			{Name: "c_d", Version: "2.0.0", File: "package-lock.json", Installed: true},
			{Name: "fork", Dir: "/src/shop/fork", File: "package-lock.json", Installed: true},
			{Name: "evil\x1b[2J\nname", Version: "3.0.0", File: "package-lock.json", Inactive: true},
		},
		Problems: []string{"A file cannot be read."},
	}
	return []Language{{ID: "npm", Name: "npm", Graph: g}}
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, shop()); err != nil {
		t.Fatal(err)
	}
	const want = `npm: 6 packages in /src/shop, 1 not installed

the project's own (1)
  shop  package.json

direct (3)
  a    1.0.0         package-lock.json
  b    2.0.0-beta.1  package-lock.json  imported as bee; not installed
  c_d  1.0.0         package-lock.json

indirect (3)
  circle  1.0.0  by a
  c_d     2.0.0  by a
  fork           by a  in fork

not used on this machine (1)
  evil[2J name  3.0.0  package-lock.json

several versions (1)
  c_d  1.0.0, 2.0.0

note: A file cannot be read.
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTree(t *testing.T) {
	var b strings.Builder
	if err := Tree(&b, shop()); err != nil {
		t.Fatal(err)
	}
	const want = `npm in /src/shop
shop
├── a 1.0.0
│   ├── circle 1.0.0
│   │   └── a 1.0.0 (*)
│   ├── c_d 2.0.0
│   └── fork (in fork)
├── b 2.0.0-beta.1 (imported as bee; not installed)
│   └── c_d 1.0.0
└── c_d 1.0.0

note: A file cannot be read.
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestWhy(t *testing.T) {
	for name, want := range map[string]string{
		"C-D": `npm: c_d 1.0.0 (package-lock.json)
  shop > c_d 1.0.0
  shop > b 2.0.0-beta.1 > c_d 1.0.0

npm: c_d 2.0.0 (package-lock.json)
  shop > a 1.0.0 > c_d 2.0.0
`,
		"bee":               "npm: b 2.0.0-beta.1 (package-lock.json; imported as bee; not installed)\n  shop > b 2.0.0-beta.1\n",
		"shop":              "npm: shop (package.json)\n  one of the project's own packages\n",
		"evil\x1b[2J\nname": "npm: evil[2J name 3.0.0 (package-lock.json)\n  not used on this machine\n",
		"absent":            "",
	} {
		var b strings.Builder
		found, err := Why(&b, shop(), name)
		if err != nil || found != (want != "") || b.String() != want {
			t.Errorf("%q: %v, %v, got\n%s\nwant\n%s", name, found, err, b.String(), want)
		}
	}
}

func TestNear(t *testing.T) {
	all := []Language{{Graph: &ecosystem.Graph{Packages: []ecosystem.Used{{Name: "example.com/print/v2"}, {Name: "left-pad"}}}}}
	for name, want := range map[string]string{"print": "example.com/print/v2", "letf-pad": "left-pad", "absent": ""} {
		if got := strings.Join(Near(all, name), " "); got != want {
			t.Errorf("the names like %s are %q, want %q", name, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	data, err := json.Marshal(JSON(shop()))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"schemaVersion":1,"languages":[{"language":"npm","root":"/src/shop","packages":[{"id":"shop@.","name":"shop","file":"package.json","dir":"/src/shop","own":true,"installed":true,"requires":["a@1.0.0","b@2.0.0-beta.1","c_d@1.0.0"]},`,
		`{"id":"a@1.0.0","name":"a","version":"1.0.0","file":"package-lock.json","direct":true,"installed":true,"wants":["^1.0.0"],"requires":["circle@1.0.0","c_d@2.0.0","fork@fork"]},`,
		`"inactive":true}],"problems":["A file cannot be read."]}]}`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is missing from\n%s", want, data)
		}
	}
}

func TestCompact(t *testing.T) {
	const want = `## npm, /src/shop
A file cannot be read.
Own (1): shop
Direct (3): a 1.0.0, b 2.0.0-beta.1 (imported as bee; not installed), c_d 1.0.0
Several versions (1): c_d 1.0.0 and 2.0.0
Indirect (3): circle 1.0.0, c_d 2.0.0, fork (in fork)
Not used on this machine (1): evil[2J name 3.0.0
`
	if got := Compact(shop(), 8000, "ask for more"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	all := append(shop(), shop()...)
	for range 1000 {
		all[0].Graph.Packages = append(all[0].Graph.Packages, ecosystem.Used{Name: "one of very many packages", Version: "1.0.0", Installed: true})
	}
	got := Compact(all, 1000, "ask for more")
	if len(got) > 1300 || !strings.Contains(got, "one of very many packages 1.0.0, … ") || strings.Count(got, "Direct (3): a 1.0.0") != 2 || !strings.HasSuffix(got, want) {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
}

func BenchmarkText(b *testing.B) {
	g := &ecosystem.Graph{Root: "/src/app"}
	for i := range 1000 {
		p := ecosystem.Used{Name: fmt.Sprintf("p%d", i), Version: fmt.Sprintf("1.0.%d", i), File: "package-lock.json", Member: i == 0, Installed: true}
		for _, k := range []int{i + 1, 2 * i, 7 * i} {
			if k < 1000 && k > i {
				p.Requires = append(p.Requires, k)
			}
		}
		g.Packages = append(g.Packages, p)
	}
	all := []Language{{ID: "npm", Name: "npm", Graph: g}}
	for name, write := range map[string]func() error{
		"table": func() error { return Text(io.Discard, all) },
		"tree":  func() error { return Tree(io.Discard, all) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := write(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
