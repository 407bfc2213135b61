package docserver

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/mcp"
)

// describeTool returns the tool that describes packages of a language.
func describeTool(l *ecosystem.Info) tool {
	arguments := []argument{
		packageName(l),
		text("symbol", "names or patterns: "+strings.Join(l.Help.Symbols, ", ")+", With*"),
		projectPath(),
		text("version", "default: the project's"),
		{"source", false, property{Type: "string", Description: "true, or lines 20-80", truth: true}},
	}
	if l.Platform != "" {
		arguments = append(arguments, text("platform", l.Platform))
	}
	if l.Features != "" {
		arguments = append(arguments, text("features", l.Features))
	}
	if l.OptionalTypes {
		arguments = append(arguments, flag("includeTypes"))
	}
	if l.OptionalExamples {
		arguments = append(arguments, flag("includeExamples"))
	}
	return tool{
		l.Tool(describeName),
		"Documentation of " + l.Help.Noun + " at the project's version. Without symbol an overview, small packages whole. " +
			"With symbol all a call needs: signature, comment, types, examples. Ask for many at once, methods by name (types show " +
			"them in brief); a wrong guess finds the nearest.",
		append(arguments, maxTokens()),
	}
}

// describeInput contains the arguments for all languages. Each tool's schema contains the arguments
// that its language supports.
type describeInput struct {
	Package         string `json:"package"`
	Symbol          string `json:"symbol"`
	ProjectPath     string `json:"projectPath"`
	Version         string `json:"version"`
	Source          string `json:"source"`
	Platform        string `json:"platform"`
	Features        string `json:"features"`
	IncludeTypes    bool   `json:"includeTypes"`
	IncludeExamples bool   `json:"includeExamples"`
	MaxTokens       int    `json:"maxTokens"`
}

// describe answers calls to a language's describe tool.
func (s *server) describe(l *ecosystem.Info) func(context.Context, *mcp.Request, describeInput) (*answer.Answer, error) {
	guide := guide(l)
	return func(ctx context.Context, req *mcp.Request, in describeInput) (*answer.Answer, error) {
		if err := inBounds(in.Package, in.Symbol, in.Version, in.Source, in.Platform, in.Features); err != nil {
			return nil, err
		}
		project, err := s.project(ctx, req, string(l.ID), in.ProjectPath, in.Package, in.Version)
		if err != nil {
			return nil, err
		}
		code, lines, err := sourceOf(in.Source)
		if err != nil {
			return nil, err
		}
		d := lookup.Description{
			Package: lookup.Package{
				Language: string(l.ID), Name: in.Package, Version: in.Version, Platform: in.Platform, Features: in.Features, Project: project,
			},
			Symbols:      in.Symbol,
			WithoutTypes: l.OptionalTypes && !in.IncludeTypes, WithoutExamples: l.OptionalExamples && !in.IncludeExamples,
			Options: answer.Options{MaxTokens: in.MaxTokens, Guide: guide},
		}
		var a *answer.Answer
		if code {
			a, err = s.lookup.DescribeSource(ctx, d, lines, func(rest lookup.Lines) string { return `ask for them with source="` + rest.String() + `"` })
		} else {
			a, err = s.lookup.Describe(ctx, d)
		}
		if _, ok := errors.AsType[*ecosystem.Error](err); err != nil && !ok && in.Symbol != "" {
			stop := ". "
			if strings.HasSuffix(err.Error(), "?") {
				stop = " "
			}
			return nil, fmt.Errorf("%w%sCall %s without symbol for an overview, or %s", err, stop, l.Tool(describeName), searchName)
		}
		return a, err
	}
}

// sourceOf parses the argument source. It reports whether source code is requested, and the range
// of lines unless it is that of a symbol.
func sourceOf(value string) (code bool, lines lookup.Lines, err error) {
	value = strings.TrimSpace(value)
	if value == "" {
		return false, lines, nil
	}
	if truth, err := strconv.ParseBool(strings.ToLower(value)); err == nil && len(value) > 1 {
		return truth, lines, nil
	}
	if lines, ok := lookup.ParseLines(value); ok {
		return true, lines, nil
	}
	return false, lines, fmt.Errorf("source must be true or a range of lines, such as 20-80, not %.100q", value)
}
