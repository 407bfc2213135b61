package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/search"
)

// Question is one task in three forms, with the names of the symbols that are correct answers.
type Question struct {
	Language string `json:"language"`
	Package  string `json:"package"`
	// Sentence is the task as a person would type it.
	Sentence string `json:"sentence"`
	// Known is the query that a coding model writes for the task if it knows the package's name.
	Known string `json:"known"`
	// Unknown is the query that a coding model writes if it knows the language and a description of
	// the package in three words.
	Unknown string `json:"unknown"`
	// Right holds regular expressions. One that begins with § matches the title of a section,
	// ignoring case; any other matches the path of a symbol.
	Right []string `json:"right"`

	symbols, sections []*regexp.Regexp
}

// forms are the three forms of a question in the order of the figures.
var forms = []struct {
	name string
	text func(*Question) string
}{
	{"known", func(q *Question) string { return q.Known }},
	{"unknown", func(q *Question) string { return q.Unknown }},
	{"sentence", func(q *Question) string { return q.Sentence }},
}

const sectionMark = "§"

// Absent is a query that a package cannot answer.
type Absent struct{ Language, Package, Query string }

// half selects one half of a set of questions, chosen by a hash of their text, or all if it is empty.
type half string

const (
	tuningHalf  = "tuning"
	heldoutHalf = "heldout"
)

// contains reports whether a question about a package belongs to the half.
func (h half) contains(name, question string) bool {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%s %s", name, question)
	return h == "" || (h == heldoutHalf) == (sum.Sum32()%2 == 1)
}

// loadAbsent reads the files of dir, one for each language, which contain the queries for each
// package. dir need not exist.
func loadAbsent(dir string) ([]Absent, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Absent
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var queries map[string][]string
		if err := json.Unmarshal(data, &queries); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, name := range slices.Sorted(maps.Keys(queries)) {
			for _, query := range queries[name] {
				all = append(all, Absent{strings.TrimSuffix(filepath.Base(file), ".json"), name, query})
			}
		}
	}
	return all, nil
}

// loadQuestions reads every .json file of dir.
func loadQuestions(dir string) ([]Question, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no questions in %s", dir)
	}
	var all []Question
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var part []Question
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&part); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for i := range part {
			if err := part[i].compile(); err != nil {
				return nil, fmt.Errorf("%s: question %d: %w", file, i+1, err)
			}
		}
		all = append(all, part...)
	}
	return all, nil
}

// compile checks that the question is complete and compiles Right.
func (q *Question) compile() error {
	if q.Language == "" || q.Package == "" || q.Sentence == "" || q.Known == "" || q.Unknown == "" || len(q.Right) == 0 {
		return fmt.Errorf("a field is empty: %+v", *q)
	}
	for _, r := range q.Right {
		title, section := strings.CutPrefix(r, sectionMark)
		if section {
			title = "(?i)" + title
		}
		re, err := regexp.Compile(title)
		if err != nil {
			return err
		}
		if section {
			q.sections = append(q.sections, re)
		} else {
			q.symbols = append(q.symbols, re)
		}
	}
	return nil
}

// hasAnswerIn reports whether a symbol or section of p answers the question.
func (q *Question) hasAnswerIn(p *apidoc.Package) bool {
	for s := range p.All {
		if q.answeredBy(search.Hit{Symbol: s}) {
			return true
		}
	}
	return slices.ContainsFunc(p.Sections, func(s apidoc.Section) bool { return q.answeredBy(search.Hit{Section: &s}) })
}

// languagesOf lists the languages of the questions in alphabetical order.
func languagesOf(questions []Question) []string {
	var languages []string
	for _, q := range questions {
		languages = append(languages, q.Language)
	}
	slices.Sort(languages)
	return slices.Compact(languages)
}
