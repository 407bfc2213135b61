package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// generators write the files of packages that are too long to be committed, by name. The packages
// are clients of large services with many types of objects, and the same methods for each type.
var generators = map[string]func() map[string][]byte{
	"estuary":    generateEstuary,
	"glasshouse": generateGlasshouse,
	"bellows":    generateBellows,
	"quarry":     generateQuarry,
	"apiary":     generateApiary,
}

// service describes the service that a client is generated for.
type service struct {
	// nouns are the kinds of things, each with a description.
	nouns []noun
	// traits are fields; every kind has a few of them.
	traits []trait
	verbs  []verb
	// page is the type of a page, whose items are of the type %s.
	page string
	// items are the types of items that differ from the kind, by verb.
	items map[string]string
	// results are the types of results that differ from the kind, by verb.
	results map[string]string
}

type noun struct{ name, about string }

// trait is a field: its name, its type in the language's syntax, and its comment. A %d in the
// comment is a number that differs from kind to kind.
type trait struct{ name, typ, comment string }

// verb is one operation on every kind.
type verb struct {
	name string
	// first is the first sentence, about the kind %s.
	first string
	// detail describes its behavior; %s is the kind.
	detail string
	fields []trait
	// traits is true if the kind's traits are added to the fields.
	traits bool
	// lists is true if the answer is a page of things.
	lists bool
}

// traitsPerNoun is the number of traits of each kind.
const traitsPerNoun = 5

// traitsOf returns the traits of the kind with a given number. Consecutive kinds have different
// traits.
func (s *service) traitsOf(kind int) []trait {
	var traits []trait
	for i := range traitsPerNoun {
		t := s.traits[(kind*7+i*11)%len(s.traits)]
		if strings.Contains(t.comment, "%d") {
			t.comment = fmt.Sprintf(t.comment, 2+(kind*13+i*5)%90)
		}
		traits = append(traits, t)
	}
	return traits
}

// fieldsOf returns the fields of an operation's input.
func (s *service) fieldsOf(kind int, v verb) []trait {
	fields := v.fields
	if v.traits {
		fields = slices.Concat(fields, s.traitsOf(kind))
	}
	seen := map[string]bool{}
	var unique []trait
	for _, f := range fields {
		if !seen[f.name] {
			seen[f.name] = true
			unique = append(unique, f)
		}
	}
	return unique
}

// resultOf returns the result type of a verb, and the type of the items of its pages.
func (s *service) resultOf(n noun, v verb) (result, item string) {
	item = cmp.Or(s.items[v.name], n.name)
	if v.lists {
		return fmt.Sprintf(s.page, item), item
	}
	return cmp.Or(s.results[v.name], item), item
}

// summary describes the effect of a verb on a kind.
func (v verb) summary(n noun) string {
	return upperFirst(fmt.Sprintf(v.first, spoken(n.name))) + ", " + n.about + ". " + v.detail
}

// nounList reads "Name: about" lines.
func nounList(text string) []noun {
	var nouns []noun
	for line := range strings.Lines(text) {
		if name, about, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			nouns = append(nouns, noun{name, about})
		}
	}
	return nouns
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
func moduleOf(n noun) string { return strings.ReplaceAll(spoken(plural(n.name)), " ", "_") }

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
