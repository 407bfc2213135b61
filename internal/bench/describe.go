package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// describes measures the command line with an empty and with a warm cache. goal applies to the warm
// cache.
func describes(ctx context.Context, t table, app, docent string, cacheDir cache, runs int, language string, names []string, goal string) error {
	err := cacheDir.settle(func() error {
		_, err := run(ctx, app, docent, "describe", language, names[0])
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		var cold, warm []time.Duration
		for range runs {
			errA := cacheDir.forget()
			a, errB := run(ctx, app, docent, "describe", language, name)
			b, errC := run(ctx, app, docent, "describe", language, name)
			if err := errors.Join(errA, errB, errC); err != nil {
				return err
			}
			cold, warm = append(cold, a), append(warm, b)
		}
		what := "docent describe " + language + " " + name + ", whole process, "
		t.times(what+"empty disk cache", cold, "")
		t.times(what+"warm disk", warm, goal)
	}
	return nil
}

// served measures responses of a running server.
func served(ctx context.Context, t table, app, docent string, runs int, language string, names []string) error {
	s, _, err := open(ctx, app, docent)
	if err != nil {
		return err
	}
	tool := "describe_" + language + "_package"
	for _, name := range names {
		arguments := fmt.Sprintf(`{"package":%q,"projectPath":%q}`, name, app)
		times, err := s.calls(max(10*runs, 50), tool, arguments)
		if err != nil {
			return errors.Join(err, s.close())
		}
		t.times(tool+" "+name+", warm, over stdio", times, "2 ms")
	}
	return s.close()
}

// memory measures the memory of a command that reads a package.
func memory(ctx context.Context, t table, app, docent string, cacheDir cache, goal string, args ...string) error {
	if err := cacheDir.forget(); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, docent, args...)
	cmd.Dir = app
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("docent %v: %w: %.300s", args, err, out)
	}
	if mib, ok := peak(cmd.ProcessState); ok {
		fmt.Fprintf(t, "docent %s %s %s, empty disk cache, peak memory\t%.1f MiB\t\t\t%s\n", args[0], args[1], args[2], mib, goal)
	}
	return nil
}
