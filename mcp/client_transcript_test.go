package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// A client transcript, testdata/clients/*.txt, is a conversation between a client
// and a simulated server. It contains what the client sends in every variant,
// byte for byte including the HTTP headers, and what its caller gets. Its lines
// are:
//
//	proves: ROW ...            the rows of requirements.tsv that it proves
//	variants: NAME ...         those of clientVariants that play it; default all
//	revisions: NAME ...        the revisions in which it is played; default all
//	== TITLE | WORDS           connects a client with the options of the words; see
//	                           counterpart.options. A word that begins with "{" is the
//	                           server's capabilities
//	? METHOD ANSWER            how the next request of the method is answered; see
//	                           counterpart.answer. Without one counterpart.usual answers
//	> ACTION                   the caller does something; see stage.act
//	! MESSAGE                  the server sends a message; ID represents the id of the
//	                           last request. "! answer" answers the one that is held
//	* wait, cancel, drop       time passes; the last action's context ends; the
//	                           connection breaks, or all streams of HTTP
//	< VARIANTS: MESSAGES       what these variants send, and in lines with # what
//	                           happens to their caller
type clientTranscript transcript

// clientVariants are a pipe, HTTP with answers as JSON, HTTP with answers as
// streams of events, and HTTP+SSE.
var clientVariants = []string{"pipe", "json", "stream", "sse"}

