package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

const nameForm = `{"type":"object","properties":{"name":{"type":"string","description":"your name"}}}`

// question returns a form with an optional name.
func question(key, message string) *mcp.Elicitation {
	return &mcp.Elicitation{Key: key, Message: message, Schema: json.RawMessage(nameForm)}
}

// name returns the name in the answer.
func name(answer mcp.Answer) string {
	var form struct{ Name string }
	result := answer.(*mcp.ElicitationResult)
	if result.Action != mcp.ActionAccept || json.Unmarshal(result.Content, &form) != nil {
		return string(result.Action)
	}
	return form.Name
}

// state returns "state-ok" for a request with a requestState. The library
// refuses states that it has not sealed for this call.
func state(r *mcp.Request) string {
	var params struct{ RequestState string }
	if json.Unmarshal(r.Params(), &params) != nil || params.RequestState == "" {
		return "no state"
	}
	return "state-ok"
}

func addInputRequiredTools(s *mcp.Server) error {
	// ask adds a tool that asks several rounds of questions, one after another.
	ask := func(tool, description string, rounds ...func() []mcp.Question) error {
		return simple(s, "test_input_required_result_"+tool, description, func(ctx context.Context, r *mcp.Request) (string, error) {
			var text strings.Builder
			text.WriteString(state(r) + ":")
			for _, round := range rounds {
				answers, err := r.Ask(ctx, round()...)
				if err != nil {
					return "", err
				}
				for _, answer := range answers {
					text.WriteString(" " + describe(answer))
				}
			}
			return text.String(), nil
		})
	}
	one := func(make func() mcp.Question) func() []mcp.Question {
		return func() []mcp.Question { return []mcp.Question{make()} }
	}
	return errors.Join(
		ask("elicitation", "Asks for a name", one(func() mcp.Question { return question("user_name", "What is your name?") })),
		ask("sampling", "Asks the model", one(func() mcp.Question { return sample("What is the capital of France?") })),
		ask("list_roots", "Asks for roots", one(func() mcp.Question { return new(mcp.RootsQuestion) })),
		ask("request_state", "Asks, and stores state at the client", one(func() mcp.Question { return question("confirm", "Who confirms?") })),
		ask("tampered_state", "Asks, and seals its state", one(func() mcp.Question { return question("confirm", "Who confirms?") })),
		ask("multiple_inputs", "Asks three questions together", func() []mcp.Question {
			return []mcp.Question{question("user_name", "What is your name?"), sample("Write a greeting."), new(mcp.RootsQuestion)}
		}),
		ask("multi_round", "Asks twice",
			one(func() mcp.Question { return question("step1", "What is your name?") }),
			one(func() mcp.Question { return question("step2", "And your friend's?") })),
		simple(s, "test_input_required_result_capabilities", "Asks the questions that the client's capabilities allow", func(ctx context.Context, r *mcp.Request) (string, error) {
			caps := r.ClientCapabilities()
			var questions []mcp.Question
			if caps.Elicitation != nil {
				questions = append(questions, question("user_name", "What is your name?"))
			}
			if caps.Sampling != nil {
				questions = append(questions, sample("Write a greeting."))
			}
			if caps.Roots != nil {
				questions = append(questions, new(mcp.RootsQuestion))
			}
			answers, err := r.Ask(ctx, questions...)
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("%d questions answered", len(answers)), nil
		}),
	)
}

// describe describes the answer to a question.
func describe(answer mcp.Answer) string {
	switch answer := answer.(type) {
	case *mcp.SamplingResult:
		return answer.Text()
	case *mcp.RootsResult:
		return fmt.Sprint(answer.Roots)
	}
	return name(answer)
}
