package docserver

import (
	"context"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/mcp"
)

// toolCase is a call of a tool.
type toolCase[In any] struct {
	name string
	in   In
	want string // a part of the answer, or of the error
	fail bool
}

// expectAnswers makes calls of a tool and looks for the wanted parts in the answers.
func expectAnswers[In any](t *testing.T, call func(context.Context, *mcp.Request, In) (*answer.Answer, error), cases []toolCase[In]) {
	t.Helper()
	for _, c := range cases {
		a, err := call(t.Context(), nil, c.in)
		var text string
		if err != nil {
			text = err.Error()
		} else {
			text = a.Text
		}
		if (err != nil) != c.fail || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v: %s; want %q", c.name, err, text, c.want)
		}
	}
}
