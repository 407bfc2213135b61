package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// A scene, testdata/scenes/*.txt, is a transcript in which timing matters: calls
// that take time, cancellations, changes, connections that break. It is played
// in fake time. After each step, everything that results from the step has been
// received; it is shown with the stream on which it arrived. Its lines are:
//
//	proves: ROW ...            the rows of requirements.tsv that it proves
//	server: NAME               another server; see transcriptServers
//	variants: NAME ...         those of sceneVariants that play it; default all
//	revisions: NAME ...        the revisions in which it is played; default all
//	== TITLE | CAPABILITIES    a server and a client, without those before
//	> ID METHOD MEMBERS        sends a request
//	>- TEXT                    sends a text that is no request
//	as NAME                    has the client speak for a principal from here on
//	! N ACTION                 has the handler of call N of the tool "act" do something
//	* ACTION                   changes something of the server or the connection
//	< VARIANTS: MESSAGES       what these variants get
//
// In a text, META represents the _meta that a request of the revision has,
// STATE and TASK for the last of each, and QUESTION for the id of the server's
// last request.
type scene transcript

var sceneVariants = []string{"pipe", "middleware", "http", "sse"}

// player is a client of the server in a scene of one variant.
type player struct {
	t            *testing.T
	revision     string
	variant      string
	capabilities string
	g            *actor
	site         *site
	post         func(name, text string, headers ...string)
	web          *web
	end          func()                        // ends the client's input, or shuts down the HTTP server
	leave        map[string]context.CancelFunc // closes a connection, by the name of its stream

	mu       sync.Mutex
	received map[string][]string // received messages by stream
	order    []string
	task     string
	state    string
	question string
}

func (p *player) hear(stream, line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.received[stream] == nil {
		p.order = append(p.order, stream)
	}
	p.received[stream] = append(p.received[stream], line)
	var m struct {
		ID     json.RawMessage
		Method string
		Result struct {
			TaskID, RequestState string
			Task                 struct{ TaskID string }
		}
	}
	_, data, _ := strings.Cut(line, "{")
	if json.Unmarshal([]byte("{"+data), &m) != nil {
		return
	}
	if id := m.Result.TaskID + m.Result.Task.TaskID; id != "" {
		p.task = id
	}
	if m.Result.RequestState != "" {
		p.state = m.Result.RequestState
	}
	if m.Method != "" && m.ID != nil {
		p.question = string(m.ID)
	}
}

// heard returns what has been received since the last call.
func (p *player) heard() string {
	settle()
	p.mu.Lock()
	defer p.mu.Unlock()
	slices.Sort(p.order)
	var b strings.Builder
	for _, stream := range p.order {
		if stream == "" {
			slices.SortStableFunc(p.received[stream], func(a, b string) int { return strings.Compare(racing(a), racing(b)) })
		}
		for _, line := range p.received[stream] {
			b.WriteString(strings.TrimPrefix(stream+": "+line+"\n", ": "))
		}
	}
	p.received, p.order = map[string][]string{}, nil
	p.g.mu.Lock()
	slices.Sort(p.g.notes)
	for _, note := range p.g.notes {
		b.WriteString(note + "\n")
	}
	p.g.notes = nil
	p.g.mu.Unlock()
	text := b.String()
	if p.task != "" {
		text = strings.ReplaceAll(text, p.task, "TASK")
	}
	return unsteady.ReplaceAllString(text, `"$1":"…"`)
}

// subscriptionTag matches the member that identifies the messages of a subscription.
var subscriptionTag = regexp.MustCompile(`"io.modelcontextprotocol/subscriptionId":("[^"]*"|[^,}]*)`)

// responseID matches the beginning of a response; cancelledRequest matches a
// cancellation.
var (
	responseID       = regexp.MustCompile(`\{"jsonrpc":"2.0","id":("[^"]*"|[^,]*),"(result|error)"`)
	cancelledRequest = regexp.MustCompile(`"notifications/cancelled","params":\{"requestId":("[^"]*"|[^,}]*)`)
)

