package mcp

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A Completer suggests values for an argument of a prompt or a variable of a resource template
// while a user types. typed is the text so far. chosen contains the values of other arguments that
// the user has already chosen. Clients of revisions before 2025-06-18 do not send them.
//
// Some clients request suggestions after every keystroke; Limits.MaxCompletionRate limits that. A
// Completer must suggest only values that the user, Request.Principal, may know. Errors are treated
// like those of a PromptHandler.
type Completer func(ctx context.Context, req *Request, typed string, chosen map[string]string) (Completion, error)

// Completion is a list of suggestions.
type Completion struct {
	// Values are the suggestions, best first. At most 100 are sent.
	Values []string
	// Total is the total number of suggestions, if it is larger than the number of Values.
	Total int
	// More is true if there are more suggestions than Values and their number is unknown.
	More bool
}

// maxCompletions is the protocol's limit on the number of suggestions in a
// result.
const maxCompletions = 100

// OneOf returns a Completer for a fixed list of values, ranked by Suggest.
func OneOf(values ...string) Completer {
	values = slices.Clone(values)
	return func(_ context.Context, _ *Request, typed string, _ map[string]string) (Completion, error) {
		return Suggest(typed, values), nil
	}
}

// Suggest returns the values that match typed, ignoring case: first values that
// begin with it, then those in which a later word begins with it, then those
// that contain it, then those that contain its characters in order. Within a
// group, values keep their order.
func Suggest(typed string, values []string) Completion {
	var groups [4][]string
	folded := strings.ToLower(typed)
	for _, value := range values {
		if g := fit(folded, strings.ToLower(value)); g >= 0 {
			groups[g] = append(groups[g], value)
		}
	}
	return Completion{Values: slices.Concat(groups[:]...)}
}

// fit returns how well typed matches value. 0 is the best match, and -1 means that it does not
// match.
func fit(typed, value string) int {
	if strings.HasPrefix(value, typed) {
		return 0
	}
	if index := strings.Index(value, typed); index >= 0 {
		for more := 0; more >= 0; index += more + 1 {
			if before, _ := utf8.DecodeLastRuneInString(value[:index]); !unicode.IsLetter(before) && !unicode.IsDigit(before) {
				return 1
			}
			more = strings.Index(value[index+1:], typed)
		}
		return 2
	}
	for _, r := range typed {
		index := strings.IndexRune(value, r)
		if index < 0 {
			return -1
		}
		value = value[index+utf8.RuneLen(r):]
	}
	return 3
}

// completing is a request for completion.
type completing struct {
	complete  Completer     // nil if the argument has no completer
	offReader *atomic.Int32 // see pipeCall
	typed     string
	chosen    map[string]string
}

// readCompletion reads the params of completion/complete and finds the
// completer. It returns an error for the client if it cannot.
func (s *Server) readCompletion(r *Request) (*completing, *Error) {
	var p struct {
		Ref      completionRef `json:"ref"`
		Argument struct {
			Name  *string `json:"name"`
			Value *string `json:"value"`
		} `json:"argument"`
		Context jsonValue `json:"context"`
	}
	if err := decodeOptional(r.params.all, &p); err != nil || p.Argument.Name == nil || p.Argument.Value == nil {
		return nil, errorf(CodeInvalidParams, "Invalid params of completion/complete: ref must be an object with type and name or uri, and argument an object with name and value")
	}
	request := &completing{typed: *p.Argument.Value}
	if p.Context != nil && r.rev.HasCompletionContext() {
		var context struct {
			Arguments jsonValue `json:"arguments"`
		}
		ok := decode(p.Context, &context) == nil
		if ok {
			request.chosen, ok = stringMap(context.Arguments)
		}
		if !ok {
			return nil, errorf(CodeInvalidParams, "Invalid params of completion/complete: context.arguments must be an object whose values are strings")
		}
	}
	return request, s.findCompleter(r, request, p.Ref, *p.Argument.Name)
}

// completionRef identifies the prompt or template that an argument belongs to.
type completionRef struct {
	Type string  `json:"type"`
	Name *string `json:"name"`
	URI  *string `json:"uri"`
}

// findCompleter sets request.complete to the completer of the argument, or leaves
// it nil if the argument has none. It returns an error for an unknown prompt,
// template or argument.
func (s *Server) findCompleter(r *Request, request *completing, ref completionRef, argument string) *Error {
	switch {
	case ref.Type == "ref/prompt" && ref.Name != nil:
		p, ok := s.prompts.find(*ref.Name)
		if !ok || !s.shows(r, p) {
			return errorf(CodeInvalidParams, "Unknown prompt: %s", clip(*ref.Name, 128))
		}
		a := p.argument(argument)
		if a == nil {
			return errorf(CodeInvalidParams, "Prompt %s has no argument %s", clip(*ref.Name, 128), clip(argument, 128))
		}
		request.complete, request.offReader = a.Complete, &p.offReader
	case ref.Type == "ref/resource" && ref.URI != nil:
		t, ok := s.templates.find(*ref.URI)
		if !ok || !s.shows(r, t) {
			if found, ok := s.resources.find(*ref.URI); ok && s.shows(r, found) {
				return nil // a resource without a template has no variables
			}
			return errorf(CodeInvalidParams, "Unknown resource template: %s", clip(*ref.URI, 128))
		}
		if !slices.Contains(t.compiled.Names(), argument) {
			return errorf(CodeInvalidParams, "Resource template %s has no variable %s", clip(*ref.URI, 128), clip(argument, 128))
		}
		request.complete, request.offReader = t.Complete[argument], &t.offReader
	default:
		return errorf(CodeInvalidParams, "Invalid params of completion/complete: ref must be a ref/prompt with name or a ref/resource with uri")
	}
	return nil
}

// complete answers completion/complete (specification: Completion).
func (s *Server) complete(ctx context.Context, r *Request) (Result, error) {
	request, ok := r.target.(*completing)
	if !ok {
		return nil, r.target.(*Error)
	}
	if request.complete == nil {
		return &CompletionResult{}, nil
	}
	if !s.mayComplete(r) {
		return nil, errorf(CodeInternalError, "Too many requests for completion; wait a second")
	}
	found, err := request.complete(ctx, r, request.typed, request.chosen)
	return &CompletionResult{Completion: found}, err
}

// CompletionResult is the result of completion/complete that middleware receives.
type CompletionResult struct {
	Completion
	Meta Meta
}

func (res *CompletionResult) resultMeta() Meta { return res.Meta }

func (res *CompletionResult) appendMembers(b []byte, _ revision.Revision) []byte {
	shown := res.Values[:min(len(res.Values), maxCompletions)]
	b = append(wire.Name(b, "completion"), `{"values":[`...)
	for _, value := range shown {
		b = wire.String(wire.Comma(b), value)
	}
	b = append(b, ']')
	total := max(res.Total, len(res.Values))
	if !res.More || res.Total > len(shown) {
		b = wire.Int(b, "total", int64(total))
	}
	b = wire.Bool(b, "hasMore", res.More || total > len(shown))
	return append(b, '}')
}
