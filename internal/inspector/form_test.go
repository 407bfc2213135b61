package inspector

import (
	"bytes"
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzForm fills in the form of any schema with any values. What it reads is a JSON object,
// and a form that is filled in with that reads the same.
func FuzzForm(f *testing.F) {
	f.Add(`{"properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"enum":["x",1,null]}},"required":["a"]}`, "value.a=x&value.b=3&value.c=1")
	f.Add(`{"properties":{"l":{"type":"array","items":{"type":"number"}},"d":{"type":"array","items":{"enum":["m","t"]}},"o":{"type":"object"}}}`, "value.l=1%0D%0A2&value.d=%22m%22&value.o=%7B%7D")
	f.Add(`{"properties":{"a":{"$ref":"#/$defs/a","default":{}}},"$defs":{"a":{"$ref":"#/$defs/a"}}}`, "json=%7B%7D")
	f.Add(`{"properties":{"":{"type":["string","null"]},"a":true}}`, "value.=%00&value.a=%FF")
	f.Fuzz(func(t *testing.T, schema, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		first := newForm(json.RawMessage(schema))
		object, right := first.read(values)
		if !right {
			return
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(object, &members); err != nil || members == nil {
			t.Fatalf("the form reads %s: %v", object, err)
		}
		if values.Get("json") != "" {
			return
		}
		again := newForm(json.RawMessage(schema))
		again.fill(object)
		if again.JSON != "" {
			return // the fields cannot show it
		}
		sent := url.Values{}
		for n := range again.Fields {
			d := &again.Fields[n]
			for _, o := range d.Options {
				if o.Selected {
					sent.Add(d.Name, o.Value)
				}
			}
			if len(d.Options) == 0 {
				sent.Add(d.Name, d.Value)
			}
		}
		if same, right := again.read(sent); !right || !reflect.DeepEqual(decoded(t, same), decoded(t, object)) {
			t.Errorf("%s is read again as %s (%v)", object, same, right)
		}
	})
}

func decoded(t *testing.T, text json.RawMessage) (value any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// FuzzResult reads any result of a server and any line of the log.
func FuzzResult(f *testing.F) {
	f.Add(`{"content":[{"type":"text","text":"x"},{"type":"image","data":"AA==","mimeType":"image/png"},5],"structuredContent":[1],"isError":true}`)
	f.Add(`{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"a:b","blob":"AA=="}}},null],"contents":[{"uri":"x","text":"\u202e"}]}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"error":{"code":1e99,"message":5}}`)
	f.Add(strings.Repeat("[", 300) + strings.Repeat("]", 300))
	f.Fuzz(func(t *testing.T, text string) {
		for _, b := range readResult(json.RawMessage(text)).Blocks {
			if shown := show(b.Text); shown != b.Text {
				t.Errorf("the text %q has hidden characters", b.Text)
			}
		}
		(&request{Kind: "tool"}).receive("tools/call", json.RawMessage(text))
		l := &messageLog{changed: func() {}}
		l.message(true, json.RawMessage(text))
		l.message(false, json.RawMessage(text))
		found, _ := l.latest(logFilter{}, 10)
		for n := range found {
			found[n].view(maxEntryShown)
		}
		it := readItem(json.RawMessage(text))
		it.Heading()
		it.Hints()
		templateForm(text)
		readRoots(text)
		if shown := pretty(json.RawMessage(text)); len(shown) > 100*len(text)+1<<17 {
			t.Errorf("%d bytes are shown as %d", len(text), len(shown))
		}
	})
}

func TestShow(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n\ttext": "plain\n\ttext", "a\u202eb\u200bc": "a⟦U+202E⟧b⟦U+200B⟧c", "\x1b[31m": "⟦U+001B⟧[31m", "\xff": "\uFFFD", "tag\U000E0041": "tag⟦U+E0041⟧",
	} {
		if got := show(text); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

func TestPretty_NestingDoesNotMakeItHuge(t *testing.T) {
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	if got := pretty(json.RawMessage(deep)); got != deep {
		t.Errorf("%d bytes become %d", len(deep), len(got))
	}
	if got := pretty(json.RawMessage(`{"a":"}]{[,\"","b":[1]}`)); got != "{\n  \"a\": \"}]{[,\\\"\",\n  \"b\": [\n    1\n  ]\n}" {
		t.Errorf("it is %s", got)
	}
}

func TestTemplateForm(t *testing.T) {
	for template, want := range map[string]string{
		"a://{x}/{+y}{?z,w*}{#v:3}{x}": "x y z w v", "a://b": "", "{/a*,b}": "a b", "{": "", "{}": "",
	} {
		var names []string
		for _, f := range templateForm(template).Fields {
			names = append(names, f.Label)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s has %q, want %q", template, got, want)
		}
	}
}

func TestExpand(t *testing.T) {
	for _, tt := range []struct{ template, want string }{
		{"x:{a}{data*}", "x:1%2C2p,q"}, {"x:{data*}", "x:p,q"}, {"x:{data}", "x:p%2Cq"}, {"x:{?data*}", "x:?data=p&data=q"}, {"x:{missing}", "x:"},
	} {
		if got, err := expand(tt.template, map[string]string{"a": "1,2", "data": "p,q"}); err != nil || got != tt.want {
			t.Errorf("%s becomes %q, want %q: %v", tt.template, got, tt.want, err)
		}
	}
	if got, err := expand("x:{", nil); err == nil {
		t.Errorf("a malformed template becomes %q", got)
	}
}

func TestMessages_AreBounded(t *testing.T) {
	l := &messageLog{changed: func() {}}
	large := json.RawMessage(`{"jsonrpc":"2.0","method":"x","params":"` + strings.Repeat("x", maxEntryBytes) + `"}`)
	for range 2 * maxLogBytes / maxEntryBytes {
		l.message(false, large)
	}
	if l.bytes > maxLogBytes {
		t.Errorf("%d bytes are kept", l.bytes)
	}
	found, more := l.latest(logFilter{}, 1)
	if len(found) != 1 || !more || !found[0].Cut || found[0].Size != len(large) || len(found[0].Text) > maxEntryBytes {
		t.Errorf("the latest is %d bytes of %d, cut: %v", len(found[0].Text), found[0].Size, found[0].Cut)
	}
	for range 2 * maxEntries {
		l.line(stderr, "x")
	}
	if len(l.entries) > maxEntries || l.entries[len(l.entries)-1].N != l.next {
		t.Errorf("%d entries are kept", len(l.entries))
	}
	sum := 0
	for n := range l.entries {
		sum += len(l.entries[n].Text)
	}
	if sum != l.bytes {
		t.Errorf("%d bytes are counted as %d", sum, l.bytes)
	}
	for range 2 * maxAwaited {
		l.next++
		l.message(true, json.RawMessage(`{"jsonrpc":"2.0","id":`+strings.Repeat("1", l.next%300+1)+`,"method":"x"}`))
	}
	if len(l.awaited) > maxAwaited {
		t.Errorf("%d requests are awaited", len(l.awaited))
	}
}

func TestRequests_AreBounded(t *testing.T) {
	h := &history{}
	finished := func() *request {
		done := make(chan struct{})
		close(done)
		return &request{Kind: "tool", done: done, took: time.Second}
	}
	for range maxRequests + 50 {
		if err := h.add(finished()); err != nil {
			t.Fatal(err)
		}
	}
	if len(h.all) != maxRequests || h.all[0].ID != 51 {
		t.Errorf("%d requests are kept, from %d on", len(h.all), h.all[0].ID)
	}
	for _, r := range h.all {
		r.result = make(json.RawMessage, maxResultBytes/maxRequests*2)
	}
	ping := h.all[5]
	ping.result = nil
	if err := h.add(finished()); err != nil {
		t.Fatal(err)
	}
	if h.all[0].result != nil || !h.all[0].view(true).Forgot || slices.IndexFunc(h.all, func(r *request) bool { return r.result != nil }) < 90 {
		t.Error("results of old requests are kept")
	}
	if ping.view(true).Forgot {
		t.Error("a request without a result has lost one")
	}
	for range maxRunning {
		if err := h.add(&request{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.add(&request{}); err == nil {
		t.Error("more requests run than may")
	}
}
