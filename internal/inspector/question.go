package inspector

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/mcp"
)

// Kinds of questions.
const (
	askForm   = "form"
	askPage   = "page"
	askSample = "sampling"
	askRoots  = "roots"
	askSignIn = "sign-in"
)

// question is a question of the server that waits for an answer of the user.
type question struct {
	id       int
	kind     string
	server   string
	elicited *mcp.Elicitation
	sampling *mcp.Sampling
	page     string
	answer   chan answer // has a buffer for the only answer
}

// answer is the user's answer to a question.
type answer struct {
	elicited mcp.ElicitationResult
	sampled  *mcp.SamplingResult
	roots    []mcp.Root
	err      error
}

// questions holds the questions that wait for an answer, oldest first.
type questions struct {
	changed func()

	mu   sync.Mutex
	all  []*question
	next int
}

// ask shows a question and waits until it is answered or ctx is done.
func (q *questions) ask(ctx context.Context, one *question) (answer, error) {
	one.answer = make(chan answer, 1)
	if c := mcp.ClientFrom(ctx); c != nil {
		one.server = c.Server().Name
	}
	q.mu.Lock()
	q.next++
	one.id = q.next
	q.all = append(q.all, one)
	q.mu.Unlock()
	q.changed()
	defer func() {
		q.take(one.id)
		q.changed()
	}()
	select {
	case a := <-one.answer:
		return a, a.err
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
}

// take removes and returns a question, so that it is answered only once. It returns nil if there is
// no such question.
func (q *questions) take(id int) *question {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := slices.IndexFunc(q.all, func(one *question) bool { return one.id == id })
	if n < 0 {
		return nil
	}
	one := q.all[n]
	q.all = slices.Delete(q.all, n, n+1)
	return one
}

// find returns the question with an ID, or nil.
func (q *questions) find(id string) *question {
	n, err := strconv.Atoi(id)
	if err != nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, one := range q.all {
		if one.id == n {
			return one
		}
	}
	return nil
}

// form asks the user to fill in a form.
func (q *questions) form(ctx context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
	a, err := q.ask(ctx, &question{kind: askForm, elicited: e})
	if err != nil {
		return mcp.ElicitationResult{Action: mcp.ActionCancel}, err
	}
	return a.elicited, nil
}

// visit asks the user to visit a page.
func (q *questions) visit(ctx context.Context, e *mcp.Elicitation) (mcp.Action, error) {
	a, err := q.ask(ctx, &question{kind: askPage, elicited: e, page: e.URL})
	if err != nil {
		return mcp.ActionCancel, err
	}
	return a.elicited.Action, nil
}

// sample asks the user to write the message of a model.
func (q *questions) sample(ctx context.Context, s *mcp.Sampling) (*mcp.SamplingResult, error) {
	a, err := q.ask(ctx, &question{kind: askSample, sampling: s})
	return a.sampled, err
}

// signIn shows the address of the page on which the user has to sign in, until signedIn is called,
// ctx is done or the time limit has passed.
func (q *questions) signIn(ctx context.Context, server, page string, limit time.Duration) {
	go func() {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		_, _ = q.ask(ctx, &question{kind: askSignIn, server: server, page: page}) // There is no answer to use.
	}()
}

// signedIn removes the requests to sign in.
func (q *questions) signedIn() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, one := range q.all {
		if one.kind == askSignIn {
			select {
			case one.answer <- answer{}:
			default: // it already has an answer
			}
		}
	}
}

// questionView is a question on a page.
type questionView struct {
	ID       int
	Kind     string
	Title    string
	Server   string
	Message  string
	Page     string
	Host     string
	Form     *form
	Sampling *samplingView
	Roots    string
	Problem  string
}

// samplingView is a request for a message of a model on a page.
type samplingView struct {
	System   string
	Messages []blockView
	Details  []detail
	Tools    string
	// Text, Model, StopReason and JSON are the user's answer.
	Text, Model, StopReason, JSON string
}

// detail is a fact with its name.
type detail struct{ Name, Text string }

var titles = map[string]string{
	askForm: "asks you to fill in a form", askPage: "asks you to visit a page", askSample: "asks for a response from the model",
	askRoots: "asks for your roots", askSignIn: "wants you to sign in",
}

// views returns all questions, without their forms.
func (q *questions) views() []questionView {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []questionView
	for _, one := range q.all {
		v := questionView{ID: one.id, Kind: one.kind, Title: titles[one.kind], Server: one.server, Page: one.page}
		if one.elicited != nil {
			v.Message = one.elicited.Message
		}
		all = append(all, v)
	}
	return all
}

// view returns a question with an empty form.
func (one *question) view() questionView {
	v := questionView{ID: one.id, Kind: one.kind, Title: titles[one.kind], Server: one.server, Page: one.page}
	if u, err := url.Parse(one.page); err == nil {
		v.Host = u.Host
	}
	if one.elicited != nil {
		v.Message = one.elicited.Message
	}
	switch one.kind {
	case askForm:
		v.Form = newForm(one.elicited.Schema)
	case askSample:
		v.Sampling = viewSampling(one.sampling)
	}
	return v
}

