package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// figure sums up the outcomes of one form in one language.
type figure struct {
	language, form string
	requests       int
	reciprocal     float64 // sum of 1/rank
	first, five    int
	far            int // answers that state that nothing close was found
}

func (f *figure) add(o outcome) {
	f.requests++
	if !o.close {
		f.far++
	}
	if o.rank == 0 {
		return
	}
	f.reciprocal += 1 / float64(o.rank)
	if o.rank == 1 {
		f.first++
	}
	if o.rank <= 5 {
		f.five++
	}
}

// everything is the language or form of a figure over all of them.
const everything = "all"

// figures sums up by form and language, by form, by language, and over
// everything, in this order.
func figures(outcomes []outcome) []figure {
	var sums []figure
	index := map[[2]string]int{}
	add := func(language, form string, o *outcome) {
		key := [2]string{language, form}
		i, ok := index[key]
		if !ok {
			i = len(sums)
			index[key] = i
			sums = append(sums, figure{language: language, form: form})
		}
		if o != nil {
			sums[i].add(*o)
		}
	}
	var languages []string
	for i := range outcomes {
		if l := outcomes[i].question.Language; len(languages) == 0 || languages[len(languages)-1] != l {
			languages = append(languages, l)
		}
	}
	for _, language := range append(languages, everything) {
		for _, form := range forms {
			add(language, form.name, nil)
		}
		add(language, everything, nil)
	}
	for i := range outcomes {
		o := &outcomes[i]
		for _, language := range []string{o.question.Language, everything} {
			add(language, forms[o.form].name, o)
			add(language, everything, o)
		}
	}
	return sums
}

func printFigures(w io.Writer, sums []figure) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "language\tform\tquestions\tMRR\tfirst\tamong five\tnothing close\t")
	for _, f := range sums {
		n := float64(f.requests)
		fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t\n", f.language, f.form, f.requests, f.reciprocal/n, float64(f.first)/n, float64(f.five)/n, float64(f.far)/n)
	}
	t.Flush()
}

// printAbsent prints for how many queries without an answer this was recognized.
func printAbsent(w io.Writer, caught, missed []Absent, verbose bool) {
	if all := len(caught) + len(missed); all > 0 {
		fmt.Fprintf(w, "\nnothing close is said of %d of %d queries that their packages have no answer to: %.3f\n", len(caught), all, float64(len(caught))/float64(all))
	}
	for _, a := range missed {
		if verbose {
			fmt.Fprintf(w, "%s %s: %q\n", a.Language, a.Package, a.Query)
		}
	}
}

// printMisses lists the questions whose answer is not ranked first.
func printMisses(w io.Writer, outcomes []outcome) {
	fmt.Fprintln(w, "\nmisses:")
	for _, o := range outcomes {
		if o.rank == 1 {
			continue
		}
		place := "not found"
		if o.rank > 0 {
			place = fmt.Sprintf("place %d", o.rank)
		}
		q := o.question
		fmt.Fprintf(w, "%s %s, %s: %q: %s\n\tright: %s\n\tfound: %s\n", q.Language, q.Package, forms[o.form].name, o.query, place,
			strings.Join(q.Right, "  "), strings.Join(o.first, "  "))
	}
}
