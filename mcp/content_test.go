package mcp_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// sendContent returns a server with the tool "send", which returns the given blocks.
func sendContent(t testing.TB, blocks ...mcp.Content) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "send"}, func(context.Context, *mcp.Request, struct{}) ([]mcp.Content, error) { return blocks, nil }))
	return s
}

func TestALinkHasANameThoughItIsEmpty(t *testing.T) {
	proves(t, "content.resource-link")
	s := newServer(nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "link"}, func(context.Context, *mcp.Request, struct{}) (mcp.Content, error) {
		return &mcp.ResourceLink{URI: "x:a"}, nil
	}))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		want := `[{"type":"resource_link","uri":"x:a","name":""}]`
		if revision < "2025-06-18" {
			want = `[{"type":"text","text":": x:a"}]`
		}
		m := p.ask("1", "tools/call", params(callParams("link", "{}")))
		sameJSON(t, m.line, m.Result["content"], want)
	})
}

func TestEachContentTypeTakesTheFormOfTheRevision(t *testing.T) {
	proves(t, "content.text", "content.image", "content.audio", "content.embedded-resource", "content.resource-link",
		"tools.content.types.2024", "tools.content.types.2025-03", "tools.content.types.later", "tools.resource-link", "tools.embedded-resource")
	icons := []mcp.Icon{{Source: "https://example.com/i.svg", Sizes: []string{"any"}}}
	tests := []struct {
		name  string
		block mcp.Content
		// The expected block in 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25; empty if it is
		// the same as in the previous revision. 2026-07-28 is the same as 2025-11-25.
		want [4]string
	}{
		{"text", mcp.Text("a \"b\"\n\tc\u2028 ü😀\x00"), [4]string{`{"type":"text","text":"a \"b\"\n\tc\u2028 ü😀\u0000"}`}},
		{"text that is not UTF-8", mcp.Text("a\xffb"), [4]string{`{"type":"text","text":"a\ufffdb"}`}},
		{"empty text", mcp.Text(""), [4]string{`{"type":"text","text":""}`}},
		{"image", &mcp.ImageContent{Data: []byte{0, 1, 2, 255}, MIMEType: "image/png"},
			[4]string{`{"type":"image","data":"AAEC/w==","mimeType":"image/png"}`}},
		{"image without bytes", &mcp.ImageContent{MIMEType: "image/png"}, [4]string{`{"type":"image","data":"","mimeType":"image/png"}`}},
		{"audio", &mcp.AudioContent{Data: []byte("RIFF"), MIMEType: "audio/wav"},
			[4]string{`{"type":"text","text":"[audio, audio/wav, 4 bytes: this client's protocol revision cannot receive it]"}`,
				`{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}`}},
		{"resource link", &mcp.ResourceLink{URI: "file:///a.txt", Name: "a.txt", Title: "A", Description: "Notes.", MIMEType: "text/plain", Size: 12, Icons: icons},
			[4]string{`{"type":"text","text":"a.txt: file:///a.txt\nNotes."}`, "",
				`{"type":"resource_link","uri":"file:///a.txt","name":"a.txt","title":"A","description":"Notes.","mimeType":"text/plain","size":12}`,
				`{"type":"resource_link","uri":"file:///a.txt","name":"a.txt","title":"A","description":"Notes.","mimeType":"text/plain","size":12,"icons":[{"src":"https://example.com/i.svg","sizes":["any"]}]}`}},
		{"bare resource link", &mcp.ResourceLink{URI: "file:///b", Name: "b"},
			[4]string{`{"type":"text","text":"b: file:///b"}`, "", `{"type":"resource_link","uri":"file:///b","name":"b"}`}},
		{"embedded text", &mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "file:///a", MIMEType: "text/plain", Text: "hi"}},
			[4]string{`{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"hi"}}`}},
		{"embedded empty text", &mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "file:///a"}},
			[4]string{`{"type":"resource","resource":{"uri":"file:///a","text":""}}`}},
		{"embedded bytes", &mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "file:///a", Blob: []byte{255, 254}}},
			[4]string{`{"type":"resource","resource":{"uri":"file:///a","blob":"//4="}}`}},
		{"embedded no bytes", &mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "file:///a", Blob: []byte{}}},
			[4]string{`{"type":"resource","resource":{"uri":"file:///a","blob":""}}`}},
	}
	var blocks []mcp.Content
	for _, test := range tests {
		blocks = append(blocks, test.block)
	}
	eachRevision(t, sendContent(t, blocks...), func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "tools/call", params(callParams("send", `{}`)))
		got := list(m.Result["content"])
		if len(got) != len(tests) {
			t.Fatalf("%d blocks of %d: %s", len(got), len(tests), m.line)
		}
		for i, test := range tests {
			want := ""
			for j, form := range test.want {
				if form != "" && revisions[j] <= revision {
					want = form
				}
			}
			sameJSON(t, test.name, got[i], want)
		}
	})
	// Blocks for conversations with a model are not allowed in a tool's result.
	for _, block := range []mcp.Content{&mcp.ToolUseContent{ID: "1", Name: "a"}, &mcp.ToolResultContent{ToolUseID: "1"}} {
		eachRevision(t, sendContent(t, block), func(t *testing.T, _ string, p *peer, params func(string) string) {
			if m := p.ask("1", "tools/call", params(callParams("send", `{}`))); !m.isInternalError() {
				t.Errorf("%T: %s", block, m.line)
			}
		})
	}
}

