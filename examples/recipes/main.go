// Command recipes is an MCP server with resources, completion and a prompt, on
// standard input and output.
package main

import (
	"context"
	"log"
	"maps"
	"slices"

	"github.com/docent-mcp/docent/mcp"
)

var recipes = map[string]string{
	"italian":  "# Cacio e pepe\n\nBoil spaghetti. Toss with pecorino, pepper and some of the water.\n",
	"japanese": "# Oyakodon\n\nSimmer chicken and onion in dashi. Add eggs. Serve on rice.\n",
	"mexican":  "# Chilaquiles\n\nFry strips of tortilla. Stir into salsa verde. Top with cheese.\n",
}

var cuisines = slices.Sorted(maps.Keys(recipes))

// read returns the recipes of a cuisine.
func read(_ context.Context, _ *mcp.Request, _ string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
	recipe, ok := recipes[vars.Get("cuisine")]
	if !ok {
		return nil, mcp.ErrResourceNotFound
	}
	return []mcp.ResourceContents{{Text: recipe}}, nil
}

// plan is a prompt for a meal plan, together with the recipes that it needs.
func plan(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
	cuisine := args["cuisine"]
	recipe, ok := recipes[cuisine]
	if !ok {
		return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "There are no recipes for that cuisine"}
	}
	return &mcp.PromptResult{Messages: []mcp.PromptMessage{
		{Content: mcp.Textf("Plan the meals of a week based on these %s recipes, with a shopping list.", cuisine)},
		{Content: &mcp.EmbeddedResource{Resource: mcp.ResourceContents{
			URI: "file://recipes/" + cuisine, MIMEType: "text/markdown", Text: recipe,
		}}},
	}}, nil
}

func newServer() (*mcp.Server, error) {
	s := mcp.NewServer(mcp.Implementation{Name: "recipes", Version: "1.0.0"}, nil)
	err := s.AddResourceTemplate(mcp.ResourceTemplate{
		URITemplate: "file://recipes/{cuisine}",
		Name:        "recipes",
		Description: "Recipes of a cuisine.",
		MIMEType:    "text/markdown",
		Complete:    map[string]mcp.Completer{"cuisine": mcp.OneOf(cuisines...)},
	}, read)
	if err != nil {
		return nil, err
	}
	err = s.AddPrompt(mcp.Prompt{
		Name:        "weekly-meal-planner",
		Title:       "Weekly meal planner",
		Description: "Plans the meals of a week.",
		Arguments: []mcp.PromptArgument{
			{Name: "cuisine", Description: "what to cook", Required: true, Complete: mcp.OneOf(cuisines...)},
		},
	}, plan)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func main() {
	s, err := newServer()
	if err != nil {
		log.Fatal(err)
	}
	if err := s.ServeStdio(context.Background()); err != nil {
		log.Fatal(err)
	}
}
