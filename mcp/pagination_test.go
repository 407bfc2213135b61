package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// numbered returns a server with the tools t00, t01 and so on.
func numbered(t testing.TB, n int, opts *mcp.ServerOptions) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, opts)
	for i := range n {
		addNamed(t, s, fmt.Sprintf("t%02d", i))
	}
	return s
}

func addNamed(t testing.TB, s *mcp.Server, name string) {
	t.Helper()
	must(t, mcp.AddTool(s, mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }))
}

// page requests the page of tools after cursor, which is JSON. It returns the names on the page,
// and the next cursor as JSON or "" if there is none.
func page(t *testing.T, p *peer, params func(string) string, cursor string) (names, next string) {
	t.Helper()
	members := ""
	if cursor != "" {
		members = `"cursor":` + cursor
	}
	m := p.ask("1", "tools/list", params(members))
	if m.Error != nil {
		t.Fatalf("cursor %s: %s", cursor, m.line)
	}
	if c, ok := m.Result["nextCursor"]; ok {
		data, _ := json.Marshal(c)
		next = string(data)
	}
	return toolNames(m), next
}

func TestPagesTogetherAreTheList(t *testing.T) {
	proves(t, "page.operations", "page.cursor-continues", "cache.scope.same-on-pages", "cache.hints.present", "tools.list.fields")
	for n, want := range map[int]string{0: "", 1: "t00", 2: "t00 t01", 3: "t00 t01|t02", 4: "t00 t01|t02 t03", 5: "t00 t01|t02 t03|t04"} {
		s := numbered(t, max(n, 1), &mcp.ServerOptions{PageSize: 2})
		if n == 0 {
			s.RemoveTools("t00")
		}
		eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
			var pages []string
			for cursor := ""; ; {
				names, next := page(t, p, params, cursor)
				pages = append(pages, names)
				if cursor = next; next == "" {
					break
				}
				if len(pages) > 10 {
					t.Fatal("the list has no end")
				}
			}
			if got := strings.Join(pages, "|"); got != want {
				t.Errorf("%d tools come as %s", n, got)
			}
		})
	}
}

// TestPagesOfAListThatChangesBelongTogether removes a tool between two pages,
// so that the next page does not begin where a page of the new list does.
func TestPagesOfAListThatChangesBelongTogether(t *testing.T) {
	revisionsOf(t, "cache.scope.same-on-pages", func(t *testing.T, revision string) {
		proves(t, "page.cursor-continues")
		for _, transport := range append(transportsOf(revision), "private") {
			opts := &mcp.ServerOptions{PageSize: 2}
			if transport == "private" {
				transport = "pipe"
				opts.Visible = func(*mcp.Request, mcp.Entry) bool { return true }
			}
			s := numbered(t, 7, opts)
			p := connectOver(t, s, revision, transport)
			params := p.open(revision)
			first := p.ask("1", "tools/list", params(""))
			s.RemoveTools("t00")
			cursor, names := first.Result["nextCursor"], ""
			for id := 2; cursor != nil && id < 9; id++ {
				m := p.ask(fmt.Sprint(id), "tools/list", params(fmt.Sprintf(`"cursor":%q`, cursor)))
				for _, tool := range list(m.Result["tools"]) {
					names += fmt.Sprint(" ", object(tool)["name"])
				}
				if m.Result["cacheScope"] != first.Result["cacheScope"] || m.Result["ttlMs"] != first.Result["ttlMs"] {
					t.Errorf("over %s: %s after %s", transport, m.line, first.line)
				}
				cursor = m.Result["nextCursor"]
			}
			if names != " t02 t03 t04 t05 t06" {
				t.Errorf("over %s:%s", transport, names)
			}
		}
	})
}

func TestACursorStaysGoodWhenTheListChanges(t *testing.T) {
	proves(t, "page.stable-cursors")
	s := numbered(t, 6, &mcp.ServerOptions{PageSize: 2})
	p := connect(t, s)
	params := p.open("2026-07-28")
	_, next := page(t, p, params, "")
	expect := func(what, want string) {
		t.Helper()
		if got, _ := page(t, p, params, next); got != want {
			t.Errorf("%s: the page after t01 is %q, not %q", what, got, want)
		}
	}
	expect("unchanged", "t02 t03")
	addNamed(t, s, "t00a")
	expect("one added before", "t02 t03")
	addNamed(t, s, "t01a")
	expect("one added behind", "t01a t02")
	s.RemoveTools("t00", "t00a")
	expect("some removed before", "t01a t02")
	s.RemoveTools("t01")
	expect("the last of the page before removed", "t01a t02")
	s.RemoveTools("t01a", "t02", "t03", "t04")
	expect("nearly all removed", "t05")
	s.RemoveTools("t05")
	expect("all removed", "")
	if got, _ := page(t, p, params, ""); got != "" {
		t.Errorf("the first page is %q", got)
	}
}

