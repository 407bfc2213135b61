package prose

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// till is where a package of the tests keeps what.
var till = Layout{
	Guides: []string{"./manual", "dist/docs"}, Examples: []string{"try"}, Shipped: []string{"dist", "lib/guides/", "../a/docs"},
	Imported: []string{"examples/jsm"},
	Code:     map[string]string{".js": "js", ".mjs": "js", ".ts": "ts", ".tsx": "tsx"},
}

// proseOf reads the prose of a package of these files.
func proseOf(l Layout, files map[string]string) (ids []string, notes []string, bodies map[string]string) {
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	sections, notes := Read(context.Background(), tree, l)
	bodies = map[string]string{}
	for _, s := range sections {
		ids = append(ids, s.ID)
		bodies[s.ID] = s.Body
	}
	return ids, notes, bodies
}

func TestGuidesAndExamplesAreFoundWhereverTheyLie(t *testing.T) {
	ids, notes, bodies := proseOf(till, map[string]string{
		"README.md":                        "# Till\n\nCounts.",
		"README.zh-CN.md":                  "# 例",
		"docs/Guide/Options of it.md":      "---\ntitle: x\n---\nOptions\n=======\n\nAll.\n\n## Size\n\nBig.",
		"docs/page.html":                   "<html><body><h1>Page</h1><p>Text</p></body></html>",
		"docs/mdx.mdx":                     "import X from 'x'\n\n# MDX\n\n<X a={1}>\n\nText {/* no */}\n\n</X>\n\nexport const a = {\n  b\n}\n",
		"docs/named.md":                    "---\ntitle: A name\n---\n\n{/* no */}\n\n<Box>\n\nText\n\n</Box>",
		"docs/parts.md":                    "---\ntitle: In parts\n---\n## One\n\nText",
		"docs/zh-CN/page.md":               "# 例",
		"docs/options.ja.md":               "# 例",
		"docs/sneaky.md":                   "# 例文章章章章",
		"docs/.vitepress/config.md":        "# no",
		"docs/assets/logo.md":              "# no",
		"docs/examples/inner.ts":           "let x: 1",
		"docs/code.js":                     "no()",
		"manual/start.md":                  "Start here.",
		"try/basic.mjs":                    "import x from 'till'\n",
		"try/page.tsx":                     "<a>```</a>",
		"try/x.min.js":                     "no()",
		"try/binary.js":                    "\x00",
		"examples/jsm/module.js":           "export const no = 1",
		"lib/guides/deep.md":               "# Deep",
		"lib/notes.md":                     "# no",
		"MIGRATION.md":                     "# Moving\n\nDo so.",
		"CONTRIBUTING.md":                  "# no",
		"LICENSE.md":                       "# no",
		"llms.txt":                         "# Till\n\nFor machines.",
		"CHANGELOG.md":                     "# Changes\n\n## 2.0\n\nNew.",
		"node_modules/other/docs/other.md": "# no",
	})
	want := `readme/till docs/guide/options-of-it docs/guide/options-of-it/size docs/mdx docs/named docs/page docs/parts docs/parts/one lib/guides/deep manual/start docs/examples/inner try/basic try/page migration llms changelog`
	got := strings.Fields(strings.Join(ids, " "))
	if strings.Join(got, " ") != want && !sameWords(got, strings.Fields(want)) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(ids, " "), want)
	}
	if len(notes) != 0 {
		t.Errorf("said %q", notes)
	}
	for id, text := range map[string]string{
		"docs/guide/options-of-it": "All.", "docs/guide/options-of-it/size": "Big.", "docs/page": "Text", "docs/mdx": "Text", "docs/named": "Text", "docs/parts": "", "docs/parts/one": "Text", "manual/start": "Start here.",
		"try/basic": "```js\nimport x from 'till'\n```", "try/page": "````tsx\n<a>```</a>\n````", "changelog": "## Changes\n\n### 2.0\n\nNew.",
	} {
		if bodies[id] != text {
			t.Errorf("%s is %q, want %q", id, bodies[id], text)
		}
	}
}

func sameWords(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	has := map[string]bool{}
	for _, w := range a {
		has[w] = true
	}
	for _, w := range b {
		if !has[w] {
			return false
		}
	}
	return true
}

