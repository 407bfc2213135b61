package web

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// everythingFeatures are what the tests look at in server-everything.
var everythingFeatures = []struct {
	name  string
	check func(t *testing.T, i *inspection, transport string)
}{
	{"lists", func(t *testing.T, i *inspection, _ string) {
		for path, name := range map[string]string{"/tools": "get-sum", "/resources": "demo://resource/dynamic/text/{resourceId}", "/prompts": "args-prompt"} {
			i.open(t, path)
			i.run(t, chromedp.WaitVisible(has(name)))
		}
	}},
	{"tools", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("get-sum"), values{arg("a"): "19", arg("b"): "23"})
		i.wants(t, "The sum of 19 and 23 is 42.")
		i.send(t, tool("get-structured-content"), values{arg("location"): `"Chicago"`})
		i.wants(t, "Structured content", `"conditions"`)
		i.send(t, tool("get-annotated-message"), values{arg("messageType"): `"error"`, arg("includeImage"): "true"})
		i.wants(t, `"priority":1`, "image/png")
		i.send(t, tool("echo"), values{`#json`: `{"message": 1}`})
		i.wants(t, "The tool reported an error.", "expected string")
	}},
	{"pictures", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("get-tiny-image"), nil)
		i.result(t)
		if width := eval[int](t, i.browser, `document.querySelector("#request img").decode().then(() => document.querySelector("#request img").naturalWidth)`); width == 0 {
			t.Error("the picture is not shown")
		}
	}},
	{"links to resources", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("get-resource-links"), values{arg("count"): "2"})
		i.result(t)
		i.press(t, `#request .block a[href*="resources?uri="]`)
		i.run(t, chromedp.WaitVisible(`form.sheet button.primary`))
		// The file that a tool makes is listed from then on.
		i.send(t, tool("gzip-file-as-resource"), values{arg("name"): "note.gz", arg("data"): "data:text/plain,hello", arg("outputType"): `"resourceLink"`})
		i.wants(t, "demo://resource/session/note.gz")
		i.send(t, "/resources?uri=demo://resource/session/note.gz", nil)
		i.wants(t, "application/gzip", "Download")
	}},
	{"resources", func(t *testing.T, i *inspection, _ string) {
		i.send(t, "/resources?uri=demo://resource/static/document/features.md", nil)
		i.wants(t, "Everything Server")
	}},
	{"templates", func(t *testing.T, i *inspection, _ string) {
		i.send(t, "/resources?template=demo://resource/dynamic/text/%7BresourceId%7D", values{arg("resourceId"): "7"})
		i.wants(t, "Resource 7", "demo://resource/dynamic/text/7")
		i.send(t, "/resources?template=demo://resource/dynamic/blob/%7BresourceId%7D", values{arg("resourceId"): "7"})
		i.wants(t, "Download")
	}},
	{"subscription", func(t *testing.T, i *inspection, _ string) {
		const page = "/resources?uri=demo://resource/static/document/features.md"
		i.open(t, page)
		i.press(t, `button[value="subscribe"]`)
		i.run(t, chromedp.WaitVisible(has("No updates yet.")))
		i.send(t, tool("toggle-subscriber-updates"), nil)
		i.wants(t, "Started simulated resource updated notifications")
		i.open(t, page)
		i.run(t, chromedp.WaitVisible(has("so far.")))
		i.press(t, `button[value="unsubscribe"]`)
		i.send(t, tool("toggle-subscriber-updates"), nil)
		i.wants(t, "Stopped simulated resource updates")
	}},
	{"prompts", func(t *testing.T, i *inspection, _ string) {
		i.send(t, "/prompts?name=simple-prompt", nil)
		i.wants(t, "simple prompt without arguments")
		i.send(t, "/prompts?name=args-prompt", values{arg("city"): "Zürich"})
		i.wants(t, "Zürich")
		i.send(t, "/prompts?name=resource-prompt", values{arg("resourceType"): "Text", arg("resourceId"): "3"})
		i.wants(t, "demo://resource/dynamic/text/3")
	}},
	{"completion", func(t *testing.T, i *inspection, _ string) {
		i.open(t, "/prompts?name=completable-prompt")
		i.run(t, chromedp.SendKeys(arg("department"), "E"), chromedp.WaitReady(`datalist option[value="Engineering"]`))
		// The suggestions for one argument depend on another.
		i.run(t, chromedp.SetValue(arg("department"), "Engineering"), chromedp.SendKeys(arg("name"), "A"), chromedp.WaitReady(`datalist option[value="Alice"]`))
	}},
	{"progress", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("trigger-long-running-operation"), values{arg("duration"): "1.5", arg("steps"): "3"})
		i.run(t, chromedp.WaitVisible(`#request progress`))
		i.wants(t, "Long running operation completed")
	}},
	{"cancellation", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("trigger-long-running-operation"), values{arg("duration"): "600", arg("steps"): "1"})
		i.press(t, `#request .actions button`)
		i.wants(t, "cancel")
	}},
	{"logging", func(t *testing.T, i *inspection, _ string) {
		i.open(t, "/log")
		i.run(t, chromedp.SetValue(`form[action$="/level"] select`, "debug"))
		i.press(t, `form[action$="/level"] button`)
		i.send(t, tool("toggle-simulated-logging"), nil)
		i.wants(t, "Started simulated")
		i.message(t, "notification", "notifications/message")
		i.send(t, tool("toggle-simulated-logging"), nil)
		i.wants(t, "Stopped simulated logging")
	}},
	{"sampling", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("trigger-sampling-request"), values{arg("prompt"): "What does Polly say?", arg("maxTokens"): "33"})
		request := i.here(t)
		i.answer(t, func(question string) values {
			if !strings.Contains(question, "What does Polly say?") || !strings.Contains(question, "33 tokens") {
				t.Errorf("the question is %s", question)
			}
			return values{`#text`: "a cracker", `#model`: "polly-1"}
		})
		i.open(t, request)
		i.wants(t, "a cracker", "polly-1")
		i.send(t, tool("trigger-sampling-request"), values{arg("prompt"): "Once more?"})
		request = i.here(t)
		i.run(t, chromedp.WaitVisible(`#waiting a`), chromedp.Click(`#waiting a`), chromedp.WaitVisible(`button[value="decline"]`))
		i.press(t, `button[value="decline"]`)
		i.open(t, request)
		i.wants(t, "User rejected sampling request")
	}},
	{"elicitation", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("trigger-elicitation-request"), nil)
		request := i.here(t)
		// What does not match the schema is refused, and the question stays.
		i.run(t, chromedp.WaitVisible(`#waiting a`), chromedp.Click(`#waiting a`), chromedp.WaitVisible(arg("email")))
		i.fill(t, values{arg("name"): "Ada", arg("integer"): "x"})
		i.run(t, chromedp.WaitVisible(has("This is not of type integer.")))
		i.answer(t, func(string) values {
			return values{arg("name"): "Ada Lovelace", arg("check"): "true", arg("email"): "ada@example.com", arg("birthdate"): "1815-12-10", arg("integer"): "42", arg("number"): "2.5", arg("untitledSingleSelectEnum"): `"Monica"`}
		})
		i.open(t, request)
		i.wants(t, "Ada Lovelace", "ada@example.com", "1815-12-10", "Monica", "It was a dark and stormy night.")
	}},
	{"elicitation of a visit", func(t *testing.T, i *inspection, _ string) {
		pay := values{arg("url"): "https://pay.example.com/bill", arg("elicitationId"): "bill"}
		accept := func() {
			request := i.here(t)
			i.answer(t, func(question string) values {
				if !strings.Contains(question, "pay.example.com") {
					t.Errorf("the question is %s", question)
				}
				return nil
			})
			i.open(t, request)
			i.wants(t, "accept")
		}
		i.send(t, tool("trigger-url-elicitation"), pay)
		accept()
		// The other way is an error with a page; the call is to be repeated after the visit.
		pay[arg("errorPath")] = "true"
		i.send(t, tool("trigger-url-elicitation"), pay)
		i.wants(t, "The server returned error -32042", "Open the page", "Then send the request again.")
		i.press(t, `#request .actions a.button`)
		i.fill(t, nil)
		accept()
	}},
	{"roots", func(t *testing.T, i *inspection, _ string) {
		i.open(t, "/roots")
		i.fill(t, values{`#roots`: "file:///home/ada/src source"})
		i.message(t, "response", "file:///home/ada/src") // The server requests the roots when it is notified.
		i.send(t, tool("get-roots-list"), nil)
		i.wants(t, "source", "file:///home/ada/src")
	}},
	{"tasks", func(t *testing.T, i *inspection, _ string) {
		i.send(t, tool("simulate-research-query"), values{arg("topic"): "parrots", arg("ambiguous"): "false"})
		i.wants(t, "parrots")
		i.open(t, tool("simulate-research-query"))
		i.run(t, chromedp.Click(`[name="task"]`))
		i.fill(t, values{arg("topic"): "cats"})
		request := i.here(t)
		i.open(t, "/tasks")
		i.run(t, chromedp.WaitVisible(`#list li`))
		i.open(t, request)
		i.wants(t, "cats")
	}},
	{"messages", func(t *testing.T, i *inspection, transport string) {
		if got := i.message(t, "request", `"a":19`); !strings.Contains(got, "tools/call get-sum") {
			t.Errorf("the request is %s", got)
		}
		i.message(t, "response", "The sum of 19 and 23 is 42.")
		if transport == overStdio {
			i.message(t, "stderr", "Starting default (STDIO) server")
		}
	}},
	{"connection", func(t *testing.T, i *inspection, _ string) {
		i.reconnect(t, "2024-11-05", "2025-03-26", "2025-06-18")
	}},
}

