// Package progress shows the progress of a command on the last line of a terminal. Code that the
// command calls reports its tasks to the Line in its context, if there is one.
package progress

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/cachedir"
)

const (
	// delay is how long a command runs before anything is shown.
	delay = time.Second / 2
	// interval is the time between two changes of the line.
	interval = time.Second / 10
)

// Line is a line of a terminal that shows the tasks of a command. It is safe for concurrent
// use.
type Line struct {
	w     io.Writer
	fit   func(text string) string
	begun time.Time

	mu      sync.Mutex
	tasks   []*Task // tasks in the order in which they began
	timer   *time.Timer
	drawn   string // text that the line shows
	stopped bool
}

// Start returns a line on the terminal to which w writes. The line shows nothing in the first half
// second. fit removes control characters from text, and shortens it so that it fits on the line.
func Start(w io.Writer, fit func(text string) string) *Line {
	l := &Line{w: w, fit: fit, begun: time.Now()}
	l.mu.Lock()
	l.timer = time.AfterFunc(delay, l.draw)
	l.mu.Unlock()
	return l
}

// Stop clears the line, which shows nothing afterwards. Stop of a nil Line does nothing.
func (l *Line) Stop() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
	l.timer.Stop()
	if l.drawn != "" {
		_, _ = io.WriteString(l.w, "\r\x1b[K")
		l.drawn = ""
	}
}

// Before returns a writer that stops the line before it writes to w.
func (l *Line) Before(w io.Writer) io.Writer {
	if l == nil {
		return w
	}
	return &stopping{l, w}
}

type stopping struct {
	line *Line
	w    io.Writer
}

func (s *stopping) Write(p []byte) (int, error) {
	s.line.Stop()
	return s.w.Write(p)
}

// draw shows the current state of the tasks, and schedules its next call.
func (l *Line) draw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return
	}
	l.timer.Reset(interval)
	text := l.text()
	if text == "" || text == l.drawn {
		return
	}
	l.drawn = text
	_, _ = io.WriteString(l.w, "\r"+text+"\x1b[K")
}

// text returns the text of the line: how many parts of the command are done, the task that began
// last, and the downloads. It requires l.mu.
func (l *Line) text() string {
	var counted, newest *Task
	var downloads []*Task
	for _, t := range l.tasks {
		switch {
		case t.download:
			downloads = append(downloads, t)
		case t.total > 0:
			counted = t
		default:
			newest = t
		}
	}
	var parts []string
	if counted != nil {
		parts = append(parts, bar(counted.done/counted.total)+" "+counted.text)
	}
	if newest != nil {
		parts = append(parts, newest.text)
	}
	if len(downloads) > 0 {
		parts = append(parts, downloading(downloads, newest == nil))
	}
	if len(parts) == 0 {
		return ""
	}
	if counted == nil {
		parts = append(parts, fmt.Sprintf("%d s", int(time.Since(l.begun).Seconds())))
	}
	return l.fit(strings.Join(parts, " · "))
}

const barWidth = 20

// bar returns a bar for a fraction from 0 to 1.
func bar(part float64) string {
	full := int(max(0, min(1, part)) * barWidth)
	return strings.Repeat("█", full) + strings.Repeat("░", barWidth-full)
}

// downloading returns text about the progress of downloads. If named is true, it contains the name
// of the file.
func downloading(all []*Task, named bool) string {
	var done, total float64
	for _, t := range all {
		done += t.done
		if t.total <= 0 {
			total = math.NaN() // the size of a file is unknown
		}
		total += t.total
	}
	text := "downloaded " + cachedir.Size(int64(done))
	if total > 0 {
		text += " of " + cachedir.Size(int64(total))
	}
	switch {
	case len(all) > 1:
		return text + fmt.Sprintf(" in %d files", len(all))
	case named:
		return all[0].text + " · " + text
	}
	return text
}

type lineKey struct{}

// With returns a context whose tasks are shown on a line.
func With(ctx context.Context, l *Line) context.Context { return context.WithValue(ctx, lineKey{}, l) }

// Task is work that takes time. A nil Task is not shown.
type Task struct {
	line     *Line
	download bool

	// These are guarded by line.mu.
	text        string
	done, total float64 // total is 0 or less if it is unknown
}

// Begin begins a task, such as "Reading net/http", if the context has a line. The caller must end
// it.
func Begin(ctx context.Context, text string) *Task { return begin(ctx, &Task{text: text}) }

// Download begins the download of a file whose size in bytes is known, or negative.
func Download(ctx context.Context, name string, size int64) *Task {
	return begin(ctx, &Task{text: name, download: true, total: float64(size)})
}

func begin(ctx context.Context, t *Task) *Task {
	l, _ := ctx.Value(lineKey{}).(*Line)
	if l == nil {
		return nil
	}
	t.line = l
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tasks = append(l.tasks, t)
	return t
}

// Set sets the progress of the task. total is 0 if it is unknown. If text is empty, the text does
// not change.
func (t *Task) Set(done, total float64, text string) {
	if t == nil {
		return
	}
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	t.done, t.total = done, total
	if text != "" {
		t.text = text
	}
}

// Add records that n more bytes of a download have arrived.
func (t *Task) Add(n int) {
	if t == nil {
		return
	}
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	t.done += float64(n)
}

// End ends the task.
func (t *Task) End() {
	if t == nil {
		return
	}
	l := t.line
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tasks = slices.DeleteFunc(l.tasks, func(other *Task) bool { return other == t })
}

// Count begins a task of many equal parts, such as "Reading packages". The argument of report is
// the number of completed parts.
func Count(ctx context.Context, text string) (report func(done, all int), end func()) {
	t := Begin(ctx, text)
	return func(done, all int) { t.Set(float64(done), float64(all), fmt.Sprintf("%s: %d of %d", text, done, all)) }, t.End
}
