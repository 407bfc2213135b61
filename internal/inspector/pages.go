package inspector

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/mcp"
)

// maxItemsShown is the maximum number of entries of a list on one page.
const maxItemsShown = 300

// listPage is the body of a page with lists and, if the user has chosen one, an entry.
type listPage struct {
	// Path is the address of the page, and Part the name of its lists for live updates.
	Path, Part string
	Noun       string
	Lists      []listView
	// Query selects the entries whose name or description contains it.
	Query string
	// Item is the chosen entry, or nil if there is none.
	Item *item
	Kind string // kind of the entry
	// Missing is the name or URI in the address, if the list does not contain it.
	Missing string
	Form    *form
	// Schemas are shown below the form.
	Schemas []schemaView
	// Meta is the text of _meta. AsTask is true if the user wants to run the tool as a task.
	Meta, MetaError string
	AsTask          bool
	CanTask         bool
	// Subscribed, CanSubscribe and Updates describe the subscription to a resource.
	Subscribed, CanSubscribe bool
	Updates                  int
	// Problem describes what is wrong with a form that was sent.
	Problem string
}

// listView is a list on a page.
type listView struct {
	Title   string
	Items   []itemView
	Total   int
	Left    int
	Loading bool
	Problem string
}

// itemView is an entry of a list on a page.
type itemView struct {
	Heading, Name, About, Href string
	Current, Unusable          bool
}

// schemaView is a schema, or an entry as the server sent it.
type schemaView struct{ Title, Text string }

// view returns a list in the form that a page shows.
func (l list) view(kind listKind, title, path, parameter, query, chosen string) listView {
	v := listView{Title: title, Loading: l.loading != nil && l.items == nil}
	if l.err != nil {
		v.Problem = strings.TrimPrefix(l.err.Error(), "mcp: ")
	}
	query = strings.ToLower(query)
	for n := range l.items {
		it := &l.items[n]
		if query != "" && !strings.Contains(strings.ToLower(it.Key(kind)+" "+it.Title+" "+it.Description), query) {
			continue
		}
		v.Total++
		key := it.Key(kind)
		if len(v.Items) == maxItemsShown && key != chosen {
			v.Left++
			continue
		}
		one := itemView{Heading: it.Heading(), About: firstLine(it.Description), Href: path + "?" + parameter + "=" + escape(key), Current: key == chosen, Unusable: it.Unusable}
		if one.Name = key; one.Name == one.Heading {
			one.Name = ""
		}
		v.Items = append(v.Items, one)
	}
	return v
}

// again returns the request whose arguments fill the form, or nil.
func (i *Inspector) again(r *http.Request, kind string) *request {
	if found := i.requests.find(r.URL.Query().Get("again")); found != nil && found.Kind == kind {
		return found
	}
	return nil
}

// serveTools shows the tools, and the form of one if it is chosen.
func (i *Inspector) serveTools(w http.ResponseWriter, r *http.Request) {
	p := &listPage{}
	name := r.URL.Query().Get("name")
	again := i.again(r, "tool")
	if again != nil {
		name, p.Meta, p.AsTask = again.Name, string(again.Meta), again.AsTask
	}
	if i.tool(r, p, name) && again != nil {
		p.Form.fill(again.Arguments)
	}
	i.renderTools(w, r, http.StatusOK, p)
}

// pick puts the entry with a name into a page, and reports whether there is one.
func (i *Inspector) pick(r *http.Request, p *listPage, kind string, list listKind, name string) bool {
	if name == "" {
		return false
	}
	p.Kind = kind
	if p.Item = i.connection().find(r.Context(), list, name); p.Item == nil {
		p.Missing = name
	}
	return p.Item != nil
}

// tool puts a tool and its empty form into a page, and reports whether there is one.
func (i *Inspector) tool(r *http.Request, p *listPage, name string) bool {
	if !i.pick(r, p, "tool", tools, name) {
		return false
	}
	p.Form = newForm(p.Item.InputSchema)
	p.Schemas = schemas(p.Item.InputSchema, p.Item.OutputSchema, p.Item.Raw)
	support := p.Item.Execution.TaskSupport
	p.CanTask = support == "optional" || support == "required" || support == "" && i.decidesTasks()
	return true
}

// decidesTasks reports whether the server declares the extension for tasks. Such a server decides
// itself whether a call becomes a task.
func (i *Inspector) decidesTasks() bool {
	info := i.state().Info
	if info == nil {
		return false
	}
	_, declared := info.Extension("io.modelcontextprotocol/tasks")
	return declared
}