// TestInspector_ServerEverything uses docent mcp ui with the protocol's own server of all features.
func TestInspector_ServerEverything(t *testing.T) {
	for _, transport := range []string{overStdio, overHTTP, overSSE} {
		t.Run(transport, func(t *testing.T) {
			i := inspectEverything(t, transport)
			for _, feature := range everythingFeatures {
				t.Run(feature.name, func(t *testing.T) { feature.check(t, i, transport) })
			}
			i.forgive()
			i.checkQuiet(t, i.at)
		})
	}
}

// inspectEverything opens docent mcp ui for server-everything.
func inspectEverything(t *testing.T, transport string) *inspection {
	t.Helper()
	arguments := reference(t, "server-everything")
	if transport == overStdio {
		return ui(t, append(append([]string{"--"}, arguments...), "stdio")...)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(free.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	name, path := "streamableHttp", "/mcp"
	if transport == overSSE {
		name, path = "sse", "/sse"
	}
	cmd := exec.CommandContext(t.Context(), arguments[0], append(arguments[1:], name)...)
	cmd.Env = append(os.Environ(), "PORT="+port)
	return ui(t, listen(t, cmd, func(line string) string {
		if strings.Contains(line, port) {
			return "http://127.0.0.1:" + port
		}
		return ""
	})+path)
}

func TestInspector_ServerFilesystem(t *testing.T) {
	allowed, other := t.TempDir(), t.TempDir()
	i := ui(t, append(append([]string{"--"}, reference(t, "server-filesystem")...), allowed)...)
	file := filepath.Join(allowed, "note.txt")
	i.send(t, tool("write_file"), values{arg("path"): file, arg("content"): "first\nsecond\nthird\n"})
	i.wants(t, "Successfully wrote")
	if data, err := os.ReadFile(file); err != nil || string(data) != "first\nsecond\nthird\n" {
		t.Errorf("the file has %q, error %v", data, err)
	}
	i.send(t, tool("read_text_file"), values{arg("path"): file, arg("head"): "2"})
	i.wants(t, "first\nsecond", "Structured content")
	i.send(t, tool("read_multiple_files"), values{arg("paths"): file + "\n" + file})
	i.wants(t, "third")
	i.send(t, tool("edit_file"), values{arg("path"): file, arg("edits"): `[{"oldText": "second", "newText": "2nd"}]`, arg("dryRun"): "true"})
	i.wants(t, "+2nd")
	i.send(t, tool("read_text_file"), values{arg("path"): filepath.Join(other, "note.txt")})
	i.wants(t, "The tool reported an error.", "Access denied")
	// The roots replace the directories of the command line, because the server requests them when
	// it is notified.
	i.open(t, "/roots")
	i.fill(t, values{`#roots`: "file://" + other + " other"})
	i.message(t, "stderr", "Updated allowed directories from MCP roots: 1 valid directories")
	i.send(t, tool("list_allowed_directories"), nil)
	i.wants(t, other)
	i.forgive()
	i.checkQuiet(t, i.at)
}

func TestInspector_ServerMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.jsonl")
	i := ui(t, append([]string{"--env", "MEMORY_FILE_PATH=" + file, "--"}, reference(t, "server-memory")...)...)
	i.send(t, tool("create_entities"), values{arg("entities"): `[{"name": "Ada", "entityType": "person", "observations": ["writes programs"]}]`})
	i.wants(t, "Structured content", "writes programs")
	i.open(t, tool("create_entities"))
	i.fill(t, values{arg("entities"): `[{"name": `})
	i.run(t, chromedp.WaitVisible(has("This is not JSON.")))
	i.send(t, tool("search_nodes"), values{arg("query"): "programs"})
	i.wants(t, `"name": "Ada"`)
	i.send(t, tool("open_nodes"), values{arg("names"): "Ada\nGrace"})
	i.wants(t, `"name": "Ada"`)
	i.send(t, tool("read_graph"), nil)
	i.wants(t, `"relations": []`)
	i.message(t, "stderr", "Knowledge Graph MCP Server running on stdio")
	i.forgive()
	i.checkQuiet(t, i.at)
}

func TestInspector_ServerSequentialThinking(t *testing.T) {
	i := ui(t, append([]string{"--"}, reference(t, "server-sequential-thinking")...)...)
	i.send(t, tool("sequentialthinking"), values{arg("thought"): "Count the coins.", arg("nextThoughtNeeded"): "true", arg("thoughtNumber"): "1", arg("totalThoughts"): "2"})
	i.wants(t, `"thoughtHistoryLength": 1`)
	i.send(t, tool("sequentialthinking"), values{arg("thought"): "There are three.", arg("nextThoughtNeeded"): "false", arg("thoughtNumber"): "2", arg("totalThoughts"): "2"})
	i.wants(t, `"thoughtHistoryLength": 2`, `"nextThoughtNeeded": false`)
	// The server prints thoughts in colors.
	if got := i.message(t, "stderr", "There are three."); strings.Contains(got, "\x1b") {
		t.Errorf("the log has control characters: %q", got)
	}
	i.forgive()
	i.checkQuiet(t, i.at)
}
