package interop

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A peer is a connected Go client. It answers the server's requests in the same way as the function
// name, and adds received messages to its events:
//
//	progress 1/3 step 1
//	log info steps: took step 1
//	changed tools (or prompts, or resources)
//	updated note://today
//	sent to https://example.com/sign-in
type peer interface {
	revision() string
	// Lists contain all pages. The elements are names, or URIs for resources.
	tools(ctx context.Context) ([]string, error)
	prompts(ctx context.Context) ([]string, error)
	resources(ctx context.Context) ([]string, error)
	templates(ctx context.Context) ([]string, error)
	// call requests progress. If the revision has the log level in requests, it also requests logs.
	call(ctx context.Context, tool string, args map[string]any) (result, error)
	read(ctx context.Context, uri string) (text string, blob []byte, err error)
	prompt(ctx context.Context, name string, args map[string]string) ([]string, error)
	complete(ctx context.Context, kind, ref, argument, typed string, chosen map[string]string) ([]string, error)
	// logs requests logs if the revision has a request for that.
	logs(ctx context.Context) error
	// subscribe subscribes to the note. If the revision requires it, it also subscribes to list
	// changes.
	subscribe(ctx context.Context) error
	unsubscribe(ctx context.Context) error
	close() error
}

type result struct {
	text       string
	structured string // structured content as JSON
	failed     bool
}

// with returns r with its structured content.
func (r result) with(structured any) (result, error) {
	text, err := json.Marshal(structured)
	if string(text) != "null" {
		r.structured = string(text)
	}
	return r, err
}

// name returns the answer to an elicitation or to a sampling request.
func name(question string) string {
	if strings.Contains(question, "friend") {
		return "Grace"
	}
	return "Ada"
}

const model = "parrot"

const rootURI, rootName = "file:///home/ada", "home"

// lacks contains the steps that a client does not support, with the reason.
type lacks map[string]string

// A step is an action of the client that must succeed.
type step struct {
	name string
	do   func(ctx context.Context, t *testing.T, c peer, received events)
}

var steps = []step{
	{"lists page by page", list},
	{"calls a tool", call},
	{"sees structured content", callStructured},
	{"sees structured content as text", callStructuredText},
	{"sees a tool fail", callFailing},
	{"gets an error for an unknown tool", callUnknown},
	{"reads resources", read},
	{"gets prompts", getPrompt},
	{"completes arguments", complete},
	{"completes arguments by what was chosen", completeInContext},
	{"sees progress", progress},
	{"sees logs", logging},
	{"answers sampling", sampling},
	{"answers elicitation", elicitation},
	{"is sent to a page", visit},
	{"tells its roots", roots},
	{"sees a resource change", subscription},
	{"sees lists change", listChanges},
	{"repeats arguments in headers", headers},
	{"comes back to a stream that was closed", polling},
	{"cancels a call", cancellation},
}

// exercise runs the scenario for other clients with c, and closes c.
func exercise(t *testing.T, c peer, received events, revision string, lacking lacks) {
	t.Helper()
	take(t, steps, c, received, revision, lacking)
}

// take performs the steps with c, and closes c.
func take(t *testing.T, steps []step, c peer, received events, revision string, lacking lacks) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if got := c.revision(); got != revision {
		t.Fatalf("%s was negotiated, not %s", got, revision)
	}
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			if why, ok := lacking[s.name]; ok {
				t.Skip(why)
			}
			s.do(ctx, t, c, received)
		})
	}
	if err := c.close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}

func equal[T any](t *testing.T, what string, got T, err error, want T) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if g, w := fmt.Sprintf("%q", fmt.Sprint(got)), fmt.Sprintf("%q", fmt.Sprint(want)); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

// text calls a tool that must succeed, and returns its text.
func text(ctx context.Context, t *testing.T, c peer, tool string, args map[string]any) string {
	t.Helper()
	r, err := c.call(ctx, tool, args)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if r.failed {
		t.Fatalf("%s failed: %s", tool, r.text)
	}
	return r.text
}

func list(ctx context.Context, t *testing.T, c peer, _ events) {
	sorted := func(names []string, err error) ([]string, error) {
		slices.Sort(names)
		return names, err
	}
	got, err := sorted(c.tools(ctx))
	equal(t, "tools", got, err, []string{"add", "ask-model", "ask-roots", "ask-user", "ask-visit", "echo", "fail", "grow", "job", "poll", "route", "state", "steps", "wait", "write-note"})
	got, err = sorted(c.prompts(ctx))
	equal(t, "prompts", got, err, []string{"compose", "plain"})
	got, err = sorted(c.resources(ctx))
	equal(t, "resources", got, err, []string{"note://today", "pic://dot"})
	got, err = sorted(c.templates(ctx))
	equal(t, "templates", got, err, []string{"greet://{name}"})
}