func schemas(input, output, raw json.RawMessage) []schemaView {
	var all []schemaView
	for _, s := range []struct {
		title string
		raw   json.RawMessage
	}{{"Input schema", input}, {"Output schema", output}, {"Raw JSON", raw}} {
		if s.raw != nil {
			text, _ := shorten(s.raw)
			all = append(all, schemaView{s.title, text})
		}
	}
	return all
}

func (i *Inspector) renderTools(w http.ResponseWriter, r *http.Request, status int, p *listPage) {
	i.renderList(w, r, status, p, tools, "Tools", "tool")
}

func (i *Inspector) renderPrompts(w http.ResponseWriter, r *http.Request, status int, p *listPage) {
	i.renderList(w, r, status, p, prompts, "Prompts", "prompt")
}

func (i *Inspector) renderList(w http.ResponseWriter, r *http.Request, status int, p *listPage, kind listKind, heading, noun string) {
	c := i.connection()
	waitForLists(r.Context(), c, kind)
	name := strings.ToLower(heading)
	p.Path, p.Part, p.Noun, p.Query = "/"+name, kind.part(), noun, r.URL.Query().Get("q")
	p.Lists = []listView{c.list(kind).view(kind, heading, p.Path, "name", p.Query, chosen(p, kind))}
	i.render(w, status, name+".html", &page{Title: title(p, heading), Section: p.Path, Problem: p.Problem, Body: p})
}

// chosen returns the key of the chosen entry.
func chosen(p *listPage, kind listKind) string {
	if p.Item == nil {
		return p.Missing
	}
	return p.Item.Key(kind)
}

func title(p *listPage, list string) string {
	if p.Item != nil {
		return p.Item.Heading()
	}
	return list
}

// waitForLists waits for a moment for lists that are being loaded for the first time.
func waitForLists(ctx context.Context, c *connection, kinds ...listKind) {
	if c == nil {
		return
	}
	wait(ctx, c.ready)
	for _, kind := range kinds {
		if l := c.list(kind); l.loading != nil && l.items == nil {
			wait(ctx, l.loading)
		}
	}
}

// postTool calls a tool, or shows its arguments as JSON.
func (i *Inspector) postTool(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	p := &listPage{Meta: r.PostForm.Get("meta"), AsTask: r.PostForm.Get("task") != ""}
	if !i.tool(r, p, r.PostForm.Get("name")) {
		i.renderTools(w, r, http.StatusNotFound, p)
		return
	}
	arguments, right := p.Form.read(r.PostForm)
	meta, problem := readMeta(p.Meta)
	p.MetaError = problem
	switch {
	case !right || problem != "":
		p.Problem = "The tool was not called because the form has an error."
	case r.PostForm.Get("do") == "json":
		p.Form.JSON = pretty(arguments)
	default:
		i.start(w, r, &request{Kind: "tool", Name: p.Item.Name, Arguments: arguments, Meta: meta, AsTask: p.AsTask})
		return
	}
	i.renderTools(w, r, http.StatusUnprocessableEntity, p)
}

// readMeta reads the text of _meta or another JSON object. meta is nil if the text is blank.
// problem describes what is wrong with it, or is "".
func readMeta(text string) (meta json.RawMessage, problem string) {
	if strings.TrimSpace(text) == "" {
		return nil, ""
	}
	var members mcp.Meta
	if err := json.Unmarshal([]byte(text), &members); err != nil || members == nil {
		return nil, "This is not a JSON object."
	}
	return json.RawMessage(text), ""
}

// servePrompts shows the prompts, and the form of one if it is chosen.
func (i *Inspector) servePrompts(w http.ResponseWriter, r *http.Request) {
	p := &listPage{}
	name := r.URL.Query().Get("name")
	again := i.again(r, "prompt")
	if again != nil {
		name, p.Meta = again.Name, string(again.Meta)
	}
	if i.prompt(r, p, name) && again != nil {
		p.Form.fill(again.Arguments)
	}
	i.renderPrompts(w, r, http.StatusOK, p)
}

// prompt puts a prompt and its empty form into a page, and reports whether there is one.
func (i *Inspector) prompt(r *http.Request, p *listPage, name string) bool {
	if !i.pick(r, p, "prompt", prompts, name) {
		return false
	}
	p.Form = &form{}
	for _, a := range p.Item.Arguments {
		p.Form.addText(a.Name, a.Description, a.Required)
	}
	p.Schemas = schemas(nil, nil, p.Item.Raw)
	return true
}

