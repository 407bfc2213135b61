package inspector

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestTools_ListAndForm(t *testing.T) {
	b := inspect(t, everything(), "")
	b.get("/tools").want(t, "Tools", "add", "Adds.⟦U+200B⟧Really.", "fail")
	p := b.get("/tools?q=BREAK")
	p.want(t, ">break<")
	p.not(t, ">fail<")
	p = b.get("/tools?name=add")
	p.want(t, "read only", "one number", "integer, at least 1, required", "Input schema", "Output schema", "Raw JSON",
		`<textarea id="field-2" name="value.text"`, `<option value="&#34;celsius&#34;">celsius</option>`, `<option value="true">true</option>`,
		`<input type="checkbox" name="value.days" value="&#34;mon&#34;">`, "One value per line.", "As JSON.", `name="value.b" value="2"`)
	b.get("/tools?name=nothing").want(t, "The server does not list this tool")
}

func TestTools_ArgumentsFromTheForm(t *testing.T) {
	b := inspect(t, everything(), "")
	for _, tt := range []struct {
		name string
		form []string
		want string // the arguments, or what the page says
	}{
		{"what is blank is not sent", []string{"value.a", "3"}, `{"a":3}`},
		{"numbers keep their form", []string{"value.a", "9007199254740993", "value.b", "1.50"}, `{"a":9007199254740993,"b":1.50}`},
		{"a text keeps its lines", []string{"value.a", "1", "value.text", "one\r\n two"}, `{"a":1,"text":"one\n two"}`},
		{"a choice", []string{"value.a", "1", "value.unit", `"celsius"`, "value.exact", "false"}, `{"a":1,"unit":"celsius","exact":false}`},
		{"several choices", []string{"value.a", "1", "value.days", `"mon"`, "value.days", `"tue"`}, `{"a":1,"days":["mon","tue"]}`},
		{"a value per line", []string{"value.a", "1", "value.tags", "x\r\n\r\ny z\r\n"}, `{"a":1,"tags":["x","y z"]}`},
		{"an object as JSON", []string{"value.a", "1", "value.more", `{"deep": {"er": null}}`}, `{"a":1,"more":{"deep": {"er": null}}}`},
		{"all as JSON, even if it is wrong", []string{"value.a", "1", "json", `{"a":"x"}`}, `{"a":"x"}`},
		{"a required value is missing", nil, "Enter a value"},
		{"no number", []string{"value.a", "three"}, "This is not of type integer."},
		{"no JSON", []string{"value.a", "1", "value.more", "{"}, "This is not JSON."},
		{"arguments that are no object", []string{"json", "[1]"}, "This is not a JSON object"},
		{"metadata that are no object", []string{"value.a", "1", "meta", "[1]"}, "This is not a JSON object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b.t = t
			p := b.post("/tools", append([]string{"name", "add", "do", "call"}, tt.form...)...)
			if !strings.HasPrefix(tt.want, "{") {
				p.want(t, "The tool was not called", tt.want)
				return
			}
			found := b.i.requests.find(strings.TrimPrefix(p.path, "/requests/"))
			if found == nil {
				t.Fatalf("no request was sent:\n%s", p.text())
			}
			if string(found.Arguments) != tt.want {
				t.Errorf("the arguments are %s, want %s", found.Arguments, tt.want)
			}
		})
	}
}

func TestTools_AFormIsFilledInAgain(t *testing.T) {
	b := inspect(t, everything(), "")
	p := b.post("/tools", "name", "add", "do", "json", "value.a", "3", "value.text", "<x>", "value.days", `"tue"`)
	p.want(t, "<details class=\"more\" open><summary>Write the arguments as JSON", `"text": "<x>"`, `value="&#34;tue&#34;" checked`)
	p = b.post("/tools", "name", "add", "do", "call", "value.a", "3", "value.text", "<x>\n y", "value.unit", `"fahrenheit"`, "value.tags", "p\nq", "meta", `{"example.com/trace":"m1"}`)
	again := regexp.MustCompile(`/tools\?again=\d+`).FindString(p.body)
	p = b.get(again)
	p.want(t, `name="value.a" value="3"`, "&lt;x&gt;\n y</textarea>", `<option value="&#34;fahrenheit&#34;" selected>`, ">\np\nq</textarea>", "m1")
	p.not(t, `<details class="more" open><summary>Write the arguments`)
	p = b.post("/tools", "name", "add", "do", "call", "json", `{"a":1,"other":true}`)
	b.get(regexp.MustCompile(`/tools\?again=\d+`).FindString(p.body)).want(t, `<details class="more" open><summary>Write the arguments`, `"other": true`)
}

