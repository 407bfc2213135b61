package jsonschema

import (
	"bytes"
	_ "embed"
	"strings"
)

// draft is a version of JSON Schema.
type draft uint8

const (
	draft7 draft = iota
	draft2019
	draft2020
)

// vocabulary is a set of keyword groups that a dialect has.
type vocabulary uint8

const (
	vocabApplicator vocabulary = 1 << iota
	vocabValidation
	vocabUnevaluated
	vocabFormatAssertion

	// vocabStandard is what the schemas of the standard metaschemas have.
	vocabStandard = vocabApplicator | vocabValidation | vocabUnevaluated
)

// dialect is what `$schema` chooses.
type dialect struct {
	draft draft
	vocab vocabulary
}

// DefaultDialect is the `$schema` of a schema that does not name one.
const DefaultDialect = "https://json-schema.org/draft/2020-12/schema"

var standardDialects = map[string]dialect{
	DefaultDialect: {draft2020, vocabStandard},
	"https://json-schema.org/draft/2019-09/schema": {draft2019, vocabStandard},
	"http://json-schema.org/draft-07/schema":       {draft7, vocabStandard},
	"http://json-schema.org/draft-06/schema":       {draft7, vocabStandard},
}

// metaschemas holds the metaschemas of the three drafts, one a line, as published.
//
//go:embed metaschemas.jsonl
var metaschemas []byte

// builtinSchema returns the text of the metaschema with the given URI, or nil.
func builtinSchema(uri string) []byte {
	if !strings.Contains(uri, "://json-schema.org/") {
		return nil
	}
	for line := range bytes.Lines(metaschemas) {
		_, rest, _ := bytes.Cut(line, []byte(`"$id":"`))
		id, _, _ := bytes.Cut(rest, []byte(`"`))
		if string(bytes.TrimSuffix(id, []byte("#"))) == uri {
			return line
		}
	}
	return nil
}

// vocabularyURIs are the groups that make a difference here. The others are known and only annotate.
var vocabularyURIs = map[string]vocabulary{
	"core":              0,
	"applicator":        vocabApplicator,
	"unevaluated":       vocabUnevaluated,
	"validation":        vocabValidation,
	"meta-data":         0,
	"format-annotation": 0,
	"format":            0, // of 2019-09
	"format-assertion":  vocabFormatAssertion,
	"content":           0,
}

// dialectNamed finds the dialect of a `$schema` value: a standard one, or one described by a metaschema among
// the resources, by its $vocabulary.
func (c *compiler) dialectNamed(uri, loc string) (dialect, error) {
	seen := map[string]bool{}
	for {
		uri = strings.TrimSuffix(uri, "#")
		if d, ok := standardDialects[uri]; ok {
			return d, nil
		}
		text := c.opts.Resources[uri]
		if text == nil || seen[uri] {
			return dialect{}, &CompileError{loc, "$schema", "the dialect " + quote(uri) +
				" is not known; use " + quote(DefaultDialect)}
		}
		seen[uri] = true
		meta, err := parseValue(text, c.opts.MaxSchemaDepth)
		if err != nil {
			return dialect{}, &CompileError{uri, "", err.Error()}
		}
		base := draft2020
		parent := DefaultDialect
		if s := meta.get("$schema"); s != nil && s.kind == kindString {
			parent = s.str
		}
		vocab := meta.get("$vocabulary")
		if vocab == nil || vocab.kind != kindObject {
			uri = parent
			continue
		}
		if d, ok := standardDialects[strings.TrimSuffix(parent, "#")]; ok {
			base = d.draft
		}
		return readVocabularies(base, vocab, uri)
	}
}

func readVocabularies(base draft, vocab *value, loc string) (dialect, error) {
	d := dialect{draft: base}
	for i, uri := range vocab.keys {
		at := strings.LastIndexByte(uri, '/')
		set, known := vocabularyURIs[uri[at+1:]]
		known = known && (strings.HasPrefix(uri, "https://json-schema.org/draft/2020-12/vocab/") ||
			strings.HasPrefix(uri, "https://json-schema.org/draft/2019-09/vocab/"))
		if !known && vocab.items[i].isTrue() {
			return d, &CompileError{loc, "$vocabulary", "the vocabulary " + quote(uri) + " is required but not known"}
		}
		if known {
			d.vocab |= set
		}
	}
	if base == draft2019 && d.vocab&vocabApplicator != 0 {
		d.vocab |= vocabUnevaluated
	}
	return d, nil
}