func call(ctx context.Context, t *testing.T, c peer, _ events) {
	for _, message := range []string{"hello", "", "line\nline\u2028\"quoted\" \U0001F980 </script>", strings.Repeat("long ", 50_000)} {
		equal(t, "echo", text(ctx, t, c, "echo", map[string]any{"message": message}), nil, message)
	}
}

func callStructured(ctx context.Context, t *testing.T, c peer, _ events) {
	r, err := c.call(ctx, "add", map[string]any{"a": 19, "b": 23})
	if c.revision() < "2025-06-18" { // the revision does not support it
		equal(t, "add", r.structured, err, "")
		return
	}
	equal(t, "add", r.structured, err, `{"sum":42}`)
}

func callStructuredText(ctx context.Context, t *testing.T, c peer, _ events) {
	equal(t, "add", text(ctx, t, c, "add", map[string]any{"a": 19, "b": 23}), nil, `{"sum":42}`)
}

func callFailing(ctx context.Context, t *testing.T, c peer, _ events) {
	r, err := c.call(ctx, "fail", nil)
	equal(t, "fail", r, err, result{text: "no such luck", failed: true})
	r, err = c.call(ctx, "add", map[string]any{"a": "nineteen", "b": 23})
	if err == nil && !r.failed {
		t.Errorf("add of a string answered %q", r.text)
	}
}

func callUnknown(ctx context.Context, t *testing.T, c peer, _ events) {
	if r, err := c.call(ctx, "no-such-tool", nil); err == nil {
		t.Errorf("got %+v and no error", r)
	} else if !strings.Contains(err.Error(), "no-such-tool") {
		t.Errorf("the error does not name the tool: %v", err)
	}
}

func read(ctx context.Context, t *testing.T, c peer, _ events) {
	got, _, err := c.read(ctx, "note://today")
	equal(t, "a text", got, err, "nothing to do")
	_, blob, err := c.read(ctx, "pic://dot")
	equal(t, "a blob", blob, err, []byte{0, 1, 254, 255})
	got, _, err = c.read(ctx, "greet://Gr%C3%A4fin")
	equal(t, "a resource of a template", got, err, "Hello, Gräfin!")
	if _, _, err := c.read(ctx, "note://tomorrow"); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("a resource that is not there: error %v", err)
	}
}

func getPrompt(ctx context.Context, t *testing.T, c peer, _ events) {
	got, err := c.prompt(ctx, "compose", map[string]string{"kind": "song", "about": "Ümläute"})
	equal(t, "compose", got, err, []string{"user: Write a song about Ümläute.", "assistant: resource note://today: See the note."})
	got, err = c.prompt(ctx, "plain", nil)
	equal(t, "plain", got, err, []string{"user: Hello."})
	if got, err := c.prompt(ctx, "compose", nil); err == nil {
		t.Errorf("a prompt without its required argument: %q", got)
	}
}

func complete(ctx context.Context, t *testing.T, c peer, _ events) {
	got, err := c.complete(ctx, "ref/prompt", "compose", "kind", "po", nil)
	equal(t, "an argument", got, err, []string{"poem", "post"})
	got, err = c.complete(ctx, "ref/resource", "greet://{name}", "name", "Al", nil)
	equal(t, "a variable", got, err, []string{"Alan"})
}

func completeInContext(ctx context.Context, t *testing.T, c peer, _ events) {
	if c.revision() < "2025-06-18" { // the revision does not support it
		got, err := c.complete(ctx, "ref/prompt", "compose", "about", "", nil)
		equal(t, "an argument", got, err, []string{"winter", "summer"})
		return
	}
	got, err := c.complete(ctx, "ref/prompt", "compose", "about", "", map[string]string{"kind": "song"})
	equal(t, "an argument", got, err, []string{"love"})
}

func progress(ctx context.Context, t *testing.T, c peer, received events) {
	equal(t, "steps", text(ctx, t, c, "steps", nil), nil, "there")
	if c.revision() < "2025-03-26" { // the revision has no progress messages
		received.await(ctx, t, "progress 1/3 ", "progress 2/3 ", "progress 3/3 ")
		return
	}
	received.await(ctx, t, "progress 1/3 step 1", "progress 2/3 step 2", "progress 3/3 step 3")
}