// viewSampling returns the view of a request for a message, with the default values of the answer.
func viewSampling(s *mcp.Sampling) *samplingView {
	v := &samplingView{System: s.SystemPrompt, Model: "user", StopReason: "endTurn"}
	for _, m := range s.Messages {
		for _, c := range m.Content {
			one := viewContent(c)
			one.Role = string(m.Role)
			v.Messages = append(v.Messages, one)
		}
	}
	add := func(name, text string) {
		if text != "" {
			v.Details = append(v.Details, detail{name, text})
		}
	}
	add("At most", fmt.Sprintf("%d tokens", s.MaxTokens))
	if s.Temperature != nil {
		add("Temperature", fmt.Sprint(*s.Temperature))
	}
	add("Stop sequences", strings.Join(s.StopSequences, " "))
	add("Context", s.IncludeContext)
	if s.Preferences != nil {
		if data, err := json.Marshal(s.Preferences); err == nil {
			add("Model preferences", string(data))
		}
	}
	if len(s.Metadata) > 0 {
		if data, err := json.Marshal(s.Metadata); err == nil {
			add("Metadata", string(data))
		}
	}
	add("Choice of tools", s.ToolChoice)
	var names []string
	for n := range s.Tools {
		names = append(names, s.Tools[n].Name+": "+string(s.Tools[n].InputSchema))
	}
	v.Tools = strings.Join(names, "\n")
	return v
}

// viewContent returns the view of a block of a message. It describes data instead of showing them.
func viewContent(c mcp.Content) blockView {
	text := ""
	v := blockView{}
	switch c := c.(type) {
	case *mcp.TextContent:
		v.Type, text = "text", c.Text
	case *mcp.ImageContent:
		v.Type, v.MIME, text = "image", c.MIMEType, "("+size(len(c.Data))+" of data)"
	case *mcp.AudioContent:
		v.Type, v.MIME, text = "audio", c.MIMEType, "("+size(len(c.Data))+" of data)"
	case *mcp.ToolUseContent:
		v.Type, text = "tool_use", c.ID+" "+c.Name+" "+string(c.Input)
	case *mcp.ToolResultContent:
		v.Type, text = "tool_result", c.ToolUseID
		for _, inner := range c.Content {
			text += "\n" + viewContent(inner).Text
		}
	default:
		v.Type = fmt.Sprintf("%T", c)
	}
	v.Text, v.Cut = cut(show(text), maxShown)
	return v
}

// serveQuestions lists the questions.
func (i *Inspector) serveQuestions(w http.ResponseWriter, _ *http.Request) {
	i.render(w, http.StatusOK, "questions.html", &page{Title: "Questions", Section: "/questions"})
}

// serveQuestion shows a question.
func (i *Inspector) serveQuestion(w http.ResponseWriter, r *http.Request) {
	one := i.questions.find(r.PathValue("id"))
	if one == nil {
		i.fail(w, http.StatusNotFound, "This question has already been answered, or the server is no longer waiting for the answer.")
		return
	}
	v := one.view()
	if one.kind == askRoots {
		v.Roots = i.roots.text()
	}
	i.render(w, http.StatusOK, "question.html", &page{Title: "Question", Section: "/questions", Body: v})
}

// postQuestion answers a question.
func (i *Inspector) postQuestion(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	one := i.questions.find(r.PathValue("id"))
	if one == nil {
		i.fail(w, http.StatusConflict, "This question has already been answered, or the server is no longer waiting for the answer.")
		return
	}
	v := one.view()
	a, problem := one.read(r.PostForm, &v)
	if problem != "" {
		v.Problem = problem
		i.render(w, http.StatusUnprocessableEntity, "question.html", &page{Title: "Question", Section: "/questions", Body: v})
		return
	}
	if i.questions.take(one.id) == nil {
		i.fail(w, http.StatusConflict, "This question has already been answered.")
		return
	}
	one.answer <- a
	i.questions.changed()
	i.redirect(w, r, "/questions")
}

// read reads the answer that a page has sent. problem describes what is wrong with it, or is "".
func (one *question) read(values url.Values, v *questionView) (a answer, problem string) {
	accepted := values.Get("do") == "accept"
	switch one.kind {
	case askForm, askPage:
		a.elicited.Action = mcp.Action(values.Get("do"))
		if !accepted && a.elicited.Action != mcp.ActionDecline && a.elicited.Action != mcp.ActionCancel {
			return a, "Choose to accept, decline or cancel."
		}
		if one.kind == askPage || !accepted {
			return a, ""
		}
		content, right := v.Form.read(values)
		if !right {
			return a, "The form is not complete."
		}
		if err := one.elicited.Validate(content); err != nil {
			return a, "The server does not accept this answer: " + strings.TrimPrefix(err.Error(), "mcp: ") + "."
		}
		a.elicited.Content = content
	case askSample:
		if !accepted {
			a.err = mcp.ErrDeclined
			return a, ""
		}
		s := v.Sampling
		s.Text, s.Model, s.StopReason, s.JSON = values.Get("text"), values.Get("model"), values.Get("stop"), values.Get("json")
		content, problem := sampled(s)
		if problem != "" {
			return a, problem
		}
		a.sampled = &mcp.SamplingResult{Role: mcp.RoleAssistant, Content: content, Model: s.Model, StopReason: s.StopReason}
	case askRoots:
		v.Roots = values.Get("roots")
		if !accepted {
			a.err = errors.New("the user declined")
			return a, ""
		}
		a.roots, problem = readRoots(v.Roots)
		return a, problem
	default:
		return a, "You don't need to answer here. Sign in on the page that the button opens."
	}
	return a, ""
}

