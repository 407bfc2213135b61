package interop

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"
)

// A driven is a client in another process that executes the instructions on its standard input, one
// JSON object per line:
//
//	{"id": 7, "op": "call", "tool": "echo", "args": {"message": "hello"}}
//	{"cancel": 7}
//
// It answers on its standard output, in any order, and reports events:
//
//	{"id": 7, "value": {"text": "hello"}}
//	{"id": 7, "error": "what failed"}
//	{"event": "progress 1/3 step 1"}
//
// The first answer has the id 0 and contains the negotiated revision.
type driven struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	received events
	spoken   string

	mu      sync.Mutex
	last    int
	waiting map[int]chan answer
	ended   error // error after which there are no further answers
}

type answer struct {
	ID    *int
	Value json.RawMessage
	Error string
	Event string
}

// drive starts a client. Its command line ends with the revision and the URL or the command line of
// the server.
func drive(t *testing.T, command []string, revision string, server ...string) *driven {
	t.Helper()
	cmd := exec.Command(command[0], slices.Concat(command[1:], []string{revision}, server)...)
	if testing.Verbose() {
		cmd.Stderr = os.Stderr
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	d := &driven{cmd: cmd, in: in, received: newEvents(), waiting: map[int]chan answer{0: make(chan answer, 1)}}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	go d.listen(bufio.NewReader(out))
	if err := d.await(t.Context(), d.waiting[0], &d.spoken); err != nil {
		t.Fatalf("connecting: %v", err)
	}
	return d
}

func (d *driven) listen(out *bufio.Reader) {
	for {
		var a answer
		line, err := out.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &a)
		}
		d.mu.Lock()
		if err != nil {
			d.ended = fmt.Errorf("the client has ended: %w", err)
			for id, waiting := range d.waiting {
				delete(d.waiting, id)
				waiting <- answer{Error: d.ended.Error()}
			}
			d.mu.Unlock()
			return
		}
		if a.ID == nil {
			d.received <- a.Event
		} else if waiting := d.waiting[*a.ID]; waiting != nil {
			delete(d.waiting, *a.ID)
			waiting <- a
		}
		d.mu.Unlock()
	}
}

func (d *driven) await(ctx context.Context, answered chan answer, value any) error {
	select {
	case a := <-answered:
		if a.Error != "" {
			return errors.New(a.Error)
		}
		if value == nil {
			return nil
		}
		return json.Unmarshal(a.Value, value)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// do makes the client perform an action, and cancels it when ctx is done.
func (d *driven) do(ctx context.Context, op string, value any, members map[string]any) error {
	line := map[string]any{"op": op}
	maps.Copy(line, members)
	answered := make(chan answer, 1)
	d.mu.Lock()
	if d.ended != nil {
		d.mu.Unlock()
		return d.ended
	}
	d.last++
	id := d.last
	line["id"], d.waiting[id] = id, answered
	err := d.send(line)
	d.mu.Unlock()
	if err != nil {
		return err
	}
	err = d.await(ctx, answered, value)
	if ctx.Err() != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		return errors.Join(err, d.send(map[string]any{"cancel": id}))
	}
	return err
}

func (d *driven) send(line map[string]any) error {
	text, err := json.Marshal(line)
	if err == nil {
		_, err = d.in.Write(append(text, '\n'))
	}
	return err
}

func (d *driven) revision() string { return d.spoken }

func (d *driven) list(ctx context.Context, what string) (names []string, err error) {
	err = d.do(ctx, what, &names, nil)
	return names, err
}

func (d *driven) tools(ctx context.Context) ([]string, error)     { return d.list(ctx, "tools") }
func (d *driven) prompts(ctx context.Context) ([]string, error)   { return d.list(ctx, "prompts") }
func (d *driven) resources(ctx context.Context) ([]string, error) { return d.list(ctx, "resources") }
func (d *driven) templates(ctx context.Context) ([]string, error) { return d.list(ctx, "templates") }

func (d *driven) call(ctx context.Context, tool string, args map[string]any) (result, error) {
	if args == nil {
		args = map[string]any{}
	}
	var r struct {
		Text       string
		Structured any
		Failed     bool
	}
	if err := d.do(ctx, "call", &r, map[string]any{"tool": tool, "args": args}); err != nil {
		return result{}, err
	}
	out := result{text: r.Text, failed: r.Failed}
	return out.with(r.Structured)
}

func (d *driven) read(ctx context.Context, uri string) (string, []byte, error) {
	var r struct {
		Text string
		Blob []byte
	}
	err := d.do(ctx, "read", &r, map[string]any{"uri": uri})
	return r.Text, r.Blob, err
}

func (d *driven) prompt(ctx context.Context, name string, args map[string]string) (messages []string, err error) {
	err = d.do(ctx, "prompt", &messages, map[string]any{"name": name, "args": args})
	return messages, err
}

func (d *driven) complete(ctx context.Context, kind, ref, argument, typed string, chosen map[string]string) (values []string, err error) {
	err = d.do(ctx, "complete", &values, map[string]any{"kind": kind, "ref": ref, "argument": argument, "typed": typed, "chosen": chosen})
	return values, err
}

func (d *driven) logs(ctx context.Context) error        { return d.do(ctx, "logs", nil, nil) }
func (d *driven) subscribe(ctx context.Context) error   { return d.do(ctx, "subscribe", nil, nil) }
func (d *driven) unsubscribe(ctx context.Context) error { return d.do(ctx, "unsubscribe", nil, nil) }

// close ends the client's input. The client must then exit without an error.
func (d *driven) close() error {
	d.in.Close()
	late := time.AfterFunc(20*time.Second, func() { d.cmd.Process.Kill() })
	defer late.Stop()
	return d.cmd.Wait()
}
