package mcp

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A Question asks the client for something: *Elicitation, *Sampling or
// *RootsQuestion. Ask fills in its Result.
type Question interface {
	method() string
	// key is what the handler calls the question; it may be empty.
	key() string
	// needs is what the client must have declared, as the inside of a
	// ClientCapabilities object, empty if caps has it.
	needs(caps *ClientCapabilities) string
	appendParams(b []byte, rev revision.Revision) ([]byte, error)
	// answered takes the client's result.
	answered(result []byte) error
}

// ErrInputRequired is returned by Ask when the answer will come with another
// request, which will run the handler again. The handler must return, best
// with this error; whatever it returns is not used.
var ErrInputRequired = errors.New("the client has been asked for input")

// Ask puts questions to the client, all at once, and returns when they are
// answered: by requests of the server to the client in a session, and on
// 2026-07-28 by ending this request with a result that holds the questions.
// There the client sends the request again with the answers, the handler runs
// again from the top, and Ask returns with them. So up to its last question a
// handler may do only what may be done twice.
//
// Questions are told apart by their key, which each has for itself, or, without
// one, by the order in which a handler asks them, which must then be the same
// every time.
//
// The error is ErrInputRequired, an *Error if the client cannot be asked or
// answers with an error, or the context's error. It suffices to return it.
func (r *Request) Ask(ctx context.Context, questions ...Question) error {
	if r.rev == revision.None || r.Notification() {
		return errors.New("there is no client to ask")
	}
	if err := checkQuestions(questions); err != nil {
		return err
	}
	caps := r.ClientCapabilities()
	for _, q := range questions {
		if err := r.mayAsk(q, &caps); err != nil {
			return err
		}
	}
	switch {
	case r.task() != nil:
		return r.task().ask(ctx, questions)
	case r.hasEnded():
		return errors.New("the request has ended; its client cannot be asked any more")
	case r.rev.AsksByResult():
		return r.askByResult(questions)
	}
	return r.askByRequest(ctx, r.out, questions)
}

func (r *Request) hasEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.finished
}

// checkQuestions reports a question that is nil, and a key that is there twice.
func checkQuestions(questions []Question) error {
	for i, q := range questions {
		missing := q == nil
		switch q := q.(type) {
		case *Elicitation:
			missing = q == nil
		case *Sampling:
			missing = q == nil
		case *RootsQuestion:
			missing = q == nil
		}
		if missing {
			return fmt.Errorf("asking the client: question %d is nil", i)
		}
		for _, other := range questions[:i] {
			if key := q.key(); key != "" && key == other.key() {
				return fmt.Errorf("asking the client: two questions have the key %q; give each its own", clip(key, 64))
			}
		}
	}
	return nil
}

// mayAsk reports whether the client can be asked q.
func (r *Request) mayAsk(q Question, caps *ClientCapabilities) error {
	if e, ok := q.(*Elicitation); ok {
		if !r.rev.HasElicitation() {
			return errors.New("this client's protocol revision has no way to ask its user")
		}
		if e.URL != "" && !r.rev.HasURLElicitation() {
			return errors.New("this client's protocol revision has no way to send its user to a page")
		}
	}
	needs := q.needs(caps)
	if needs == "" {
		return nil
	}
	if !r.rev.HasMissingCapability() {
		return fmt.Errorf("this client has not declared the capability that %s needs: {%s}", q.method(), needs)
	}
	return &Error{
		Code:    CodeMissingCapability,
		Message: "Missing required client capability",
		Data:    []byte(`{"requiredCapabilities":{` + needs + `}}`),
	}
}

// askByRequest sends each question as a request and waits for the answers.
func (r *Request) askByRequest(ctx context.Context, out sink, questions []Question) error {
	out.handOver()
	type reply struct {
		q      Question
		result []byte
		err    error
	}
	ctx, cancel := context.WithTimeout(ctx, r.server.opts.Limits.AskTimeout)
	defer cancel()
	params := make([][]byte, len(questions))
	for i, q := range questions { // a mistake in one is found before any is sent
		b, err := q.appendParams([]byte{'{'}, r.rev)
		if err != nil {
			return err
		}
		params[i] = append(r.appendRelated(b), '}')
	}
	replies := make(chan reply, len(questions))
	for i, q := range questions {
		go func() {
			got := reply{q: q, err: errGoexit} // of middleware
			defer func() { replies <- got }()
			got.result, got.err = r.server.demand(ctx, r, out, q.method(), params[i])
		}()
	}
	var failed error
	for range questions {
		got := <-replies
		if got.err == nil {
			got.err = got.q.answered(got.result)
		}
		if got.err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", got.q.method(), got.err)
			cancel()
		}
	}
	return failed
}

// inputs is what a request of 2026-07-28 brings along of earlier rounds, and
// what it will ask for.
type inputs struct {
	answers map[string]jsonValue
	stateID string   // names the requestState that came, if one did
	came    []byte   // digest of the request as it came, if its params were replaced
	asked   int      // questions without a key so far
	asking  []byte   // inputRequests, still open
	keys    []string // in asking
}

// input is the inputs of r. The caller holds mu, or is alone with r.
func (r *Request) input() *inputs {
	if r.inputs == nil {
		r.inputs = new(inputs)
	}
	return r.inputs
}

