package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// If backwards is set, the test program processes the questions from the last to the first, and
// writes the answers.
const backwards = "RELEVANCE_BACKWARDS"

func TestMain(m *testing.M) {
	if os.Getenv(backwards) == "" {
		os.Exit(m.Run())
	}
	answers, err := answersTo(context.Background(), wholeWishes(), true)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answers)
	}
	if err != nil {
		_, _ = io.WriteString(os.Stderr, err.Error())
		os.Exit(1)
	}
}

// wholeWishes returns the questions of all sets in each form: those about Go's standard
// library, and with DOCENT_LIVE=1 those about all packages that make relevance has
// installed.
func wholeWishes() []lookup.Search {
	var all []lookup.Search
	for _, set := range []string{"", "more", "heldout", "fresh"} {
		questions, err := loadQuestions(filepath.Join("testdata", set, "questions"))
		if err != nil {
			panic(err)
		}
		for i := range questions {
			q := &questions[i]
			first, _, _ := strings.Cut(q.Package, "/")
			p := lookup.Package{Language: q.Language, Name: q.Package}
			if q.Language != "go" || strings.Contains(first, ".") {
				dir, err := filepath.Abs(filepath.Join("..", "..", ".relevance", set, q.Language))
				if err != nil {
					panic(err)
				}
				if _, err := os.Stat(filepath.Join(dir, ".installed")); err != nil || os.Getenv("DOCENT_LIVE") == "" {
					continue
				}
				p.Project = dir
			}
			for _, form := range forms {
				all = append(all, lookup.Search{Package: p, Query: form.text(q), Fuzzy: true})
			}
		}
	}
	return all
}

// answersTo returns the texts of the answers to searches, in the order of searches, whatever the order in
// which they are requested.
func answersTo(ctx context.Context, searches []lookup.Search, reverse bool) ([]string, error) {
	var readers ecosystem.Languages
	for _, name := range slices.Sorted(maps.Keys(languages)) {
		readers = append(readers, languages[name].reader())
	}
	l := lookup.New(store.New(readers, store.Options{MaxPackages: 10_000, MaxBytes: 1 << 30, MaxAge: time.Hour}))
	l.FamilyTime = wholeFamily
	answers := make([]string, len(searches))
	for n := range searches {
		if reverse {
			n = len(searches) - 1 - n
		}
		a, _, err := l.Search(ctx, searches[n])
		if err != nil {
			return nil, err
		}
		answers[n] = a.Text
	}
	return answers, nil
}

func TestTheSameQuestionHasTheSameAnswer(t *testing.T) {
	searches := wholeWishes()
	here, err := answersTo(t.Context(), searches, false)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.CommandContext(t.Context(), program)
	other.Env = append(os.Environ(), backwards+"=1")
	var failure bytes.Buffer
	other.Stderr = &failure
	out, err := other.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, failure.String())
	}
	var there []string
	if err := json.Unmarshal(out, &there); err != nil {
		t.Fatal(err)
	}
	if len(here) == 0 || len(here) != len(there) {
		t.Fatalf("%d answers here, %d in the other process", len(here), len(there))
	}
	for i, text := range here {
		if text == "" || text != there[i] {
			t.Errorf("%s, %q: asked first to last\n%s\nand last to first in another process\n%s", searches[i].Package.Name, searches[i].Query, text, there[i])
		}
	}
}
