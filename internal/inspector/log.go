package inspector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Limits of the log.
const (
	// maxEntries and maxLogBytes are the maximum number and total size of the messages that are
	// kept. The oldest messages are dropped first.
	maxEntries  = 5000
	maxLogBytes = 32 << 20
	// maxEntryBytes is the maximum number of bytes that are kept of one message.
	maxEntryBytes = 1 << 20
	// maxEntriesShown is the maximum number of messages on a page, and maxEntryShown the maximum
	// number of bytes of a message that are shown there.
	maxEntriesShown = 200
	maxEntryShown   = 16 << 10
	// maxAwaited is the maximum number of requests without a response that are remembered, so that
	// a response can be matched to its request.
	maxAwaited = 10_000
)

// Sources of the entries of the log.
const (
	sent     = "sent"
	received = "received"
	stderr   = "stderr"
	client   = "client" // docent's own client
)

// entry is a message, a line of the server's standard error or a remark of the client.
type entry struct {
	N    int
	Time time.Time
	From string
	// Kind is the kind of a message, such as "request", "response", "error" or "notification".
	Kind string
	// Label describes the message.
	Label string
	Text  string
	// Size is the size of the whole message. If Cut is true, Text is only its beginning.
	Size int
	Cut  bool
	// Took is the time from a request to its response.
	Took time.Duration
}

// messageLog keeps the latest entries.
type messageLog struct {
	changed func()

	mu      sync.Mutex
	entries []entry // oldest first; no entry is changed after it was added
	next    int
	bytes   int
	awaited map[string]awaited // requests without a response, by direction and ID
}

// awaited is a request without a response.
type awaited struct {
	method string
	begun  time.Time
}

// message logs a message that was sent or received.
func (l *messageLog) message(wasSent bool, message json.RawMessage) {
	e := entry{Time: time.Now(), From: received, Size: len(message)}
	if wasSent {
		e.From = sent
	}
	text, missing := cut(string(message), maxEntryBytes)
	e.Text, e.Cut = text, missing
	id := e.classify(message)
	l.mu.Lock()
	l.pair(&e, id, wasSent)
	l.add(e)
	l.mu.Unlock()
	l.changed()
}

// classify returns the kind of a message, and the ID of a request or response as JSON.
func (e *entry) classify(message json.RawMessage) (id string) {
	if trimmed := bytes.TrimSpace(message); len(trimmed) > 0 && trimmed[0] == '[' {
		e.Kind, e.Label = "batch", "batch"
		return ""
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name string `json:"name"`
			URI  string `json:"uri"`
		} `json:"params"`
		Error *struct {
			Code    json.Number `json:"code"`
			Message string      `json:"message"`
		} `json:"error"`
	}
	_ = json.Unmarshal(message, &m) // malformed messages are shown unchanged
	switch {
	case m.Method != "" && m.ID == nil:
		e.Kind, e.Label = "notification", m.Method
	case m.Method != "":
		e.Kind, e.Label = "request", m.Method
		if about := m.Params.Name + m.Params.URI; about != "" {
			e.Label += " " + about
		}
	case m.Error != nil:
		e.Kind, e.Label = "error", ": "+string(m.Error.Code)+" "+m.Error.Message
	default:
		e.Kind = "response"
	}
	return string(m.ID)
}

// pair names a response after its request, and finishes the label. It requires mu.
func (l *messageLog) pair(e *entry, id string, wasSent bool) {
	name := func(sent bool) string { return fmt.Sprint(sent, id) }
	switch e.Kind {
	case "request":
		if l.awaited == nil || len(l.awaited) >= maxAwaited {
			l.awaited = map[string]awaited{}
		}
		l.awaited[name(wasSent)] = awaited{e.Label, e.Time}
	case "response", "error":
		method := "response"
		if request, ok := l.awaited[name(!wasSent)]; ok {
			method, e.Took = request.method, e.Time.Sub(request.begun)
			delete(l.awaited, name(!wasSent))
		}
		e.Label = method + e.Label
	}
	e.Label = firstLine(e.Label)
}

// line logs a line of the server's standard error, or a remark of the client.
func (l *messageLog) line(from, text string) {
	e := entry{Time: time.Now(), From: from, Size: len(text), Label: firstLine(text)}
	e.Text, e.Cut = cut(text, maxEntryBytes)
	l.mu.Lock()
	l.add(e)
	l.mu.Unlock()
	l.changed()
}

