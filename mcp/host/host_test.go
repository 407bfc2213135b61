package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/host"
	"github.com/docent-mcp/docent/mcp/internal/proof"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestMain lets tests start the test binary as a server.
func TestMain(m *testing.M) {
	if os.Getenv("HOST_TEST_SERVER") == "1" {
		s := newServer("crashing", "crash")
		if err := s.ServeStdio(context.Background()); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(proof.Run(m))
}

// newServer returns a server whose tools return its name. The tool "crash" ends the process.
func newServer(name string, tools ...string) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: name, Version: "1"}, &mcp.ServerOptions{
		Capabilities: mcp.ServerCapabilities{Tools: true, Prompts: true, Resources: true},
		Logger:       quiet,
	})
	for _, tool := range tools {
		addTool(s, name, tool)
	}
	return s
}

func addTool(s *mcp.Server, server, tool string) {
	err := mcp.AddTool(s, mcp.Tool{Name: tool}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		if tool == "crash" {
			os.Exit(1)
		}
		return server + " did " + tool, nil
	})
	if err != nil {
		panic(err)
	}
}

var quiet = slog.New(slog.DiscardHandler)

// open returns a host that is closed at the end of the test.
func open(t *testing.T, opts host.Options) *host.Host {
	t.Helper()
	opts.Logger = quiet
	h := host.New(&opts)
	t.Cleanup(func() { h.Close() })
	return h
}

// bubble runs f with fake time. When f returns, it waits until the idle goroutines of servers have
// ended.
func bubble(t *testing.T, f func(t *testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // fake
		f(t)
	})
}

func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func add(t *testing.T, h *host.Host, name string, transport mcp.Transport) {
	t.Helper()
	if err := h.Add(name, transport); err != nil {
		t.Fatal(err)
	}
}

func inMemory(s *mcp.Server) mcp.Transport { return &mcp.ServerTransport{Server: s} }

func toolNames(h *host.Host) []string {
	var names []string
	for _, item := range h.Tools() {
		names = append(names, item.Name)
	}
	return names
}

func call(t *testing.T, h *host.Host, name string) string {
	t.Helper()
	res, err := h.CallTool(t.Context(), name, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

func status(h *host.Host, name string) host.ServerStatus {
	for _, s := range h.Servers() {
		if s.Name == name {
			return s
		}
	}
	return host.ServerStatus{}
}

func TestListsAreMergedAndCallsRouted(t *testing.T) {
	h := open(t, host.Options{})
	files, web := newServer("files", "read", "write"), newServer("web", "read")
	for _, s := range []*mcp.Server{files, web} {
		if err := s.AddPrompt(mcp.Prompt{Name: "ask"}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
			name := map[*mcp.Server]string{files: "files", web: "web"}[s]
			return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text(name)}}}, nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := s.AddResource(mcp.Resource{URI: "info://both", Name: "both"}, textResource(fmt.Sprintf("%p", s))); err != nil {
			t.Fatal(err)
		}
	}
	if err := web.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "page://{id}", Name: "page"}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{{Text: "a page"}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	add(t, h, "files", inMemory(files))
	add(t, h, "web", inMemory(web))
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := toolNames(h), []string{"files__read", "files__write", "web__read"}; !slices.Equal(got, want) {
		t.Errorf("tools %q, want %q", got, want)
	}
	if got := call(t, h, "web__read"); got != "web did read" {
		t.Errorf("web__read answered %q", got)
	}
	if got := call(t, h, "files__read"); got != "files did read" {
		t.Errorf("files__read answered %q", got)
	}
	prompt, err := h.GetPrompt(t.Context(), "web__ask", nil, nil)
	if err != nil || prompt.Messages[0].Content.(*mcp.TextContent).Text != "web" {
		t.Errorf("prompt of web: %+v, %v", prompt, err)
	}
	if n := len(h.Prompts()); n != 2 {
		t.Errorf("%d prompts", n)
	}
	if _, err := h.ReadResource(t.Context(), "", "info://both", nil); err == nil || !strings.Contains(err.Error(), "files, web") {
		t.Errorf("a URI of two servers: %v", err)
	}
	res, err := h.ReadResource(t.Context(), "web", "info://both", nil)
	if err != nil || res.Contents[0].Text != fmt.Sprintf("%p", web) {
		t.Errorf("resource of web: %+v, %v", res, err)
	}
	res, err = h.ReadResource(t.Context(), "", "page://7", nil)
	if err != nil || res.Contents[0].Text != "a page" {
		t.Errorf("resource of a template: %+v, %v", res, err)
	}
	if _, err := h.ReadResource(t.Context(), "", "nowhere://7", nil); err == nil {
		t.Error("an unknown URI is read")
	}
	if _, err := h.CallTool(t.Context(), "web__write", nil, nil); err == nil || !strings.Contains(err.Error(), "no server has a tool") {
		t.Errorf("unknown tool: %v", err)
	}
	if info := status(h, "web").Info; info == nil || info.Name != "web" {
		t.Errorf("info of web: %+v", info)
	}
	if err := h.Add("web", inMemory(web)); err == nil {
		t.Error("a name is taken twice")
	}
}

