package main

import (
	"errors"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestRecipes(t *testing.T) {
	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	c, cuisine := mcptest.Connect(t, s, nil), cuisines[0]
	found, err := c.CompletePrompt(t.Context(), "weekly-meal-planner", "cuisine", cuisine[:1], nil)
	if err != nil || len(found.Values) == 0 || found.Values[0] != cuisine {
		t.Errorf("completion: %+v, %v", found, err)
	}
	res, err := c.ReadResource(t.Context(), "file://recipes/"+cuisine, nil)
	if err != nil || res.Contents[0].Text != recipes[cuisine] {
		t.Errorf("recipe: %+v, %v", res, err)
	}
	if _, err := c.ReadResource(t.Context(), "file://recipes/none", nil); !errors.Is(err, mcp.ErrResourceNotFound) {
		t.Errorf("a cuisine without recipes: %v", err)
	}
	prompt, err := c.GetPrompt(t.Context(), "weekly-meal-planner", map[string]string{"cuisine": cuisine}, nil)
	if err != nil || prompt.Messages[1].Content.(*mcp.EmbeddedResource).Resource.Text != recipes[cuisine] {
		t.Errorf("prompt: %+v, %v", prompt, err)
	}
}