// serverCapabilities declares every capability.
const serverCapabilities = `{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"completions":{},"logging":{},` +
	`"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// customer is the caller of the client in a transcript.
type customer struct {
	*counterpart
	c      *mcp.Client
	cancel context.CancelFunc // cancels the last action
	task   *mcp.Task
	sub    *mcp.Subscription
}

// begin runs an action in the background and records how it ends.
func (p *customer) begin(name string, f func(ctx context.Context) (any, error)) {
	ctx, cancel := context.WithCancel(p.t.Context())
	p.cancel = cancel
	go func() {
		got, err := f(ctx)
		switch {
		case p.closing:
		case err != nil:
			p.note("%s fails: %v", name, err)
		default:
			p.note("%s: %s", name, shown(got))
		}
	}()
}

func all[T any](list iter.Seq2[T, error]) (any, error) {
	entries := []T{}
	for entry, err := range list {
		if err != nil {
			return entries, fmt.Errorf("after %s: %w", shown(entries), err)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// act executes a line that begins with ">".
func (p *customer) act(line string) {
	verb, rest, _ := strings.Cut(line, " ")
	args := strings.SplitN(rest, " ", 2)
	second := ""
	if len(args) > 1 {
		second = args[1]
	}
	c, name := p.c, args[0]
	raw := func(s string) any {
		if s == "" {
			return nil
		}
		return json.RawMessage(strings.ReplaceAll(s, `\n`, "\n"))
	}
	f := map[string]func(ctx context.Context) (any, error){
		"call": func(ctx context.Context) (any, error) { return c.CallTool(ctx, name, raw(second), nil) },
		"watch": func(ctx context.Context) (any, error) {
			return c.CallTool(ctx, name, raw(second), &mcp.CallOptions{
				Progress: func(r mcp.Progress) { p.note("progress: %s", shown(r)) },
				Meta:     mcp.Meta{"com.example/a": 1, "progressToken": "mine", "io.modelcontextprotocol/protocolVersion": "mine"},
			})
		},
		"text": func(ctx context.Context) (any, error) {
			return mcp.CallTool[string](ctx, c, name, raw(second), &mcp.CallOptions{Timeout: 3 * time.Second, MaxTimeout: 10 * time.Second})
		},
		"tools":     func(ctx context.Context) (any, error) { return all(c.Tools(ctx)) },
		"prompts":   func(ctx context.Context) (any, error) { return all(c.Prompts(ctx)) },
		"resources": func(ctx context.Context) (any, error) { return all(c.Resources(ctx)) },
		"templates": func(ctx context.Context) (any, error) { return all(c.ResourceTemplates(ctx)) },
		"tasks":     func(ctx context.Context) (any, error) { return all(c.Tasks(ctx)) },
		"prompt": func(ctx context.Context) (any, error) {
			var values map[string]string
			if second != "" {
				if err := json.Unmarshal([]byte(second), &values); err != nil {
					return nil, err
				}
			}
			return c.GetPrompt(ctx, name, values, nil)
		},
		"read": func(ctx context.Context) (any, error) { return c.ReadResource(ctx, rest, nil) },
		"complete": func(ctx context.Context) (any, error) {
			return c.CompletePrompt(ctx, name, second, "t", map[string]string{"b": "2", "a": "1"})
		},
		"fill":    func(ctx context.Context) (any, error) { return c.CompleteTemplate(ctx, name, second, "", nil) },
		"ping":    func(ctx context.Context) (any, error) { return "answered", c.Ping(ctx) },
		"level":   func(ctx context.Context) (any, error) { return "set", c.SetLogLevel(ctx, mcp.LevelError) },
		"roots":   func(ctx context.Context) (any, error) { return "told", c.RootsChanged(ctx) },
		"request": func(ctx context.Context) (any, error) { return c.Call(ctx, name, raw(second), nil) },
		"notify":  func(ctx context.Context) (any, error) { return "told", c.Notify(ctx, name, raw(second)) },
		"task": func(ctx context.Context) (any, error) {
			task, err := c.CallToolTask(ctx, name, raw(second), 90*time.Second, nil)
			if err != nil {
				return nil, err
			}
			p.task = task
			return task.ID(), nil
		},
		"await": func(ctx context.Context) (any, error) { return p.task.Wait(ctx) },
		"state": func(ctx context.Context) (any, error) { return p.task.State(ctx) },
		"stop":  func(ctx context.Context) (any, error) { return "asked", p.task.Cancel(ctx) },
		"subscribe": func(ctx context.Context) (any, error) {
			f := mcp.Filter{Tools: strings.Contains(rest, "tools"), Prompts: strings.Contains(rest, "prompts"), Resources: strings.Contains(rest, "resources")}
			for word := range strings.FieldsSeq(rest) {
				if strings.Contains(word, ":") {
					f.URIs = append(f.URIs, word)
				}
			}
			sub, err := c.Subscribe(ctx, f)
			if err != nil {
				return nil, err
			}
			p.sub = sub
			return sub.Accepted(), nil
		},
		"change":      func(ctx context.Context) (any, error) { return p.sub.Next(ctx) },
		"unsubscribe": func(context.Context) (any, error) { p.sub.Close(); return "done", nil },
		"close":       func(context.Context) (any, error) { return "done", c.Close() },
	}[verb]
	switch {
	case f == nil:
		p.t.Fatalf("unknown: > %s", line)
	case p.task == nil && slices.Contains([]string{"await", "state", "stop"}, verb), p.sub == nil && slices.Contains([]string{"change", "unsubscribe"}, verb):
		return // this revision does not have the method
	}
	p.begin(verb, f)
}

// step executes a line and returns what happens because of it.
func (p *customer) step(line string) string {
	kind, rest, _ := strings.Cut(line, " ")
	verb, more, _ := strings.Cut(rest, " ")
	switch kind {
	case "?":
		p.script = append(p.script, cue{verb, more})
		return ""
	case ">":
		p.act(rest)
	case "!":
		if n := len(p.held); n == 0 && (verb == "answer" || verb == "event") {
			return "" // nothing is waiting in this revision
		}
		switch verb {
		case "answer":
			a := p.held[len(p.held)-1]
			p.held = p.held[:len(p.held)-1]
			p.finish(a, p.response(a.id, more))
		case "event": // send the event unchanged
			a := p.held[len(p.held)-1]
			_, err := a.stream.w.Write([]byte(strings.NewReplacer(`\n`, "\n", `\r`, "\r", "ID", p.last).Replace(more)))
			must(p.t, err)
		default:
			p.send(rest)
		}
	case "*":
		switch verb {
		case "cancel":
			p.cancel()
		case "drop":
			p.drop()
		case "wait":
			d, err := time.ParseDuration(more)
			must(p.t, err)
			p.wait(d)
		default:
			p.t.Fatalf("unknown: %s", line)
		}
	default:
		return ""
	}
	return p.heard()
}

// heard returns what has happened since the last call.
func (p *customer) heard() string {
	p.run()
	text := p.shown.String()
	p.shown.Reset()
	return text
}

// play executes the transcript in a variant and returns what the client sends.
func (s *clientTranscript) play(t *testing.T, v variant) transcriptOutcome {
	all := transcriptOutcome{map[int]string{}, map[int]string{}}
	for i := 0; i < len(s.lines); i++ {
		rest, found := strings.CutPrefix(s.lines[i], "== ")
		if !found {
			continue
		}
		end := i + 1
		for end < len(s.lines) && !strings.HasPrefix(s.lines[end], "== ") {
			end++
		}
		title, more, _ := strings.Cut(rest, " | ")
		words := strings.Fields(more)
		t.Run(title, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := &customer{counterpart: &counterpart{t: t, variant: v, capabilities: serverCapabilities}}
				for n, word := range words {
					if strings.HasPrefix(word, "{") {
						p.capabilities = strings.Join(words[n:], " ")
					}
				}
				if name := v.transport; name == "json" || name == "stream" {
					ran(t, v.revision, "http")
				} else {
					ran(t, v.revision, name)
				}
				first := i + 1
				for ; first < end && strings.HasPrefix(s.lines[first], "?"); first++ {
					p.step(s.lines[first]) // lines for the handshake
				}
				p.begin("connect", func(context.Context) (any, error) {
					c, err := mcp.Connect(t.Context(), p.connection(words), p.options(words))
					if err != nil {
						return nil, err
					}
					p.c = c
					if !slices.Contains(words, "whole") {
						return c.Server().Revision, nil
					}
					return c.Server(), nil
				})
				if opening := p.heard(); slices.Contains(words, "!") || p.c == nil {
					all.text[i] = opening
				}
				for j := first; j < end && (p.c != nil || !strings.HasPrefix(s.lines[j], ">")); j++ {
					all.text[j] = p.step(s.lines[j])
				}
				p.closing = true
				if p.c != nil {
					go p.c.Close()
				}
				p.wait(10 * time.Second)
				p.drop()
			})
		})
		i = end - 1
	}
	return all
}

// shown formats a value without its zero fields. It follows pointers.
func shown(value any) string { return shownValue(reflect.ValueOf(value)) }

func shownValue(v reflect.Value) string {
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
	}
	if !v.IsValid() {
		return "nil"
	}
	switch v.Kind() {
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Struct:
		if moment, ok := reflect.TypeAssert[time.Time](v); ok {
			return moment.UTC().Format(time.RFC3339Nano)
		}
		var fields []string
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() && f.Type.Kind() != reflect.Func {
				fields = append(fields, f.Name+":"+shownValue(v.Field(i)))
			}
		}
		return v.Type().Name() + "{" + strings.Join(fields, " ") + "}"
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return string(v.Bytes())
		}
		var items []string
		for i := range v.Len() {
			items = append(items, shownValue(v.Index(i)))
		}
		return "[" + strings.Join(items, " ") + "]"
	case reflect.Map:
		var items []string
		for _, key := range v.MapKeys() {
			items = append(items, shownValue(key)+":"+shownValue(v.MapIndex(key)))
		}
		slices.Sort(items)
		return "map[" + strings.Join(items, " ") + "]"
	}
	return fmt.Sprint(v.Interface())
}

// TestClientTranscripts plays each transcript in every revision on every
// transport.
func TestClientTranscripts(t *testing.T) {
	eachTranscript(t, "clients", func(s *transcript) ([]variant, playFunc) {
		return s.variantsAmong(clientVariants), (*clientTranscript)(s).play
	})
}
