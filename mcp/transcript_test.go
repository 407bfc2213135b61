package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// A transcript, testdata/transcripts/*.txt, is a conversation with a server. It
// contains, byte for byte, what each variant of the conversation (a revision on
// a transport) receives, so that a difference in one revision, one transport or
// one member cannot go unnoticed. Its lines are:
//
//	proves: ROW ...            the rows of requirements.tsv that it proves
//	server: NAME               the server; see transcriptServers
//	== TITLE | CAPABILITIES    begins a new connection of a client
//	@ RESULT                   answers the next question of the server; !ERROR with an error
//	> METHOD MEMBERS           sends a request; MEMBERS are the inside of params
//	>> TEXT                    sends the text, which is answered
//	>- TEXT                    sends the text, which is not answered
//	< VARIANTS: MESSAGES       what these variants get; all without "VARIANTS:"
//	= VARIANTS: STATUS         their HTTP status, unless it is 200
//
// A "==" that ends in "!" shows what opens the connection: the answer to
// initialize or server/discover. In texts, META represents the members of params
// that each request of the revision has, and in MEMBERS, TASK for the id of the
// last task. A response that comes as the only one of a batch is shown without
// its brackets. "go test -run
// TestTranscripts -update" writes the lines that begin with "<".
type transcript struct {
	name   string
	rows   []string
	server string
	lines  []string // without the lines that begin with "<"
}

func readTranscript(t *testing.T, path string) *transcript {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	s := &transcript{name: strings.TrimSuffix(filepath.Base(path), ".txt")}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "<") || strings.HasPrefix(line, "= ") || strings.HasPrefix(line, "  ") {
			continue
		}
		s.lines = append(s.lines, line)
		if rows, ok := strings.CutPrefix(line, "proves: "); ok {
			s.rows = append(s.rows, strings.Fields(rows)...)
		}
		if server, ok := strings.CutPrefix(line, "server: "); ok {
			s.server = server
		}
	}
	return s
}

// variant is a revision on a transport: "pipe", "http", "sse", or one of
//   - "stateless": HTTP without sessions
//   - "batch" and "http batch": each message is the only one in a batch
//   - "custom": a connection that reads and writes one byte at a time
//   - "middleware": a pipe to a server with middleware that changes nothing
//   - "visible": a pipe to a server with Visible, which shows everything
type variant struct{ revision, transport string }

func variants() []variant {
	var all []variant
	for _, revision := range revisions {
		transports := []string{"pipe", "http", "middleware", "visible", "custom"}
		if revision != latest {
			transports = append(transports, "stateless")
		}
		switch revision {
		case "2024-11-05":
			transports = append(transports, "sse")
		case "2025-03-26":
			transports = append(transports, "batch", "http batch")
		}
		for _, transport := range transports {
			all = append(all, variant{revision, transport})
		}
	}
	return all
}

func (v variant) has(transports ...string) bool { return slices.Contains(transports, v.transport) }

type speaker struct {
	variant
	t            *testing.T
	capabilities string
	// post sends a text and returns the HTTP status of the response, or 0 on a pipe. It also
	// returns a function that receives the next message, or "" if there is none.
	post   func(text string, head ...string) (status int, receive func() string)
	status int // HTTP status of the last response, if it was not 200
	task   string
}

