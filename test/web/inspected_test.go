package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	raster "image"
	"image/color"
	"image/png"
	"os"

	"github.com/docent-mcp/docent/mcp"
)

// inspected runs the server that the tests of docent mcp ui inspect. Its texts contain attacks on
// the page.
func inspected() error {
	s := mcp.NewServer(mcp.Implementation{Name: "inspected", Version: "1" + evil, Title: "Inspected " + evil, Description: evil, WebsiteURL: "javascript:window.evil=1"}, &mcp.ServerOptions{
		Instructions: "Ask it for weather.\n" + evil, Capabilities: mcp.ServerCapabilities{Logging: true},
	})
	var picture bytes.Buffer
	canvas := raster.NewRGBA(raster.Rect(0, 0, 320, 120))
	for x := range 320 {
		for y := range 120 {
			canvas.Set(x, y, color.RGBA{R: uint8(x / 2), G: uint8(y), B: 160, A: 255})
		}
	}
	if err := png.Encode(&picture, canvas); err != nil {
		return err
	}
	data, err := json.Marshal(evil)
	if err != nil {
		return err
	}
	quoted := string(data)
	started, proceed := make(chan struct{}, 100), make(chan struct{}, 100)
	fmt.Fprint(os.Stderr, "ready "+evil)
	mcp.Must(errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "forecast", Title: "Forecast", Description: "The weather of the next days.\n\nIt is free. " + evil, Annotations: &mcp.ToolAnnotations{ReadOnly: true}},
			func(_ context.Context, r *mcp.Request, in struct {
				City  string            `json:"city" jsonschema:"name of the city"`
				Days  int               `json:"days,omitempty" minimum:"1" maximum:"10" default:"3"`
				Unit  string            `json:"unit,omitempty" enum:"celsius,fahrenheit"`
				Exact *bool             `json:"exact,omitempty"`
				Parts []string          `json:"parts,omitempty" enum:"rain,wind,sun"`
				Tags  []string          `json:"tags,omitempty"`
				More  map[string]string `json:"more,omitempty"`
			}) (any, error) {
				r.Log(mcp.LevelWarning, "sky", evil)
				return in, nil
			}),
		s.AddForeignTool(mcp.Tool{Name: "evil", Title: evil, Description: evil, InputSchema: json.RawMessage(`{"type":"object","properties":{` + quoted + `:{"type":"string","title":` + quoted + `,"description":` + quoted + `,"default":` + quoted + `},"choice":{"enum":[` + quoted + `,"\"><script>window.evil=1</script>"]},"more":{"type":"object","default":{` + quoted + `:1}}}}`)},
			func(context.Context, *mcp.Request, json.RawMessage) (mcp.Result, error) {
				return mcp.RawResult(`{"content":[{"type":"text","text":` + quoted + `},
					{"type":"resource_link","uri":"javascript:window.evil=1","name":` + quoted + `,"description":` + quoted + `},
					{"type":"resource","resource":{"uri":"data:text/html,%3Cscript%3Ewindow.evil=1%3C/script%3E","mimeType":"text/html","text":` + quoted + `}},
					{"type":"image","mimeType":"image/svg+xml","data":"` + base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="window.evil=1"/>`)) + `"},
					{"type":"image","mimeType":"image/png","data":"` + base64.StdEncoding.EncodeToString(picture.Bytes()) + `"}],"structuredContent":{` + quoted + `:1},"isError":true}`), nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "break"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", &mcp.Error{Code: 7, Message: evil, Data: json.RawMessage(`{"why":` + quoted + `}`)}
		}),
		mcp.AddTool(s, mcp.Tool{Name: "slow", Description: "Waits for the tool proceed."}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Progress(1, 2, "half of it is done")
			started <- struct{}{}
			select {
			case <-proceed:
				return "all of it is done", nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}),
		mcp.AddTool(s, mcp.Tool{Name: "proceed"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			<-started
			proceed <- struct{}{}
			return "proceeding", nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "grow"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "grown", mcp.AddTool(s, mcp.Tool{Name: "sprout"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }, mcp.Replace)
		}),
		mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			got, action, err := mcp.Elicit[struct {
				Name  string `json:"name" jsonschema:"who you are" minLength:"2"`
				Color string `json:"color" enum:"red,green" default:"red"`
			}](ctx, r, "Who are you? "+evil)
			return fmt.Sprintf("%s %+v", action, got), err
		}),
		mcp.AddTool(s, mcp.Tool{Name: "sample"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			got, err := r.Sample(ctx, &mcp.Sampling{SystemPrompt: evil, MaxTokens: 17, Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text(evil)}}}})
			if err != nil {
				return "", err
			}
			return got.Text(), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "visit"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			answer, err := r.AskUser(ctx, &mcp.Elicitation{Message: "Pay here.", URL: "https://pay.example.com/bill", ID: "1"})
			if err != nil {
				return "", err
			}
			return string(answer.Action), nil
		}),
		s.AddPrompt(mcp.Prompt{Name: "greet", Title: evil, Description: "Greets. " + evil, Arguments: []mcp.PromptArgument{{Name: "who", Description: evil, Required: true, Complete: mcp.OneOf("Ada", "Alan", "Grace")}}},
			func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
				return &mcp.PromptResult{Description: evil, Messages: []mcp.PromptMessage{{Content: mcp.Text("Hello, " + args["who"] + evil)}}}, nil
			}),
		s.AddResource(mcp.Resource{URI: "doc://one", Name: "one", Description: evil, MIMEType: "text/html"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: evil, MIMEType: "text/html"}}, nil
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "page://{book}/{id}", Name: "page", Title: "A page", Complete: map[string]mcp.Completer{"id": mcp.OneOf("1", "12")}},
			func(_ context.Context, _ *mcp.Request, uri string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{{Text: uri}}, nil
			}),
	))
	return s.ServeStdio(context.Background())
}