// racing returns a key for a message. Messages with the same key keep their order; other messages
// on the same stream may arrive before or after them. The key is the ID of a subscription or a
// request, or means that the message contains the state of a task.
func racing(line string) string {
	if id := responseID.FindStringSubmatch(line); id != nil {
		return "b" + id[1]
	}
	if id := cancelledRequest.FindStringSubmatch(line); id != nil {
		return "b" + id[1] // such a message arrives after the response
	}
	if tag := subscriptionTag.FindString(line); tag != "" {
		return tag
	}
	if strings.Contains(line, `"method":"notifications/tasks`) {
		return "a"
	}
	return ""
}

// follow records the messages in the response to an HTTP request.
func (p *player) follow(stream string, a *answer) {
	if !a.events {
		p.hear(stream, strings.TrimSpace(fmt.Sprint(a.status, " ", a.body)))
		return
	}
	go func() {
		for {
			e, err := a.read()
			switch {
			case errors.Is(err, errStreamEnded):
				p.hear(stream, "end")
				return
			case err != nil:
				return // the client has disconnected
			case e.data == "":
				p.hear(stream, strings.TrimSpace(e.id+" retry "+e.retry))
			default:
				p.web.check([]byte(e.data))
				p.hear(stream, strings.TrimSpace(e.id+" "+e.data))
			}
		}
	}()
}

func newPlayer(t *testing.T, revision, variant, capabilities, server string) *player {
	opts := &mcp.ServerOptions{SealKey: []byte(strings.Repeat("key ", 8))}
	if variant == "middleware" {
		opts.Middleware = []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler { return next }}
	}
	p := &player{t: t, revision: revision, variant: variant, capabilities: capabilities, g: newActor(t, opts, server), received: map[string][]string{}, leave: map[string]context.CancelFunc{}}
	switch variant {
	case "http":
		p.site = host(t, p.g.Server, &mcp.HTTPOptions{StreamAfter: time.Hour, KeepAlive: time.Hour})
		p.web = p.site.openWith(revision, capabilities)
		p.end = func() { go p.site.stop() }
		p.post = func(name, text string, head ...string) {
			w := p.web.with(append(headers(text), head...)...)
			w.ctx, p.leave[name] = context.WithCancel(w.ctx)
			w.note([]byte(text))
			go func() {
				if a, err := w.try(http.MethodPost, "/mcp", strings.NewReader(text)); err == nil {
					p.follow(name, a)
				} else if w.ctx.Err() == nil {
					p.hear(name, err.Error())
				}
			}()
		}
		if revision != latest {
			p.get("GET", "")
		}
	case "sse":
		c := p.site.pairOf(p, capabilities)
		p.post = func(name, text string, _ ...string) {
			if a := c.send(text); a.status != http.StatusAccepted {
				p.hear(name, strings.TrimSpace(fmt.Sprint(a.status, " ", a.body)))
			}
		}
	default:
		c := connect(t, p.g.Server)
		if revision != latest {
			c.openWith(revision, capabilities)
		}
		c.session = revision
		p.post = func(_, text string, _ ...string) { c.send(text) }
		p.listen(c)
	}
	t.Cleanup(func() {
		for _, commands := range p.g.calls {
			close(commands)
		}
		settle()
		for _, leave := range p.leave {
			leave()
		}
	})
	return p
}

// pairOf connects p over HTTP+SSE.
func (*site) pairOf(p *player, capabilities string) *pair {
	p.site = host(p.t, p.g.Server, &mcp.HTTPOptions{KeepAlive: time.Hour})
	c := p.site.pair(p.revision, capabilities)
	p.web = c.web
	p.end = c.close
	p.follow("", c.answer)
	return c
}

// listen records the messages that arrive on a pipe.
func (p *player) listen(c *peer) {
	p.end = func() { c.in.Close() }
	done := make(chan struct{})
	p.t.Cleanup(func() {
		c.closed = true
		c.in.Close()
		<-done
		<-c.served
	})
	go func() {
		defer close(done)
		for {
			line, err := c.lines.ReadString('\n')
			if err != nil {
				if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) {
					p.t.Error(err)
				}
				return
			}
			c.check([]byte(strings.TrimSuffix(line, "\n")))
			p.hear("", strings.TrimSuffix(line, "\n"))
		}
	}()
}

// get opens a stream with GET.
func (p *player) get(name, lastEventID string) {
	head := []string{"Content-Type:", "Accept: text/event-stream"}
	if lastEventID != "" {
		head = append(head, "Last-Event-ID: "+lastEventID)
	}
	w := p.web.with(head...)
	w.ctx, p.leave[name] = context.WithCancel(w.ctx)
	p.follow(name, w.do(http.MethodGet, nil))
}