// connectSpeaker connects a client and returns the response to initialize or server/discover.
func connectSpeaker(t *testing.T, s *mcp.Server, v variant, capabilities string) (*speaker, string) {
	t.Helper()
	c := &speaker{variant: v, t: t, capabilities: capabilities}
	if v.has("http", "http batch", "stateless") {
		w := host(t, s, &mcp.HTTPOptions{Stateless: v.transport == "stateless", StreamAfter: time.Hour}).web()
		w.session = v.revision
		if v.revision >= "2025-06-18" || v.transport == "stateless" {
			w.head.Set("Mcp-Protocol-Version", v.revision)
		}
		c.post = func(text string, head ...string) (int, func() string) {
			a := w.with(head...).post(text)
			if id := a.head.Get("Mcp-Session-Id"); id != "" {
				w.head.Set("Mcp-Session-Id", id)
			}
			return a.status, func() string {
				if !a.events {
					body := a.body
					a.body = ""
					return body
				}
				for {
					e := a.next()
					if e.name != "message" && e.name != "priming" {
						t.Errorf("an event %s: %s", e.name, e.data)
					}
					if e.data != "" {
						if e.data[0] == '{' {
							w.check([]byte(e.data))
						}
						return e.data
					}
				}
			}
		}
	} else if v.transport == "sse" {
		p := host(t, s, nil).pair("", "")
		p.session = v.revision
		c.post = func(text string, _ ...string) (int, func() string) {
			a := p.send(text)
			if a.status != http.StatusAccepted {
				return a.status, func() string { return a.body }
			}
			return 0, func() string { return p.receive().line }
		}
	} else {
		p := connect(t, s)
		if v.transport == "custom" {
			p = connectSlowly(t, s)
		}
		p.session = v.revision
		c.post = func(text string, _ ...string) (int, func() string) {
			p.send(text)
			return 0, p.receiveLine
		}
	}
	if v.revision == latest {
		return c, c.call(`"init"`, "server/discover", "", nil)
	}
	got := c.exchange(fmt.Sprintf(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"test","version":"1"}}}`, v.revision, capabilities), nil)
	if status, _ := c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); status != 0 && status != http.StatusAccepted {
		t.Errorf("notifications/initialized: status %d", status)
	}
	return c, got
}

// meta returns the members of params that every request has.
func (c *speaker) meta() string {
	if c.revision != latest {
		return `"_meta":{}`
	}
	return metaWith(c.capabilities)
}

// idOf returns an ID for a request in a transcript. The requests have IDs of every kind, which do
// not depend on the other lines.
func idOf(line string) string {
	n := int(crc32.ChecksumIEEE([]byte(line)) % 10_000)
	switch n % 4 {
	case 0:
		return strconv.Itoa(-n)
	case 1:
		return strconv.Itoa(9007199254740992 + n)
	case 2:
		return fmt.Sprintf(`"\u00e9 %d\t"`, n)
	}
	return strconv.Itoa(n)
}

// headers returns the headers that repeat parts of a request. It may return none.
func headers(text string) []string {
	var m struct {
		Method string
		Params struct{ Name, URI, TaskID string }
	}
	if json.Unmarshal([]byte(text), &m) != nil || m.Method == "" {
		return []string{"Mcp-Method:"}
	}
	name := m.Params.Name + m.Params.URI + m.Params.TaskID
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		name = "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?="
	}
	head := []string{"Mcp-Method: " + m.Method, "Mcp-Name: " + name}
	if version, _, ok := strings.Cut(after(text, `"io.modelcontextprotocol/protocolVersion":"`), `"`); ok {
		head = append(head, "Mcp-Protocol-Version: "+version)
	}
	return head
}

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// call sends a request and returns all messages up to the response. It answers questions with
// answers.
func (c *speaker) call(id, method, members string, answers []string) string {
	c.t.Helper()
	members = strings.ReplaceAll(members, "TASK", c.task)
	if before, meta, ok := strings.Cut(members, `"_meta":{`); ok && c.revision == latest {
		members = before + strings.Replace(strings.TrimSuffix(c.meta(), "}")+","+meta, ",}", "}", 1)
	} else if c.revision == latest {
		members = strings.TrimPrefix(members+","+c.meta(), ",")
	}
	var text string
	for { // repeat the request until a client of the newest revision gets no more questions
		text += c.exchange(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s}}`, id, method, members), answers)
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		var m struct {
			Result struct {
				InputRequests map[string]any
				RequestState  string
				TaskID        string
				Task          struct{ TaskID string }
			}
		}
		json.Unmarshal([]byte(lines[len(lines)-1]), &m)
		if id := m.Result.TaskID + m.Result.Task.TaskID; id != "" && (c.revision >= core) {
			c.task = id
		}
		if m.Result.RequestState == "" || len(m.Result.InputRequests) > len(answers) {
			return text
		}
		var replies []string
		for i, key := range slices.Sorted(maps.Keys(m.Result.InputRequests)) {
			replies = append(replies, fmt.Sprintf("%q:%s", key, strings.TrimPrefix(answers[i], "!")))
		}
		answers = answers[len(replies):]
		id = fmt.Sprintf(`"again, with %d more"`, len(answers))
		rest, _, _ := strings.Cut(members, `,"inputResponses"`)
		members = fmt.Sprintf(`%s,"inputResponses":{%s},"requestState":%q`, rest, strings.Join(replies, ","), m.Result.RequestState)
	}
}

