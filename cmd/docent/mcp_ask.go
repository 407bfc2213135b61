package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/schemaform"
	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// prompter asks the user questions in the terminal, one at a time.
type prompter struct {
	out   io.Writer
	lines chan string                                     // closed at the end of input
	open  func(ctx context.Context, address string) error // opens a page in the browser

	before func() // called before each question

	turn  sync.Mutex // held while the user answers
	begin func()     // starts to read input
}

func newPrompter(s streams, before func()) *prompter {
	a := &prompter{out: s.err, before: before, lines: make(chan string), open: auth.OpenPage}
	if s.browse != nil {
		a.open = s.browse
	}
	a.begin = sync.OnceFunc(func() {
		go func() {
			defer close(a.lines)
			input := bufio.NewScanner(s.in)
			for input.Scan() {
				a.lines <- input.Text()
			}
		}()
	})
	return a
}

// ask prints a question and returns the line that the user types. ok is false at the end of input
// or if ctx is done.
func (a *prompter) ask(ctx context.Context, question string) (line string, ok bool) {
	a.begin()
	a.before()
	fmt.Fprint(a.out, question)
	select {
	case line, ok = <-a.lines:
		return strings.TrimSpace(line), ok
	case <-ctx.Done():
		return "", false
	}
}

// form lets the user fill in a form. It returns the completed form, or a result that means that the
// user has declined or cancelled. It asks again until the form satisfies its schema. The end of
// input cancels the form.
func (a *prompter) form(ctx context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
	a.turn.Lock()
	defer a.turn.Unlock()
	cancelled := mcp.ElicitationResult{Action: mcp.ActionCancel}
	fmt.Fprintf(a.out, "\n%s asks:\n%s\n", serverName(ctx), indent(markup.Clean(e.Message)))
	all := schemaform.Properties(e.Schema)
	content := map[string]json.RawMessage{}
	for {
		for i := range all {
			value, ok := a.field(ctx, &all[i], content[all[i].Name])
			if !ok {
				return cancelled, ctx.Err()
			}
			delete(content, all[i].Name)
			if value != nil {
				content[all[i].Name] = value
			}
		}
		data, err := json.Marshal(content)
		if err != nil {
			return cancelled, err
		}
		if err := e.Validate(data); err != nil {
			fmt.Fprintf(a.out, "%v\nPlease try again.\n", err)
			continue
		}
		answer, ok := a.ask(ctx, "Send this? [y]es, [n]o, [c]ancel, [e]dit: ")
		if !ok {
			return cancelled, ctx.Err()
		}
		switch strings.ToLower(answer) {
		case "y", "yes":
			return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: data}, nil
		case "n", "no":
			return mcp.ElicitationResult{Action: mcp.ActionDecline}, nil
		case "c", "cancel":
			return cancelled, nil
		}
	}
}

// field asks the user for one field of a form. before is the value from a previous round, or nil. A
// nil value means that the field is omitted. ok is false at the end of input or if ctx is done.
func (a *prompter) field(ctx context.Context, p *schemaform.Property, before json.RawMessage) (value json.RawMessage, ok bool) {
	label := markup.Clean(p.Name)
	if p.Title != "" {
		label = markup.Clean(p.Title)
	}
	if p.Description != "" {
		fmt.Fprintf(a.out, "  %s\n", oneLine(p.Description))
	}
	options, several := p.Options(), p.IsList()
	if several && p.Items != nil {
		options = p.Items.Options()
	}
	for i, option := range options {
		fmt.Fprintf(a.out, "    %d. %s\n", i+1, oneLine(firstOf(option.Title, schemaform.PlainValue(option.Const))))
	}
	hint := strings.Join(p.Type, " or ")
	switch {
	case several:
		hint = "numbers, separated by commas"
	case len(options) > 0:
		hint = "number"
	case hint == "boolean":
		hint = "y/n"
	}
	fallback := p.Default
	if before != nil {
		fallback = before
	}
	question := fmt.Sprintf("  %s (%s", label, hint)
	if p.Required {
		question += ", required"
	}
	question += ")"
	if fallback != nil {
		question += " [" + oneLine(schemaform.PlainValue(fallback)) + "]"
	}
	for {
		line, ok := a.ask(ctx, question+": ")
		switch {
		case !ok:
			return nil, false
		case line == "" && fallback != nil:
			return fallback, true
		case line == "" && !p.Required:
			return nil, true
		case line == "":
			fmt.Fprintln(a.out, "  A value is required; to send nothing, end the input (Ctrl-D).")
			continue
		}
		value, err := typed(p, line, options, several)
		if err == nil {
			return value, true
		}
		fmt.Fprintf(a.out, "  %v\n", err)
	}
}

// typed parses the text that the user has typed for a field, and returns the value as JSON. The
// user sees the error.
func typed(p *schemaform.Property, line string, options []schemaform.Choice, several bool) (json.RawMessage, error) {
	if several {
		var chosen []string
		for one := range strings.SplitSeq(line, ",") {
			value, err := choose(strings.TrimSpace(one), options)
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, string(value))
		}
		return json.RawMessage("[" + strings.Join(chosen, ",") + "]"), nil
	}
	if len(options) > 0 {
		return choose(line, options)
	}
	if len(p.Type) == 1 && p.Type[0] == "boolean" {
		switch strings.ToLower(line) {
		case "y", "yes", "true":
			return json.RawMessage("true"), nil
		case "n", "no", "false":
			return json.RawMessage("false"), nil
		}
		return nil, fmt.Errorf("answer y or n")
	}
	return p.Parse(line)
}

// choose returns the option with the number, value or title in text.
func choose(text string, options []schemaform.Choice) (json.RawMessage, error) {
	if n, err := strconv.Atoi(text); err == nil && 1 <= n && n <= len(options) {
		return options[n-1].Const, nil
	}
	for _, option := range options {
		if text == schemaform.PlainValue(option.Const) || text == option.Title {
			return option.Const, nil
		}
	}
	return nil, fmt.Errorf("%q is not one of the choices", text)
}

// visit asks the user for consent to open a page, opens it in the browser if
// the user agrees, and returns the user's choice.
func (a *prompter) visit(ctx context.Context, e *mcp.Elicitation) (mcp.Action, error) {
	a.turn.Lock()
	defer a.turn.Unlock()
	fmt.Fprintf(a.out, "\n%s asks you to visit a page:\n%s\n", serverName(ctx), indent(markup.Clean(e.Message)))
	where := e.URL
	if u, err := url.Parse(e.URL); err == nil {
		where = u.Host
	}
	fmt.Fprintf(a.out, "  host: %q\n  page: %q\n", where, e.URL)
	answer, ok := a.ask(ctx, "Open it in the browser? [y]es, [n]o, [c]ancel: ")
	if !ok {
		return mcp.ActionCancel, ctx.Err()
	}
	switch strings.ToLower(answer) {
	case "y", "yes":
		if err := a.open(ctx, e.URL); err != nil {
			fmt.Fprintf(a.out, "Docent cannot open the browser (%v): open the page yourself.\n", err)
		}
		return mcp.ActionAccept, nil
	case "n", "no":
		return mcp.ActionDecline, nil
	}
	return mcp.ActionCancel, nil
}

// serverName returns the name of the server that is asking.
func serverName(ctx context.Context) string {
	if c := mcp.ClientFrom(ctx); c != nil {
		return fmt.Sprintf("The server %q", c.Server().Name)
	}
	return "The server"
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(markup.Clean(text)), " ") }

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
