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
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A Question asks the client for something: *Elicitation, *Sampling or
// *RootsQuestion.
type Question interface {
	method() string
	// key returns the question's Key, which may be empty.
	key() string
	// needs returns the capabilities that the client must declare, as the
	// members of a ClientCapabilities object; "" if caps has them.
	needs(caps *ClientCapabilities) string
	appendParams(b []byte, rev revision.Revision, caps *ClientCapabilities) ([]byte, error)
	// answer reads the client's result.
	answer(result []byte) (Answer, error)
}

// An Answer is the client's answer to a Question: an *ElicitationResult to an
// Elicitation, a *SamplingResult to a Sampling, a *RootsResult to a RootsQuestion.
type Answer interface{ isAnswer() }

func (*ElicitationResult) isAnswer() {}
func (*SamplingResult) isAnswer()    {}
func (*RootsResult) isAnswer()       {}

// ErrInputRequired is returned by Ask when the answer will come with another
// request, which runs the handler again. The handler must return, preferably
// with this error; its result is ignored.
var ErrInputRequired = errors.New("the client has been asked for input")

// Ask asks the client questions, all at once, and returns the answers in the order of the
// questions. In a session, each question is a request from the server to the client. In revision
// 2026-07-28, the questions end this request: its result holds the questions, the client sends the
// request again with the answers, the handler runs again from the top, and Ask returns. Therefore,
// everything that a handler does before its last question must be safe to repeat.
//
// Answers are matched to questions by Key, which must be unique in a request. Questions without a
// Key are matched by the order in which the handler asks them, which must be the same in every run.
// The client sees questions without a Key as input-1, input-2 and so on; a Key of that form gets an
// additional "input-" prefix.
//
// The error is ErrInputRequired, an *Error if the client cannot be asked or answers with an error,
// or the context's error. Handlers may return it as is or wrapped in their own error.
func (r *Request) Ask(ctx context.Context, questions ...Question) ([]Answer, error) {
	if r.rev == revision.None || r.isNotification() {
		return nil, errors.New("there is no client to ask")
	}
	if err := r.checkQuestions(questions); err != nil {
		return nil, err
	}
	switch {
	case r.task() != nil:
		return r.task().ask(ctx, questions)
	case r.hasEnded():
		return nil, errors.New("the request has ended, so its client can no longer be asked")
	case r.rev.AsksByResult():
		return r.askByResult(questions)
	}
	return r.askByRequest(ctx, r.out, questions)
}

// AsksByResult reports whether Ask ends the request with a result that contains the questions, as
// in revision 2026-07-28. Each call of Ask then needs another request from the client and another
// run of the handler.
func (r *Request) AsksByResult() bool { return r.rev.AsksByResult() }

func (r *Request) hasEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.finished
}

// checkQuestions returns an error if a question is nil, two have the same key, or
// the client cannot be asked one of them.
func (r *Request) checkQuestions(questions []Question) error {
	caps := r.ClientCapabilities()
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
				return fmt.Errorf("asking the client: two questions have the key %q; keys must be unique", clip(key, 64))
			}
		}
		if err := r.mayAsk(q, &caps); err != nil {
			return err
		}
	}
	return nil
}

