package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
)

// fact is a compared fact with the minimum percentage of correct answers.
type fact struct {
	name string
	want float64
}

// facts counts correct answers by the indexes of their facts.
type facts struct {
	all    []fact
	scores []score
	odd    io.Writer // receives the differences; may be nil
}

func newFacts(all []fact) facts { return facts{all: all, scores: make([]score, len(all))} }

func (f *facts) count(kind int, ok bool, format string, args ...any) {
	f.scores[kind].want++
	if ok {
		f.scores[kind].both++
	} else if f.odd != nil {
		fmt.Fprintf(f.odd, f.all[kind].name+": "+format+"\n", args...)
	}
}

// check returns an error if a percentage is below its minimum.
func (f *facts) check() error {
	below := 0
	for i, a := range f.all {
		if f.scores[i].recall() < a.want {
			below++
		}
	}
	if below > 0 {
		return fmt.Errorf("%d of the facts above are correct less often than required", below)
	}
	return nil
}

// eachJudged calls use with each JSON value in a file.
func eachJudged[T any](file string, use func(*T) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for in := json.NewDecoder(f); ; {
		var value T
		if err := in.Decode(&value); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s is damaged: %w", file, err)
		}
		if err := use(&value); err != nil {
			return err
		}
	}
}

// readInstalled reads the entry point subpath of a module that is installed in dir.
func readInstalled(dir, module, subpath string) (*apidoc.Package, error) {
	ctx := context.Background()
	t := newTree(dir)
	p, err := t.open(ctx, nil, module)
	if err != nil {
		return nil, fmt.Errorf("%s is not installed in %s: %w", module, dir, err)
	}
	r, err := modules.Open(ctx, p, t.open)
	if err != nil {
		return nil, err
	}
	return r.Read(subpath)
}
