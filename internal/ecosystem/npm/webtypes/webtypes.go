// Package webtypes reads the manifests that describe the components of a package for editors (web-types.json), and
// adds their descriptions and default values to the documentation of components whose declarations have none.
package webtypes

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
)

const (
	maxComponents = 4000 // maximum number of components that are read
	maxMembers    = 600  // maximum number of members of each kind that are read for one component
	maxText       = 4000 // maximum size in bytes of a description or a default value
)

// Manifest contains the descriptions of components by the names under which programs import them.
type Manifest map[string]*component

// component contains the comments on a component and its members.
type component struct {
	doc     string
	members map[apidoc.ComponentRole]map[string]string
}

// The fields of a manifest. There are two forms of a component: a tag with attributes, and one with props.
type (
	file struct {
		Contributions struct {
			HTML struct {
				Tags          []tag `json:"tags"`
				VueComponents []tag `json:"vue-components"`
			} `json:"html"`
		} `json:"contributions"`
	}
	tag struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Source      struct {
			Symbol string `json:"symbol"`
		} `json:"source"`
		Attributes []item  `json:"attributes"`
		Props      []item  `json:"props"`
		Events     []item  `json:"events"`
		Slots      []item  `json:"slots"`
		JS         members `json:"js"`
	}
	members struct {
		Properties []item `json:"properties"`
		Events     []item `json:"events"`
	}
	item struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Default     jsontext.Value `json:"default"`
	}
)

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Read reads a manifest. If it describes a component more than once, only the first description is used.
func Read(data []byte) (Manifest, error) {
	var f file
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), &f, lenient); err != nil {
		return nil, quote.Error(err)
	}
	out := Manifest{}
	for _, tags := range [...][]tag{f.Contributions.HTML.VueComponents, f.Contributions.HTML.Tags} {
		prefix := commonPrefix(tags)
		for i := range tags {
			t := &tags[i]
			names := []string{t.Source.Symbol}
			if t.Source.Symbol == "" {
				names = []string{pascalCase(t.Name), pascalCase(strings.TrimPrefix(t.Name, prefix))}
			}
			if out[names[0]] != nil || len(out) >= maxComponents {
				continue
			}
			c := &component{doc: clean(t.Description), members: map[apidoc.ComponentRole]map[string]string{}}
			c.add(apidoc.InputRole, t.Props, t.Attributes, t.JS.Properties)
			c.add(apidoc.EventRole, t.Events, t.JS.Events)
			c.add(apidoc.SlotRole, t.Slots)
			for _, name := range names {
				if out[name] == nil {
					out[name] = c
				}
			}
		}
	}
	return out, nil
}

// add adds the comments on the members of one kind.
func (c *component) add(role apidoc.ComponentRole, lists ...[]item) {
	docs := map[string]string{}
	for _, list := range lists {
		for i := range list[:min(len(list), maxMembers)] {
			name := camelCase(list[i].Name)
			if doc := list[i].doc(); doc != "" && docs[name] == "" {
				docs[name] = doc
			}
		}
	}
	if len(docs) > 0 {
		c.members[role] = docs
	}
}

// defaultLabel precedes a default value in a comment.
const defaultLabel = "**Default:** "

// doc returns the description of a member with its default value.
func (i *item) doc() string {
	doc := clean(i.Description)
	if value := i.defaultValue(); value != "" {
		doc = strings.TrimLeft(doc+"\n\n"+defaultLabel+"`"+value+"`", "\n")
	}
	return doc
}

// defaultValue returns the default value as source code, which is a string in most manifests. It returns "" if there is none or
// it cannot be written between backquotes.
func (i *item) defaultValue() string {
	text := string(i.Default)
	for range 2 { // Some manifests quote the source code twice.
		if s, err := jsontext.AppendUnquote(nil, text); err == nil {
			text = string(s)
		}
	}
	text = strings.Join(strings.Fields(markup.Clean(text)), " ")
	if inner, ok := strings.CutPrefix(text, "`"); ok {
		text = strings.TrimSuffix(inner, "`")
	}
	if text == "undefined" || text == "null" || text == "-" || len(text) > maxText || strings.Contains(text, "`") {
		return ""
	}
	return text
}

func clean(text string) string {
	if len(text) > maxText {
		return ""
	}
	return strings.TrimSpace(markup.Clean(text))
}

// commonPrefix returns the prefix that the names of all tags have in common, such as "van-". Programs import the components
// of some packages without it.
func commonPrefix(tags []tag) string {
	if len(tags) < 2 {
		return ""
	}
	first, _, ok := strings.Cut(tags[0].Name, "-")
	if !ok || slices.ContainsFunc(tags, func(t tag) bool { return !strings.HasPrefix(t.Name, first+"-") }) {
		return ""
	}
	return first + "-"
}

// pascalCase returns the name under which programs import a component, such as ActionBar for action-bar.
func pascalCase(name string) string {
	name = camelCase(name)
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// camelCase returns the name of a prop as declarations have it, such as iconPlacement for icon-placement.
func camelCase(name string) string {
	first, rest, found := strings.Cut(name, "-")
	for found && rest != "" {
		var word string
		word, rest, found = strings.Cut(rest, "-")
		if word != "" {
			first += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return first
}

// Describe adds the comments of a manifest to the components among symbols and to their members. It does not replace
// comments.
func (m Manifest) Describe(symbols []apidoc.Symbol) {
	for i := range symbols {
		s := &symbols[i]
		c := m[s.Name()]
		if c == nil || !strings.HasSuffix(s.Path, s.Name()) {
			continue
		}
		described := false
		for k := range s.Members {
			member := &s.Members[k]
			docs := c.members[member.ComponentRole()]
			if docs == nil {
				continue
			}
			described = true
			doc := docs[camelCase(strings.TrimPrefix(member.Path, s.Path+"."))]
			if member.Doc == "" {
				member.Doc = doc
			} else if _, value, ok := strings.Cut(doc, defaultLabel); ok && !strings.Contains(member.Doc, defaultLabel) {
				member.Doc += "\n\n" + defaultLabel + value
			}
		}
		if described && s.Doc == "" {
			s.Doc = c.doc
		}
	}
}