// sampled returns the content of the user's message, which is the blocks in JSON or else the text.
// problem describes what is wrong with it, or is "".
func sampled(v *samplingView) (content []mcp.Content, problem string) {
	if strings.TrimSpace(v.JSON) == "" {
		return []mcp.Content{mcp.Text(strings.ReplaceAll(v.Text, "\r\n", "\n"))}, ""
	}
	var all []struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Data     string          `json:"data"`
		MIMEType string          `json:"mimeType"`
		ID       string          `json:"id"`
		Name     string          `json:"name"`
		Input    json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal([]byte(v.JSON), &all); err != nil {
		return nil, fmt.Sprintf("The content is not a JSON list of blocks: %v.", quote.Error(err))
	}
	for n, b := range all {
		data, err := base64.StdEncoding.DecodeString(b.Data)
		if err != nil {
			return nil, fmt.Sprintf("The data of block %d is not base64.", n+1)
		}
		switch b.Type {
		case "text":
			content = append(content, mcp.Text(b.Text))
		case "image":
			content = append(content, &mcp.ImageContent{Data: data, MIMEType: b.MIMEType})
		case "audio":
			content = append(content, &mcp.AudioContent{Data: data, MIMEType: b.MIMEType})
		case "tool_use":
			content = append(content, &mcp.ToolUseContent{ID: b.ID, Name: b.Name, Input: b.Input})
		default:
			return nil, fmt.Sprintf("Block %d has the type %.40q. The supported types are text, image, audio and tool_use.", n+1, b.Type)
		}
	}
	return content, ""
}

// roots are the folders that the user shows to servers.
type roots struct {
	mu   sync.Mutex
	list []mcp.Root
	// ask is true if the user is asked each time.
	ask bool
}

// maxRoots is the maximum number of roots.
const maxRoots = 1000

// text returns the roots as lines that contain a URI and a name.
func (r *roots) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, root := range r.list {
		b.WriteString(strings.TrimSpace(root.URI+" "+root.Name) + "\n")
	}
	return b.String()
}

// readRoots reads lines that contain a URI and an optional name. problem describes what is wrong
// with them, or is "".
func readRoots(text string) (list []mcp.Root, problem string) {
	list = []mcp.Root{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		uri, name, _ := strings.Cut(line, " ")
		u, err := url.Parse(uri)
		switch {
		case err != nil || u.Scheme != "file":
			return nil, fmt.Sprintf("%.200q is not a file URI. Enter one URI per line, such as file:///home/ada/src, optionally followed by a name.", uri)
		case len(list) == maxRoots:
			return nil, fmt.Sprintf("There can be at most %d roots.", maxRoots)
		}
		list = append(list, mcp.Root{URI: uri, Name: strings.TrimSpace(name)})
	}
	return list, ""
}

// answerRoots answers the server's request for roots, with the list or by asking the user.
func (i *Inspector) answerRoots(ctx context.Context) ([]mcp.Root, error) {
	i.roots.mu.Lock()
	list, ask := slices.Clone(i.roots.list), i.roots.ask
	i.roots.mu.Unlock()
	if !ask {
		return list, nil
	}
	a, err := i.questions.ask(ctx, &question{kind: askRoots})
	return a.roots, err
}

// rootsPage is the body of the page about roots.
type rootsPage struct {
	Text string
	Ask  bool
}

// serveRoots shows the roots.
func (i *Inspector) serveRoots(w http.ResponseWriter, _ *http.Request) {
	i.roots.mu.Lock()
	ask := i.roots.ask
	i.roots.mu.Unlock()
	i.render(w, http.StatusOK, "roots.html", &page{Title: "Roots", Section: "/roots", Body: rootsPage{i.roots.text(), ask}})
}

// postRoots changes the roots and notifies the server.
func (i *Inspector) postRoots(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	text, ask := r.PostForm.Get("roots"), r.PostForm.Get("ask") != ""
	list, problem := readRoots(text)
	if problem != "" {
		i.render(w, http.StatusUnprocessableEntity, "roots.html", &page{Title: "Roots", Section: "/roots", Problem: problem, Body: rootsPage{text, ask}})
		return
	}
	i.roots.mu.Lock()
	i.roots.list, i.roots.ask = list, ask
	i.roots.mu.Unlock()
	if c, err := i.connection().usable(); err == nil {
		if err := c.RootsChanged(r.Context()); err != nil {
			i.log.line(client, "the server could not be notified that the roots have changed: "+err.Error())
		}
	}
	i.redirect(w, r, "/roots")
}
