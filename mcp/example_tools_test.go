package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// This server has one tool and uses standard input and output.
func Example() {
	s := mcp.NewServer(mcp.Implementation{Name: "greeter", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "greet", Description: "Greets somebody."},
		func(_ context.Context, _ *mcp.Request, in struct {
			Name string `json:"name" jsonschema:"who to greet"`
		}) (string, error) {
			return "Hello, " + in.Name + "!", nil
		})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.ServeStdio(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// The arguments and the result of a tool are Go types. Schemas are derived from them, and arguments
// and results are validated.
func ExampleAddTool() {
	type route struct {
		From string `json:"from" jsonschema:"where to start,minLength=1"`
		To   string `json:"to" jsonschema:"where to go,minLength=1"`
		By   string `json:"by,omitempty" jsonschema:"enum=bike,train,default=train"`
	}
	type trip struct {
		Minutes int `json:"minutes"`
	}
	s := mcp.NewServer(mcp.Implementation{Name: "travel", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "plan_trip"}, func(_ context.Context, _ *mcp.Request, in route) (trip, error) {
		if in.To == "Atlantis" {
			return trip{}, errors.New("there is no way to Atlantis") // the model receives this error
		}
		return trip{map[string]int{"bike": 200, "train": 50}[in.By]}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "tools/call", `"name":"plan_trip","arguments":{"from":"Delft","to":"Gouda"}`))
	fmt.Println(ask(s, "tools/call", `"name":"plan_trip","arguments":{"from":"Delft","to":"Atlantis"}`))
	fmt.Println(ask(s, "tools/call", `"name":"plan_trip","arguments":{"from":"Delft","to":"Gouda","by":"car"}`))
	// Output:
	// {"content":[{"text":"{\"minutes\":50}","type":"text"}],"structuredContent":{"minutes":50}}
	// {"content":[{"text":"there is no way to Atlantis","type":"text"}],"isError":true}
	// {"content":[{"text":"Invalid arguments for tool \"plan_trip\": /by: \"car\" is not one of the allowed values: \"bike\", \"train\"","type":"text"}],"isError":true}
}

// Without types for its arguments and result, a tool receives JSON and returns a complete result.
func ExampleCallToolResult() {
	s := mcp.NewServer(mcp.Implementation{Name: "charts", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{
		Name:        "chart",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"values":{"type":"array","items":{"type":"number"}}}}`),
	}, func(_ context.Context, _ *mcp.Request, in json.RawMessage) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{
			Content: []mcp.Content{
				mcp.Textf("A chart of %s", in),
				&mcp.ImageContent{Data: []byte("<svg/>"), MIMEType: "image/svg+xml"},
			},
			Meta: mcp.Meta{"com.example/palette": "dark"},
		}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "tools/call", `"name":"chart","arguments":{"values":[1,2]}`))
	// Output: {"content":[{"text":"A chart of {\"values\":[1,2]}","type":"text"},{"data":"PHN2Zy8+","mimeType":"image/svg+xml","type":"image"}]}
}

// A gateway provides the tools of other servers without Go types for them.
func ExampleRawResult_gateway() {
	// These are another server's responses to tools/list and tools/call.
	name, schema := "translate", json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)
	answer := `{"content":[{"type":"text","text":"bonjour"}],"structuredContent":{"to":"fr"}}`

	s := mcp.NewServer(mcp.Implementation{Name: "gateway", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: name, InputSchema: schema},
		func(context.Context, *mcp.Request, json.RawMessage) (mcp.RawResult, error) {
			return mcp.RawResult(answer), nil
		}, mcp.Replace)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "tools/call", `"name":"translate","arguments":{"text":"hello"}`))
	// Output: {"content":[{"text":"bonjour","type":"text"}],"structuredContent":{"to":"fr"}}
}

func ExampleRequest_Progress() {
	s := mcp.NewServer(mcp.Implementation{Name: "files", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "index"}, func(_ context.Context, req *mcp.Request, in struct {
		Files []string `json:"files"`
	}) (string, error) {
		for i, file := range in.Files {
			req.Progress(float64(i+1), float64(len(in.Files)), file)
		}
		return "done", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, ``)
	fmt.Println(c.call("tools/call", `{"name":"index","arguments":{"files":["a.txt","b.txt"]},"_meta":{"progressToken":"t"}}`))
	// Output:
	// progress {"progressToken":"t","progress":1,"total":2,"message":"a.txt"}
	// progress {"progressToken":"t","progress":2,"total":2,"message":"b.txt"}
	// {"content":[{"type":"text","text":"done"}]}
}

func ExampleRequest_Log() {
	s := mcp.NewServer(mcp.Implementation{Name: "db", Version: "1.0.0"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	err := mcp.AddTool(s, mcp.Tool{Name: "connect"}, func(_ context.Context, req *mcp.Request, _ struct{}) (string, error) {
		req.Log(mcp.LevelDebug, "db", "not wanted by default")
		req.Log(mcp.LevelWarning, "db", map[string]any{"host": "db1", "password": "hunter2"})
		return "connected", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, ``)
	fmt.Println(c.call("tools/call", `{"name":"connect"}`))
	// Unordered output:
	// message {"level":"warning","logger":"db","data":{"host":"db1","password":"[redacted]"}}
	// {"content":[{"type":"text","text":"connected"}]}
}

// A call to such a tool is answered immediately, and the client fetches the
// result later. Clients without tasks wait for the result.
func ExampleTool_task() {
	s := mcp.NewServer(mcp.Implementation{Name: "baker", Version: "1.0.0"}, &mcp.ServerOptions{Tasks: mcp.TaskOptions{TTL: time.Hour}})
	err := mcp.AddTool(s, mcp.Tool{Name: "bake", TaskSupport: mcp.TaskSupportOptional}, func(_ context.Context, req *mcp.Request, _ struct{}) (string, error) {
		req.SetStatusMessage("in the oven")
		return "bread", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, ``)
	fmt.Println(c.call("tools/call", `{"name":"bake"}`))
	var created struct {
		Task struct {
			TaskID string `json:"taskId"`
		}
	}
	c.send(`"id":2,"method":"tools/call","params":{"name":"bake","task":{}}`)
	for created.Task.TaskID == "" {
		if m := c.next(); m.ID != nil {
			if err := json.Unmarshal(m.Result, &created); err != nil {
				log.Fatal(err)
			}
		}
	}
	c.send(fmt.Sprintf(`"id":3,"method":"tasks/result","params":{"taskId":%q}`, created.Task.TaskID))
	for {
		if m := c.next(); string(m.ID) == "3" {
			var result struct{ Content json.RawMessage }
			if err := json.Unmarshal(m.Result, &result); err != nil {
				log.Fatal(err)
			}
			fmt.Println("later:", string(result.Content))
			return
		}
	}
	// Output:
	// {"content":[{"type":"text","text":"bread"}]}
	// later: [{"type":"text","text":"bread"}]
}
