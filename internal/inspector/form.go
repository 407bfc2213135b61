package inspector

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/schemaform"
)

// form is a form for a JSON object, generated from its schema.
type form struct {
	Fields []field
	// JSON is the whole object, if the user writes it instead of filling in the fields. JSONError
	// describes what is wrong with it.
	JSON, JSONError string
}

// field is a field of a form.
type field struct {
	// ID is the ID of the HTML element, and Name the name of the form parameter.
	ID, Name string
	// Label, Kind, Limits and Description describe the value.
	Label, Kind, Limits, Description string
	Required                         bool
	// Widget is "text", "line", "select", "checks", "lines" or "json".
	Widget string
	// Value is the text, and Options are the choices.
	Value   string
	Options []option
	// Error describes what is wrong with the value.
	Error string
	// Complete is true if the server can suggest values.
	Complete bool
	// Suggestions are values that the server has suggested.
	Suggestions []string

	property schemaform.Property
}

// option is a choice.
type option struct {
	Value, Text string
	Selected    bool
}

// valuePrefix precedes the names of the form parameters with values, so that no name that a server
// chooses equals the name of another parameter.
const valuePrefix = "value."

// maxFields is the maximum number of fields of a form. Additional properties must be entered as
// JSON.
const maxFields = 500

// newForm returns a form for an object. Its fields contain the default values.
func newForm(schema json.RawMessage) *form {
	f := &form{}
	for n, p := range schemaform.Properties(schema) {
		if n == maxFields {
			break
		}
		d := field{
			ID: fmt.Sprintf("field-%d", n), Name: valuePrefix + p.Name, Label: p.Name, Kind: p.Kind(), Limits: limits(&p),
			Description: p.Description, Required: p.Required, property: p,
		}
		d.Description = cmp.Or(d.Description, p.Title)
		d.choose()
		d.set(p.Default)
		f.Fields = append(f.Fields, d)
	}
	return f
}

// limits describes the restrictions of a value.
func limits(p *schemaform.Property) string {
	var all []string
	for _, limit := range []struct{ name, value string }{
		{"format", p.Format}, {"at least", p.Minimum.String()}, {"at most", p.Maximum.String()}, {"minimum length", p.MinLength.String()}, {"maximum length", p.MaxLength.String()}, {"pattern", p.Pattern},
	} {
		if limit.value != "" {
			all = append(all, limit.name+" "+limit.value)
		}
	}
	return strings.Join(all, ", ")
}

// choose chooses the widget of the field.
func (d *field) choose() {
	p := &d.property
	types := slices.DeleteFunc(p.Types(), func(t string) bool { return t == "null" })
	only := ""
	if len(types) == 1 {
		only = types[0]
	}
	var choices []schemaform.Choice
	switch {
	case only == "array" && p.Items != nil && len(p.Items.Options()) > 0:
		d.Widget, choices = "checks", p.Items.Options()
	case only != "array" && len(p.Options()) > 0:
		d.Widget, choices = "select", p.Options()
	case only == "boolean":
		d.Widget, choices = "select", []schemaform.Choice{{Const: json.RawMessage("true")}, {Const: json.RawMessage("false")}}
	case only == "string" && p.Format == "":
		d.Widget = "text"
	case only == "string", only == "number", only == "integer":
		d.Widget = "line"
	case only == "array" && p.Items != nil && isPlain(p.Items):
		d.Widget = "lines"
	default:
		d.Widget = "json"
	}
	for _, c := range choices {
		o := option{Value: string(c.Const), Text: schemaform.PlainValue(c.Const)}
		if c.Title != "" && c.Title != o.Text {
			o.Text = c.Title + " (" + o.Text + ")"
		}
		d.Options = append(d.Options, o)
	}
}

// isPlain reports whether the values of p are strings or numbers, in which case a list of them can
// be entered one per line.
func isPlain(p *schemaform.Property) bool {
	types := p.Types()
	return len(types) == 1 && (types[0] == "string" || types[0] == "number" || types[0] == "integer")
}

// set shows a JSON value in the field, and reports whether the field can show it.
func (d *field) set(value json.RawMessage) bool {
	if value == nil {
		return true
	}
	kind := schemaform.TypeOf(value)
	switch d.Widget {
	case "json":
		d.Value = pretty(value)
		return d.Value != ""
	case "select":
		found := false
		for n := range d.Options {
			o := &d.Options[n]
			o.Selected = sameJSON(o.Value, value)
			found = found || o.Selected
		}
		return found
	case "checks", "lines":
		var elements []json.RawMessage
		if json.Unmarshal(value, &elements) != nil {
			return false
		}
		var lines []string
		for _, e := range elements {
			found := d.Widget == "lines"
			for n := range d.Options {
				if o := &d.Options[n]; sameJSON(o.Value, e) {
					o.Selected, found = true, true
				}
			}
			line := schemaform.PlainValue(e)
			if !found || strings.ContainsAny(line, "\r\n") || d.Widget == "lines" && strings.TrimSpace(line) == "" {
				return false
			}
			lines = append(lines, line)
		}
		d.Value = strings.Join(lines, "\n")
		return true
	case "line", "text":
		d.Value = schemaform.PlainValue(value)
		isText := len(d.property.Types()) > 0 && slices.Contains(d.property.Types(), "string")
		return isText == (kind == "string") && kind != "null" && !strings.Contains(d.Value, "\r") && (d.Value != "" || d.Required)
	}
	return false
}

