package elements

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/quote"
)

// The types in this file contain the fields of a manifest that documentation is made of.

// manifest is a custom elements manifest, or a list of tags in its older, experimental form.
type manifest struct {
	Modules []module      `json:"modules"`
	Tags    []declaration `json:"tags"`
}

type module struct {
	Path         string        `json:"path"`
	Declarations []declaration `json:"declarations"`
	Exports      []struct {
		Kind        string    `json:"kind"`
		Name        string    `json:"name"`
		Declaration reference `json:"declaration"`
	} `json:"exports"`
}

// reference is the name of a declaration with the module that contains it, and its package if that is
// another one.
type reference struct {
	Name    string `json:"name"`
	Module  string `json:"module"`
	Package string `json:"package"`
}

// declaration describes a class or a mixin. In the older form, it describes a tag.
type declaration struct {
	Name          string      `json:"name"`
	TagName       string      `json:"tagName"`
	Summary       string      `json:"summary"`
	Description   string      `json:"description"`
	Deprecated    notice      `json:"deprecated"`
	Superclass    reference   `json:"superclass"`
	Mixins        []reference `json:"mixins"`
	Attributes    []item      `json:"attributes"`
	Properties    []item      `json:"properties"` // the members in the older form
	Members       []item      `json:"members"`
	Events        []item      `json:"events"`
	Slots         []item      `json:"slots"`
	CSSParts      []item      `json:"cssParts"`
	CSSProperties []item      `json:"cssProperties"`
	CSSStates     []item      `json:"cssStates"`
}

// item is an attribute, a member, an event, a slot or something that style sheets can refer to.
type item struct {
	Kind        string   `json:"kind"`
	Name        string   `json:"name"`
	Summary     string   `json:"summary"`
	Description string   `json:"description"`
	Deprecated  notice   `json:"deprecated"`
	Type        typeText `json:"type"`
	Default     text     `json:"default"`
	FieldName   string   `json:"fieldName"` // the property that an attribute sets
	Attribute   text     `json:"attribute"` // the attribute that sets a property
	Privacy     string   `json:"privacy"`
	Static      bool     `json:"static"`
	ReadOnly    bool     `json:"readonly"`
	Parameters  []struct {
		Name     string   `json:"name"`
		Type     typeText `json:"type"`
		Optional bool     `json:"optional"`
		Rest     bool     `json:"rest"`
		Default  text     `json:"default"`
	} `json:"parameters"`
	Return struct {
		Type typeText `json:"type"`
	} `json:"return"`
}

// text is a string. Other values are read as their JSON, and null as "".
type text string

func (t *text) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	*t = text(plain(v))
	return nil
}

// typeText is the text of a type. In the older form, it is a string instead of an object.
type typeText string

func (t *typeText) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if v.Kind() != '{' {
		*t = typeText(plain(v))
		return nil
	}
	var object struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(v, &object, lenient); err != nil {
		return err
	}
	*t = typeText(object.Text)
	return nil
}

// notice is a deprecation notice: a sentence, or true.
type notice string

func (n *notice) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch v.Kind() {
	case 't':
		*n = "deprecated"
	case '"':
		*n = notice(plain(v))
	}
	return nil
}

// plain returns the string that a JSON value contains. It returns other values as they are, and "" for null.
func plain(v jsontext.Value) string {
	switch v.Kind() {
	case 'n':
		return ""
	case '"':
		if s, err := jsontext.AppendUnquote(nil, v); err == nil {
			return string(s)
		}
	}
	return string(v)
}

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

func parse(data []byte) (*manifest, error) {
	var m manifest
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), &m, lenient); err != nil {
		return nil, quote.Error(err)
	}
	return &m, nil
}
