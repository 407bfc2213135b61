// Command thinking is an MCP server with the tool of the reference server "sequential thinking": a
// model writes its thoughts down one by one, revises them and branches off, and the server counts
// them. It sends nothing to other services.
package main

import (
	"context"
	"errors"
	"log"
	"slices"
	"sync"

	"github.com/docent-mcp/docent/mcp"
)

type thought struct {
	Thought   string `json:"thought" jsonschema:"the current step of thinking,minLength=1,maxLength=20000"`
	Next      bool   `json:"nextThoughtNeeded" jsonschema:"whether another thought follows"`
	Number    int    `json:"thoughtNumber" jsonschema:"number of this thought,minimum=1"`
	Total     int    `json:"totalThoughts" jsonschema:"estimate of how many are needed,minimum=1"`
	Revision  bool   `json:"isRevision,omitempty" jsonschema:"whether this revises an earlier thought"`
	Revises   int    `json:"revisesThought,omitempty" jsonschema:"number of the thought that this revises,minimum=1"`
	From      int    `json:"branchFromThought,omitempty" jsonschema:"number of the thought at which a branch begins,minimum=1"`
	Branch    string `json:"branchId,omitempty" jsonschema:"name of the branch,maxLength=100"`
	NeedsMore bool   `json:"needsMoreThoughts,omitempty" jsonschema:"whether more thoughts are needed than estimated"`
}

type state struct {
	Number   int      `json:"thoughtNumber"`
	Total    int      `json:"totalThoughts"`
	Next     bool     `json:"nextThoughtNeeded"`
	Branches []string `json:"branches"`
	Length   int      `json:"thoughtHistoryLength"`
}

const (
	maxTrains   = 100  // maximum number of callers whose thoughts are counted
	maxThoughts = 1000 // maximum number of thoughts per caller
)

// train is the train of thought of one caller.
type train struct {
	length   int
	branches []string
}

// mind counts the thoughts of each caller, which is a session or a user. Clients that cannot be
// distinguished share a train of thought.
type mind struct {
	mu     sync.Mutex
	trains map[string]*train
	order  []string // callers, oldest first
}

func (m *mind) think(_ context.Context, req *mcp.Request, in thought) (state, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	caller := req.Caller()
	t := m.trains[caller]
	if t == nil || in.Number == 1 && in.Branch == "" && !in.Revision { // The first thought of a sequence starts a new one.
		if t == nil {
			m.order = append(m.order, caller)
		}
		t = &train{branches: []string{}}
		m.trains[caller] = t
		if len(m.order) > maxTrains {
			delete(m.trains, m.order[0])
			m.order = m.order[1:]
		}
	}
	if t.length == maxThoughts {
		return state{}, errors.New("the limit of 1000 thoughts is reached; conclude, or start again with thought 1")
	}
	t.length++
	if in.Branch != "" && in.From > 0 && !slices.Contains(t.branches, in.Branch) {
		t.branches = append(t.branches, in.Branch)
	}
	return state{in.Number, max(in.Total, in.Number), in.Next, slices.Clone(t.branches), t.length}, nil
}

func newServer() *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "thinking", Version: "1.0.0"}, nil)
	m := &mind{trains: map[string]*train{}}
	mcp.Must(mcp.AddTool(s, mcp.Tool{
		Name: "sequentialthinking",
		Description: "Solves a problem step by step. Write one thought per call; number them, revise earlier ones, " +
			"branch off where there are alternatives, and raise totalThoughts if you need more.",
		Annotations: &mcp.ToolAnnotations{ReadOnly: true},
	}, m.think))
	return s
}

func main() {
	if err := newServer().ServeStdio(context.Background()); err != nil {
		log.Fatal(err)
	}
}
