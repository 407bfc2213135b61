package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/docent-mcp/docent/mcp"
)

type prompt struct {
	Prompt string `json:"prompt" jsonschema:"what to ask the model"`
}

type message struct {
	Message string `json:"message" jsonschema:"what to ask the user"`
}

type contact struct {
	Username string `json:"username" jsonschema:"User's response"`
	Email    string `json:"email" jsonschema:"User's email address"`
}

// elicit shows a form and describes the answer.
func elicit(ctx context.Context, r *mcp.Request, message, schema string) (string, error) {
	answer, err := r.AskUser(ctx, &mcp.Elicitation{Message: message, Schema: json.RawMessage(schema)})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Elicitation completed: action=%s, content=%s", answer.Action, answer.Content), nil
}

func sample(text string) *mcp.Sampling {
	return &mcp.Sampling{
		Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text(text)}}},
		MaxTokens: 100,
	}
}

func addInteractiveTools(s *mcp.Server) error {
	return errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "test_sampling", Description: "Asks the client's model to answer a prompt"},
			func(ctx context.Context, r *mcp.Request, in prompt) (string, error) {
				answer, err := r.Sample(ctx, sample(in.Prompt))
				if err != nil {
					return "", err
				}
				return "LLM response: " + answer.Text(), nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "test_elicitation", Description: "Asks the client's user"},
			func(ctx context.Context, r *mcp.Request, in message) (string, error) {
				answer, action, err := mcp.Elicit[contact](ctx, r, in.Message)
				return fmt.Sprintf("User response: action=%s, username=%s, email=%s", action, answer.Username, answer.Email), err
			}),
		simple(s, "test_elicitation_sep1034_defaults", "Asks with a default for every type", func(ctx context.Context, r *mcp.Request) (string, error) {
			return elicit(ctx, r, "Please review these values.", `{"type":"object","properties":{
				"name":{"type":"string","description":"User name","default":"John Doe"},
				"age":{"type":"integer","description":"User age","default":30},
				"score":{"type":"number","description":"User score","default":95.5},
				"status":{"type":"string","description":"User status","enum":["active","inactive","pending"],"default":"active"},
				"verified":{"type":"boolean","description":"Verification status","default":true}},"required":[]}`)
		}),
		simple(s, "test_elicitation_sep1330_enums", "Asks with every type of choice", func(ctx context.Context, r *mcp.Request) (string, error) {
			return elicit(ctx, r, "Please choose.", `{"type":"object","properties":{
				"untitledSingle":{"type":"string","description":"one","enum":["option1","option2","option3"]},
				"titledSingle":{"type":"string","description":"one, with titles","oneOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"}]},
				"legacyEnum":{"type":"string","description":"one, with names","enum":["opt1","opt2"],"enumNames":["Option One","Option Two"]},
				"untitledMulti":{"type":"array","description":"several","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}},
				"titledMulti":{"type":"array","description":"several, with titles","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"}]}}},
				"required":[]}`)
		}),
		simple(s, "test_streaming_elicitation", "Asks the user while it reports progress", func(ctx context.Context, r *mcp.Request) (string, error) {
			r.Progress(1, 2, "asking")
			return elicit(ctx, r, "May the tool continue?", `{"type":"object","properties":{"ok":{"type":"boolean"}}}`)
		}),
		simple(s, "test_missing_capability", "Needs the client's model", func(ctx context.Context, r *mcp.Request) (string, error) {
			answer, err := r.Sample(ctx, sample("Say hello."))
			if err != nil {
				return "", err
			}
			return answer.Text(), nil
		}),
	)
}