func TestTools_Results(t *testing.T) {
	b := inspect(t, everything(), "")
	p := b.post("/tools", "name", "add", "value.a", "3", "meta", `{"example.com/trace":"m1"}`)
	p.want(t, "Structured content", "1 of 4", "adding", "done", "Arguments", "Raw result", "m1")
	if found, _ := b.i.log.latest(logFilter{Kind: "request", Text: "example.com/trace"}, 1); len(found) != 1 {
		t.Error("the metadata were not sent")
	}
	p = b.post("/tools", "name", "fail")
	p.want(t, "failed", "The tool reported an error.", "it &lt;i&gt;failed&lt;/i&gt;")
	b.post("/tools", "name", "break").want(t, "The server returned error 7: broken", `"why": "rust"`)
	p = b.post("/tools", "name", "media")
	p.want(t, `<img src="/`+b.i.token+p.path+`/content/0"`, `<audio controls`, `/resources?uri=doc%3a%2f%2fone`, "&lt;script&gt;alert(1)&lt;/script&gt;", "{\n  &#34;a&#34;: [\n    1,\n    2\n  ]\n}")
	p.not(t, "<script>alert", "content/1\" alt")
	for _, tt := range []struct{ path, kind, disposition, body string }{
		{"/content/0", "image/png", "", "picture"},
		{"/content/1", "application/octet-stream", "attachment", "<svg onload=alert(1)>"},
		{"/content/2", "audio/wav", "", "sound"},
		{"/content/4", "application/octet-stream", "attachment", "<script>alert(1)</script>"},
		{"/content/-1", "application/octet-stream", "attachment", `"content"`},
	} {
		res := b.do(http.MethodGet, "/"+b.i.token+p.path+tt.path, nil)
		body := res.Body.String()
		if res.Header().Get("Content-Type") != tt.kind || !strings.HasPrefix(res.Header().Get("Content-Disposition"), tt.disposition) || !strings.Contains(body, tt.body) || tt.disposition == "" && res.Header().Get("Content-Disposition") != "" {
			t.Errorf("%s: %v %q", tt.path, res.Header(), body)
		}
		if got := res.Header().Get("Content-Security-Policy"); got != "default-src 'none'; sandbox" {
			t.Errorf("%s: the policy is %q", tt.path, got)
		}
	}
	for _, path := range []string{"/content/99", "/content/x", "/content/-2"} {
		if got := b.get(p.path + path); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	b.get("/requests").want(t, "media", "add", "failed", "done")
	b.get("/requests/99").want(t, "no longer available")
}

func TestTools_ProgressAndCancel(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			p := b.post("/tools", "name", "wait")
			p.want(t, "running")
			b.until(p.path, "waiting")
			b.get("/requests").want(t, "running")
			b.post(p.path).want(t, "failed", "the request was cancelled")
			b.until("/log?q=notifications/cancelled", "notifications/cancelled")
		})
	}
}

func TestTools_Task(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			b.until("/tools?name=slow", "call it as a task")
			p := b.post("/tools", "name", "slow", "task", "1")
			b.until(p.path, "done as a task", "Task", "completed")
		})
	}
	b := inspect(t, everything(), "2025-06-18")
	b.post("/tools", "name", "slow", "task", "1").want(t, "does not support tasks")
}

func TestTools_ChangesAppear(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			b.post("/tools", "name", "grow", "value.name", "sprout").want(t, "grown")
			b.until("/tools", ">sprout<")
			b.until("/log?kind=notification", "notifications/tools/list_changed")
			b.post("/refresh", "list", "/tools").want(t, ">sprout<")
		})
	}
}