func TestACursorThatThisServerDidNotMakeIsRefused(t *testing.T) {
	proves(t, "page.invalid-handled", "page.invalid-code")
	s := numbered(t, 4, &mcp.ServerOptions{PageSize: 2})
	other := numbered(t, 4, &mcp.ServerOptions{PageSize: 2})
	p := connect(t, s)
	params := p.open("2026-07-28")
	_, good := page(t, p, params, "")
	var text string
	must(t, json.Unmarshal([]byte(good), &text))
	q := connect(t, other)
	_, foreign := page(t, q, q.open("2026-07-28"), "")

	bad := []string{`"x"`, `"AAAA"`, `5`, `0`, `{}`, `[]`, `true`, `"t01"`, `"2"`, foreign, `"` + text + text + `"`, `"` + text + `A"`,
		`"` + text + `="`, `"` + text[:len(text)-1] + `"`, `" ` + text + `"`, `"` + strings.Repeat("A", 100_000) + `"`}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := range len(text) {
		index := strings.IndexByte(letters, text[i])
		for _, step := range []int{1, 2, 4, 8, 16, 32} {
			bad = append(bad, `"`+text[:i]+string(letters[index^step])+text[i+1:]+`"`)
		}
	}
	for _, cursor := range bad {
		if m := p.ask("1", "tools/list", params(`"cursor":`+cursor)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("cursor %.100s: %s", cursor, m.line)
		}
	}
	if names, _ := page(t, p, params, good); names != "t02 t03" {
		t.Errorf("after all that the next page is %q", names)
	}
}

func TestReplicasWithOneKeyTakeEachOthersCursors(t *testing.T) {
	key := []byte("0123456789abcdef0123456789abcdef")
	p := connect(t, numbered(t, 4, &mcp.ServerOptions{PageSize: 2, SealKey: key}))
	_, next := page(t, p, p.open("2026-07-28"), "")
	q := connect(t, numbered(t, 4, &mcp.ServerOptions{PageSize: 2, SealKey: slices.Clone(key)}))
	if names, _ := page(t, q, q.open("2026-07-28"), next); names != "t02 t03" {
		t.Errorf("the next page is %q", names)
	}
}

func TestAChangeOfTheToolsIsReportedToSessionsThatAreOpen(t *testing.T) {
	proves(t, "tools.list-changed")
	const changed = "notifications/tools/list_changed"
	for _, revision := range revisions[:4] {
		t.Run(revision, func(t *testing.T) {
			s := echoServer(t, nil)
			silent := connect(t, s) // has not opened a session
			half := connect(t, s)   // this client has not opened a session
			half.session = revision
			half.ask("1", "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"c","version":"1"}}`, revision))
			modern := connect(t, s)
			modernParams := modern.open("2026-07-28")
			modern.ask("1", "tools/list", modernParams(""))
			open := connect(t, s)
			if m := open.initialize(revision); object(object(m.Result["capabilities"])["tools"])["listChanged"] != true {
				t.Error(m.line)
			}
			open.ask("2", "ping", "") // after the ping, the server has handled notifications/initialized
			addNamed(t, s, "more")
			if m := open.receive(); m.Method != changed {
				t.Errorf("after adding: %s", m.line)
			}
			s.RemoveTools("more", "nonesuch")
			if m := open.receive(); m.Method != changed {
				t.Errorf("after removing: %s", m.line)
			}
			s.RemoveTools("nonesuch") // does not change the list
			s.RemoveTools()
			if err := mcp.AddTool(s, mcp.Tool{Name: "echo"}, taking[struct{}]); err == nil {
				t.Error("a tool was added twice")
			}
			if m := open.ask("3", "tools/list", "{}"); toolNames(m) != "echo fail panic refuse" {
				t.Errorf("the tools are %s", m.line)
			}
			open.end()
			silent.end()
			half.end()
			modern.end()
		})
	}
}

func TestACallInFlightOutlivesItsTool(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
		release := make(chan struct{})
		must(t, mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			<-release
			return "done", nil
		}))
		p := connect(t, s)
		params := p.open("2026-07-28")
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params(callParams("wait", `{}`)) + `}`)
		settle()
		s.RemoveTools("wait")
		if m := p.ask("2", "tools/call", params(callParams("wait", `{}`))); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("a tool that is gone: %s", m.line)
		}
		addNamed(t, s, "wait") // a different tool with the same name
		if m := p.ask("3", "tools/call", params(callParams("wait", `{}`))); m.Error != nil || m.text() != "" {
			t.Errorf("a tool that is new: %s", m.line)
		}
		close(release)
		if m := p.receive(); string(m.ID) != "1" || m.text() != "done" {
			t.Errorf("the call in flight: %s", m.line)
		}
	})
}

