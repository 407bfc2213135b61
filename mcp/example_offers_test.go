package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// ask sends one request to s as a client, and returns the result without the members that all
// results have.
func ask(s *mcp.Server, method, members string) string {
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,%s}}`, method, members, modernMeta(""))
	var out bytes.Buffer
	conn := struct {
		io.Reader
		io.Writer
	}{strings.NewReader(line + "\n"), &out}
	if err := s.ServeConn(context.Background(), conn); err != nil {
		log.Fatal(err)
	}
	var m struct {
		Result map[string]any
		Error  any
	}
	if err := json.Unmarshal(out.Bytes(), &m); err != nil {
		log.Fatal(err)
	}
	delete(m.Result, "_meta")
	delete(m.Result, "resultType")
	var shown any = m.Result
	if m.Error != nil {
		shown = m.Error
	}
	text, err := json.Marshal(shown)
	if err != nil {
		log.Fatal(err)
	}
	return string(text)
}

func ExampleServer_AddPrompt() {
	s := mcp.NewServer(mcp.Implementation{Name: "reviewer", Version: "1.0.0"}, nil)
	err := s.AddPrompt(mcp.Prompt{
		Name:        "review",
		Description: "Reviews a file.",
		Arguments: []mcp.PromptArgument{
			{Name: "file", Description: "path of the file", Required: true},
			{Name: "focus", Complete: mcp.OneOf("speed", "safety", "style")},
		},
	}, func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
		task := "Review " + args["file"] + "."
		if focus, ok := args["focus"]; ok {
			task += " Look at its " + focus + "."
		}
		return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.Text(task)}}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "prompts/get", `"name":"review","arguments":{"file":"main.go","focus":"safety"}`))
	fmt.Println(ask(s, "prompts/get", `"name":"review"`))
	// Output:
	// {"messages":[{"content":{"text":"Review main.go. Look at its safety.","type":"text"},"role":"user"}]}
	// {"code":-32602,"message":"Prompt review needs the argument file"}
}

func ExampleServer_AddResource() {
	s := mcp.NewServer(mcp.Implementation{Name: "docs", Version: "1.0.0"}, nil)
	err := s.AddResource(mcp.Resource{
		URI: "docs://readme", Name: "readme", MIMEType: "text/markdown",
		Caching: mcp.Caching{TTL: time.Hour, Public: true},
	}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{{Text: "# Read me"}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "resources/read", `"uri":"docs://readme"`))
	// Output:
	// {"cacheScope":"public","contents":[{"mimeType":"text/markdown","text":"# Read me","uri":"docs://readme"}],"ttlMs":3600000}
}

func ExampleServer_AddResourceTemplate() {
	recipes := map[string]string{"ramen": "Boil noodles.", "röschti": "Grate potatoes."}
	s := mcp.NewServer(mcp.Implementation{Name: "recipes", Version: "1.0.0"}, nil)
	err := s.AddResourceTemplate(mcp.ResourceTemplate{
		URITemplate: "recipes://{dish}{?servings}",
		Name:        "recipe",
		MIMEType:    "text/plain",
		Complete:    map[string]mcp.Completer{"dish": mcp.OneOf("ramen", "röschti")},
	}, func(_ context.Context, _ *mcp.Request, _ string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
		recipe, ok := recipes[vars.Get("dish")]
		if !ok {
			return nil, mcp.ErrResourceNotFound
		}
		if servings := vars.Get("servings"); servings != "" {
			recipe += " Serves " + servings + "."
		}
		return []mcp.ResourceContents{{Text: recipe}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "resources/read", `"uri":"recipes://r%C3%B6schti?servings=4"`))
	fmt.Println(ask(s, "resources/read", `"uri":"recipes://pizza"`))
	fmt.Println(ask(s, "completion/complete", `"ref":{"type":"ref/resource","uri":"recipes://{dish}{?servings}"},"argument":{"name":"dish","value":"r"}`))
	// Output:
	// {"cacheScope":"private","contents":[{"mimeType":"text/plain","text":"Grate potatoes. Serves 4.","uri":"recipes://r%C3%B6schti?servings=4"}],"ttlMs":0}
	// {"code":-32602,"data":{"uri":"recipes://pizza"},"message":"Resource not found"}
	// {"completion":{"hasMore":false,"total":2,"values":["ramen","röschti"]}}
}

func ExampleResourceTemplate_Expand() {
	recipe := mcp.ResourceTemplate{URITemplate: "recipes://{dish}{?servings}"}
	uri, err := recipe.Expand(map[string]any{"dish": "röschti"})
	fmt.Println(uri, err)
	// Output: recipes://r%C3%B6schti <nil>
}

func ExampleSuggest() {
	fmt.Println(mcp.Suggest("net", []string{"golang.org/x/net", "internet", "net/http", "n-e-t"}).Values)
	// Output: [net/http golang.org/x/net internet n-e-t]
}

// A completer can use the arguments that the user has already chosen.
func ExampleCompleter() {
	cities := map[string][]string{"France": {"Paris", "Lyon"}, "Peru": {"Lima", "Cusco"}}
	s := mcp.NewServer(mcp.Implementation{Name: "travel", Version: "1.0.0"}, nil)
	err := s.AddPrompt(mcp.Prompt{Name: "trip", Arguments: []mcp.PromptArgument{
		{Name: "country", Complete: mcp.OneOf("France", "Peru")},
		{Name: "city", Complete: func(_ context.Context, _ *mcp.Request, typed string, chosen map[string]string) (mcp.Completion, error) {
			return mcp.Suggest(typed, cities[chosen["country"]]), nil
		}},
	}}, func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
		return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Textf("Plan a trip to %s.", args["city"])}}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "completion/complete", `"ref":{"type":"ref/prompt","name":"trip"},"argument":{"name":"city","value":"l"},"context":{"arguments":{"country":"Peru"}}`))
	// Output: {"completion":{"hasMore":false,"total":1,"values":["Lima"]}}
}
