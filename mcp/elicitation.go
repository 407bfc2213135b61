package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// An Action is how a user reacted to an elicitation.
type Action string

// The possible actions.
const (
	ActionAccept  Action = "accept"  // the user answered
	ActionDecline Action = "decline" // the user refused
	ActionCancel  Action = "cancel"  // the user dismissed the question
)

// An Elicitation is a question that asks the client's user to fill in a form or to visit a page
// (specification: Elicitation). It requires a client of revision 2025-06-18 or later. Forms must
// not ask for secrets, but pages may.
type Elicitation struct {
	// Key identifies the question within the request; see Request.Ask.
	Key string
	// Message explains to the user what is requested, and why.
	Message string

	// Schema is the form: an object schema whose properties are strings, numbers, booleans, choices
	// (enum, or oneOf of const and title) and, for clients of revision 2025-11-25 and later, arrays
	// of choices. FormSchema creates one from a struct.
	Schema json.RawMessage

	// URL is the page to visit instead of a form, for clients of revision 2025-11-25 and later. ID
	// identifies the visit for Session.ElicitationComplete; it is required with URL. It must be the
	// same each time the handler runs: in revision 2026-07-28, the handler runs again when the
	// answer has arrived, and Ask fails if the ID has changed. Request.VisitID returns such an ID.
	URL string
	ID  string
}

// ElicitationResult is the user's answer to an Elicitation.
type ElicitationResult struct {
	Action Action
	// Content is the completed form if Action is ActionAccept, and nil otherwise.
	// It is always nil for pages. It satisfies the form's schema, including the
	// formats email, uri, date and date-time.
	Content json.RawMessage
}

// Elicit asks the user to fill in a form made from the struct type T, and returns the form if the
// user accepts. A form is flat: its fields are strings, numbers, booleans and slices of strings
// with an enum. They may have the tags described under Schemas in the package documentation. Fields
// initially contain their defaults. A field that the user clears has its zero value. FormSchema
// reports in advance whether T is suitable. The rules for handlers that call Request.Ask apply.
func Elicit[T any](ctx context.Context, r *Request, message string) (T, Action, error) {
	var form T
	schema, err := FormSchema[T]()
	if err != nil {
		return form, "", err
	}
	result, err := r.AskUser(ctx, &Elicitation{Message: message, Schema: schema})
	if err != nil {
		return form, "", err
	}
	if result.Action == ActionAccept {
		filled, err := decodeArguments[T](result.Content, decodingOf(reflect.TypeFor[T]()))
		if err != nil {
			return form, "", fmt.Errorf("the filled-in form: %w", err)
		}
		form = *filled
	}
	return form, result.Action, nil
}

// AskUser asks the user to visit a page, or to fill in a form whose schema does not come from a
// struct. For other forms, use Elicit. The rules of Request.Ask apply.
func (r *Request) AskUser(ctx context.Context, e *Elicitation) (*ElicitationResult, error) {
	answers, err := r.Ask(ctx, e)
	if err != nil {
		return nil, err
	}
	return answers[0].(*ElicitationResult), nil
}

// FormSchema returns the schema of a form with the fields of the struct type T.
// It returns an error if a field cannot be part of a form, such as a struct, or
// has an unsuitable tag.
func FormSchema[T any]() (json.RawMessage, error) {
	t := reflect.TypeFor[T]()
	schema, err := jsonschema.For(t, jsonschema.ForOptions{Open: true})
	if err != nil {
		return nil, fmt.Errorf("form of %v: %w", t, err)
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("form of %v: it must be a struct", t)
	}
	if _, err := appendForm(nil, schema, revision.Latest); err != nil {
		return nil, fmt.Errorf("form of %v: %w", t, err)
	}
	return schema, nil
}

func (e *Elicitation) method() string { return "elicitation/create" }
func (e *Elicitation) key() string    { return e.Key }

func (e *Elicitation) needs(caps *ClientCapabilities) string {
	c := caps.Elicitation
	switch {
	case e.URL != "" && (c == nil || c.URL == nil):
		return `"elicitation":{"url":{}}`
	case e.URL == "" && (c == nil || c.Form == nil && c.URL != nil):
		return `"elicitation":{}`
	}
	return ""
}