// sameJSON reports whether two values are the same except for white space.
func sameJSON(text string, value json.RawMessage) bool {
	var a, b bytes.Buffer
	return json.Compact(&a, []byte(text)) == nil && json.Compact(&b, value) == nil && bytes.Equal(a.Bytes(), b.Bytes())
}

// fill puts the members of an object into the form. If the fields cannot show all of them, the form
// shows the object as JSON.
func (f *form) fill(object json.RawMessage) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return
	}
	complete := true
	for n := range f.Fields {
		d := &f.Fields[n]
		d.Value = ""
		for o := range d.Options {
			d.Options[o].Selected = false
		}
		complete = d.set(members[d.property.Name]) && complete
		delete(members, d.property.Name)
	}
	if !complete || len(members) > 0 {
		f.JSON = pretty(object)
	}
}

// read reads the values that a page has sent. It returns the JSON object and reports whether all
// values are valid; if not, the fields contain descriptions of the errors.
func (f *form) read(values url.Values) (json.RawMessage, bool) {
	if whole := strings.TrimSpace(values.Get("json")); whole != "" {
		f.JSON = whole
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(whole), &members); err != nil || members == nil {
			f.JSONError = "This is not a JSON object."
			if err != nil {
				f.JSONError = fmt.Sprintf("This is not a JSON object: %v.", quote.Error(err))
			}
			return nil, false
		}
		f.keep(values)
		return json.RawMessage(whole), true
	}
	b := []byte{'{'}
	right := true
	for n := range f.Fields {
		d := &f.Fields[n]
		value, problem := d.read(values[d.Name])
		name, problem2 := encode(d.property.Name)
		if d.Error = problem + problem2; d.Error != "" {
			right = false
			continue
		}
		if value == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), right
}

// keep stores the values in the fields, even if they are invalid.
func (f *form) keep(values url.Values) {
	for n := range f.Fields {
		_, _ = f.Fields[n].read(values[f.Fields[n].Name])
	}
}

// read reads the values of a field. value is nil if the field is omitted. problem is a sentence for
// the page that describes the error, or "".
func (d *field) read(values []string) (value json.RawMessage, problem string) {
	text := ""
	if len(values) > 0 {
		text = strings.ReplaceAll(values[0], "\r\n", "\n") // browsers send a line break as \r\n
	}
	d.Value = text
	for n := range d.Options {
		d.Options[n].Selected = slices.Contains(values, d.Options[n].Value)
	}
	switch blank := strings.TrimSpace(text) == ""; d.Widget {
	case "checks":
		return d.readChecks()
	case "select":
		for _, o := range d.Options {
			if o.Selected {
				return json.RawMessage(o.Value), ""
			}
		}
		if d.Required {
			return nil, "Choose a value. To omit it, write the arguments as JSON instead."
		}
		return nil, ""
	case "text":
		if text == "" && !d.Required {
			return nil, ""
		}
		return encode(text)
	default:
		if blank && d.Required && d.Widget == "lines" {
			return json.RawMessage("[]"), ""
		}
		if blank && d.Required {
			return nil, "Enter a value. To omit it, write the arguments as JSON instead."
		}
		if blank {
			return nil, ""
		}
	}
	switch d.Widget {
	case "lines":
		return d.readLines(text)
	case "json":
		if !json.Valid([]byte(text)) {
			return nil, "This is not JSON. Strings need quotation marks."
		}
		return json.RawMessage(text), ""
	}
	parsed, err := d.property.Parse(text)
	if err != nil {
		return nil, fmt.Sprintf("This is not of type %s.", d.Kind)
	}
	return parsed, ""
}

// readChecks returns the chosen options as a list, or nil if none are chosen and the field is not
// required.
func (d *field) readChecks() (value json.RawMessage, problem string) {
	var chosen []json.RawMessage
	for _, o := range d.Options {
		if o.Selected {
			chosen = append(chosen, json.RawMessage(o.Value))
		}
	}
	if chosen == nil && !d.Required {
		return nil, ""
	}
	return encode(append([]json.RawMessage{}, chosen...))
}

// readLines returns the nonblank lines as a list.
func (d *field) readLines(text string) (value json.RawMessage, problem string) {
	elements := []json.RawMessage{}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		value, err := d.property.Items.Parse(line)
		if err != nil {
			return nil, fmt.Sprintf("%q is not of type %s.", line, strings.Join(d.property.Items.Types(), " or "))
		}
		elements = append(elements, value)
	}
	return encode(elements)
}

// encode returns a value as JSON, or a description of what is wrong with it.
func encode(value any) (data json.RawMessage, problem string) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Sprintf("The value cannot be sent: %v.", quote.Error(err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), ""
}
