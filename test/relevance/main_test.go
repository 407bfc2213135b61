package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

// sets are the folders of testdata with questions.
var sets = []string{"", "more", "broad", "wide", "varied", "heldout", "fresh", "broad-heldout", "wide-heldout"}

func TestEveryQuestionIsCompleteAndAskedOnce(t *testing.T) {
	seen := map[[3]string]bool{}
	for _, set := range sets {
		questions, err := loadQuestions(filepath.Join("testdata", set, "questions"))
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range questions {
			key := [3]string{q.Language, q.Package, q.Sentence}
			if seen[key] {
				t.Errorf("asked twice: %v", key)
			}
			seen[key] = true
		}
	}
}

// boats is a language with one package.
type boats struct{ ecosystem.Language }

func (boats) Info() *ecosystem.Info { return &ecosystem.Info{ID: "go"} }

func (boats) Find(context.Context, ecosystem.Query) (*ecosystem.Found, error) {
	return &ecosystem.Found{Read: func(context.Context) (*apidoc.Package, error) {
		return &apidoc.Package{Name: "boats", Symbols: []apidoc.Symbol{
			{Path: "Launch", Kind: apidoc.Func, Signature: "func Launch()", Doc: "Launch launches."},
			{Path: "LaunchAll", Kind: apidoc.Func, Signature: "func LaunchAll()", Doc: "LaunchAll launches all."},
		}, Sections: []apidoc.Section{{ID: "readme/harbour", Title: "The Harbour", Level: 1, Body: "How to moor."}}}, nil
	}}, nil
}

func TestTheFirstRightHitGivesTheRank(t *testing.T) {
	tests := []struct {
		name, query string
		right       []string
		want        int
	}{
		{"the first hit", "launch", []string{"^Launch$"}, 1},
		{"the second hit", "launch", []string{"^LaunchAll$"}, 2},
		{"a section, whatever the case", "harbour", []string{"§the harbour"}, 1},
		{"a section is no symbol", "harbour", []string{"Harbour"}, 0},
		{"nothing", "launch", []string{"^Sink$"}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := Question{Language: "go", Package: "boats", Sentence: test.query, Known: test.query, Unknown: test.query, Right: test.right}
			if err := q.compile(); err != nil {
				t.Fatal(err)
			}
			outcomes, err := ask(t.Context(), store.New(ecosystem.Languages{boats{}}, store.Options{}), t.TempDir(), []Question{q}, partSwitch{})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range outcomes {
				if o.rank != test.want {
					t.Errorf("%s: rank %d, want %d (found %q)", forms[o.form].name, o.rank, test.want, o.first)
				}
			}
		})
	}
}

func TestFiguresAreSummedByFormAndLanguage(t *testing.T) {
	a, b := &Question{Language: "a"}, &Question{Language: "b"}
	var text strings.Builder
	printFigures(&text, figures([]outcome{
		{question: a, form: 0, rank: 1, close: true}, {question: a, form: 0, rank: 4}, {question: a, form: 1}, {question: a, form: 2, rank: 8},
		{question: b, form: 0, rank: 2}, {question: b, form: 1, rank: 1}, {question: b, form: 2, rank: 1},
	}))
	for _, want := range []string{
		"a known 2 0.625 0.500 1.000 0.500",
		"a unknown 1 0.000 0.000 0.000 1.000",
		"a sentence 1 0.125 0.000 0.000 1.000",
		"b known 1 0.500 0.000 1.000 1.000",
		"all known 3 0.583 0.333 1.000 0.667",
		"all all 7 0.554 0.429 0.714 0.857",
	} {
		found := false
		for line := range strings.Lines(text.String()) {
			found = found || strings.Join(strings.Fields(line), " ") == want
		}
		if !found {
			t.Errorf("no line %q in\n%s", want, text.String())
		}
	}
}

func TestLoadAbsent_QueriesOfTheQuestionsPackages(t *testing.T) {
	for _, set := range sets {
		questions, err := loadQuestions(filepath.Join("testdata", set, "questions"))
		if err != nil {
			t.Fatal(err)
		}
		absent, err := loadAbsent(filepath.Join("testdata", set, "absent"))
		if err != nil || len(absent) == 0 {
			t.Fatalf("%d queries of %q without an answer, error %v", len(absent), set, err)
		}
		for _, a := range absent {
			if !slices.ContainsFunc(questions, func(q Question) bool { return q.Language == a.Language && q.Package == a.Package }) {
				t.Errorf("%q is about %s %s, of which there are no questions", a.Query, a.Language, a.Package)
			}
		}
	}
}