func TestTooMuchProseIsLeftOutAndReported(t *testing.T) {
	files := map[string]string{"README.md": "# Till\n\n" + strings.Repeat("## One\n\n"+strings.Repeat("Words. ", 1000)+"\n\n", 250), "CHANGELOG.md": strings.Repeat("## 1\n\nText\n\n", 10_000)}
	for i := range maxGuides + 10 {
		files[fmt.Sprintf("docs/%d.md", i)] = "# G"
		files[fmt.Sprintf("examples/%d.js", i)] = "x"
	}
	files["examples/0.js"] = strings.Repeat("line()\n", maxExample)
	ids, notes, bodies := proseOf(Layout{Code: till.Code}, files)
	if len(notes) != 2 || !strings.Contains(notes[0], "README.md is too long, so 1") || !strings.Contains(notes[1], fmt.Sprintf("%d more documentation and example files", 20+maxGuides-maxExamples)) {
		t.Errorf("said %q", notes)
	}
	if len(bodies["changelog"]) > maxChangelog+200 || !strings.HasSuffix(bodies["changelog"], "(Older entries are in the package's CHANGELOG.md.)") {
		t.Errorf("the changelog has %d bytes and ends with %q", len(bodies["changelog"]), bodies["changelog"][len(bodies["changelog"])-100:])
	}
	if !strings.HasSuffix(bodies["examples/0"], "line()\n// …\n```") {
		t.Errorf("the example ends with %q", bodies["examples/0"][len(bodies["examples/0"])-40:])
	}
	if len(ids) > 1000 {
		t.Errorf("%d sections", len(ids))
	}
}

func TestTheReadmeIsTheEnglishOneIfThereAreSeveral(t *testing.T) {
	const chinese, english = "# Till\n\n这是一个计算硬币的库，非常有用。", "# Till\n\nCounts coins, which is of use."
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"the plain name":             {map[string]string{"README.md": english, "README.zh-CN.md": chinese, "README_en.md": "# x\n\nother"}, english},
		"a name that says English":   {map[string]string{"README.md": chinese, "README.en-US.md": english, "README.ja.md": chinese}, english},
		"no other":                   {map[string]string{"README.md": chinese}, chinese},
		"only a translation":         {map[string]string{"README.zh-CN.md": chinese, "README-de.md": "# x\n\nDeutsch"}, "# x\n\nDeutsch"},
		"upper case, longer ending":  {map[string]string{"ReadMe.Markdown": english, "readme.txt": "no"}, english},
		"no ending":                  {map[string]string{"README": english}, english},
		"Markdown before plain text": {map[string]string{"readme": "no", "readme.md": english}, english},
		"below docs":                 {map[string]string{"docs/README.md": english}, english},
		"not an empty one":           {map[string]string{"README.md": " \n", "README.txt": english}, english},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, bodies := proseOf(Layout{}, test.files)
			for id, body := range bodies {
				if strings.HasPrefix(id, "readme/") && !strings.HasSuffix(test.want, body) {
					t.Errorf("%s is %q", id, body)
				}
			}
			if len(bodies) == 0 {
				t.Error("nothing was read")
			}
		})
	}
}

// FuzzGuides reads hostile files in places of every kind.
func FuzzGuides(f *testing.F) {
	f.Add("docs/a.md", "# a\n\n## b", "docs")
	f.Add("examples/a.tsx", "<a/>", "examples")
	f.Add("CHANGELOG.md", strings.Repeat("# a\n", 100), "")
	f.Add("docs/a.mdx", "export const a = 1\n<B>\n{/* x", "../..")
	f.Fuzz(func(t *testing.T, name, text, dir string) {
		tree := fstest.MapFS{}
		if fstestPath(name) {
			tree[name] = &fstest.MapFile{Data: []byte(text)}
		}
		sections, _ := Read(t.Context(), tree, Layout{Guides: []string{dir}, Shipped: []string{dir}, Imported: []string{dir + "/docs"}, Code: till.Code})
		ids := map[string]bool{}
		for _, s := range sections {
			if s.ID == "" || s.Title == "" || s.Level < 1 || ids[s.ID] {
				t.Errorf("a section is %+v", s)
			}
			ids[s.ID] = true
		}
	})
}

// fstestPath reports whether fstest.MapFS can contain a file with the given name.
func fstestPath(name string) bool {
	return strings.Trim(name, "./") == name && name != "" && !strings.Contains(name, "//") &&
		!strings.Contains("/"+name+"/", "/./") && !strings.Contains("/"+name+"/", "/../")
}