func TestAnnotationsAndMetaOfContentTakeTheFormOfTheRevision(t *testing.T) {
	proves(t, "content.annotations.audience", "content.annotations.priority", "content.annotations.last-modified", "content.role", "meta.passthrough")
	a := &mcp.Annotations{Audience: []mcp.Role{"User", mcp.RoleUser, "", mcp.RoleAssistant, "ASSISTANT", "system"}, Priority: new(0.5),
		LastModified: time.Date(2026, 7, 28, 14, 0, 0, 0, time.FixedZone("", 2*3600))}
	meta := mcp.Meta{"example.com/b": map[string]int{"n": 1}, "a": "x"}
	s := sendContent(t,
		&mcp.TextContent{Text: "t", Annotations: a, Meta: meta},
		&mcp.ImageContent{Data: []byte{0}, MIMEType: "image/png", Annotations: a, Meta: meta},
		&mcp.AudioContent{Data: []byte{0}, MIMEType: "audio/wav", Annotations: a, Meta: meta},
		&mcp.ResourceLink{URI: "file:///a", Name: "a", Annotations: a, Meta: meta},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "file:///a", Meta: meta}, Annotations: a, Meta: meta},
	)
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "tools/call", params(callParams("send", `{}`)))
		for i, block := range list(m.Result["content"]) {
			b := object(block)
			want := `{"audience":["user","assistant"],"priority":0.5`
			if revision >= "2025-06-18" {
				want += `,"lastModified":"2026-07-28T12:00:00Z"`
				sameJSON(t, "_meta", b["_meta"], `{"example.com/b":{"n":1},"a":"x"}`)
			} else if b["_meta"] != nil {
				t.Errorf("block %d has _meta: %v", i, b)
			}
			sameJSON(t, "annotations", b["annotations"], want+"}")
			if resource := object(b["resource"]); resource != nil && (resource["_meta"] != nil) != (revision >= "2025-06-18") {
				t.Errorf("the resource in block %d: %v", i, resource)
			}
		}
	})
}

func TestAnnotationsOutOfTheirRangeAreBroughtIntoIt(t *testing.T) {
	proves(t, "content.annotations.priority", "content.annotations.audience")
	s := sendContent(t,
		&mcp.TextContent{Annotations: &mcp.Annotations{Priority: new(-1.0)}},
		&mcp.TextContent{Annotations: &mcp.Annotations{Priority: new(7.5)}},
		&mcp.TextContent{Annotations: &mcp.Annotations{Audience: []mcp.Role{"model", mcp.RoleUser}}},
		&mcp.TextContent{Annotations: &mcp.Annotations{}},
		&mcp.TextContent{Annotations: &mcp.Annotations{Priority: new(math.Inf(1))}})
	p := connect(t, s)
	m := p.ask("1", "tools/call", p.open("2025-11-25")(callParams("send", `{}`)))
	sameJSON(t, "content", m.Result["content"], `[{"type":"text","text":"","annotations":{"priority":0}},{"type":"text","text":"","annotations":{"priority":1}},{"type":"text","text":"","annotations":{"audience":["user"]}},{"type":"text","text":"","annotations":{}},{"type":"text","text":"","annotations":{"priority":1}}]`)
}

func TestTheMetaOfAResultIsSentInEachRevision(t *testing.T) {
	proves(t, "meta.passthrough", "meta.result.server-info")
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	gives(t, s, "send", &mcp.CallToolResult{Meta: mcp.Meta{"example.com/cost": 7, "example.com/bad": make(chan int)}})
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "tools/call", params(callParams("send", `{}`)))
		want := `{"example.com/cost":7}`
		if revision == "2026-07-28" {
			want = `{"example.com/cost":7,"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1"}}`
		}
		sameJSON(t, "_meta", m.Result["_meta"], want)
		sameJSON(t, "content", m.Result["content"], `[]`)
	})
}

func TestServerInfoTakesTheFormOfTheRevision(t *testing.T) {
	proves(t, "meta.implementation.required", "meta.implementation.title", "meta.result.server-info")
	s := mcp.NewServer(mcp.Implementation{Name: "n", Version: "v", Title: "T", Description: "D", WebsiteURL: "https://example.com",
		Icons: []mcp.Icon{{Source: "data:image/png;base64,AA=="}}}, nil)
	for _, revision := range revisions {
		p := connect(t, s)
		var info any
		if revision == "2026-07-28" {
			m := p.ask("1", "server/discover", p.open(revision)(""))
			info = object(m.Result["_meta"])["io.modelcontextprotocol/serverInfo"]
		} else {
			info = p.initialize(revision).Result["serverInfo"]
		}
		want := `{"name":"n","version":"v"`
		if revision >= "2025-06-18" {
			want += `,"title":"T"`
		}
		if revision >= "2025-11-25" {
			want += `,"description":"D","websiteUrl":"https://example.com","icons":[{"src":"data:image/png;base64,AA=="}]`
		}
		sameJSON(t, revision, info, want+"}")
	}
}

func TestTextOfAnySizeAndKindGoesThroughWhole(t *testing.T) {
	proves(t, "transport.utf8", "stdio.no-embedded-newline")
	var all strings.Builder
	for r := range rune(0x3000) {
		all.WriteRune(r)
	}
	all.WriteString("\U0001F600\U0010FFFF")
	for _, text := range []string{all.String(), strings.Repeat("0123456789abcde\n", 1<<16), strings.Repeat("é", 1<<17), string(bytes.Repeat([]byte{0}, 1<<12))} {
		p := connect(t, sendContent(t, mcp.Text(text)))
		if m := p.ask("1", "tools/call", p.open("2025-11-25")(callParams("send", `{}`))); m.text() != text {
			t.Errorf("a text of %d bytes came back with %d", len(text), len(m.text()))
		}
	}
}
