package web

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// interop is the directory of the module that tests with the servers of other projects. Its script
// named install installs them.
var interop = filepath.Join("..", "interop")

// need returns the absolute path of a file. It skips the test if the file is not installed.
func need(t *testing.T, what, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not installed: run test/interop/install where its registry can be reached", what)
	}
	return path
}

// node returns the command line of a script that npm has installed below interop.
func node(t *testing.T, what string, script ...string) []string {
	t.Helper()
	runtime := need(t, what, filepath.Join(interop, "node_modules", "node", "bin", "node"))
	return []string{runtime, need(t, what, filepath.Join(append([]string{interop}, script...)...))}
}

// reference returns the command line of one of the protocol's reference servers.
func reference(t *testing.T, name string) []string {
	t.Helper()
	return node(t, name, "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
}

// goServers builds the servers in Go, and returns their directory.
var goServers = sync.OnceValues(func() (dir string, err error) {
	dir, err = filepath.Abs(filepath.Dir(command))
	if err != nil {
		return "", err
	}
	// The library's own requirements may be newer than those of the module.
	env := append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	for _, arguments := range [][]string{{"mod", "download"}, {"build", "-o", dir, "./servers/gosdk", "./servers/mcpgo"}} {
		cmd := exec.Command("go", arguments...)
		cmd.Dir, cmd.Env = interop, env
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go %s: %w\n%s", arguments[0], err, out)
		}
	}
	return dir, nil
})

func built(name string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		dir, err := goServers()
		if err != nil {
			t.Skipf("%s cannot be built: %v", name, err)
		}
		return []string{filepath.Join(dir, name)}
	}
}

// foreign is a server that is made with another project's SDK. All of them have the same tools,
// resources and prompts.
type foreign struct {
	name string
	// command is its command line, without -stdio or -http. It skips the test if the server is not
	// installed.
	command    func(t *testing.T) []string
	transports []string
	// lacks returns the features that the server does not have, with the reasons.
	lacks func(transport, feature string) string
}

// The transports, as subtests name them.
const (
	overStdio = "stdio"
	overHTTP  = "Streamable HTTP"
	overSSE   = "HTTP with SSE"
)

var foreigners = []foreign{
	{name: "Go SDK", command: built("gosdk"), transports: []string{overStdio, overHTTP, overSSE}},
	{name: "mcp-go", command: built("mcpgo"), transports: []string{overStdio, overHTTP, overSSE}, lacks: func(transport, feature string) string {
		switch {
		case transport == overSSE && slices.Contains([]string{"elicitation", "sampling", "roots"}, feature):
			return "mcp-go asks nothing over HTTP with SSE"
		case transport != overSSE && feature == "subscription":
			return "mcp-go sends nothing about resources to subscriptions of 2026-07-28"
		}
		return ""
	}},
	{name: "TypeScript SDK", command: func(t *testing.T) []string {
		return node(t, "the TypeScript SDK", "typescript", "server2.mjs")
	}, transports: []string{overStdio, overHTTP}},
	{name: "Python SDK", command: func(t *testing.T) []string {
		return []string{need(t, "the Python SDK", filepath.Join(interop, "python", "venv", "bin", "python")), need(t, "the server", filepath.Join(interop, "python", "sdk.py"))}
	}, transports: []string{overStdio, overHTTP, overSSE}},
	{name: "rmcp", command: func(t *testing.T) []string {
		target := os.Getenv("INTEROP_RUST")
		if target == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				t.Skip("rmcp is built below the home directory, which is unknown: ", err)
			}
			target = filepath.Join(cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(home, ".cache")), "docent-interop", "rust")
		}
		return []string{need(t, "rmcp", filepath.Join(target, "debug", "rmcp-peers")), "server"}
	}, transports: []string{overStdio, overHTTP}},
}

