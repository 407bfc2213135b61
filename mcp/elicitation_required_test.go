package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestARefusalForAPageThatIsNoneIsAnInternalError(t *testing.T) {
	for _, page := range []mcp.Elicitation{{Message: "Pay.", URL: "pay", ID: "1"}, {Message: "Pay.", URL: "https://example.com"}, {URL: "https://example.com", ID: "1"}} {
		if e := mcp.URLElicitationRequired("Pay first", &page); e.Code != mcp.CodeInternalError || e.Data != nil {
			t.Errorf("%+v: %+v", page, e)
		}
	}
}

func TestARefusalUntilAPageWasVisitedIsOfOneRevision(t *testing.T) {
	proves(t, "elicit.required-error", "elicit.required-error.list", "elicit.required-error.entries", "elicit.required-error.only-url", "base.error.retired", "base.error.legacy-range.avoid", "base.error.legacy-range.no-new", "base.error.reserved-range.no-undefined")
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "pay"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", mcp.URLElicitationRequired("Pay first", &mcp.Elicitation{Message: "Please pay.", URL: "https://example.com/pay", ID: longID},
				&mcp.Elicitation{Key: "sign", Message: "Sign.", URL: "https://example.com/sign", ID: "2"})
		}),
		mcp.AddTool(s, mcp.Tool{Name: "form"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", mcp.URLElicitationRequired("Fill it in", &mcp.Elicitation{Message: "Who?", Schema: json.RawMessage(`{"type":"object"}`)})
		}),
		mcp.AddTool(s, mcp.Tool{Name: "both"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", mcp.URLElicitationRequired("Pay and fill it in", &mcp.Elicitation{Message: "Pay.", URL: "https://example.com/pay", ID: "1"},
				&mcp.Elicitation{Message: "Who?", Schema: json.RawMessage(`{"type":"object"}`)})
		}),
		mcp.AddTool(s, mcp.Tool{Name: "none"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", mcp.URLElicitationRequired("Later")
		}),
		mcp.AddTool(s, mcp.Tool{Name: "nameless"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", mcp.URLElicitationRequired("Pay first", &mcp.Elicitation{Message: "Pay.", URL: "https://example.com/pay", ID: "1"},
				&mcp.Elicitation{Message: "Sign.", URL: "https://example.com/sign"})
		}),
		mcp.AddTool(s, mcp.Tool{Name: "many"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			var pages []*mcp.Elicitation
			for i := range 20 { // half of the pages are the same
				pages = append(pages, &mcp.Elicitation{Message: "Visit.", URL: fmt.Sprint("https://example.com/", i/2), ID: strconv.Itoa(i)})
			}
			return "", mcp.URLElicitationRequired("Visit all", pages...)
		}),
		mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return "", askOnly(ctx, r, &mcp.Elicitation{Message: "Please pay.", URL: "https://example.com/pay", ID: "1"})
		}),
		mcp.AddTool(s, mcp.Tool{Name: "code"}, func(_ context.Context, _ *mcp.Request, in struct {
			Code int `json:"code"`
		}) (string, error) {
			return "", &mcp.Error{Code: in.Code, Message: "no"}
		}))
	for _, code := range []int{-32002, -32042} {
		refusal := &mcp.Error{Code: code, Message: "no"}
		must(t,
			s.AddPrompt(mcp.Prompt{Name: strconv.Itoa(code), Arguments: []mcp.PromptArgument{{Name: "a", Complete: func(context.Context, *mcp.Request, string, map[string]string) (mcp.Completion, error) {
				return mcp.Completion{}, refusal
			}}}}, fails(refusal)),
			s.AddResource(mcp.Resource{URI: fmt.Sprint("x:", code), Name: "x"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
				return nil, refusal
			}),
			s.Handle(fmt.Sprint("example/", code), func(context.Context, *mcp.Request) (mcp.Result, error) { return nil, refusal }))
	}
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "tools/call", params(`"name":"pay"`))
		if revision == "2025-11-25" {
			pages := list(m.Error.Data["elicitations"])
			if m.Error.Code != -32042 || len(pages) != 2 || object(pages[1])["elicitationId"] != "2" || object(pages[1])["mode"] != "url" || object(pages[0])["elicitationId"] != longID || object(pages[0])["url"] != "https://example.com/pay" || object(pages[0])["message"] != "Please pay." || object(pages[0])["mode"] != "url" {
				t.Error(m.line)
			}
		} else if m.Error == nil || m.Error.Code != mcp.CodeInternalError || m.Error.Message != "Pay first" {
			t.Error(m.line)
		}
		for _, code := range []string{"-32002", "-32042"} {
			for _, m := range []*message{
				p.ask("4", "prompts/get", params(promptParams(code, ""))),
				p.ask("5", "resources/read", params(`"uri":"x:`+code+`"`)),
				p.ask("6", "example/"+code, params("")),
				p.ask("7", "completion/complete", params(`"ref":{"type":"ref/prompt","name":"`+code+`"},"argument":{"name":"a","value":""}`)),
			} {
				if m.Error == nil || revision == latest && strconv.Itoa(m.Error.Code) == code {
					t.Error(m.line)
				}
			}
		}
		if m := p.ask("3", "tools/call", params(callParams("none", "{}"))); revision == "2025-11-25" && m.Error.Data["elicitations"] == nil {
			t.Errorf("no list of pages: %s", m.line)
		}
		if m := p.ask("3", "tools/call", params(callParams("many", "{}"))); revision == "2025-11-25" {
			pages := list(m.Error.Data["elicitations"])
			if len(pages) != 20 {
				t.Errorf("of 20 pages: %s", m.line)
			}
			for i, page := range pages {
				sameJSON(t, "page", page, fmt.Sprintf(`{"mode":"url","message":"Visit.","url":"https://example.com/%d","elicitationId":"%d"}`, i/2, i))
			}
		}
		for _, name := range []string{"form", "both", "nameless", "ask"} {
			if m := p.ask("3", "tools/call", params(callParams(name, "{}"))); m.Error != nil && m.Error.Code == -32042 {
				t.Errorf("%s: %s", name, m.line)
			}
		}
		codes := []int{-1, 7, -32602, 1 << 40, -1 << 40}
		for code := -32100; code <= -31999; code++ {
			codes = append(codes, code)
		}
		for _, code := range codes {
			want := code
			switch reserved := -32099 <= code && code <= -32000; {
			case code == -32042 && revision != core: // this error lists the pages to visit, which other revisions do not support
				want = mcp.CodeInternalError
			case revision != latest || !reserved:
			case code == -32002:
				want = mcp.CodeInvalidParams // the code that these revisions use for unknown resources
			case code < -32022 || code > -32020: // the revision defines the codes between these
				want = mcp.CodeInternalError
			}
			m := p.ask("2", "tools/call", params(callParams("code", fmt.Sprintf(`{"code":%d}`, code))))
			if m.Error == nil || m.Error.Code != want {
				t.Errorf("code %d: %s", code, m.line)
			}
		}
	})
}
