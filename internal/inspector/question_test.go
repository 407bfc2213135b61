package inspector

import (
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestQuestions_Form(t *testing.T) {
	for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			for _, tt := range []struct {
				answer []string
				want   string
			}{
				{[]string{"do", "decline"}, "decline {"}, {[]string{"do", "cancel"}, "cancel {"},
				{[]string{"do", "accept", "value.name", "Ada", "value.color", `"green"`}, "accept {Name:Ada Color:green}"},
			} {
				p := b.post("/tools", "name", "ask")
				question := b.question()
				b.get("/").want(t, "everything", "asks you to fill in a form")
				b.get(question).want(t, "Who are you?", "who you are", `<option value="&#34;red&#34;" selected>`)
				if tt.answer[1] == "accept" {
					b.post(question, "do", "accept").want(t, "not accept this", "name")
					b.post(question, "do", "accept", "value.name", "A", "value.color", `"green"`).want(t, "The server does not accept this", `value="&#34;green&#34;" selected`)
					b.post(question, "do", "shrug").want(t, "Choose to accept, decline or cancel.")
				}
				b.post(question, tt.answer...)
				b.until(p.path, tt.want)
				b.post(question, "do", "accept").want(t, "This question has already been answered")
				b.get("/questions").want(t, "No pending questions.")
			}
		})
	}
}

func TestQuestions_Page(t *testing.T) {
	b := inspect(t, everything(), "2025-11-25")
	p := b.post("/tools", "name", "visit")
	question := b.question()
	b.get(question).want(t, "Pay here.", "pay.example.com", `href="https://pay.example.com/bill" target="_blank" rel="noopener noreferrer"`)
	b.post(question, "do", "accept")
	b.until(p.path, "the user: accept")
	// An error can name pages, too.
	p = b.post("/tools", "name", "visit-first")
	p.want(t, "Pay first.", "Your &lt;b&gt;bill&lt;/b&gt;.", "<code>pay.example.com</code>", `href="https://pay.example.com/bill?a=1&amp;b=2" target="_blank" rel="noopener noreferrer"`, "Then send the request again.")
	p.not(t, `href="javascript`, `href="https:relative`)
}

func TestQuestions_Sampling(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			p := b.post("/tools", "name", "sample")
			question := b.question()
			b.get(question).want(t, "Rhyme.", "Write a line.", "17 tokens")
			b.post(question, "do", "accept", "json", "{").want(t, "not a JSON list of blocks")
			b.post(question, "do", "accept", "json", `[{"type":"film"}]`).want(t, "Block 1 has the type")
			b.post(question, "do", "accept", "text", "Roses are red", "model", "poet", "stop", "endTurn")
			b.until(p.path, "Roses are red by poet because of endTurn")
			p = b.post("/tools", "name", "sample")
			b.post(b.question(), "do", "accept", "json", `[{"type":"text","text":"as JSON"}]`, "model", "m")
			b.until(p.path, "as JSON by m")
			p = b.post("/tools", "name", "sample")
			b.post(b.question(), "do", "decline")
			b.until(p.path, "failed")
		})
	}
}

func TestRoots(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			b.post("/roots", "roots", "https://example.com/").want(t, "not a file URI", "https://example.com/")
			b.post("/roots", "roots", "file:///src the source\n\nfile:///doc").want(t, "file:///src the source\nfile:///doc")
			if revision != "2026-07-28" {
				b.until("/log?kind=notification", "notifications/roots/list_changed")
			}
			b.post("/tools", "name", "roots").want(t, "[{file:///src the source} {file:///doc }]")
			b.post("/roots", "roots", "file:///src", "ask", "1").want(t, `name="ask" value="1" checked`)
			p := b.post("/tools", "name", "roots")
			question := b.question()
			b.get(question).want(t, "asks for your roots", "file:///src")
			b.post(question, "do", "accept", "roots", "nowhere").want(t, "not a file URI")
			b.post(question, "do", "accept", "roots", "file:///other")
			b.until(p.path, "[{file:///other }]")
			p = b.post("/tools", "name", "roots")
			b.post(b.question(), "do", "decline")
			b.until(p.path, "failed")
		})
	}
}

func TestSignIn_ThePageIsShownUntilTheServerAnswers(t *testing.T) {
	s := everything()
	proceed := make(chan struct{})
	server := memory(s)
	transport := server.Transport
	server.Transport = func(show func(string)) (mcp.Transport, error) {
		show("https://login.example.com/authorize?state=1")
		<-proceed
		return transport(show)
	}
	b := open(t, server)
	b.post("/connect", "server", "0", "level", "info")
	question := b.question()
	b.get(question).want(t, "wants you to sign in", "login.example.com", `href="https://login.example.com/authorize?state=1" target="_blank"`)
	b.post(question, "do", "accept").want(t, "need to answer here")
	close(proceed)
	b.until("/questions", "No pending questions.")
	b.until("/", `class="state connected"`)
}