func logging(ctx context.Context, t *testing.T, c peer, received events) {
	if err := c.logs(ctx); err != nil {
		t.Fatal(err)
	}
	equal(t, "steps", text(ctx, t, c, "steps", nil), nil, "there")
	received.await(ctx, t, "log info steps: took step 1", "log info steps: took step 2", "log info steps: took step 3")
}

func sampling(ctx context.Context, t *testing.T, c peer, _ events) {
	got := text(ctx, t, c, "ask-model", map[string]any{"question": "Polly?"})
	equal(t, "ask-model", got, nil, "parrot says Polly?")
}

func elicitation(ctx context.Context, t *testing.T, c peer, _ events) {
	if c.revision() < "2025-06-18" {
		unsupported(ctx, t, c, "ask-user", "no way to ask its user")
		return
	}
	equal(t, "ask-user", text(ctx, t, c, "ask-user", nil), nil, "accept: Ada and Grace")
}

// unsupported calls a tool that asks a question that the client cannot answer.
func unsupported(ctx context.Context, t *testing.T, c peer, tool, want string) {
	t.Helper()
	r, err := c.call(ctx, tool, nil)
	if message := fmt.Sprint(r.text, err); err == nil && !r.failed || !strings.Contains(message, want) {
		t.Errorf("got %+v, error %v", r, err)
	}
}

func visit(ctx context.Context, t *testing.T, c peer, received events) {
	if c.revision() < "2025-11-25" {
		unsupported(ctx, t, c, "ask-visit", "no way to ")
		return
	}
	equal(t, "ask-visit", text(ctx, t, c, "ask-visit", nil), nil, "accept")
	received.await(ctx, t, "sent to https://example.com/sign-in")
}

func roots(ctx context.Context, t *testing.T, c peer, _ events) {
	equal(t, "ask-roots", text(ctx, t, c, "ask-roots", nil), nil, "home=file:///home/ada")
}

func subscription(ctx context.Context, t *testing.T, c peer, received events) {
	if err := c.subscribe(ctx); err != nil {
		t.Fatal(err)
	}
	text(ctx, t, c, "write-note", map[string]any{"text": "buy milk"})
	received.await(ctx, t, "updated note://today")
	got, _, err := c.read(ctx, "note://today")
	equal(t, "the note", got, err, "buy milk")
	if err := c.unsubscribe(ctx); err != nil {
		t.Fatal(err)
	}
}

func listChanges(ctx context.Context, t *testing.T, c peer, received events) {
	text(ctx, t, c, "grow", map[string]any{"name": "novelty"})
	received.await(ctx, t, "changed tools", "changed prompts", "changed resources")
	names, err := c.tools(ctx)
	if err != nil || !slices.Contains(names, "novelty") {
		t.Errorf("the new tool is not in the list: %v, error %v", names, err)
	}
	equal(t, "novelty", text(ctx, t, c, "novelty", nil), nil, "new")
}

// headers calls a tool with arguments that headers repeat, if the revision and the transport have
// such headers.
func headers(ctx context.Context, t *testing.T, c peer, _ events) {
	for _, region := range []string{"eu-west", "Zürich", " =?base64?eA==?= "} {
		got := text(ctx, t, c, "route", map[string]any{"region": region, "where": map[string]any{"shelf": 7}, "dry": false})
		equal(t, "route", got, nil, fmt.Sprintf("%s, shelf 7, dry false", region))
	}
}

func polling(ctx context.Context, t *testing.T, c peer, _ events) {
	equal(t, "poll", text(ctx, t, c, "poll", nil), nil, "here all along")
}

func cancellation(ctx context.Context, t *testing.T, c peer, _ events) {
	id := t.Name()
	calling, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := c.call(calling, "wait", map[string]any{"id": id})
		ended <- err
	}()
	text(ctx, t, c, "state", map[string]any{"id": id, "state": "waiting"})
	cancel()
	if err := <-ended; err == nil {
		t.Error("the cancelled call was answered")
	}
	text(ctx, t, c, "state", map[string]any{"id": id, "state": "cancelled"})
	equal(t, "the next call", text(ctx, t, c, "echo", map[string]any{"message": "still here"}), nil, "still here")
}
