package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// FuzzEvents reads an event stream at once and byte by byte. Both must have the same result.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("id: 1\nretry: 10\ndata: a\ndata: b\n\n: comment\r\nevent: endpoint\rdata:/x\r\n\r\n"), 64)
	f.Add([]byte("\uFEFFdata\n\ndata: \xff\nid: \x00\n\nid\n\n"), 1000)
	f.Add([]byte("data: "+strings.Repeat("long", 100)+"\n\ndata: next\n\n"), 100)
	f.Fuzz(func(t *testing.T, stream []byte, limit int) {
		limit = max(1, limit&0xffff)
		read := func(e *eventReader) (all []event, err error) {
			for {
				one, err := e.next()
				if err != nil {
					return all, err
				}
				if len(one.data) > limit {
					t.Fatalf("an event of %d bytes, over the limit of %d", len(one.data), limit)
				}
				if len(one.id) > maxEventID || strings.ContainsAny(one.id, "\x00\r\n") {
					t.Fatalf("the id %q", one.id)
				}
				if strings.ContainsAny(one.name, "\r\n") || one.name == "" || one.retry < 0 {
					t.Fatalf("the event %+v", one)
				}
				one.data = bytes.Clone(one.data)
				all = append(all, one)
			}
		}
		whole, err := read(newEventReader(bytes.NewReader(stream), limit))
		pieces, err2 := read(newEventReader(iotest.OneByteReader(bytes.NewReader(stream)), limit))
		// When reading byte by byte, a line that is too long is detected before the rest of the
		// data in the buffer is read, so only the events before it must be the same.
		if n := min(len(whole), len(pieces)); !reflect.DeepEqual(whole[:n], pieces[:n]) || errors.Is(err, err2) && len(whole) != len(pieces) {
			t.Errorf("at once %+v, %v\nin pieces %+v, %v", whole, err, pieces, err2)
		}
		if max(len(whole), len(pieces)) > 1+bytes.Count(stream, []byte("\n"))+bytes.Count(stream, []byte("\r")) {
			t.Errorf("%d events of %q", len(whole), stream)
		}
	})
}

// FuzzClientDecode decodes results and entries from a server. White space must not change the
// result, and a result must not change when it is encoded and decoded again.
func FuzzClientDecode(f *testing.F) {
	for _, seed := range []string{
		`{"content":[{"type":"text","text":"a \"b\" \u00e9"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"a","version":"1"}}}`,
		`{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"new"},{"type":"resource_link","uri":"a:b","name":"c"}],"structuredContent":{"n":1e3},"isError":true}`,
		`{"description":"d","messages":[{"role":"user","content":{"type":"audio","data":"","mimeType":"audio/wav"}}],"_meta":{"a":1}}`,
		`{"contents":[{"uri":"a:b","text":"x","_meta":{}},{"uri":"a:c","blob":"eA=="}],"ttlMs":1e300,"cacheScope":"public"}`,
		`{"name":"t","inputSchema":{"type":"object"},"annotations":{"title":"T","readOnlyHint":true},"execution":{"taskSupport":"optional"},"icons":[{"src":"javascript:x"}]}`,
		`{"uri":"a:b","uriTemplate":"a:{b}","name":"n","size":12.5,"arguments":[{"name":"x","required":true}],"annotations":{"audience":["user"],"priority":0.5}}`,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[]}]}],"maxTokens":5,"tools":[{"name":"a","inputSchema":{}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !isObject(raw) {
			return // such input does not reach the decoder
		}
		raw = compact(raw)
		var spaced bytes.Buffer
		if json.Indent(&spaced, raw, "", " ") != nil {
			return
		}
		both := func(what string, read func([]byte) (any, error)) {
			one, err := read(raw)
			two, err2 := read(spaced.Bytes())
			if (err == nil) != (err2 == nil) || err == nil && !reflect.DeepEqual(blank(one), blank(two)) {
				t.Errorf("%s: compact %+v, %v\nwith white space %+v, %v", what, one, err, two, err2)
			}
		}
		both("prompt result", func(b []byte) (any, error) { return readPromptResult(b) })
		both("resource result", func(b []byte) (any, error) { return readResourceResult(b) })
		both("prompt", func(b []byte) (any, error) { return readPrompt(b) })
		both("resource", func(b []byte) (any, error) { return readResource(b) })
		both("template", func(b []byte) (any, error) { return readTemplate(b) })
		both("caching", func(b []byte) (any, error) { return readCaching(b), nil })
		if tool, err := readTool(raw); err == nil && (tool.Name == "" || !isObject(tool.InputSchema)) {
			t.Errorf("the tool %+v", tool)
		}
		if s, err := readSampling(raw); err == nil && s == nil {
			t.Error("neither a sampling nor an error")
		}
		if c := readCaching(raw); c.TTL < 0 || c.TTL > maxTTL {
			t.Errorf("caching for %v", c.TTL)
		}
		res, err := readToolResult(raw)
		spread, err2 := readToolResult(spaced.Bytes())
		if (err == nil) != (err2 == nil) {
			t.Fatalf("tool result: compact %v, with white space %v", err, err2)
		}
		if err != nil {
			return
		}
		if !reflect.DeepEqual(res.Content, spread.Content) || res.IsError != spread.IsError || !reflect.DeepEqual(res.Meta, spread.Meta) {
			t.Errorf("tool result: compact %+v\nwith white space %+v", res, spread)
		}
		sent, err := encoded(res)
		if err != nil {
			t.Fatalf("a result that was read cannot be sent on: %v", err)
		}
		for _, rev := range revision.All() {
			if line := append(sent.appendMembers(open(), rev), '}'); !isObject(line) {
				t.Errorf("sent on as %s", line)
			}
		}
	})
}

// blank removes white space from the raw JSON in a value, which the decoder keeps.
func blank(v any) any {
	if res, ok := v.(*PromptResult); ok && res != nil {
		for i := range res.Messages {
			switch c := res.Messages[i].Content.(type) {
			case *ToolUseContent:
				c.Input = compact(c.Input)
			case *ToolResultContent:
				c.Structured = compact(c.Structured)
			}
		}
	}
	return v
}