func textResource(text string) mcp.ResourceHandler {
	return func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{{Text: text}}, nil
	}
}

func TestListsFollowChanges(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var changed []string
				h := open(t, host.Options{
					Changed:       func(server string) { changed = append(changed, server) },
					ClientOptions: func(string) *mcp.ClientOptions { return &mcp.ClientOptions{Revisions: []string{revision}} },
				})
				s := newServer("files", "read")
				add(t, h, "files", inMemory(s))
				if err := h.Ready(t.Context()); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				changed = nil
				addTool(s, "files", "write")
				s.RemoveTools("read")
				pass(time.Second)
				if got, want := toolNames(h), []string{"files__write"}; !slices.Equal(got, want) {
					t.Errorf("tools %q, want %q", got, want)
				}
				if !slices.Contains(changed, "files") {
					t.Error("Changed was not called")
				}
				if !h.Remove("files") || h.Remove("files") || len(h.Tools()) != 0 {
					t.Error("the server is not removed")
				}
				if _, err := h.CallTool(t.Context(), "files__write", nil, nil); err == nil {
					t.Error("a tool of a removed server is called")
				}
			})
		})
	}
}

func TestAServerThatCannotBeReachedIsTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := open(t, host.Options{})
		var attempts []time.Time
		add(t, h, "good", inMemory(newServer("good", "work")))
		add(t, h, "bad", &mcp.ConnTransport{Dial: func(context.Context) (io.ReadWriteCloser, error) {
			attempts = append(attempts, time.Now())
			if len(attempts) < 8 {
				return nil, errors.New("nobody is there")
			}
			client, server := net.Pipe()
			go newServer("bad", "recover").ServeConn(t.Context(), server)
			return client, nil
		}})
		if err := h.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := status(h, "bad"); got.State != host.StateFailed || !strings.Contains(got.Err.Error(), "nobody is there") {
			t.Errorf("the bad server: %+v", got)
		}
		if got := call(t, h, "good__work"); got != "good did work" {
			t.Errorf("the good server: %q", got)
		}
		if _, err := h.CallTool(t.Context(), "bad__recover", nil, nil); err == nil || !strings.Contains(err.Error(), "nobody is there") {
			t.Errorf("a tool of the bad server: %v", err)
		}
		pass(5 * time.Minute)
		if got := call(t, h, "bad__recover"); got != "bad did recover" {
			t.Errorf("the recovered server: %q", got)
		}
		for i := 2; i < len(attempts); i++ {
			if pause := attempts[i].Sub(attempts[i-1]); pause < 250*time.Millisecond || pause > time.Minute {
				t.Errorf("attempt %d came after %v", i+1, pause)
			}
		}
		if first, last := attempts[1].Sub(attempts[0]), attempts[6].Sub(attempts[5]); last < 4*first {
			t.Errorf("pauses do not grow: %v, later %v", first, last)
		}
	})
}

