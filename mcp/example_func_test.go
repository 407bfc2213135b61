package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// AddFunc turns a function of the program into a tool. It is suitable for functions that do not
// need to know the caller.
func ExampleAddFunc() {
	type input struct {
		Text  string `json:"text" jsonschema:"the text to repeat"`
		Times int    `json:"times,omitempty" jsonschema:"minimum=1,maximum=10,default=2"`
	}
	repeat := func(_ context.Context, in input) (string, error) {
		if in.Text == "" {
			return "", errors.New("there is nothing to repeat")
		}
		return strings.Repeat(in.Text, in.Times), nil
	}
	s := mcp.NewServer(mcp.Implementation{Name: "texts", Version: "1.0.0"}, nil)
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "repeat", Description: "Repeats a text."}, repeat))

	fmt.Println(ask(s, "tools/call", `"name":"repeat","arguments":{"text":"ha"}`))
	// Output:
	// {"content":[{"text":"haha","type":"text"}]}
}