func (e *Elicitation) appendParams(b []byte, rev revision.Revision, _ *ClientCapabilities) ([]byte, error) {
	if e.Message == "" {
		return nil, errors.New("elicitation: Message is empty")
	}
	if e.URL != "" {
		u, err := url.Parse(e.URL)
		if err != nil || u.Scheme == "" || u.Host == "" {
			return nil, fmt.Errorf("elicitation: URL %q is not an absolute URL", e.URL)
		}
		if e.ID == "" { // an ID is required in every revision, because some clients need it
			return nil, errors.New("elicitation: ID is needed with URL")
		}
		b = wire.Field(b, "mode", "url")
		b = wire.Field(b, "message", e.Message)
		b = wire.Field(b, "url", e.URL)
		if rev.HasElicitationID() {
			b = wire.Field(b, "elicitationId", e.ID)
		}
		return b, nil
	}
	if rev.HasURLElicitation() {
		b = wire.Field(b, "mode", "form")
	}
	b = wire.Field(b, "message", e.Message)
	return appendForm(wire.Name(b, "requestedSchema"), e.Schema, rev)
}

func (e *Elicitation) answer(result []byte) (Answer, error) {
	var got struct {
		Action  Action    `json:"action"`
		Content jsonValue `json:"content"`
	}
	if err := decode(result, &got); err != nil {
		return nil, errors.New("the answer to an elicitation must be an object with action")
	}
	switch got.Action {
	case ActionAccept:
	case ActionDecline, ActionCancel:
		return &ElicitationResult{Action: got.Action}, nil
	default:
		return nil, fmt.Errorf("action must be accept, decline or cancel, not %q", clip(string(got.Action), 32))
	}
	if e.URL != "" {
		return &ElicitationResult{Action: ActionAccept}, nil
	}
	schema, err := jsonschema.Compile(e.Schema, &jsonschema.Options{AssertFormat: true})
	if err != nil {
		return nil, err
	}
	if len(got.Content) == 0 || got.Content[0] != '{' {
		return nil, errors.New("an accepted form needs content that is a JSON object")
	}
	if err := schema.Validate(got.Content); err != nil {
		return nil, fmt.Errorf("content does not satisfy the form's schema: %w", err)
	}
	return &ElicitationResult{Action: ActionAccept, Content: json.RawMessage(got.Content)}, nil
}

// URLElicitationRequired returns the error with which a handler refuses a request until the user
// has visited pages, instead of asking with Request.Ask. Only revision 2025-11-25 has this error;
// clients of other revisions get an internal error with the message. If a page is not valid, for
// example because it has no URL, the error is an internal error for all clients.
func URLElicitationRequired(message string, pages ...*Elicitation) *Error {
	b := []byte(`{"elicitations":[`)
	for _, e := range pages {
		if e.URL == "" {
			return errorf(CodeInternalError, "Internal error")
		}
		var err error
		if b, err = e.appendParams(append(wire.Comma(b), '{'), revision.WithElicitationIDs, nil); err != nil {
			return errorf(CodeInternalError, "Internal error")
		}
		b = append(b, '}')
	}
	return &Error{Code: revision.CodeURLElicitationRequired, Message: message, Data: append(b, ']', '}')}
}

// A RootsQuestion asks the client for the folders that it works on (specification: Roots).
type RootsQuestion struct {
	Key string // see Request.Ask
}

// RootsResult is the client's answer to a RootsQuestion.
type RootsResult struct {
	Roots []Root
}

// A Root is a folder or other place that a client works on.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Roots asks the client for the folders that it works on. The rules of Request.Ask apply.
func (r *Request) Roots(ctx context.Context) ([]Root, error) {
	answers, err := r.Ask(ctx, new(RootsQuestion))
	if err != nil {
		return nil, err
	}
	return answers[0].(*RootsResult).Roots, nil
}

func (q *RootsQuestion) method() string { return "roots/list" }
func (q *RootsQuestion) key() string    { return q.Key }

func (q *RootsQuestion) needs(caps *ClientCapabilities) string {
	if caps.Roots == nil {
		return `"roots":{}`
	}
	return ""
}

func (q *RootsQuestion) appendParams(b []byte, _ revision.Revision, _ *ClientCapabilities) ([]byte, error) {
	return b, nil
}

func (q *RootsQuestion) answer(result []byte) (Answer, error) {
	o := jsonrpc.ReadObject(result)
	for o.Next() {
		if string(o.Name) == "roots" {
			got := new(RootsResult)
			if err := decode(o.Value, &got.Roots); err != nil {
				return nil, errors.New("roots must be an array of objects with uri")
			}
			return got, nil
		}
	}
	return nil, errors.New("the answer to roots/list must be an object with roots")
}
