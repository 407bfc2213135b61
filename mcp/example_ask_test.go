package mcp_test

import (
	"context"
	"fmt"
	"log"

	"github.com/docent-mcp/docent/mcp"
)

// A handler asks the user in the middle of a call. The form is derived from the struct.
func ExampleElicit() {
	type booking struct {
		Guests int    `json:"guests" jsonschema:"minimum=1,maximum=12"`
		Room   string `json:"room" jsonschema:"enum=garden,attic,default=garden"`
	}
	s := mcp.NewServer(mcp.Implementation{Name: "inn", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "book"}, func(ctx context.Context, req *mcp.Request, _ struct{}) (string, error) {
		form, action, err := mcp.Elicit[booking](ctx, req, "How many guests are you?")
		switch {
		case err != nil:
			return "", err
		case action != mcp.ActionAccept:
			return "Nothing is booked.", nil
		}
		return fmt.Sprintf("Booked the %s for %d.", form.Room, form.Guests), nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, `"elicitation":{}`)
	for _, answer := range []string{`{"action":"accept","content":{"guests":4,"room":"attic"}}`, `{"action":"decline"}`} {
		c.answers = map[string]string{"elicitation/create": answer}
		fmt.Println(c.call("tools/call", `{"name":"book"}`))
	}
	// Output:
	// asked: elicitation/create
	// {"content":[{"type":"text","text":"Booked the attic for 4."}]}
	// asked: elicitation/create
	// {"content":[{"type":"text","text":"Nothing is booked."}]}
}

// A handler asks the client's model to write a message.
func ExampleRequest_Sample() {
	s := mcp.NewServer(mcp.Implementation{Name: "mail", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "summarize"}, func(ctx context.Context, req *mcp.Request, in struct {
		Text string `json:"text"`
	}) (string, error) {
		summary, err := req.Sample(ctx, &mcp.Sampling{
			SystemPrompt: "Summarize in one sentence.",
			Messages:     []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text(in.Text)}}},
			MaxTokens:    100,
		})
		if err != nil {
			return "", err
		}
		return summary.Text(), nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, `"sampling":{}`)
	c.answers = map[string]string{
		"sampling/createMessage": `{"role":"assistant","content":{"type":"text","text":"It rains."},"model":"demo","stopReason":"endTurn"}`,
	}
	fmt.Println(c.call("tools/call", `{"name":"summarize","arguments":{"text":"Water falls from the sky and has done so for hours."}}`))
	// Output:
	// asked: sampling/createMessage
	// {"content":[{"type":"text","text":"It rains."}]}
}

func ExampleRequest_Roots() {
	s := mcp.NewServer(mcp.Implementation{Name: "files", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "where"}, func(ctx context.Context, req *mcp.Request, _ struct{}) (string, error) {
		roots, err := req.Roots(ctx)
		if err != nil || len(roots) == 0 {
			return "", err
		}
		return roots[0].URI, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, `"roots":{}`)
	c.answers = map[string]string{"roots/list": `{"roots":[{"uri":"file:///home/ada/project"}]}`}
	fmt.Println(c.call("tools/call", `{"name":"where"}`))
	// Output:
	// asked: roots/list
	// {"content":[{"type":"text","text":"file:///home/ada/project"}]}
}

// A handler asks several questions at once.
func ExampleRequest_Ask() {
	s := mcp.NewServer(mcp.Implementation{Name: "deploy", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "deploy"}, func(ctx context.Context, req *mcp.Request, _ struct{}) (string, error) {
		schema, err := mcp.FormSchema[struct {
			Target string `json:"target" jsonschema:"enum=staging,production"`
		}]()
		if err != nil {
			return "", err
		}
		target := &mcp.Elicitation{Key: "target", Message: "Where to?", Schema: schema}
		roots := &mcp.RootsQuestion{Key: "roots"}
		answers, err := req.Ask(ctx, target, roots)
		if err != nil {
			return "", err
		}
		form, folders := answers[0].(*mcp.ElicitationResult), answers[1].(*mcp.RootsResult)
		return fmt.Sprintf("%s from %s", form.Content, folders.Roots[0].URI), nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, `"elicitation":{},"roots":{}`)
	c.answers = map[string]string{
		"elicitation/create": `{"action":"accept","content":{"target":"staging"}}`,
		"roots/list":         `{"roots":[{"uri":"file:///src"}]}`,
	}
	fmt.Println(c.call("tools/call", `{"name":"deploy"}`))
	// Unordered output:
	// asked: elicitation/create
	// asked: roots/list
	// {"content":[{"type":"text","text":"{\"target\":\"staging\"} from file:///src"}]}
}
