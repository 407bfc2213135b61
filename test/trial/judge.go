package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// judge tests the solutions in a prepared folder. It prints a line for each task, and then the
// number of solved tasks, calls and bytes.
func judge(ctx context.Context, w io.Writer, dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "trial.json"))
	if err != nil {
		return fmt.Errorf("%w; lay it out first", err)
	}
	var t trial
	if err := json.Unmarshal(data, &t); err != nil {
		return err
	}
	var solved, tasks int
	if t.Std != "" {
		solved, tasks, err = t.judgeStd(ctx, w, filepath.Join(dir, "project"))
	} else {
		solved, tasks, err = t.judgeMadeUp(ctx, w, filepath.Join(dir, "project"))
	}
	if err != nil {
		return err
	}
	calls, bytes, err := readLog(filepath.Join(dir, logName))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nsource %s: %d of %d tasks solved, %d calls, %d bytes; for each task %.1f calls, %.0f bytes\n",
		t.Source, solved, tasks, calls, bytes, float64(calls)/float64(tasks), float64(bytes)/float64(tasks))
	return nil
}

// judgeMadeUp tests the solutions in a separate project, so that other files that an agent left in
// the folder have no effect.
func (t *trial) judgeMadeUp(ctx context.Context, w io.Writer, project string) (solved, tasks int, err error) {
	packages, err := loadPackages(t.Testdata, t.Languages)
	if err != nil {
		return 0, 0, err
	}
	fresh, remove, err := freshProject(ctx, packages)
	if err != nil {
		return 0, 0, err
	}
	defer remove()
	for _, p := range packages {
		for _, task := range p.tasks {
			tasks++
			solution, err := os.ReadFile(filepath.Join(project, task.id, languages[p.language].solution))
			if err == nil {
				err = try(ctx, fresh, p, task, string(solution))
			} else if errors.Is(err, fs.ErrNotExist) {
				err = errors.New("no solution")
			}
			if err != nil {
				fmt.Fprintf(w, "%s: %v\n", task.id, err)
				continue
			}
			solved++
			fmt.Fprintf(w, "%s: solved\n", task.id)
		}
	}
	return solved, tasks, nil
}

// freshProject installs the packages in a temporary project.
func freshProject(ctx context.Context, packages []madeUp) (project string, remove func(), err error) {
	project, err = os.MkdirTemp("", "trial-project")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(project) }
	for _, name := range languagesOf(packages) {
		if err := languages[name].install(ctx, project, ofLanguage(packages, name)); err != nil {
			remove()
			return "", nil, err
		}
	}
	return project, remove, nil
}

// errCompile wraps the failure of a solution that does not compile.
var errCompile = errors.New("does not compile")

// try compiles one solution and runs the hidden test on it.
func try(ctx context.Context, project string, p madeUp, t task, solution string) error {
	l := languages[p.language]
	dir := filepath.Join(project, t.id)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, l.solution), []byte(solution), 0o644); err != nil {
		return err
	}
	if err := l.build(ctx, project, t.id); err != nil {
		return fmt.Errorf("%w: %w", errCompile, err)
	}
	if err := os.WriteFile(filepath.Join(dir, l.hidden), []byte(t.hidden), 0o644); err != nil {
		return err
	}
	if err := l.test(ctx, project, t.id); err != nil {
		return fmt.Errorf("fails: %w", err)
	}
	return nil
}

var stdLine = regexp.MustCompile(`(?m)^t\d+ (ok)?`)

// judgeStd runs the judge of the tasks on the standard library.
func (t *trial) judgeStd(ctx context.Context, w io.Writer, project string) (solved, tasks int, err error) {
	env, err := stdEnv(ctx, project)
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, "bash", filepath.Join(t.Std, "judge.sh"), project)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return 0, 0, err
	}
	if _, err := w.Write(out); err != nil {
		return 0, 0, err
	}
	for _, m := range stdLine.FindAllSubmatch(out, -1) {
		tasks++
		if len(m[1]) > 0 {
			solved++
		}
	}
	if tasks == 0 {
		return 0, 0, errors.New("judge.sh judged no task: has the folder any solution?")
	}
	return solved, tasks, nil
}

// readLog counts the calls in a log and the bytes of their answers. Without a log, there were no
// calls.
func readLog(file string) (calls, bytes int, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	for line := range strings.Lines(string(data)) {
		size, _, _ := strings.Cut(line, "\t")
		n, err := strconv.Atoi(size)
		if err != nil {
			return 0, 0, fmt.Errorf("%s: line %d has no size", file, calls+1)
		}
		calls++
		bytes += n
	}
	return calls, bytes, err
}