func TestAServerThatExitsIsStartedAgain(t *testing.T) {
	back := make(chan struct{}, 100)
	h := open(t, host.Options{MaxBackoff: time.Millisecond, Changed: func(string) { back <- struct{}{} }})
	add(t, h, "good", inMemory(newServer("good", "work")))
	add(t, h, "crashing", &mcp.CommandTransport{Command: os.Args[0], Env: []string{"HOST_TEST_SERVER=1"}})
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	client, err := h.Client("crashing")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.CallTool(t.Context(), "crashing__crash", nil, nil); err == nil {
		t.Error("the call of a server that exits succeeds")
	}
	for again, err := h.Client("crashing"); err != nil || again == client; again, err = h.Client("crashing") {
		<-back
	}
	for len(h.Tools()) < 2 {
		<-back
	}
	if got := call(t, h, "good__work"); got != "good did work" {
		t.Errorf("the good server: %q", got)
	}
}

// TestAHostileServerDisturbsNobody simulates servers that block in each phase.
func TestAHostileServerDisturbsNobody(t *testing.T) {
	tools := func(names ...string) string {
		var list []string
		for _, name := range names {
			list = append(list, `{"name":"`+name+`","inputSchema":{"type":"object"}}`)
		}
		return `{"tools":[` + strings.Join(list, ",") + `]}`
	}
	for name, play := range map[string]struct {
		peer  func(p *mcptest.Peer)
		state host.State
		err   string
		tools []string
	}{
		"that says nothing": {func(p *mcptest.Peer) { p.Accept() }, host.StateFailed, "did not respond", nil},
		"that hangs up":     {func(p *mcptest.Peer) { p.Accept(); p.Close() }, host.StateFailed, "", nil},
		"that says nonsense": {func(p *mcptest.Peer) {
			p.Accept()
			p.Send("\x00\xff{{{{")
			p.Close()
		}, host.StateFailed, "", nil},
		"that stalls with the first list": {func(p *mcptest.Peer) {
			p.Accept()
			p.Handshake("2025-11-25")
		}, host.StateConnected, "tools", nil},
		"that lists a name twice": {func(p *mcptest.Peer) {
			p.Accept()
			p.Handshake("2025-11-25")
			p.Reply(p.Expect("tools/list"), tools("a", "b", "a"))
		}, host.StateConnected, "prompts", []string{"bad__a", "bad__b"}},
		"whose lists never end": {func(p *mcptest.Peer) {
			p.Accept()
			p.Handshake("2025-11-25")
			for {
				m := p.Receive()
				if m.Method != "tools/list" {
					return
				}
				p.Reply(m, `{"tools":[],"nextCursor":"again"}`)
			}
		}, host.StateConnected, "tools", nil},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				h := open(t, host.Options{ConnectTimeout: 10 * time.Second, ListTimeout: 5 * time.Second, MaxBackoff: time.Hour, ClientOptions: func(string) *mcp.ClientOptions {
					return &mcp.ClientOptions{Revisions: []string{"2025-11-25"}}
				}})
				p := mcptest.NewPeer(t)
				add(t, h, "good", inMemory(newServer("good", "work")))
				add(t, h, "bad", p.Transport())
				begun := time.Now()
				play.peer(p)
				if err := h.Ready(t.Context()); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(begun); took > time.Minute {
					t.Errorf("ready after %v", took)
				}
				bad := status(h, "bad")
				if bad.State != play.state || bad.Err == nil || !strings.Contains(bad.Err.Error(), play.err) {
					t.Errorf("the bad server: %+v", bad)
				}
				if got := toolNames(h); !slices.Equal(got, append(slices.Clone(play.tools), "good__work")) {
					t.Errorf("tools %q", got)
				}
				if got := call(t, h, "good__work"); got != "good did work" {
					t.Errorf("the good server: %q", got)
				}
				begun = time.Now()
				h.Close()
				if took := time.Since(begun); took > 10*time.Second {
					t.Errorf("closed after %v", took)
				}
			})
		})
	}
}

