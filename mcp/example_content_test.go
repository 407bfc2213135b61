package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// forecast is sent as structured content for programs, and as the text of ToolContent for the
// model.
type forecast struct {
	Celsius int `json:"celsius"`
}

func (f forecast) ToolContent() []mcp.Content {
	return []mcp.Content{mcp.Textf("It will be %d degrees.", f.Celsius)}
}

func ExampleContentProvider() {
	s := mcp.NewServer(mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "forecast"}, func(context.Context, *mcp.Request, struct{}) (forecast, error) {
		return forecast{21}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "tools/call", `"name":"forecast"`))
	// Output: {"content":[{"text":"It will be 21 degrees.","type":"text"}],"structuredContent":{"celsius":21}}
}

// A result can contain blocks of several types, with annotations that specify their audience.
func ExampleContent() {
	s := mcp.NewServer(mcp.Implementation{Name: "docs", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "find"}, func(context.Context, *mcp.Request, struct{}) ([]mcp.Content, error) {
		return []mcp.Content{
			&mcp.TextContent{Text: "Found two pages.", Annotations: &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser}}},
			&mcp.ResourceLink{URI: "docs://install", Name: "install"},
			&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "docs://use", MIMEType: "text/plain", Text: "Run it."}},
		}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "tools/call", `"name":"find"`))
	// Output: {"content":[{"annotations":{"audience":["user"]},"text":"Found two pages.","type":"text"},{"name":"install","type":"resource_link","uri":"docs://install"},{"resource":{"mimeType":"text/plain","text":"Run it.","uri":"docs://use"},"type":"resource"}]}
}

// An *Error is meant for the client's software. Any other error is meant for the model.
func ExampleError() {
	s := mcp.NewServer(mcp.Implementation{Name: "bank", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "pay"}, func(_ context.Context, _ *mcp.Request, in struct {
		Amount int `json:"amount"`
	}) (string, error) {
		if in.Amount > 100 {
			return "", fmt.Errorf("%d is more than the account holds", in.Amount)
		}
		return "", &mcp.Error{Code: 1001, Message: "The bank is closed", Data: json.RawMessage(`{"opens":"09:00"}`)}
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "tools/call", `"name":"pay","arguments":{"amount":500}`))
	fmt.Println(ask(s, "tools/call", `"name":"pay","arguments":{"amount":5}`))
	// Output:
	// {"content":[{"text":"500 is more than the account holds","type":"text"}],"isError":true}
	// {"code":1001,"data":{"opens":"09:00"},"message":"The bank is closed"}
}

// The user enters secrets on a web page if they must not pass through the client.
func ExampleElicitation_url() {
	s := mcp.NewServer(mcp.Implementation{Name: "mail", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "send"}, func(ctx context.Context, req *mcp.Request, _ struct{}) (string, error) {
		login := &mcp.Elicitation{Message: "Log in to your mailbox.", URL: "https://mail.example.com/login?state=41", ID: "41"}
		answer, err := req.AskUser(ctx, login)
		if err != nil {
			return "", err
		}
		if answer.Action != mcp.ActionAccept {
			return "Not sent.", nil
		}
		// The user's consent does not mean that the login is complete. The page reports its
		// completion.
		req.Session().ElicitationComplete("41")
		return "Sent.", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, `"elicitation":{"url":{}}`)
	c.answers = map[string]string{"elicitation/create": `{"action":"accept"}`}
	fmt.Println(c.call("tools/call", `{"name":"send"}`))
	// Output:
	// asked: elicitation/create
	// elicitation/complete {"elicitationId":"41"}
	// {"content":[{"type":"text","text":"Sent."}]}
}

// A handler can turn a slow call into a task.
func ExampleRequest_BecomeTask() {
	s := mcp.NewServer(mcp.Implementation{Name: "builder", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "build", TaskSupport: mcp.TaskSupportOptional, TaskByHandler: true}, func(_ context.Context, req *mcp.Request, in struct {
		Cached bool `json:"cached,omitempty"`
	}) (string, error) {
		if in.Cached {
			return "was built before", nil
		}
		if _, err := req.BecomeTask(); err != nil {
			return "", err
		}
		req.SetStatusMessage("compiling")
		return "built", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "tools/call", `"name":"build","arguments":{"cached":true}`))
	fmt.Println(ask(s, "tools/call", `"name":"build"`)) // a client without support for tasks
	// Output:
	// {"content":[{"text":"was built before","type":"text"}]}
	// {"content":[{"text":"built","type":"text"}]}
}

// noisyTasks is a task store in memory that prints changes. A real store could use a database.
type noisyTasks struct{ byID sync.Map }

func (s *noisyTasks) Put(_ context.Context, t *mcp.TaskRecord) error {
	fmt.Println("a task is", t.Status)
	s.byID.Store(t.ID, *t)
	return nil
}

func (s *noisyTasks) Get(_ context.Context, id string) (*mcp.TaskRecord, error) {
	task, _ := s.byID.Load(id)
	t, ok := task.(mcp.TaskRecord)
	if !ok || time.Since(t.Created) > t.TTL {
		return nil, mcp.ErrTaskNotFound
	}
	return &t, nil
}

func (s *noisyTasks) List(context.Context, string, string, int) ([]*mcp.TaskRecord, error) {
	return nil, nil // the clients in this example do not list tasks
}

func ExampleTaskStore() {
	s := mcp.NewServer(mcp.Implementation{Name: "baker", Version: "1.0.0"}, &mcp.ServerOptions{Tasks: mcp.TaskOptions{Store: new(noisyTasks)}})
	done := make(chan struct{})
	err := mcp.AddTool(s, mcp.Tool{Name: "bake", TaskSupport: mcp.TaskSupportRequired}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		defer close(done)
		return "bread", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, ``)
	c.send(`"id":2,"method":"tools/call","params":{"name":"bake","task":{}}`)
	<-done
	for c.next().Method != "notifications/tasks/status" { // the notification may arrive before the response
	}
	// Output:
	// a task is working
	// a task is completed
}

// Proxies in front of the server can route requests by an argument that clients copy to a header.
func ExampleTool_header() {
	s := mcp.NewServer(mcp.Implementation{Name: "db", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{
		Name:        "query",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"sql":{"type":"string"}},"required":["region","sql"]}`),
	}, func(_ context.Context, _ *mcp.Request, in struct {
		Region string `json:"region"`
		SQL    string `json:"sql"`
	}) (string, error) {
		return "asked " + in.Region, nil // the client has also sent the header Mcp-Param-Region
	})
	fmt.Println(err)
	// Output: <nil>
}