// askByResult looks for the answers in what the request brought; if any is
// missing, it has the request end with the questions.
func (r *Request) askByResult(questions []Question) error {
	switch r.method {
	case "tools/call", "prompts/get", "resources/read":
	default:
		return fmt.Errorf("%s cannot ask the client for input", r.method)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	in := r.input()
	asking, keys := in.asking, in.keys
	if asking == nil {
		asking = []byte{'{'}
	}
	for _, q := range questions {
		key := q.key()
		if key == "" {
			in.asked++
			key = "input-" + strconv.Itoa(in.asked)
		}
		answer, ok := in.answers[key]
		if ok {
			if err := q.answered(answer); err != nil {
				return errorf(CodeInvalidParams, "Invalid params: inputResponses[%q]: %v", clip(key, 64), err)
			}
			continue
		}
		if slices.Contains(keys, key) {
			continue // asked again though the answer is not there
		}
		request, err := appendQuestion(append(wire.String(wire.Comma(asking), key), ':'), q, r.rev)
		if err != nil {
			return err // and none of these questions is asked
		}
		asking, keys = request, append(keys, key)
	}
	if len(keys) == 0 {
		return nil
	}
	in.asking, in.keys = asking, keys
	r.missing.Store(true)
	return ErrInputRequired
}

// appendQuestion appends method and params of the request that q is, as a JSON
// object.
func appendQuestion(b []byte, q Question, rev revision.Revision) ([]byte, error) {
	b = append(wire.Field(append(b, '{'), "method", q.method()), `,"params":{`...)
	b, err := q.appendParams(b, rev)
	return append(b, '}', '}'), err
}

// StateID names the state that the client of 2026-07-28 has brought back with
// its answers, "" if it has brought none. Each time that the client is asked
// makes another state; a state that is sent again has the same name. A handler
// that may run only once for one state keeps the names for 15 minutes, which is
// how long a state is good, and refuses one that it has seen.
func (r *Request) StateID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.input().stateID
}

// stateIDSize is how many characters of a requestState hold its nonce, which is
// random.
const stateIDSize = 16

// stateTTL is how long a client may take to come back with answers.
const stateTTL = 15 * time.Minute

// sealedState is the inside of a requestState (specification 2026-07-28:
// Multi Round-Trip Requests, Server Requirements).
type sealedState struct {
	Expires   int64                `json:"e"` // Unix seconds
	Principal string               `json:"p,omitempty"`
	Request   []byte               `json:"r"` // digest of what was asked
	Answers   map[string]jsonValue `json:"a,omitempty"`
}

// readInputs takes inputResponses and requestState from the params.
func (r *Request) readInputs() *Error {
	if r.params.requestState != nil {
		text, ok := jsonrpc.String(r.params.requestState)
		if !ok {
			return errorf(CodeInvalidParams, "Invalid params: requestState must be a string")
		}
		state, err := r.server.openState(text)
		switch {
		case err != nil, state.Principal != r.Principal(), string(state.Request) != string(r.digest()):
			return errorf(CodeInvalidParams, "Invalid params: requestState is not one that was issued for this request")
		case time.Now().Unix() > state.Expires:
			return errorf(CodeInvalidParams, "Invalid params: requestState has expired; call again without it")
		}
		r.input().answers, r.input().stateID = state.Answers, text[:min(len(text), stateIDSize)]
	}
	if r.params.inputResponses == nil {
		return nil
	}
	var fresh map[string]jsonValue
	if r.params.inputResponses[0] != '{' || decode(r.params.inputResponses, &fresh) != nil {
		return errorf(CodeInvalidParams, "Invalid params: inputResponses must be an object")
	}
	if in := r.input(); in.answers == nil {
		in.answers = fresh
	} else {
		maps.Copy(in.answers, fresh)
	}
	return nil
}

// inputRequired is the result that asks for what is missing, with the answers
// so far sealed into its state.
type inputRequired struct {
	members []byte
}

func (inputRequired) resultMeta() Meta { return nil }
func (i inputRequired) appendMembers(b []byte, _ revision.Revision) []byte {
	return append(b, i.members...)
}

// asking is the inputRequests of r, still open, and their keys. A handler that
// has returned may have left behind who still asks.
func (r *Request) asking() ([]byte, []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.input().asking, r.input().keys
}

func (r *Request) inputRequired() (Result, error) {
	asking, _ := r.asking()
	b := append(wire.Name(open(), "inputRequests"), asking...)
	b = append(b, '}')
	state, err := r.server.sealState(&sealedState{
		Expires:   time.Now().Add(stateTTL).Unix(),
		Principal: r.Principal(),
		Request:   r.digest(),
		Answers:   r.input().answers,
	})
	if err != nil {
		return nil, err
	}
	b = wire.Field(b, "requestState", state)
	return inputRequired{b[1:]}, nil
}

// digest identifies what the request asks for, whatever the order in which a
// client writes the members of the arguments.
func (r *Request) digest() []byte {
	if r.inputs != nil && r.inputs.came != nil {
		return r.inputs.came
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte(r.method), r.params.name, r.params.uri, canonical(r.params.arguments)} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return h.Sum(nil)
}

// stateCipher seals with a key of its own derived from the server's.
func (s *Server) stateCipher() (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, s.opts.SealKey, nil, "mcp requestState", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func (s *Server) sealState(state *sealedState) (string, error) {
	plain, err := encode(state)
	if err != nil {
		return "", err
	}
	aead, err := s.stateCipher()
	if err != nil {
		return "", err
	}
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	return base64.RawURLEncoding.EncodeToString(aead.Seal(nonce, nonce, plain, nil)), nil
}

func (s *Server) openState(text string) (*sealedState, error) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, err
	}
	aead, err := s.stateCipher()
	if err != nil {
		return nil, err
	}
	if len(data) < aead.NonceSize() {
		return nil, errors.New("too short")
	}
	plain, err := aead.Open(nil, data[:aead.NonceSize()], data[aead.NonceSize():], nil)
	if err != nil {
		return nil, err
	}
	state := new(sealedState)
	return state, decode(plain, state)
}
