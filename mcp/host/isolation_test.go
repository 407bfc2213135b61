package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/host"
)

// twin returns a server whose description is the same as that of the other servers. Its tool and
// its prompt return the argument and who.
func twin(t *testing.T, who string) *mcp.Server {
	t.Helper()
	s := newServer("twin")
	type input struct {
		Text string `json:"text"`
	}
	err := errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "read", Title: "Read"}, func(_ context.Context, _ *mcp.Request, in input) (string, error) { return in.Text + " by " + who, nil }),
		s.AddPrompt(mcp.Prompt{Name: "ask"}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text(who)}}}, nil
		}),
		s.AddResource(mcp.Resource{URI: "info://" + who, Name: who}, textResource(who)),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "item://{id}", Name: "item"}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: who}}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestEachServerHasAClientOfItsOwn adds servers with equal tools, and checks what each server
// receives.
func TestEachServerHasAClientOfItsOwn(t *testing.T) {
	proves(t, "arch.client-per-server", "arch.isolation", "tools.name.disambiguate", "tools.name.not-by-serverinfo")
	everyRevision(t, func(t *testing.T, revision string) {
		servers := []string{"first", "second", "third"}
		var mu sync.Mutex
		got := map[string]string{} // messages that each server receives
		h := open(t, host.Options{ClientOptions: func(server string) *mcp.ClientOptions {
			return &mcp.ClientOptions{Revisions: []string{revision}, Trace: func(sent bool, message json.RawMessage) {
				mu.Lock()
				defer mu.Unlock()
				if sent {
					got[server] += string(message) + "\n"
				}
			}}
		}})
		for _, name := range servers {
			add(t, h, name, inMemory(twin(t, name)))
		}
		if err := h.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if names, want := toolNames(h), []string{"first__read", "second__read", "third__read"}; !slices.Equal(names, want) {
			t.Errorf("tools %q, want %q", names, want)
		}
		clients := map[*mcp.Client]bool{}
		for _, name := range servers {
			c, err := h.Client(name)
			if err != nil {
				t.Fatal(err)
			}
			clients[c] = true
			res, err := h.CallTool(t.Context(), name+"__read", map[string]string{"text": "secret of " + name}, nil)
			if err != nil || res.Content[0].(*mcp.TextContent).Text != "secret of "+name+" by "+name {
				t.Errorf("%s answered %+v, %v", name, res, err)
			}
			prompt, err := h.GetPrompt(t.Context(), name+"__ask", nil, nil)
			if err != nil || prompt.Messages[0].Content.(*mcp.TextContent).Text != name {
				t.Errorf("%s answered %+v, %v", name, prompt, err)
			}
			if read, err := h.ReadResource(t.Context(), "", "info://"+name, nil); err != nil || read.Contents[0].Text != name {
				t.Errorf("%s answered %+v, %v", name, read, err)
			}
		}
		if read, err := h.ReadResource(t.Context(), "", "item://1", nil); err == nil || !strings.Contains(err.Error(), "first, second, third") {
			t.Errorf("a template of all: %+v, %v", read, err)
		}
		for _, name := range servers {
			if read, err := h.ReadResource(t.Context(), name, "item://1", nil); err != nil || read.Contents[0].Text != name {
				t.Errorf("%s answered %+v, %v", name, read, err)
			}
		}
		if len(clients) != len(servers) {
			t.Errorf("%d clients", len(clients))
		}
		if !h.Remove("second") {
			t.Error("the second server is not there")
		}
		for _, server := range []string{"second", "unknown"} {
			if read, err := h.ReadResource(t.Context(), server, "info://first", nil); err == nil {
				t.Errorf("for the server %s, which is not there, another answered %+v", server, read)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for _, name := range servers {
			for _, other := range servers {
				if strings.Contains(got[name], other) != (name == other) {
					t.Errorf("the server %s gets %s", name, got[name])
				}
			}
			if strings.Contains(got[name], name+"__") {
				t.Errorf("the server %s gets names of the host: %s", name, got[name])
			}
		}
	})
}

// TestALostServerIsNoticedWithoutASubscription ends connections to servers that report changes, and
// to servers that refuse subscriptions.
func TestALostServerIsNoticedWithoutASubscription(t *testing.T) {
	everyRevision(t, func(t *testing.T, revision string) {
		for _, refuses := range []bool{false, true} {
			t.Run(fmt.Sprintf("refuses %t", refuses), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, &mcp.ServerOptions{Logger: quiet, Capabilities: mcp.ServerCapabilities{Tools: true},
						Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
							return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
								if refuses && r.Method() == "subscriptions/listen" {
									return nil, &mcp.Error{Code: mcp.CodeInternalError, Message: "no"}
								}
								return next(ctx, r)
							}
						}}})
					ctx, end := context.WithCancel(t.Context())
					h := open(t, host.Options{ClientOptions: func(string) *mcp.ClientOptions { return &mcp.ClientOptions{Revisions: []string{revision}} }})
					add(t, h, "one", &mcp.ServerTransport{Server: s, Context: ctx})
					if err := h.Ready(t.Context()); err != nil || status(h, "one").State != host.StateConnected {
						t.Fatalf("%+v, %v", status(h, "one"), err)
					}
					time.Sleep(time.Hour) // no message is sent during this time
					if got := status(h, "one"); got.State != host.StateConnected || got.Err != nil {
						t.Errorf("an hour later: %+v", got)
					}
					end()
					synctest.Wait()
					if got := status(h, "one"); got.State != host.StateFailed || got.Err == nil || got.Info != nil {
						t.Errorf("after the end of the connection: %+v", got)
					}
					if _, err := h.Client("one"); err == nil {
						t.Error("there is a client still")
					}
				})
			})
		}
	})
}