// step executes a line and returns the messages that are received because of it.
func (p *player) step(line string) string {
	p.t.Helper()
	meta := `"_meta":{}`
	if p.revision == latest {
		meta = metaWith(p.capabilities)
	}
	expand := strings.NewReplacer("META", meta, "TASK", p.task, "STATE", p.state, "QUESTION", p.question).Replace
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case ">":
		id, rest, _ := strings.Cut(rest, " ")
		method, members, _ := strings.Cut(rest, " ")
		members = expand(members)
		if before, more, ok := strings.Cut(members, `"_meta":{`); ok && p.revision == latest {
			members = before + strings.Replace(strings.TrimSuffix(meta, "}")+","+more, ",}", "}", 1)
		} else if p.revision == latest {
			members = strings.TrimPrefix(members+","+meta, ",")
		}
		p.post("POST "+id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s}}`, id, method, members))
	case ">-":
		p.post("POST", expand(rest))
	case "as":
		if p.web != nil {
			p.web.head.Set("Test-Principal", rest)
			if rest == "nobody" {
				p.web.head.Del("Test-Principal")
			}
		}
	case "!":
		n, command, _ := strings.Cut(rest, " ")
		number, err := strconv.Atoi(n)
		must(p.t, err)
		p.g.call(number) <- command
	case "*":
		p.change(rest)
	default:
		return ""
	}
	return p.heard()
}

// change executes a line that begins with "*".
func (p *player) change(what string) {
	p.t.Helper()
	verb, rest, _ := strings.Cut(what, " ")
	s := p.g.Server
	switch verb {
	case "tools":
		must(p.t, mcp.AddTool(s, mcp.Tool{Name: rest}, exitTool, mcp.Replace))
	case "untools":
		s.RemoveTools(rest)
	case "prompts":
		must(p.t, s.AddPrompt(mcp.Prompt{Name: rest}, says(), mcp.Replace))
	case "unprompts":
		s.RemovePrompts(rest)
	case "resources":
		must(p.t, s.AddResource(mcp.Resource{URI: rest, Name: "r"}, holds(), mcp.Replace))
	case "unresources":
		s.RemoveResources(rest)
	case "templates":
		must(p.t, s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: rest, Name: "t"},
			func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
				return nil, nil
			}, mcp.Replace))
	case "updated":
		s.ResourceUpdated(rest)
	case "wait":
		d, err := time.ParseDuration(rest)
		must(p.t, err)
		time.Sleep(d)
	case "leave": // closes an HTTP stream
		if leave := p.leave[rest]; leave != nil {
			leave()
		}
	case "get": // opens a stream: NAME LAST-EVENT-ID
		if p.variant == "http" {
			name, id, _ := strings.Cut(rest, " ")
			p.get(name, id)
		}
	case "delete":
		if p.variant == "http" {
			p.follow("DELETE", p.web.do(http.MethodDelete, nil))
		}
	case "shutdown":
		p.end()
	default:
		p.t.Fatalf("unknown: * %s", what)
	}
}

// play executes a scene in a variant and returns what the client receives.
func (s *scene) play(t *testing.T, v variant) transcriptOutcome {
	all := transcriptOutcome{map[int]string{}, map[int]string{}}
	for i := 0; i < len(s.lines); i++ {
		title, capabilities, _ := strings.Cut(s.lines[i], " | ")
		if !strings.HasPrefix(title, "== ") {
			continue
		}
		end := i + 1
		for end < len(s.lines) && !strings.HasPrefix(s.lines[end], "== ") {
			end++
		}
		t.Run(strings.TrimPrefix(title, "== "), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := newPlayer(t, v.revision, v.transport, capabilities, s.server)
				all.text[i] = p.heard()
				for j := i + 1; j < end; j++ {
					all.text[j] = p.step(s.lines[j])
				}
			})
		})
		i = end - 1
	}
	return all
}

// TestScenes plays each scene in every revision on every transport.
func TestScenes(t *testing.T) {
	eachTranscript(t, "scenes", func(s *transcript) ([]variant, playFunc) {
		return s.variantsAmong(sceneVariants), (*scene)(s).play
	})
}
