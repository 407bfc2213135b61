package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/terminal"
)

// screen shows answers to people. If standard output is not a terminal, or if the user wants plain
// text, answers are written in the form that models receive.
type screen struct {
	out           io.Writer
	width, height int
	// rich is true if text is rendered for a terminal.
	rich bool
	// page shows text that is longer than the screen. It returns errNoPager if no pager can be
	// started.
	page  func(text string) error
	known ecosystem.Languages
}

// errNoPager is returned if no pager can be started.
var errNoPager = errors.New("no pager")

// newScreen returns the screen of a command. If plain is true or an environment variable requests
// plain text, nothing is rendered.
func (s streams) newScreen(ctx context.Context, known ecosystem.Languages, plain bool) *screen {
	o := &screen{out: s.line.Before(s.out), known: known}
	if plain || !s.outTerminal || os.Getenv("NO_COLOR") != "" || os.Getenv("CI") != "" || os.Getenv("TERM") == "dumb" {
		return o
	}
	o.rich, o.width, o.height = true, 80, 24
	if f, ok := s.out.(*os.File); ok {
		if size, ok := console.SizeOf(f); ok {
			o.width, o.height = size.Columns, size.Lines
		}
		o.page = func(text string) error {
			s.line.Stop()
			return page(ctx, text, f, s.err)
		}
	}
	return o
}

// show writes an answer.
func (o *screen) show(text string) error {
	if !o.rich {
		_, err := io.WriteString(o.out, text)
		return err
	}
	return o.write(terminal.Render(strings.ReplaceAll(text, " "+answer.Notice, ""), terminal.Options{Width: o.width, Lexis: o.known.Lexis, Contents: 2 * o.height}))
}

// text shows the plain text that write writes. On a terminal, it wraps long lines and uses a pager
// if the text is longer than the screen.
func (o *screen) text(write func(io.Writer) error) error {
	if !o.rich {
		return write(o.out)
	}
	var b strings.Builder
	err := write(&b)
	if _, failed := errors.AsType[*silentError](err); err != nil && !failed {
		return err
	}
	return errors.Join(o.write(terminal.Text(b.String(), o.width)), err)
}

// write writes rendered text, through a pager if it is longer than the screen.
func (o *screen) write(text string) error {
	if o.page != nil && strings.Count(text, "\n") >= o.height {
		if err := o.page(text); !errors.Is(err, errNoPager) {
			return err
		}
	}
	_, err := io.WriteString(o.out, text)
	return err
}

// page shows text in the user's pager, which is DOCENT_PAGER, PAGER or otherwise less. An interrupt
// does not end the pager, because pagers handle interrupts themselves, and a pager that is killed
// does not restore the terminal.
func page(ctx context.Context, text string, out *os.File, errs io.Writer) error {
	command, ok := os.LookupEnv("DOCENT_PAGER")
	if !ok {
		command, ok = os.LookupEnv("PAGER")
	}
	if !ok {
		command = "less"
	}
	words := strings.Fields(command)
	if len(words) == 0 || words[0] == "cat" {
		return errNoPager
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return errNoPager
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), out, errs
	cmd.Env = os.Environ()
	for name, value := range map[string]string{"LESS": "FRX", "LESSCHARSET": "utf-8"} {
		if _, ok := os.LookupEnv(name); !ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	if err := cmd.Start(); err != nil {
		return errNoPager
	}
	err = cmd.Wait()
	if _, ended := errors.AsType[*exec.ExitError](err); ended { // for example, when the user presses ^C
		return nil
	}
	return err
}