// listen starts a program that serves HTTP until the test ends, and waits until address finds the
// URL of the server in a line of its output.
func listen(t *testing.T, cmd *exec.Cmd, address func(line string) string) string {
	t.Helper()
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = cmd.Wait() // it is killed at the end of the test
		write.Close()
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(read)
	for lines.Scan() {
		if found := address(lines.Text()); found != "" {
			go func() { _, _ = io.Copy(io.Discard, read) }()
			return found
		}
	}
	t.Fatal("the server does not say where it listens")
	return ""
}

// ui runs docent mcp ui for a server until the test ends, and opens its page when the server is
// connected. arguments are a URL, or flags, "--" and a command line.
func ui(t *testing.T, arguments ...string) *inspection {
	t.Helper()
	at := start(t, " the page is at ", append([]string{"mcp", "ui", "--addr", "127.0.0.1:0", "--no-open"}, arguments...)...)
	i := &inspection{browser: open(t), at: at}
	i.visit(t, at+"/", 1280, "light")
	i.run(t, live, chromedp.WaitVisible(`#server .state.connected`))
	return i
}

// inspection is an open page of docent mcp ui.
type inspection struct {
	*browser
	at string // the address of the pages
}

// open opens a page below the address.
func (i *inspection) open(t *testing.T, path string) {
	t.Helper()
	i.run(t, chromedp.Navigate(i.at+path), live)
}

// here returns the path of the open page, below the address.
func (i *inspection) here(t *testing.T) string {
	t.Helper()
	return strings.TrimPrefix(eval[string](t, i.browser, `location.href`), i.at)
}

// values are what the user enters into a form, by the CSS selectors of the fields.
type values map[string]string

// arg is the selector of the field of an argument.
func arg(name string) string { return fmt.Sprintf(`form.sheet [name="value.%s"]`, name) }

// send opens the form of a tool, prompt or template, fills it in and sends it.
func (i *inspection) send(t *testing.T, path string, v values) {
	t.Helper()
	i.open(t, path)
	i.fill(t, v)
	i.run(t, chromedp.WaitVisible(`#request`))
}

// fill fills in the form of the page, presses its main button and waits for the next page.
func (i *inspection) fill(t *testing.T, v values) {
	t.Helper()
	i.run(t, chromedp.WaitVisible(`form.sheet button.primary`))
	for field, value := range v {
		i.run(t, chromedp.SetValue(field, value))
	}
	i.press(t, `form.sheet button.primary`)
}

// press presses a button that leads to another page, and waits for that.
func (i *inspection) press(t *testing.T, button string) {
	t.Helper()
	eval[bool](t, i.browser, `document.body.dataset.old = true`)
	i.run(t, chromedp.Click(button), chromedp.WaitReady(`body[data-ready]:not([data-old])`))
}

// tool is the address of the form of a tool.
func tool(name string) string { return "/tools?name=" + url.QueryEscape(name) }

// result waits for the end of the request that the page shows, and returns the text of the page.
func (i *inspection) result(t *testing.T) string {
	t.Helper()
	i.run(t, chromedp.WaitVisible(`#request:not([data-settled=""])`))
	return eval[string](t, i.browser, `document.getElementById("main").textContent`)
}

// wants fails the test if the result of the request lacks a text.
func (i *inspection) wants(t *testing.T, texts ...string) {
	t.Helper()
	got := i.result(t)
	for _, want := range texts {
		if !strings.Contains(got, want) {
			t.Errorf("the result lacks %q:\n%s", want, got)
		}
	}
}

// answer waits for a question of the server, answers it and returns its text.
func (i *inspection) answer(t *testing.T, values func(question string) values) {
	t.Helper()
	i.run(t, chromedp.WaitVisible(`#waiting a`), chromedp.Click(`#waiting a`), chromedp.WaitVisible(`form.sheet button.primary`))
	question := eval[string](t, i.browser, `document.getElementById("main").textContent`)
	i.fill(t, values(question))
	i.run(t, chromedp.WaitVisible(`//h1[text()="Questions"]`))
}