// exchange sends a text and returns the messages in the response.
func (c *speaker) exchange(text string, answers []string) string {
	c.t.Helper()
	head := headers(text)
	wrapped := c.has("batch", "http batch") && !strings.Contains(text, `"initialize"`) && !strings.HasPrefix(strings.TrimSpace(text), "[") && json.Valid([]byte(text))
	if wrapped {
		text = "[" + text + "]"
	}
	status, receive := c.post(text, head...)
	if c.status = 0; status != http.StatusOK {
		c.status = status
	}
	var output strings.Builder
	for {
		line := receive()
		var m message
		if json.Unmarshal([]byte(line), &m) == nil && m.Method == "notifications/tasks/status" {
			continue // this message can arrive at any time while the task is running
		}
		if wrapped && m.Method == "" {
			var inner []json.RawMessage
			if json.Unmarshal([]byte(line), &inner) == nil && len(inner) == 1 {
				line = strings.TrimSuffix(strings.TrimPrefix(line, "["), "]")
			} else {
				line = "not a batch: " + line
			}
		}
		line = sortBatch(line)
		output.WriteString(line + "\n")
		if m.Method == "" {
			return output.String()
		}
		if m.ID != nil {
			if len(answers) == 0 {
				c.t.Fatalf("%s: a question without an answer: %s", text, line)
			}
			member, answer := "result", answers[0]
			if failed, ok := strings.CutPrefix(answer, "!"); ok {
				member, answer = "error", failed
			}
			answers = answers[1:]
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%q:%s}`, m.ID, member, answer)
			if c.has("batch", "http batch") {
				line = "[" + line + "]"
			}
			c.post(line)
		}
	}
}

// sortBatch sorts the responses in a batch, because their order is not defined.
func sortBatch(line string) string {
	var inner []json.RawMessage
	if json.Unmarshal([]byte(line), &inner) != nil || len(inner) < 2 {
		return line
	}
	texts := make([]string, len(inner))
	for i, m := range inner {
		texts[i] = string(m)
	}
	slices.Sort(texts)
	return "[" + strings.Join(texts, ",") + "]"
}

// silent sends text that must not get a response, and returns any messages that arrive.
func (c *speaker) silent(text string) string {
	c.t.Helper()
	head := headers(text)
	if c.has("batch", "http batch") && json.Valid([]byte(text)) {
		text = "[" + text + "]"
	}
	status, receive := c.post(text, head...)
	if status != 0 {
		c.status = status
		return strings.TrimPrefix(receive()+"\n", "\n")
	}
	got := c.exchange(`{"jsonrpc":"2.0","id":"next","method":"none","params":{`+c.meta()+`}}`, nil)
	return strings.TrimSuffix(got, `{"jsonrpc":"2.0","id":"next","error":{"code":-32601,"message":"Method not found: none"}}`+"\n")
}

// transcriptOutcome contains the messages that a variant received, by line of the transcript.
type transcriptOutcome struct{ text, status map[int]string }

func (s *transcript) play(t *testing.T, v variant) transcriptOutcome {
	opts := &mcp.ServerOptions{SealKey: []byte(strings.Repeat("key ", 8)), PageSize: 3, Logger: slog.New(slog.DiscardHandler)}
	switch v.transport {
	case "middleware":
		opts.Middleware = []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler { return next }}
	case "visible":
		opts.Visible = func(*mcp.Request, mcp.Entry) bool { return true }
	}
	server := transcriptServers[s.server](t, opts)
	all := transcriptOutcome{map[int]string{}, map[int]string{}}
	var c *speaker
	var answers, tasks []string
	for i, line := range s.lines {
		kind, rest, _ := strings.Cut(line, " ")
		got := ""
		switch kind {
		case "==":
			_, capabilities, _ := strings.Cut(rest, " | ")
			shown := strings.HasSuffix(capabilities, " !")
			if c, got = connectSpeaker(t, server, v, strings.TrimSuffix(capabilities, " !")); !shown {
				continue
			}
		case "@":
			answers = append(answers, rest)
			continue
		case ">":
			method, members, _ := strings.Cut(rest, " ")
			members, until, _ := strings.Cut(members, " until ")
			for got == "" || until != "" && strings.Contains(got, `"status":"working"`) {
				got = c.call(idOf(line), method, members, answers)
			}
			answers = nil
			if c.task != "" && !slices.Contains(tasks, c.task) {
				tasks = append(tasks, c.task)
			}
		case ">>":
			got = c.exchange(strings.ReplaceAll(rest, "META", c.meta()), nil)
		case ">-":
			got = c.silent(strings.ReplaceAll(rest, "META", c.meta()))
		default:
			continue
		}
		got = unsteady.ReplaceAllString(got, `"$1":"…"`)
		for n, id := range tasks {
			got = strings.ReplaceAll(got, id, fmt.Sprint("TASK", n+1))
		}
		all.text[i] = got
		if c.status != 0 {
			all.status[i] = strconv.Itoa(c.status)
		}
	}
	return all
}

// unsteady matches members whose values are different in each run.
var unsteady = regexp.MustCompile(`"(requestState|createdAt|lastUpdatedAt)":"[^"]+"`)

// render returns the transcript with the messages that the variants received.
func (s *transcript) render(all []variant, got []transcriptOutcome) string {
	var b strings.Builder
	for i, line := range s.lines {
		b.WriteString(line + "\n")
		renderLine(&b, "<", all, func(n int) (string, bool) { return got[n].text[i], got[n].text[i] != "" })
		renderLine(&b, "=", all, func(n int) (string, bool) { return got[n].status[i], got[n].status[i] != "" })
	}
	return b.String()
}

func renderLine(b *strings.Builder, mark string, all []variant, text func(n int) (string, bool)) {
	var texts []string
	who := map[string][]variant{}
	for n, v := range all {
		if got, ok := text(n); ok {
			if who[got] == nil {
				texts = append(texts, got)
			}
			who[got] = append(who[got], v)
		}
	}
	for _, got := range texts {
		b.WriteString(mark)
		if len(who[got]) < len(all) {
			b.WriteString(" " + nameVariants(who[got], all) + ":")
		}
		b.WriteString(" " + strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\n", "\n  ") + "\n")
	}
}

func nameVariants(some, all []variant) string {
	var names []string
	for _, revision := range revisions {
		var with, without []string
		for _, v := range all {
			switch {
			case v.revision != revision:
			case slices.Contains(some, v):
				with = append(with, v.transport)
			default:
				without = append(without, v.transport)
			}
		}
		switch {
		case len(with) == 0:
		case len(without) == 0:
			names = append(names, revision)
		case len(without) < len(with):
			names = append(names, revision+" but "+strings.Join(without, ","))
		default:
			names = append(names, revision+" "+strings.Join(with, ","))
		}
	}
	return strings.Join(names, "; ")
}

// TestTranscripts plays each transcript in every revision on every transport.
func TestTranscripts(t *testing.T) {
	eachTranscript(t, "transcripts", func(s *transcript) ([]variant, playFunc) { return variants(), s.play })
}

// playFunc plays a transcript in a variant and returns the messages that the client received.
type playFunc func(t *testing.T, v variant) transcriptOutcome

// eachTranscript compares each file in a directory below testdata with the results of play for the
// variants.
func eachTranscript(t *testing.T, folder string, variantsOf func(s *transcript) ([]variant, playFunc)) {
	paths, err := filepath.Glob("testdata/" + folder + "/*.txt")
	must(t, err)
	if len(paths) == 0 {
		t.Fatalf("there are no %s", folder)
	}
	for _, path := range paths {
		s := readTranscript(t, path)
		t.Run(s.name, func(t *testing.T) {
			proves(t, s.rows...)
			all, play := variantsOf(s)
			got := make([]transcriptOutcome, len(all))
			for i, v := range all {
				t.Run(v.revision+" "+v.transport, func(t *testing.T) { got[i] = play(t, v) })
			}
			text := s.render(all, got)
			if *update {
				must(t, os.WriteFile(path, []byte(text), 0o644))
				return
			}
			data, err := os.ReadFile(path)
			must(t, err)
			diffLines(t, string(data), text)
		})
	}
}

// variantsAmong returns the variants in the lines "variants:" and "revisions:" of the transcript.
// Without these lines, it returns all revisions on the given transports.
func (s *transcript) variantsAmong(transports []string) []variant {
	within := revisions
	for _, line := range s.lines {
		if names, ok := strings.CutPrefix(line, "variants: "); ok {
			transports = strings.Fields(names)
		}
		if names, ok := strings.CutPrefix(line, "revisions: "); ok {
			within = strings.Fields(names)
		}
	}
	var all []variant
	for _, revision := range within {
		for _, transport := range transports {
			if transport != "sse" || revision == "2024-11-05" {
				all = append(all, variant{revision, transport})
			}
		}
	}
	return all
}

// diffLines reports the first lines that are different in two texts.
func diffLines(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	shown := 0
	for i := 0; i < max(len(w), len(g)) && shown < 3; i++ {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			t.Errorf("line %d:\nwant %s\ngot  %s", i+1, at(w, i), at(g, i))
			shown++
		}
	}
	if shown > 0 {
		t.Log("If this is meant to be, run: go test ./mcp -run 'Transcripts|TestScenes' -update")
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}
