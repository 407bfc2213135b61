package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// check verifies the trial: the reference solutions must pass the hidden tests, and each solution
// with a mistake must compile and fail.
func check(ctx context.Context, w io.Writer, packages []madeUp) error {
	var failures int
	for _, name := range languagesOf(packages) {
		l, mine := languages[name], ofLanguage(packages, name)
		if _, err := exec.LookPath(l.tool); err != nil {
			fmt.Fprintf(w, "%s: skipped, %s is not installed\n", name, l.tool)
			continue
		}
		project, remove, err := freshProject(ctx, mine)
		if err != nil {
			return err
		}
		for _, p := range mine {
			for _, t := range p.tasks {
				for _, err := range problems(ctx, project, p, t) {
					failures++
					fmt.Fprintf(w, "%s: %v\n", t.id, err)
				}
			}
			fmt.Fprintf(w, "%s %s: %d tasks checked\n", name, p.name, len(p.tasks))
		}
		remove()
	}
	if failures > 0 {
		return fmt.Errorf("%d tasks are not sound", failures)
	}
	return nil
}

func problems(ctx context.Context, project string, p madeUp, t task) []error {
	var all []error
	if err := try(ctx, project, p, t, t.right); err != nil {
		all = append(all, fmt.Errorf("the reference solution %w", err))
	}
	for i, wrong := range t.wrong {
		switch err := try(ctx, project, p, t, wrong); {
		case err == nil:
			all = append(all, fmt.Errorf("mistake %d of wrong.txt passes the hidden test", i+1))
		case errors.Is(err, errCompile):
			all = append(all, fmt.Errorf("mistake %d of wrong.txt %w", i+1, err))
		}
	}
	return all
}
