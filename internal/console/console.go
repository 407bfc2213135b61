package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

// Program is a program that Run runs. Its methods are called by one goroutine.
type Program interface {
	// Update handles an event or the result of a command. It returns commands to run.
	Update(event any) []Command
	// View returns the frame to be shown.
	View() Frame
	// Done reports whether the program has ended.
	Done() bool
}

// Command is work that takes time. It runs on its own goroutine, and its result is passed to
// Update, unless it is nil. The context ends with the program.
type Command func(ctx context.Context) any

// Frame is the content of the screen.
type Frame struct {
	// Lines may contain control sequences for styles and links. No line may be wider than the
	// screen.
	Lines []string
	// Column and Line are the position of the cursor, counted from 0. The cursor is hidden if Line
	// is negative.
	Column, Line int
}

// escapeTime is the time after which a lone escape character is treated as the Escape key rather
// than the beginning of a sequence.
const escapeTime = 50 * time.Millisecond

// Run shows a program on a terminal until the program or the context is done. It then restores the
// terminal.
func Run(ctx context.Context, in, out *os.File, p Program) error {
	s, err := open(in, out)
	if err != nil {
		return err
	}
	defer s.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	input := make(chan []byte)
	go read(ctx, in, input)
	results := make(chan any)
	update := func(event any) {
		for _, command := range p.Update(event) {
			go func() {
				if result := run(ctx, command); result != nil {
					select {
					case results <- result:
					case <-ctx.Done():
					}
				}
			}()
		}
	}
	resized, stop := watchSize()
	defer stop()
	update(s.size())
	var d decoder
	for !p.Done() {
		if err := s.draw(p.View()); err != nil {
			return err
		}
		var timeout <-chan time.Time
		if d.waiting() {
			timeout = time.After(escapeTime)
		}
		var events []any
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b, ok := <-input:
			if !ok { // The channel is closed because the terminal is no longer available.
				return nil
			}
			events = d.feed(b)
		case <-timeout:
			events = d.flush()
		case result := <-results:
			if failed, ok := result.(*panicked); ok { // Panic on this goroutine, so that the terminal is restored.
				panic(failed.String())
			}
			events = append(events, result)
		case <-resized:
			if before := s.last; s.size() != before {
				events = append(events, s.last)
			}
		}
		for _, event := range events {
			if event == Key("ctrl+z") && canSuspend {
				if err := s.suspend(); err != nil {
					return err
				}
				event = s.size()
			}
			update(event)
		}
	}
	return nil
}

// panicked is the result of a command that panicked.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) String() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// run runs a command and returns its result, or a *panicked if it panicked.
func run(ctx context.Context, command Command) (result any) {
	defer func() {
		if value := recover(); value != nil {
			result = &panicked{value, debug.Stack()}
		}
	}()
	return command(ctx)
}

// read passes on the bytes that a terminal sends until the context is done.
func read(ctx context.Context, in io.Reader, to chan<- []byte) {
	defer close(to)
	for {
		b := make([]byte, 4096)
		n, err := in.Read(b)
		if n > 0 {
			select {
			case to <- b[:n]:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// screen is a terminal that a program has taken over.
type screen struct {
	in, out *os.File
	restore []func() // functions that restore the terminal
	painter painter
	last    Size
}

// enter and leave are the control sequences that take over the screen and give it back. They switch
// the alternate screen, the wrapping of long lines, the cursor, mouse reports and the markers
// around pasted text.
const (
	enter = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?1000h\x1b[?1006h\x1b[?2004h"
	leave = "\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[0m\x1b[?25h\x1b[?7h\x1b[?1049l"
)

// open takes over the screen.
func open(in, out *os.File) (*screen, error) {
	s := &screen{in: in, out: out}
	if err := s.take(); err != nil {
		return nil, fmt.Errorf("set up the terminal: %w", err)
	}
	return s, nil
}

func (s *screen) take() error {
	s.restore, s.painter = nil, painter{}
	for _, step := range []func() (func(), error){
		func() (func(), error) { return makeRaw(s.in) },
		func() (func(), error) { return prepareOutput(s.out) },
		func() (func(), error) {
			_, err := s.out.WriteString(enter)
			return func() { _, _ = s.out.WriteString(leave) }, err
		},
	} {
		restore, err := step()
		if err != nil {
			s.close()
			return err
		}
		s.restore = append(s.restore, restore)
	}
	return nil
}

// close gives the screen back.
func (s *screen) close() {
	for len(s.restore) > 0 {
		last := len(s.restore) - 1
		s.restore[last]()
		s.restore = s.restore[:last]
	}
}

// suspend stops the process as the shell does, and takes over the screen again when the process
// continues.
func (s *screen) suspend() error {
	s.close()
	stopProcess()
	return s.take()
}

func (s *screen) size() Size {
	size, ok := SizeOf(s.out)
	if !ok {
		size = Size{80, 24}
	}
	s.last = size
	return size
}

func (s *screen) draw(f Frame) error {
	text := s.painter.paint(f, s.last)
	_, err := io.WriteString(s.out, text)
	return err
}

// painter keeps track of the content of the screen.
type painter struct {
	size  Size
	lines []string
}

// paint returns the text that updates the screen to a frame: the lines that differ and the cursor.
func (p *painter) paint(f Frame, size Size) string {
	var b strings.Builder
	b.WriteString("\x1b[?2026h\x1b[?25l") // The first control sequence makes the terminal show nothing until everything is written.
	if p.size != size {
		b.WriteString("\x1b[2J")
		p.size, p.lines = size, make([]string, size.Lines)
	}
	for i := range p.lines {
		line := ""
		if i < len(f.Lines) {
			line = f.Lines[i]
		}
		if line != p.lines[i] {
			fmt.Fprintf(&b, "\x1b[%d;1H\x1b[2K%s", i+1, line)
			p.lines[i] = line
		}
	}
	if f.Line >= 0 {
		fmt.Fprintf(&b, "\x1b[%d;%dH\x1b[?25h", f.Line+1, f.Column+1)
	}
	b.WriteString("\x1b[?2026l")
	return b.String()
}
