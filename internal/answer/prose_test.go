package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func manual() *apidoc.Package {
	return &apidoc.Package{
		Ecosystem: "npm", Style: npmStyle, Name: "till", Version: "1.0.0",
		Sections: []apidoc.Section{
			{ID: "readme/till", Title: "Till", Level: 1, Body: "Counts coins."},
			{ID: "readme/api", Title: "API", Level: 2},
			{ID: "readme/count", Title: "count()", Level: 3, Body: "# Loud\n\n" + strings.Repeat("Counts them. ", 100)},
			{ID: "readme/faq", Title: "FAQ", Level: 2, Body: "None."},
		},
	}
}

func TestSectionsAreFoundByIDTitleAndPart(t *testing.T) {
	p := manual()
	for name, want := range map[string]string{
		"readme/api": "API count()", "api": "API count()", "Count()": "count()", "faq": "FAQ", "coun": "count()", "till": "Till API count() FAQ",
		"faq, count()": "FAQ count()", "api,count(),": "API count()",
	} {
		sections, err := FindSections(p, name)
		var titles []string
		for _, s := range sections {
			titles = append(titles, s.Title)
		}
		if got := strings.Join(titles, " "); err != nil || got != want {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	if _, err := FindSections(p, "nothing"); err == nil || !strings.Contains(err.Error(), "readme/faq") {
		t.Errorf("said %v", err)
	}
	for _, name := range []string{"faq,nothing", " , "} {
		if found, err := FindSections(p, name); err == nil {
			t.Errorf("%s is %v", name, found)
		}
	}
}

var byTool = Hints{Section: "with section", Query: "with query", Larger: "set a larger maxLength"}

func TestProseIsCutAndSaysWhatIsLeft(t *testing.T) {
	p := manual()
	a := Sections(p, p.Sections, 1000, byTool)
	text := a.Text
	if !strings.Contains(text, "bytes of readme/count;") || !strings.Contains(text, "with section: readme/faq.") {
		t.Errorf("got %s", text)
	}
	if !strings.Contains(text, "\n### API\n") || !strings.Contains(text, "\n#### count()\n") || !strings.Contains(text, "\n##### Loud\n") {
		t.Errorf("headings do not stand below one another:\n%s", text)
	}
	if a := sectionsWithin(p, p.Sections, 0, Hints{}); len(a.omitted) != 0 || len(a.sections) != 4 {
		t.Errorf("without a limit it left out %q", a.omitted)
	}
}

func TestProseIsNeverLongerThanItsLimit(t *testing.T) {
	p := manual()
	for i := range 300 {
		p.Sections = append(p.Sections, apidoc.Section{
			ID: fmt.Sprintf("docs/page-%d", i), Title: "Page", Level: 1, File: fmt.Sprintf("docs/page-%d.md", i), Body: strings.Repeat("Words of it.\n\n", i),
		})
	}
	for limit := 500; limit < 40_000; limit += 317 {
		for _, requests := range [][]apidoc.Section{p.Sections, p.Sections[200:], Readme(p.Sections), nil} {
			if got := len(Sections(p, requests, limit, byTool).Text); got > limit {
				t.Fatalf("%d bytes where %d are allowed", got, limit)
			}
		}
	}
}

func TestGuidesAreFoundByPathFileAndFolder(t *testing.T) {
	p := manual()
	p.Sections = append(p.Sections,
		apidoc.Section{ID: "docs/guide/options", Title: "Options", Level: 1, Body: "All.", File: "docs/Guide/Options.md"},
		apidoc.Section{ID: "docs/guide/options/size", Title: "Size", Level: 2, Body: "Big.", File: "docs/Guide/Options.md"},
		apidoc.Section{ID: "docs/start", Title: "Start", Level: 1, Body: "Go.", File: "docs/start.md"},
		apidoc.Section{ID: "examples/basic", Title: "examples/basic.js", Level: 1, Body: "x", File: "examples/basic.js"},
	)
	for name, want := range map[string]string{
		"docs/guide/options": "Options Size", "docs/Guide/Options.md": "Options Size", "./docs/Guide/Options.md#size": "Size", "/docs/start.md": "Start",
		"docs/guide/options.md#gone": "Options Size", "docs": "Options Size Start", "docs/guide": "Options Size", "docs/": "Options Size Start",
		"examples/basic": "examples/basic.js", "examples": "examples/basic.js", "#faq": "FAQ", "readme": "Till API count() FAQ", "size": "Size",
	} {
		sections, err := FindSections(p, name)
		var titles []string
		for _, s := range sections {
			titles = append(titles, s.Title)
		}
		if got := strings.Join(titles, " "); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	var ids []string
	for _, s := range Outline(p.Sections) {
		ids = append(ids, s.ID)
	}
	if got := strings.Join(ids, " "); got != "readme/till readme/api readme/count readme/faq docs/guide/options docs/start examples/basic" {
		t.Errorf("the outline is %s", got)
	}
}

func TestAVendoredPackageDoesNotSayThatItsModuleHasNoProse(t *testing.T) {
	p := &apidoc.Package{Name: "example.com/till", Version: "v1.2.0", Provenance: apidoc.Provenance{Source: "vendor"}}
	_, err := FindSections(p, "readme")
	if err == nil || strings.Contains(err.Error(), "no README or guides") || !strings.Contains(err.Error(), "request version v1.2.0") {
		t.Errorf("the error is %v", err)
	}
	if text := Sections(p, nil, 1000, byTool).Text; strings.Contains(text, "not contain a README") || !strings.Contains(text, "vendor directory") {
		t.Errorf("the answer is %s", text)
	}
	p.Provenance.Source = "module cache"
	if _, err := FindSections(p, "readme"); err == nil || !strings.Contains(err.Error(), "no README or guides") {
		t.Errorf("the error is %v", err)
	}
}

func TestThePackagesOwnDocumentationIsReadByItsHeadings(t *testing.T) {
	p := manual()
	p.Doc = "Package till counts coins.\n\n## Pages\n\nPages turn.\n\n### Long pages\n\nThey turn slowly.\n\n## Waiting\n\nWait for it."
	for name, want := range map[string]string{
		"pages": "Pages turn.|They turn slowly.", "pages,Waiting": "Pages turn.|They turn slowly.|Wait for it.", "long pages": "They turn slowly.",
		"doc": "Package till counts coins.|Pages turn.|They turn slowly.|Wait for it.", "faq": "None.",
	} {
		sections, err := FindSections(p, name)
		var bodies []string
		for _, s := range sections {
			bodies = append(bodies, s.Body)
		}
		if got := strings.Join(bodies, "|"); err != nil || got != want {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
}