// postPrompt fills in a prompt, or asks the server to suggest values.
func (i *Inspector) postPrompt(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	p := &listPage{Meta: r.PostForm.Get("meta")}
	if !i.prompt(r, p, r.PostForm.Get("name")) {
		i.renderPrompts(w, r, http.StatusNotFound, p)
		return
	}
	arguments, _ := p.Form.read(r.PostForm)
	meta, problem := readMeta(p.Meta)
	p.MetaError = problem
	switch argument, suggest := strings.CutPrefix(r.PostForm.Get("do"), "complete:"); {
	case suggest:
		p.Problem = i.suggest(r, p, argument)
	case problem != "" || p.Form.JSONError != "":
		p.Problem = "The prompt was not requested because the form has an error."
	default:
		i.start(w, r, &request{Kind: "prompt", Name: p.Item.Name, Arguments: arguments, Meta: meta})
		return
	}
	i.renderPrompts(w, r, http.StatusUnprocessableEntity, p)
}

// addText adds a text field for which the server may suggest values. A blank value is not sent.
func (f *form) addText(name, about string, required bool) {
	d := field{ID: fmt.Sprintf("field-%d", len(f.Fields)), Name: valuePrefix + name, Label: name, Kind: "string", Description: about, Required: required, Widget: "line", Complete: true}
	d.property.Name, d.property.Type = name, []string{"string"}
	f.Fields = append(f.Fields, d)
}

// values returns the values of the fields that are not empty.
func (f *form) values() map[string]string {
	all := map[string]string{}
	for n := range f.Fields {
		if f.Fields[n].Value != "" {
			all[f.Fields[n].property.Name] = f.Fields[n].Value
		}
	}
	return all
}

// suggest requests suggested values from the server for a field of a page. It returns a description
// of the problem, or "".
func (i *Inspector) suggest(r *http.Request, p *listPage, argument string) string {
	for n := range p.Form.Fields {
		d := &p.Form.Fields[n]
		d.Error = "" // The form is not being sent.
		if d.property.Name != argument {
			continue
		}
		kind, name := p.Kind, p.Item.Name
		if kind == "template" {
			name = p.Item.URITemplate
		}
		found, err := i.complete(r, kind, name, argument, d.Value, p.Form.values())
		if err != nil {
			return "No suggestions: " + strings.TrimPrefix(err.Error(), "mcp: ") + "."
		}
		if d.Suggestions = found.Values; len(found.Values) == 0 {
			return "The server has no suggestions."
		}
	}
	return ""
}

// complete requests suggestions from the server.
func (i *Inspector) complete(r *http.Request, kind, name, argument, typed string, values map[string]string) (mcp.Completion, error) {
	client, err := i.connection().usable()
	if err != nil {
		return mcp.Completion{}, err
	}
	values = maps.Clone(values)
	delete(values, argument)
	if kind == "template" {
		return client.CompleteTemplate(r.Context(), name, argument, typed, values)
	}
	return client.CompletePrompt(r.Context(), name, argument, typed, values)
}