// TestAFloodOfChangesIsReadAtARate checks how often the lists are read.
func TestAFloodOfChangesIsReadAtARate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := open(t, host.Options{})
		lists := 0
		s := mcp.NewServer(mcp.Implementation{Name: "flood", Version: "1"}, &mcp.ServerOptions{
			Logger:       quiet,
			Capabilities: mcp.ServerCapabilities{Tools: true},
			Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
				return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
					if r.Method() == "tools/list" {
						lists++
					}
					return next(ctx, r)
				}
			}},
		})
		add(t, h, "flood", inMemory(s))
		if err := h.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 1000 { // changes during ten seconds of fake time
			addTool(s, "flood", "tool")
			s.RemoveTools("tool")
			time.Sleep(10 * time.Millisecond)
		}
		synctest.Wait()
		if lists < 10 || lists > 110 {
			t.Errorf("the list was read %d times in 10 seconds", lists)
		}
	})
}

func TestQuestionsTellWhichServerAsks(t *testing.T) {
	asking := func() *mcp.Server {
		s := newServer("asking")
		err := mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			got, action, err := mcp.Elicit[struct {
				Name string `json:"name"`
			}](ctx, r, "Who?")
			return got.Name + " " + string(action), err
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	h := open(t, host.Options{ClientOptions: func(server string) *mcp.ClientOptions {
		return &mcp.ClientOptions{ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
			content, err := json.Marshal(map[string]string{"name": server})
			return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: content}, err
		}}
	}})
	add(t, h, "one", inMemory(asking()))
	add(t, h, "two", inMemory(asking()))
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, server := range []string{"one", "two"} {
		if got := call(t, h, server+"__ask"); got != server+" accept" {
			t.Errorf("server %s got %q", server, got)
		}
	}
}

func TestCloseEndsWhatHangs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		requested, release := make(chan struct{}), make(chan struct{})
		h := host.New(&host.Options{Logger: quiet, ClientOptions: func(string) *mcp.ClientOptions {
			return &mcp.ClientOptions{Roots: func(context.Context) ([]mcp.Root, error) {
				close(requested)
				<-release // ignores the context
				return nil, nil
			}}
		}})
		s := newServer("asking")
		if err := mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			_, err := r.Roots(ctx)
			return "", err
		}); err != nil {
			t.Fatal(err)
		}
		add(t, h, "asking", inMemory(s))
		add(t, h, "silent", &mcp.ConnTransport{Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		failed := make(chan error, 1)
		go func() {
			for {
				if _, ok := h.Tool("asking__ask"); ok {
					break
				}
				time.Sleep(time.Millisecond) // fake
			}
			_, err := h.CallTool(t.Context(), "asking__ask", nil, nil)
			failed <- err
		}()
		<-requested
		begun := time.Now()
		h.Close()
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("Close took %v", took)
		}
		close(release)
		if err := <-failed; err == nil {
			t.Error("a call outlives Close")
		}
		if err := h.Add("late", inMemory(s)); !errors.Is(err, host.ErrClosed) {
			t.Errorf("Add after Close: %v", err)
		}
		if err := h.Close(); err != nil {
			t.Errorf("Close again: %v", err)
		}
	})
}

func TestAConfigurationThatCannotWorkBreaksOneServer(t *testing.T) {
	h := open(t, host.Options{})
	add(t, h, "good", inMemory(newServer("good", "work")))
	for _, c := range []host.ServerConfig{
		{Name: "unset", Command: "x", Env: map[string]string{"TOKEN": "${NO_SUCH_TOKEN}"}},
		{Name: "scheme", URL: "ftp://example.com"},
		{Name: "off", Command: "x", Disabled: true},
	} {
		if err := h.AddConfig(c, func(string) (string, bool) { return "", false }); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := status(h, "unset"); got.State != host.StateBroken || !strings.Contains(got.Err.Error(), "NO_SUCH_TOKEN") {
		t.Errorf("a variable that is not set: %+v", got)
	}
	if got := status(h, "scheme"); got.State != host.StateBroken {
		t.Errorf("a URL of another scheme: %+v", got)
	}
	if n := len(h.Servers()); n != 3 {
		t.Errorf("%d servers", n)
	}
	if got := call(t, h, "good__work"); got != "good did work" {
		t.Errorf("the good server: %q", got)
	}
}
