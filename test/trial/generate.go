package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// generators write the files of packages that are too long to be committed, by name. The packages
// are clients of large services with many types of objects, and the same methods for each type.
var generators = map[string]func(*service) map[string][]byte{
	"estuary":    generateEstuary,
	"glasshouse": generateGlasshouse,
	"bellows":    generateBellows,
	"quarry":     generateQuarry,
	"colliery":   generateColliery,
	"semaphore":  generateSemaphore,
	"apiary":     generateApiary,
}

//go:embed services
var services embed.FS

// generate returns the files of a package, by path.
func generate(name string) (map[string][]byte, error) {
	data, err := services.ReadFile("services/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("no generator %q: %w", name, err)
	}
	var s service
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	return generators[name](&s), nil
}

// service describes the service that a client is generated for.
type service struct {
	// Nouns are the kinds of things.
	Nouns []noun
	// Traits are fields; every kind has a few of them.
	Traits []trait
	Verbs  []verb
	// Page is the type of a page, whose items are of the type %s.
	Page string
	// Items are the types of items that differ from the kind, by verb.
	Items map[string]string
	// Results are the types of results that differ from the kind, by verb.
	Results map[string]string
}

type noun struct{ Name, About string }

// trait is a field: its name, its type in the language's syntax, and its comment. A %d in the
// comment is a number that differs from kind to kind.
type trait struct{ Name, Type, Comment string }

// verb is one operation on every kind.
type verb struct {
	Name string
	// First is the first sentence, about the kind %s.
	First string
	// Detail describes its behavior; %s is the kind.
	Detail string
	Fields []trait
	// HasTraits is true if the kind's traits are added to the fields.
	HasTraits bool
	// Lists is true if the answer is a page of things.
	Lists bool
}

// traitsPerNoun is the number of traits of each kind.
const traitsPerNoun = 5

// traitsOf returns the traits of the kind with a given number. Consecutive kinds have different
// traits.
func (s *service) traitsOf(kind int) []trait {
	var traits []trait
	for i := range traitsPerNoun {
		t := s.Traits[(kind*7+i*11)%len(s.Traits)]
		if strings.Contains(t.Comment, "%d") {
			t.Comment = fmt.Sprintf(t.Comment, 2+(kind*13+i*5)%90)
		}
		traits = append(traits, t)
	}
	return traits
}

// fieldsOf returns the fields of an operation's input.
func (s *service) fieldsOf(kind int, v verb) []trait {
	fields := v.Fields
	if v.HasTraits {
		fields = slices.Concat(fields, s.traitsOf(kind))
	}
	seen := map[string]bool{}
	var unique []trait
	for _, f := range fields {
		if !seen[f.Name] {
			seen[f.Name] = true
			unique = append(unique, f)
		}
	}
	return unique
}

// resultOf returns the result type of a verb, and the type of the items of its pages.
func (s *service) resultOf(n noun, v verb) (result, item string) {
	item = cmp.Or(s.Items[v.Name], n.Name)
	if v.Lists {
		return fmt.Sprintf(s.Page, item), item
	}
	return cmp.Or(s.Results[v.Name], item), item
}

// summary describes the effect of a verb on a kind.
func (v verb) summary(n noun) string {
	return upperFirst(fmt.Sprintf(v.First, spoken(n.Name))) + ", " + n.About + ". " + v.Detail
}

// plural returns the plural of a kind's name.
func plural(name string) string {
	switch {
	case strings.HasSuffix(name, "y") && !strings.ContainsAny(name[len(name)-2:len(name)-1], "aeiou"):
		return name[:len(name)-1] + "ies"
	case strings.HasSuffix(name, "s"), strings.HasSuffix(name, "ch"), strings.HasSuffix(name, "sh"), strings.HasSuffix(name, "x"):
		return name + "es"
	}
	return name + "s"
}

// upperFirst returns text with its first letter in upper case.
func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// lowerFirst returns a name with its first letter in lower case.
func lowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// moduleOf returns the name of a kind's module: "sluice_gates".
func moduleOf(n noun) string { return strings.ReplaceAll(spoken(plural(n.Name)), " ", "_") }

// spoken returns a name as separate words: "SluiceGate", "sluice gate".
func spoken(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// comment writes text as lines of a comment with a prefix, 90 bytes long.
func comment(b *strings.Builder, prefix, text string) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if paragraph != text[:min(len(text), len(paragraph))] {
			b.WriteString(strings.TrimRight(prefix, " ") + "\n")
		}
		line := prefix
		for word := range strings.FieldsSeq(paragraph) {
			if len(line)+len(word) > 90 && line != prefix {
				b.WriteString(strings.TrimRight(line, " ") + "\n")
				line = prefix
			}
			line += word + " "
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
