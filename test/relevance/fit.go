package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"path/filepath"
	"slices"

	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/internal/store"
)

// tuningSets are the folders of testdata with the questions that the ranking is tuned to.
var tuningSets = []string{"", "more", "broad", "wide"}

// example is a query of which it is known whether its package has an answer.
type example struct {
	group      string // language and package, which are in the same fold
	answerable bool
	close      bool // whether every hit is close, because the query is a single word
	hits       []search.Evidence
}

const (
	folds      = 5
	rounds     = 3   // how often the best hit of each query is chosen again
	steps      = 8   // steps of Newton's method in each round
	ridge      = 1.0 // penalty for large weights
	wronglyFar = 0.02
)

// fitEvidence fits the weights of the evidence for close matches to the tuning sets, and prints
// them. It also prints the figures for packages that the weights were not fitted to.
func fitEvidence(ctx context.Context, w io.Writer, packages *store.Store, dir string) error {
	var all []example
	for _, set := range tuningSets {
		testdata := filepath.Join("test", "relevance", "testdata", set)
		questions, err := loadQuestions(filepath.Join(testdata, "questions"))
		if err != nil {
			return err
		}
		absent, err := loadAbsent(filepath.Join(testdata, "absent"))
		if err != nil {
			return err
		}
		for i := range questions {
			q := &questions[i]
			for _, form := range forms {
				e, err := exampleOf(ctx, packages, filepath.Join(dir, set), Absent{q.Language, q.Package, form.text(q)})
				if err != nil {
					fmt.Fprintln(w, err)
					continue
				}
				e.answerable = true
				all = append(all, e)
			}
		}
		for _, a := range absent {
			e, err := exampleOf(ctx, packages, filepath.Join(dir, set), a)
			if err != nil {
				fmt.Fprintln(w, err)
				continue
			}
			all = append(all, e)
		}
	}
	scores := crossValidated(all)
	for _, share := range []float64{0.01, wronglyFar, 0.03, 0.05} {
		_, absent := below(all, scores, threshold(all, scores, share))
		fmt.Fprintf(w, "cross-validated: nothing close is said of %.3f of the queries without an answer, and of %.2f of the others\n", absent, share)
	}
	m := fit(all)
	for i := range all {
		scores[i] = m.of(&all[i])
	}
	fmt.Fprintf(w, "weights %.3f, least sum %.3f\n", m[:len(m)-1], threshold(all, scores, wronglyFar)-m[len(m)-1])
	return nil
}

func exampleOf(ctx context.Context, packages *store.Store, dir string, a Absent) (example, error) {
	l := lookup.New(packages)
	l.FamilyTime = wholeFamily
	results, err := l.Matches(ctx, lookup.Search{
		Package: lookup.Package{Language: a.Language, Name: a.Package, Project: filepath.Join(dir, a.Language)},
		Query:   a.Query, Fuzzy: true, Limit: search.Looked,
	})
	if err != nil {
		return example{}, fmt.Errorf("search %s for %q: %w", a.Package, a.Query, err)
	}
	e := example{group: a.Language + " " + a.Package}
	for _, h := range results[0].Hits {
		e.close = e.close || h.IsWhole()
		e.hits = append(e.hits, h.Evidence())
	}
	return e, nil
}

// model is a logistic regression: a weight for each element of Evidence, followed by a constant.
type model [len(search.Evidence{}) + 1]float64

// sum returns the weighted sum of evidence.
func (m *model) sum(e *search.Evidence) float64 {
	sum := m[len(e)]
	for i := range e {
		sum += m[i] * e[i]
	}
	return sum
}

// of returns the sum for the best hit of a query.
func (m *model) of(e *example) float64 {
	if e.close {
		return math.Inf(1)
	}
	best := math.Inf(-1)
	for i := range e.hits {
		best = max(best, m.sum(&e.hits[i]))
	}
	return best
}

// fit returns the model that best separates queries with an answer from others. Both kinds have the
// same total weight.
func fit(all []example) model {
	all = slices.DeleteFunc(slices.Clone(all), func(e example) bool { return e.close || len(e.hits) == 0 })
	answerable := 0.0
	for i := range all {
		if all[i].answerable {
			answerable++
		}
	}
	half := float64(len(all)) / 2
	var m model
	for range rounds {
		hits := make([]*search.Evidence, len(all))
		for i := range all {
			hits[i] = &all[i].hits[0]
			for k := range all[i].hits {
				if h := &all[i].hits[k]; m.sum(h) > m.sum(hits[i]) {
					hits[i] = h
				}
			}
		}
		for range steps {
			var gradient model
			var hessian [len(m)]model
			for i := range len(m) - 1 {
				gradient[i], hessian[i][i] = -ridge*m[i], ridge
			}
			for k, hit := range hits {
				p := 1 / (1 + math.Exp(-m.sum(hit)))
				target, weight := 0.0, half/(2*half-answerable)
				if all[k].answerable {
					target, weight = 1, half/answerable
				}
				row := model{len(m) - 1: 1}
				copy(row[:], hit[:])
				for i := range row {
					gradient[i] += weight * (target - p) * row[i]
					for j := range row {
						hessian[i][j] += weight * p * (1 - p) * row[i] * row[j]
					}
				}
			}
			for i, d := range solve(hessian, gradient) {
				m[i] += d
			}
		}
	}
	return m
}

// solve solves a system of linear equations with a positive definite matrix by Gaussian elimination.
func solve(a [len(model{})]model, b model) model {
	for i := range b {
		for k := i + 1; k < len(b); k++ {
			f := a[k][i] / a[i][i]
			for j := i; j < len(b); j++ {
				a[k][j] -= f * a[i][j]
			}
			b[k] -= f * b[i]
		}
	}
	for i := len(b) - 1; i >= 0; i-- {
		for j := i + 1; j < len(b); j++ {
			b[i] -= a[i][j] * b[j]
		}
		b[i] /= a[i][i]
	}
	return b
}

// crossValidated returns a score for each example from a model that was fitted to other packages.
func crossValidated(all []example) []float64 {
	scores := make([]float64, len(all))
	for fold := range uint32(folds) {
		in := func(e example) bool {
			h := fnv.New32a()
			_, _ = io.WriteString(h, e.group)
			return h.Sum32()%folds == fold
		}
		m := fit(slices.DeleteFunc(slices.Clone(all), in))
		for i := range all {
			if in(all[i]) {
				scores[i] = m.of(&all[i])
			}
		}
	}
	return scores
}

// threshold returns the score below which a share of the answerable queries are.
func threshold(all []example, scores []float64, share float64) float64 {
	var answerable []float64
	for i := range all {
		if all[i].answerable {
			answerable = append(answerable, scores[i])
		}
	}
	slices.SortFunc(answerable, cmp.Compare)
	return answerable[int(share*float64(len(answerable)))]
}

// below returns the shares of answerable and of other queries with scores below a limit.
func below(all []example, scores []float64, limit float64) (answerable, absent float64) {
	var count, found [2]float64
	for i := range all {
		k := 0
		if all[i].answerable {
			k = 1
		}
		count[k]++
		if scores[i] < limit {
			found[k]++
		}
	}
	return found[1] / count[1], found[0] / count[0]
}