// mayAsk returns an error if the client cannot be asked q.
func (r *Request) mayAsk(q Question, caps *ClientCapabilities) error {
	if e, ok := q.(*Elicitation); ok {
		if !r.rev.HasElicitation() {
			return errors.New("this client's protocol revision does not support questions to its user")
		}
		if e.URL != "" && !r.rev.HasURLElicitation() {
			return errors.New("this client's protocol revision does not support sending its user to a page")
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

// askByRequest sends each question as a request and waits until all have been
// answered. It returns the first error, which cancels the other questions.
func (r *Request) askByRequest(ctx context.Context, out sink, questions []Question) ([]Answer, error) {
	out.handOver()
	type reply struct {
		i      int // position of the question in questions
		result []byte
		err    error
	}
	ctx, cancel := context.WithTimeout(ctx, r.server.opts.Limits.AskTimeout)
	defer cancel()
	caps := r.ClientCapabilities()
	params := make([][]byte, len(questions))
	for i, q := range questions { // check all questions before any is sent
		b, err := q.appendParams([]byte{'{'}, r.rev, &caps)
		if err != nil {
			return nil, err
		}
		params[i] = append(r.appendRelated(b), '}')
	}
	replies := make(chan reply, len(questions))
	for i, q := range questions {
		go func() {
			got := reply{i: i, err: errGoexit} // remains set if middleware ends the goroutine
			defer func() { replies <- got }()
			got.result, got.err = r.server.demand(ctx, r, out, q.method(), params[i])
		}()
	}
	var failed error
	answers := make([]Answer, len(questions))
	for range questions {
		got := <-replies
		q := questions[got.i]
		if got.err == nil {
			answers[got.i], got.err = q.answer(got.result)
		}
		if got.err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", q.method(), got.err)
			cancel()
		}
	}
	if failed != nil {
		return nil, failed
	}
	return answers, nil
}

// inputs holds the answers that a request of revision 2026-07-28 carries from earlier rounds, and
// the questions that its result will contain.
type inputs struct {
	answers        map[string]jsonValue
	stateID        string            // ID of the requestState that the request contains, or ""
	originalDigest []byte            // digest of the original request, if middleware replaced its params
	questions      int               // number of questions without a key so far
	asking         []byte            // value of inputRequests, without the closing brace
	keys           []string          // keys in asking
	ids            map[string]string // IDs of page visits, by question key
}

// input returns r.inputs, and sets it first if it is nil. The caller must hold
// mu, unless no other goroutine uses r.
func (r *Request) input() *inputs {
	if r.inputs == nil {
		r.inputs = new(inputs)
	}
	return r.inputs
}

// askByResult takes the answers from the request. If any is missing, it returns ErrInputRequired,
// and the result of the request will contain the questions.
func (r *Request) askByResult(questions []Question) ([]Answer, error) {
	switch r.method {
	case "tools/call", "prompts/get", "resources/read":
	default:
		return nil, fmt.Errorf("%s cannot ask the client for input", r.method)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	in := r.input()
	asking, keys := in.asking, in.keys
	if asking == nil {
		asking = []byte{'{'}
	}
	caps := r.ClientCapabilities()
	answers := make([]Answer, len(questions))
	for i, q := range questions {
		key := wireKey(q)
		if key == "" {
			in.questions++
			key = keyPrefix + strconv.Itoa(in.questions)
		}
		if e, ok := q.(*Elicitation); ok && e.URL != "" && e.ID != "" {
			if id := in.visit(key, e.ID); id != e.ID {
				return nil, fmt.Errorf("elicitation: the ID is %q in this run of the handler, but was %q when the client was asked; use Request.VisitID, or another ID that does not change", clip(e.ID, 64), clip(id, 64))
			}
		}
		if answer, ok := in.answers[key]; ok {
			var err error
			if answers[i], err = q.answer(answer); err != nil {
				return nil, errorf(CodeInvalidParams, "Invalid params: inputResponses[%q]: %v", clip(key, 64), err)
			}
			continue
		}
		if slices.Contains(keys, key) {
			continue // the handler has already asked this question in this run
		}
		request, err := appendQuestion(append(wire.String(wire.Comma(asking), key), ':'), q, r.rev, &caps)
		if err != nil {
			return nil, err // if one question is not valid, none is sent
		}
		asking, keys = request, append(keys, key)
	}
	if len(keys) == 0 {
		return answers, nil
	}
	in.asking, in.keys = asking, keys
	r.missing.Store(true)
	return nil, ErrInputRequired
}

// VisitID returns a random ID for Elicitation.ID. It is the same each time the handler of this
// request runs, and differs between keys. key is usually the Key of the Elicitation.
func (r *Request) VisitID(key string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.input().visit(wireKey(&Elicitation{Key: key}), rand.Text())
}

// visit returns the Elicitation ID for the question with the given key: the ID from an earlier run
// or call if there is one, otherwise id.
func (in *inputs) visit(key, id string) string {
	if earlier, ok := in.ids[key]; ok {
		return earlier
	}
	if in.ids == nil {
		in.ids = map[string]string{}
	}
	in.ids[key] = id
	return id
}

// keyPrefix is the beginning of the keys under which the client sees questions without a Key. A
// number follows.
const keyPrefix = "input-"

// wireKey returns the key that the client sees for q, or "" if q has no Key. The key is never one
// that is generated for a question without a Key.
func wireKey(q Question) string {
	number := q.key()
	for strings.HasPrefix(number, keyPrefix) {
		number = number[len(keyPrefix):]
	}
	if _, err := strconv.ParseUint(number, 10, 64); err == nil && number != q.key() {
		return keyPrefix + q.key()
	}
	return q.key()
}

// appendQuestion appends the request for q, with its method and params, as a
// JSON object.
func appendQuestion(b []byte, q Question, rev revision.Revision, caps *ClientCapabilities) ([]byte, error) {
	b = append(wire.Field(append(b, '{'), "method", q.method()), `,"params":{`...)
	b, err := q.appendParams(b, rev, caps)
	return append(b, '}', '}'), err
}

// StateID identifies the state that a client of revision 2026-07-28 sent back
// with its answers; it is "" if the client sent none. Each round of questions
// creates a new state; a state that is sent twice has the same ID. A handler
// that must run only once per state should keep IDs for 15 minutes, the
// lifetime of a state, and refuse an ID that it has already seen.
func (r *Request) StateID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.input().stateID
}

// stateIDSize is the number of characters of a requestState that hold its
// random nonce.
const stateIDSize = 16

// stateTTL is the time within which a client must send answers.
const stateTTL = 15 * time.Minute

// sealedState is the content of a requestState (specification 2026-07-28: Multi
// Round-Trip Requests, Server Requirements).
type sealedState struct {
	Expires   int64                `json:"e"` // in seconds since 1970
	Principal string               `json:"p,omitempty"`
	Request   []byte               `json:"r"` // digest of the request
	Answers   map[string]jsonValue `json:"a,omitempty"`
	IDs       map[string]string    `json:"i,omitempty"` // IDs for Elicitation.ID
}

// readInputs reads inputResponses and requestState from the params into
// r.inputs. It returns an error for the client if one of them is not valid.
func (r *Request) readInputs() *Error {
	if r.params.requestState != nil {
		text, ok := jsonrpc.String(r.params.requestState)
		if !ok {
			return errorf(CodeInvalidParams, "Invalid params: requestState must be a string")
		}
		state, err := r.server.openState(text)
		switch {
		case err != nil, state.Principal != r.Principal(), string(state.Request) != string(r.digest()):
			return errorf(CodeInvalidParams, "Invalid params: requestState was not issued for this request")
		case time.Now().Unix() > state.Expires:
			return errorf(CodeInvalidParams, "Invalid params: requestState has expired; call again without it")
		}
		in := r.input()
		in.answers, in.ids, in.stateID = state.Answers, state.IDs, text[:min(len(text), stateIDSize)]
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

// inputRequired is a result that asks the client the questions that have no answer yet. Its state
// contains the answers so far, in encrypted form.
type inputRequired struct {
	members []byte
}

func (inputRequired) resultMeta() Meta { return nil }
func (i inputRequired) appendMembers(b []byte, _ revision.Revision) []byte {
	return append(b, i.members...)
}

// asking returns the inputRequests of r, without the closing brace, and their keys. It locks r,
// because a goroutine that the handler started may still ask questions after the handler has
// returned.
func (r *Request) asking() ([]byte, []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.input().asking, r.input().keys
}

func (r *Request) inputRequired() (Result, error) {
	asking, _ := r.asking()
	b := append(wire.Name(open(), "inputRequests"), asking...)
	b = append(b, '}')
	r.mu.Lock()
	ids := maps.Clone(r.input().ids)
	r.mu.Unlock()
	state, err := r.server.sealState(&sealedState{
		Expires:   time.Now().Add(stateTTL).Unix(),
		Principal: r.Principal(),
		Request:   r.digest(),
		Answers:   r.input().answers,
		IDs:       ids,
	})
	if err != nil {
		return nil, err
	}
	b = wire.Field(b, "requestState", state)
	return inputRequired{b[1:]}, nil
}

// digest returns a hash of the request's method and params. It does not depend
// on the order of the members of the arguments.
func (r *Request) digest() []byte {
	if r.inputs != nil && r.inputs.originalDigest != nil {
		return r.inputs.originalDigest
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte(r.method), r.params.name, r.params.uri, canonical(r.params.arguments)} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return h.Sum(nil)
}

// stateCipher returns a cipher whose key is derived from SealKey.
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