func TestASessionIsReportedOnlyOfListsThatItWasPromised(t *testing.T) {
	proves(t, "lifecycle.operation.capabilities.must", "tools.list-changed")
	for _, revision := range revisions[:4] {
		s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
		early := connect(t, s)
		early.initialize(revision) // the server has no tools yet
		early.ask("1", "ping", "")
		addNamed(t, s, "first")
		late := connect(t, s)
		late.initialize(revision)
		late.ask("1", "ping", "")
		addNamed(t, s, "second")
		if m := late.receive(); m.Method != "notifications/tools/list_changed" {
			t.Errorf("%s: %s", revision, m.line)
		}
		early.end()
		late.end()
	}
}

func TestAToolCanBeReplaced(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
		say := func(text string) func(context.Context, *mcp.Request, struct{}) (string, error) {
			return func(context.Context, *mcp.Request, struct{}) (string, error) { return text, nil }
		}
		must(t, mcp.AddTool(s, mcp.Tool{Name: "a"}, say("first"), mcp.Replace)) // the tool does not exist yet
		release := make(chan struct{})
		must(t, mcp.AddTool(s, mcp.Tool{Name: "a"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			<-release
			return "second", nil
		}, mcp.Replace))
		p := connect(t, s)
		p.initialize("2025-11-25")
		p.send(callLine(1, "a", `{}`))
		settle()
		go func() {
			must(t, mcp.AddTool(s, mcp.Tool{Name: "a", Description: "the third"}, say("third"), mcp.Replace))
		}()
		if m := p.receive(); m.Method != "notifications/tools/list_changed" {
			t.Error(m.line)
		}
		if m := p.ask("2", "tools/call", `{"name":"a"}`); m.text() != "third" {
			t.Error(m.line)
		}
		if m := p.ask("3", "tools/list", `{}`); toolNames(m) != "a" || tool(m, "a")["description"] != "the third" {
			t.Error(m.line)
		}
		close(release)
		if m := p.receive(); string(m.ID) != "1" || m.text() != "second" {
			t.Errorf("the call in flight: %s", m.line)
		}
		if err := mcp.AddTool(s, mcp.Tool{Name: "a", InputSchema: json.RawMessage(`{`)}, say(""), mcp.Replace); err == nil {
			t.Error("a mistake is no error")
		}
		if m := p.ask("4", "tools/call", `{"name":"a"}`); m.text() != "third" {
			t.Errorf("after a mistake: %s", m.line)
		}
	})
}

func TestAnEmptyKeyIsNoKey(t *testing.T) {
	var log strings.Builder
	opts := func() *mcp.ServerOptions {
		return &mcp.ServerOptions{PageSize: 2, SealKey: []byte{}, Logger: textLogger(&log)}
	}
	p := connect(t, numbered(t, 4, opts()))
	_, next := page(t, p, p.open("2026-07-28"), "")
	q := connect(t, numbered(t, 4, opts()))
	if m := q.ask("1", "tools/list", q.open("2026-07-28")(`"cursor":`+next)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
		t.Errorf("a cursor made with a key that anyone has: %s", m.line)
	}
	if log.Len() > 0 {
		t.Error(&log)
	}
	newServer(&mcp.ServerOptions{SealKey: []byte("short secret"), Logger: textLogger(&log)})
	if !strings.Contains(log.String(), "short") || strings.Contains(log.String(), "short secret") {
		t.Errorf("a short key: %q", &log)
	}
}