// message waits until the log has an entry with a text, and returns the newest.
func (i *inspection) message(t *testing.T, kind, text string) string {
	t.Helper()
	i.open(t, "/log?"+url.Values{"kind": {kind}, "q": {text}}.Encode())
	i.run(t, chromedp.WaitReady(`#entries li pre`))
	return eval[string](t, i.browser, `document.querySelector("#entries li").textContent`)
}

// features are what the tests look at in servers that other SDKs made.
var features = []struct {
	name  string
	check func(t *testing.T, i *inspection, transport string)
}{
	{"lists", func(t *testing.T, i *inspection, _ string) {
		for path, names := range map[string][]string{"/tools": {"add", "echo", "write-note"}, "/resources": {"note://today"}, "/prompts": {"compose"}} {
			i.open(t, path)
			for _, name := range names {
				i.run(t, chromedp.WaitVisible(has(name)))
			}
		}
	}},
	{"tools", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("echo"), values{arg("message"): "Grüße <b> & \"quotes\""})
		i.wants(t, "Grüße <b> & \"quotes\"")
		i.send(t, tool("add"), values{arg("a"): "19", arg("b"): "23"})
		i.wants(t, "Structured content", `"sum": 42`)
		i.send(t, tool("fail"), nil)
		i.wants(t, "no such luck")
	}},
	{"invalid arguments", func(t *testing.T, i *inspection, _ string) {
		i.open(t, tool("add"))
		i.fill(t, values{arg("a"): "nineteen", arg("b"): "23"})
		i.run(t, chromedp.WaitVisible(has("This is not of type integer.")))
		// As JSON it is sent nevertheless, and the server refuses it.
		i.send(t, tool("add"), values{`#json`: `{"a": "nineteen", "b": 23}`})
		if got := i.result(t); !strings.Contains(got, "error") {
			t.Errorf("the server does not refuse the arguments:\n%s", got)
		}
	}},
	{"progress and logging", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("steps"), nil)
		i.wants(t, "there")
		i.message(t, "notification", "step 3")
		if got := i.message(t, "notification", "took step 3"); !strings.Contains(got, "notifications/message") {
			t.Errorf("the log message is %s", got)
		}
		if got := i.message(t, "notification", "notifications/progress"); !strings.Contains(got, `"progress": 3`) {
			t.Errorf("the newest progress is %s", got)
		}
	}},
	{"resources", func(t *testing.T, i *inspection, _ string) {
		i.send(t, "/resources?uri=note://today", nil)
		i.wants(t, "note://today")
		i.send(t, "/resources?uri=pic://dot", nil)
		i.wants(t, "4 bytes", "Download")
		i.send(t, "/resources", values{`#uri`: "note://tomorrow"})
		i.wants(t, "The server returned error")
	}},
	{"subscription", func(t *testing.T, i *inspection, _ string) {
		i.open(t, "/resources?uri=note://today")
		i.press(t, `button[value="subscribe"]`)
		i.run(t, chromedp.WaitVisible(has("No updates yet.")))
		i.send(t, tool("write-note"), values{arg("text"): "watched"})
		i.wants(t, "written")
		i.open(t, "/resources?uri=note://today")
		i.run(t, chromedp.WaitVisible(has("so far.")))
		i.press(t, `button[value="unsubscribe"]`)
		i.run(t, chromedp.WaitVisible(`button[value="subscribe"]`))
	}},
	{"prompts", func(t *testing.T, i *inspection, _ string) {
		i.send(t, "/prompts?name=compose", values{arg("kind"): "song", arg("about"): "Ümläute"})
		i.wants(t, "Write a song about Ümläute.")
	}},
	{"sampling", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("ask-model"), values{arg("question"): "What does Polly say?"})
		request := i.here(t)
		i.answer(t, func(question string) values {
			if !strings.Contains(question, "What does Polly say?") || !strings.Contains(question, "10 tokens") {
				t.Errorf("the question is %s", question)
			}
			return values{`#text`: "a cracker", `#model`: "polly-1"}
		})
		i.open(t, request)
		i.wants(t, "polly-1 says a cracker")
	}},
	{"elicitation", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("ask-user"), nil)
		request := i.here(t)
		for range 2 {
			i.answer(t, func(question string) values {
				if strings.Contains(question, "And your friend's?") {
					return values{arg("name"): "Grace"}
				}
				return values{arg("name"): "Ada"}
			})
		}
		i.open(t, request)
		i.wants(t, "accept: Ada and Grace")
	}},
	{"roots", func(t *testing.T, i *inspection, _ string) {
		i.open(t, "/roots")
		i.run(t, chromedp.Click(`[name="ask"]`))
		i.fill(t, values{`#roots`: "file:///old old"})
		i.send(t, tool("ask-roots"), nil)
		request := i.here(t)
		i.answer(t, func(string) values { return values{`#roots`: "file:///home/ada/src source"} })
		i.open(t, request)
		i.wants(t, "source=file:///home/ada/src")
	}},
	{"cancellation", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("wait"), values{arg("id"): "one"})
		request := i.here(t)
		i.send(t, tool("state"), values{arg("id"): "one", arg("state"): "waiting"})
		i.wants(t, "waiting")
		i.open(t, request)
		i.press(t, `#request .actions button`)
		i.result(t)
		i.send(t, tool("state"), values{arg("id"): "one", arg("state"): "cancelled"})
		i.wants(t, "cancelled")
	}},
	{"messages", func(t *testing.T, i *inspection, _ string) {
		if got := i.message(t, "request", `"a":19`); !strings.Contains(got, "tools/call add") {
			t.Errorf("the request is %s", got)
		}
		i.message(t, "response", `"sum"`)
	}},
	{"connection", func(t *testing.T, i *inspection, _ string) {
		i.reconnect(t, "2024-11-05", "2025-11-25")
	}},
}

