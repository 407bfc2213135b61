package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func manual() *apidoc.Package {
	return &apidoc.Package{
		Ecosystem: apidoc.NPM, Name: "till", Version: "1.0.0",
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
}

func TestProseIsCutAndSaysWhatIsLeft(t *testing.T) {
	p := manual()
	a := Sections(p, p.Sections, 600, "with section")
	text := a.Markdown()
	if len(text) > 1500 || !strings.Contains(text, "is cut after") || !strings.Contains(text, "with section: readme/faq.") {
		t.Errorf("got %s", text)
	}
	if strings.Contains(text, "\n# Loud") {
		t.Error("a heading of the text stands above its section")
	}
	if a := Sections(p, p.Sections, 0, ""); len(a.Omitted) != 0 || len(a.Sections) != 4 {
		t.Errorf("without a limit it left out %q", a.Omitted)
	}
}