// add requires mu.
func (l *messageLog) add(e entry) {
	l.next++
	e.N = l.next
	l.entries = append(l.entries, e)
	l.bytes += len(e.Text)
	if len(l.entries) <= maxEntries && l.bytes <= maxLogBytes {
		return
	}
	drop := 0 // Remove a tenth more than necessary, so that not every new message moves all entries.
	for len(l.entries)-drop > maxEntries*9/10 || l.bytes > maxLogBytes*9/10 {
		l.bytes -= len(l.entries[drop].Text)
		drop++
	}
	l.entries = append(l.entries[:0:0], l.entries[drop:]...)
}

// logFilter selects entries of the log.
type logFilter struct {
	// Kind is "notification", "error", a source of entries, or "" for all entries.
	Kind string
	// Text must be contained in the entry, ignoring case.
	Text string
	// If Before is not 0, only entries with a lower number are selected.
	Before int
}

func (f *logFilter) match(e *entry) bool {
	switch f.Kind {
	case "", e.Kind, e.From:
	default:
		return false
	}
	if f.Before > 0 && e.N >= f.Before {
		return false
	}
	return f.Text == "" || strings.Contains(strings.ToLower(e.Label+"\n"+e.Text), strings.ToLower(f.Text))
}

// latest returns the latest entries that a filter selects, newest first, and reports whether there
// are more.
func (l *messageLog) latest(f logFilter, max int) (found []entry, more bool) {
	l.mu.Lock()
	entries := l.entries
	l.mu.Unlock()
	for n := len(entries) - 1; n >= 0; n-- {
		if !f.match(&entries[n]) {
			continue
		}
		if len(found) == max {
			return found, true
		}
		found = append(found, entries[n])
	}
	return found, false
}

// entryView is an entry on a page.
type entryView struct {
	entry
	Body string
	// More is true if Body is only the beginning of the text.
	More bool
}

// view returns an entry with at most max bytes of its text.
func (e *entry) view(max int) entryView {
	text := e.Text
	if e.From == sent || e.From == received {
		text = pretty(json.RawMessage(e.Text))
	} else {
		text = show(text)
	}
	v := entryView{entry: *e}
	v.Body, v.More = cut(text, max)
	return v
}

// serveLog shows the messages.
func (i *Inspector) serveLog(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	f := logFilter{Kind: q.Get("kind"), Text: q.Get("q")}
	f.Before, _ = strconv.Atoi(q.Get("before")) // If it is not a number, the latest entries are shown.
	found, more := i.log.latest(f, maxEntriesShown)
	var views []entryView
	for n := range found {
		views = append(views, found[n].view(maxEntryShown))
	}
	body := struct {
		Filter  logFilter
		Kinds   []kindOption
		Entries []entryView
		Older   int
		Levels  []string
		Level   string
	}{Filter: f, Kinds: logKinds, Entries: views, Levels: levelNames, Level: i.level()}
	if more {
		body.Older = found[len(found)-1].N
	}
	i.render(w, http.StatusOK, "log.html", &page{Title: "Messages", Section: "/log", Body: body})
}

// level returns the minimum level of the server's log messages.
func (i *Inspector) level() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.last.Level
}

// kindOption is a choice of the entries that the log shows.
type kindOption struct{ Value, Text string }

var logKinds = []kindOption{
	{"", "everything"}, {"request", "requests"}, {"response", "responses"}, {"error", "errors"}, {"notification", "notifications"},
	{sent, "sent"}, {received, "received"}, {stderr, "standard error"}, {client, "docent's own notes"},
}

// serveEntry serves the page of one message of the log, with the complete message.
func (i *Inspector) serveEntry(w http.ResponseWriter, r *http.Request) {
	if n, err := strconv.Atoi(r.PathValue("n")); err == nil {
		found, _ := i.log.latest(logFilter{Before: n + 1}, 1)
		if len(found) == 1 && found[0].N == n {
			i.render(w, http.StatusOK, "entry.html", &page{Title: found[0].Label, Section: "/log", Body: found[0].view(2 * maxEntryBytes)})
			return
		}
	}
	i.fail(w, http.StatusNotFound, "This message is no longer available.")
}

// serveLogText serves all entries as text, one per line, oldest first.
func (i *Inspector) serveLogText(w http.ResponseWriter, _ *http.Request) {
	all, _ := i.log.latest(logFilter{}, maxEntries)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="messages.txt"`)
	marks := map[string]string{sent: ">", received: "<", stderr: "#", client: "!"}
	for n := len(all) - 1; n >= 0; n-- {
		e := &all[n]
		fmt.Fprintf(w, "%s %s %s\n", clock(e.Time), marks[e.From], strings.ReplaceAll(e.Text, "\n", " "))
	}
}
