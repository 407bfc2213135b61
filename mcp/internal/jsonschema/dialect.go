package jsonschema

import (
	"bytes"
	_ "embed"
	"errors"
	"strings"
	"sync"
)

// draft is a version of JSON Schema.
type draft uint8

const (
	draft7 draft = iota
	draft2019
	draft2020
)

// vocabulary is the set of keyword groups in a dialect.
type vocabulary uint8

const (
	vocabApplicator vocabulary = 1 << iota
	vocabValidation
	vocabUnevaluated
	vocabFormatAssertion

	// vocabStandard contains the vocabularies of the standard metaschemas.
	vocabStandard = vocabApplicator | vocabValidation | vocabUnevaluated
)

// dialect is the draft and vocabularies that `$schema` selects.
type dialect struct {
	draft draft
	vocab vocabulary
}

// DefaultDialect is the `$schema` of a schema that has none.
const DefaultDialect = "https://json-schema.org/draft/2020-12/schema"

// metaschemaHost is the beginning of the URIs of the standard metaschemas, without the scheme,
// which is http or https.
const metaschemaHost = "//json-schema.org/"

// standardDialects maps the part after metaschemaHost of a standard metaschema's URI to its
// dialect.
var standardDialects = map[string]dialect{
	"draft/2020-12/schema": {draft2020, vocabStandard},
	"draft/2019-09/schema": {draft2019, vocabStandard},
	"draft-07/schema":      {draft7, vocabStandard},
	"draft-06/schema":      {draft7, vocabStandard},
}

func standardDialect(uri string) (dialect, bool) {
	scheme, path, ok := strings.Cut(strings.TrimSuffix(uri, "#"), metaschemaHost)
	if !ok || scheme != "http:" && scheme != "https:" {
		return dialect{}, false
	}
	d, ok := standardDialects[path]
	return d, ok
}

// metaschemas are the published metaschemas of the three drafts, one per line.
//
//go:embed metaschemas.jsonl
var metaschemas []byte

// builtinSchema returns the text of the metaschema with the given URI, or nil.
func builtinSchema(uri string) []byte {
	_, path, ok := strings.Cut(uri, metaschemaHost)
	if !ok {
		return nil
	}
	for line := range bytes.Lines(metaschemas) {
		_, rest, _ := bytes.Cut(line, []byte(`"$id":"`))
		id, _, _ := bytes.Cut(rest, []byte(`"`))
		_, have, _ := bytes.Cut(bytes.TrimSuffix(id, []byte("#")), []byte(metaschemaHost))
		if string(have) == path {
			return line
		}
	}
	return nil
}

// vocabularies maps the vocabularies that a metaschema can select to groups of keywords. Those with
// the value 0 contain only annotations.
var vocabularies = map[string]vocabulary{
	"core":              0,
	"applicator":        vocabApplicator,
	"unevaluated":       vocabUnevaluated,
	"validation":        vocabValidation,
	"meta-data":         0,
	"format-annotation": 0,
	"format":            0, // in 2019-09, format is only an annotation
	"format-assertion":  vocabFormatAssertion,
	"content":           0,
}

// dialectNamed returns the dialect with the URI uri. It is a standard one, or one that the
// $vocabulary of a metaschema in Options.Resources defines. For any other URI, it returns an error.
func (c *compiler) dialectNamed(uri string, loc *spot) (dialect, error) {
	for range 10 { // a metaschema can have another metaschema; follow at most 10
		if d, ok := standardDialect(uri); ok {
			return d, nil
		}
		text := c.opts.Resources[strings.TrimSuffix(uri, "#")]
		if text == nil {
			break
		}
		meta, err := parseValue(text, c.opts.MaxSchemaDepth)
		if err != nil {
			return dialect{}, loc.fail("$schema", "the metaschema "+quote(uri)+" cannot be read: "+err.Error())
		}
		parent := DefaultDialect
		if s := meta.get("$schema"); s != nil && s.kind == kindString {
			parent = s.str
		}
		if vocab := meta.get("$vocabulary"); vocab != nil && vocab.kind == kindObject {
			d := dialect{draft: draft2020}
			if base, ok := standardDialect(parent); ok {
				d.draft = base.draft
			}
			return readVocabularies(d, vocab, loc)
		}
		uri = parent
	}
	return dialect{}, loc.fail("$schema", "the dialect "+quote(uri)+" is not supported; drafts 2020-12, 2019-09 and 07 are, such as "+
		quote(DefaultDialect))
}

func readVocabularies(d dialect, vocab *value, loc *spot) (dialect, error) {
	for i, uri := range vocab.keys {
		base, name, _ := strings.Cut(uri, "/vocab/")
		set, known := vocabularies[name]
		known = known && (base == "https://json-schema.org/draft/2020-12" || base == "https://json-schema.org/draft/2019-09")
		if !known && vocab.items[i].isTrue() {
			return d, loc.fail("$schema", "its metaschema requires the unknown vocabulary "+quote(uri))
		}
		if known {
			d.vocab |= set
		}
	}
	if d.draft == draft2019 && d.vocab&vocabApplicator != 0 {
		d.vocab |= vocabUnevaluated // in 2019-09, these keywords are in the applicator vocabulary
	}
	return d, nil
}

// standard contains the metaschema of each draft. It is compiled when it is first used.
var standard [draft2020 + 1]struct {
	once   sync.Once
	schema *Schema
	err    error
}

// checkMetaschema returns an error if a schema does not satisfy the metaschema
// of a draft.
func checkMetaschema(schema []byte, d draft) error {
	m := &standard[d]
	m.once.Do(func() {
		uri := DefaultDialect
		switch d {
		case draft2019:
			uri = "https://json-schema.org/draft/2019-09/schema"
		case draft7:
			uri = "http://json-schema.org/draft-07/schema"
		}
		m.schema, m.err = Compile(builtinSchema(uri), nil)
	})
	if m.err != nil {
		return m.err
	}
	err := m.schema.Validate(schema)
	if invalid, ok := errors.AsType[*ValidationError](err); ok {
		f := invalid.Failures[0]
		return &CompileError{Location: "#" + f.Pointer, Message: f.Message}
	}
	return err
}