// reconnect connects to the server in several revisions, pings it, and disconnects from it.
func (i *inspection) reconnect(t *testing.T, revisions ...string) {
	t.Helper()
	for _, revision := range revisions {
		i.open(t, "/")
		i.run(t, chromedp.SetValue(`#revision`, revision))
		i.press(t, `form.sheet button.primary`)
		i.run(t, chromedp.WaitVisible(`//*[@id="server"]/span[text()="`+revision+`"]`))
		i.send(t, tool("echo"), values{arg("message"): "since " + revision})
		i.wants(t, "since "+revision)
	}
	i.open(t, "/")
	i.press(t, `form[action$="/ping"] button`)
	i.wants(t, "ping")
	i.open(t, "/")
	i.press(t, `form[action$="/disconnect"] button`)
	i.run(t, chromedp.WaitVisible(`#server .state.disconnected`))
}

// TestInspector_Servers uses docent mcp ui with servers that other SDKs made.
func TestInspector_Servers(t *testing.T) {
	for _, f := range foreigners {
		for _, transport := range f.transports {
			t.Run(f.name+"/"+transport, func(t *testing.T) {
				i := f.inspect(t, transport)
				for _, feature := range features {
					t.Run(feature.name, func(t *testing.T) {
						if f.lacks != nil {
							if why := f.lacks(transport, feature.name); why != "" {
								t.Skip(why)
							}
						}
						feature.check(t, i, transport)
					})
				}
				i.forgive()
				i.checkQuiet(t, i.at)
			})
		}
	}
}

// inspect opens docent mcp ui for the server.
func (f *foreign) inspect(t *testing.T, transport string) *inspection {
	t.Helper()
	arguments := f.command(t)
	if transport == overStdio {
		return ui(t, append(append([]string{"--"}, arguments...), "-stdio")...)
	}
	cmd := exec.CommandContext(t.Context(), arguments[0], append(arguments[1:], "-http", "127.0.0.1:0")...)
	at := listen(t, cmd, func(line string) string {
		if strings.HasPrefix(line, "http://127.0.0.1:") {
			return strings.TrimSpace(line)
		}
		return ""
	})
	if transport == overSSE {
		return ui(t, at+"/sse")
	}
	return ui(t, at+"/mcp")
}