// serveCompletion answers the script's request for suggestions, as JSON.
func (i *Inspector) serveCompletion(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	values := map[string]string{}
	for parameter := range q {
		if name, ok := strings.CutPrefix(parameter, valuePrefix); ok && q.Get(parameter) != "" {
			values[name] = q.Get(parameter)
		}
	}
	argument := strings.TrimPrefix(q.Get("argument"), valuePrefix)
	found, err := i.complete(r, q.Get("kind"), q.Get("name"), argument, values[argument], values)
	if err != nil {
		http.Error(w, strings.TrimPrefix(err.Error(), "mcp: "), http.StatusBadGateway)
		return
	}
	answer := struct {
		Values []string `json:"values"`
		Total  int      `json:"total,omitempty"`
		More   bool     `json:"hasMore,omitempty"`
	}{append([]string{}, found.Values...), found.Total, found.More}
	data, err := json.Marshal(answer)
	if err != nil {
		http.Error(w, quote.Error(err).Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data)
}

// serveResources shows the resources and templates, and one of them in detail if it is chosen.
func (i *Inspector) serveResources(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	p := &listPage{}
	uri, template := q.Get("uri"), q.Get("template")
	if again := i.again(r, "resource"); again != nil {
		uri, template, p.Meta = again.Name, "", string(again.Meta)
	}
	i.resource(r, p, uri, template)
	i.renderResources(w, r, http.StatusOK, p)
}

// resource puts a resource, which need not be in the list, or a template into a page.
func (i *Inspector) resource(r *http.Request, p *listPage, uri, template string) bool {
	c := i.connection()
	switch {
	case template != "":
		p.Kind = "template"
		if p.Item = c.find(r.Context(), templates, template); p.Item == nil {
			p.Missing = template
			return false
		}
		p.Form = templateForm(template)
	case uri != "":
		p.Kind = "resource"
		if p.Item = c.find(r.Context(), resources, uri); p.Item == nil {
			p.Item = &item{URI: uri}
		}
		p.Subscribed, p.Updates = c.subscribed(uri)
		p.CanSubscribe = c.canSubscribe()
	default:
		return false
	}
	p.Schemas = schemas(nil, nil, p.Item.Raw)
	return true
}

// templateForm returns a form with a field for each variable of a URI template. A malformed
// template has none; the error of expand describes the mistake.
func templateForm(template string) *form {
	f := &form{}
	variables, err := (&mcp.ResourceTemplate{URITemplate: template}).Variables()
	if err != nil {
		return f
	}
	for _, v := range variables[:min(len(variables), maxFields)] {
		f.addText(v.Name, "", false)
	}
	return f
}

func (i *Inspector) renderResources(w http.ResponseWriter, r *http.Request, status int, p *listPage) {
	c := i.connection()
	waitForLists(r.Context(), c, resources, templates)
	p.Path, p.Part, p.Noun, p.Query = "/resources", resources.part(), "resource", r.URL.Query().Get("q")
	uri, template := "", ""
	if p.Kind == "template" {
		template = chosen(p, templates)
	} else if p.Item != nil {
		uri = p.Item.URI
	}
	p.Lists = []listView{
		c.list(resources).view(resources, "Resources", p.Path, "uri", p.Query, uri),
		c.list(templates).view(templates, "Templates", p.Path, "template", p.Query, template),
	}
	i.render(w, status, "resources.html", &page{Title: title(p, "Resources"), Section: p.Path, Problem: p.Problem, Body: p})
}

// postResource reads a resource, expands a template, or starts or ends a subscription.
func (i *Inspector) postResource(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	p := &listPage{Meta: r.PostForm.Get("meta")}
	if !i.resource(r, p, r.PostForm.Get("uri"), r.PostForm.Get("template")) {
		p.Problem = "The server does not have this template."
		i.renderResources(w, r, http.StatusNotFound, p)
		return
	}
	uri, do := p.Item.URI, r.PostForm.Get("do")
	meta, problem := readMeta(p.Meta)
	p.MetaError = problem
	if problem != "" {
		p.Problem = "The resource was not read because the form has an error."
	}
	if p.Kind == "template" && p.Problem == "" {
		p.Form.keep(r.PostForm)
		if argument, suggest := strings.CutPrefix(do, "complete:"); suggest {
			p.Problem = i.suggest(r, p, argument)
			i.renderResources(w, r, http.StatusUnprocessableEntity, p)
			return
		}
		var err error
		if uri, err = expand(p.Item.URITemplate, p.Form.values()); err != nil {
			p.Problem = "The template cannot be filled in: " + strings.TrimPrefix(err.Error(), "mcp: ") + "."
		}
	}
	switch {
	case p.Problem != "":
		i.renderResources(w, r, http.StatusUnprocessableEntity, p)
	case do == "subscribe", do == "unsubscribe":
		if err := i.connection().subscribe(r.Context(), uri, do == "subscribe"); err != nil {
			p.Problem = "The subscription cannot be changed: " + strings.TrimPrefix(err.Error(), "mcp: ") + "."
			i.renderResources(w, r, http.StatusBadGateway, p)
			return
		}
		i.redirect(w, r, "/resources?uri="+escape(uri))
	default:
		i.start(w, r, &request{Kind: "resource", Name: uri, Meta: meta})
	}
}

// expand returns the URI of a template. The value of an exploded variable, such as {/path*}, is a
// list separated by commas.
func expand(template string, values map[string]string) (string, error) {
	t := mcp.ResourceTemplate{URITemplate: template}
	variables, err := t.Variables()
	if err != nil {
		return "", err
	}
	all := map[string]any{}
	for _, v := range variables {
		value, ok := values[v.Name]
		switch {
		case !ok:
		case v.Exploded:
			all[v.Name] = strings.Split(value, ",")
		default:
			all[v.Name] = value
		}
	}
	return t.Expand(all)
}