// TestAClientThatIsReplacedIsClosed makes a server end its subscription and refuse another one on
// the same connection.
func TestAClientThatIsReplacedIsClosed(t *testing.T) {
	proves(t, "arch.client-per-server")
	bubble(t, func(t *testing.T) {
		var listens, dialed, remaining atomic.Int32
		s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, &mcp.ServerOptions{Logger: quiet, Capabilities: mcp.ServerCapabilities{Tools: true},
			Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
				return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
					if r.Method() == "subscriptions/listen" {
						switch listens.Add(1) {
						case 1:
							short, cancel := context.WithTimeout(ctx, time.Minute)
							defer cancel()
							ctx = short
						case 2:
							return nil, &mcp.Error{Code: mcp.CodeInternalError, Message: "no"}
						}
					}
					return next(ctx, r)
				}
			}}})
		h := open(t, host.Options{})
		add(t, h, "one", &mcp.ConnTransport{Dial: func(context.Context) (io.ReadWriteCloser, error) {
			near, far := net.Pipe()
			dialed.Add(1)
			go func() {
				defer remaining.Add(1)
				s.ServeConn(context.Background(), far)
			}()
			return near, nil
		}})
		if err := h.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		pass(time.Hour)
		if dialed.Load() != 2 || remaining.Load() != 1 || status(h, "one").State != host.StateConnected {
			t.Errorf("%d connections, %d of them closed, after %d subscriptions: %+v", dialed.Load(), remaining.Load(), listens.Load(), status(h, "one"))
		}
	})
}

// TestALostServerIsNotReplacedByAnother uses two equal servers. The first attempt to connect to one
// of them fails, the second succeeds, and the connection is lost again.
func TestALostServerIsNotReplacedByAnother(t *testing.T) {
	proves(t, "arch.client-per-server")
	everyRevision(t, func(t *testing.T, revision string) {
		bubble(t, func(t *testing.T) {
			var mu sync.Mutex
			requests := map[string]int{}
			h := open(t, host.Options{ClientOptions: func(server string) *mcp.ClientOptions {
				mu.Lock()
				defer mu.Unlock()
				requests[server]++
				return &mcp.ClientOptions{Revisions: []string{revision}}
			}})
			late := twin(t, "late")
			var up atomic.Bool
			add(t, h, "late", &mcp.ConnTransport{Dial: func(context.Context) (io.ReadWriteCloser, error) {
				if !up.Load() {
					return nil, errors.New("down")
				}
				near, far := net.Pipe()
				go late.ServeConn(context.Background(), far)
				return near, nil
			}})
			if err := h.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			add(t, h, "early", inMemory(twin(t, "early")))
			if err := h.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			for i := range 2 {
				for name, there := range map[string]bool{"early": true, "late": i > 0} {
					res, err := h.CallTool(t.Context(), name+"__read", map[string]string{"text": "x"}, nil)
					if (err == nil) != there || there && res.Content[0].(*mcp.TextContent).Text != "x by "+name {
						t.Errorf("%s answered %+v, %v", name, res, err)
					}
					read, err := h.ReadResource(t.Context(), name, "item://1", nil)
					if (err == nil) != there || there && read.Contents[0].Text != name {
						t.Errorf("%s answered %+v, %v", name, read, err)
					}
					if c, err := h.Client(name); (err == nil) != there || (c != nil) != there {
						t.Errorf("the client of %s: %v", name, err)
					}
				}
				up.Store(true)
				time.Sleep(10 * time.Second)
				synctest.Wait()
			}
			// The name begins like the name of a tool of another server.
			add(t, h, "early__read", inMemory(twin(t, "other")))
			if err := h.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, tool := range h.Tools() {
				res, err := h.CallTool(t.Context(), tool.Name, map[string]string{"text": "x"}, nil)
				if want := "x by " + strings.Replace(tool.Server, "early__read", "other", 1); err != nil || res.Content[0].(*mcp.TextContent).Text != want {
					t.Errorf("%s of %s answered %+v, %v", tool.Name, tool.Server, res, err)
				}
			}
			for _, prompt := range h.Prompts() {
				res, err := h.GetPrompt(t.Context(), prompt.Name, nil, nil)
				if want := strings.Replace(prompt.Server, "early__read", "other", 1); err != nil || res.Messages[0].Content.(*mcp.TextContent).Text != want {
					t.Errorf("%s of %s answered %+v, %v", prompt.Name, prompt.Server, res, err)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			if requests["late"] < 2 || requests["early"] != 1 || len(requests) != 3 {
				t.Errorf("options were asked for: %v", requests)
			}
		})
	})
}
