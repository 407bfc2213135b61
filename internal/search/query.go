package search

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// query is a parsed query.
type query struct {
	terms  []term
	joined string // all terms without separators, if there are several
	// sentence is true if the query is written like a sentence and not like a list of names.
	sentence bool
	binds    bool
	// asks is true if the query is a yes-or-no question.
	asks bool
	// fails is true if the query contains a word for errors among other words.
	fails bool
	// acts is true if the query begins with a verb.
	acts bool
	// makes is true if the query asks for a constructor.
	makes bool
	// written contains the names of several words in the query's spelling, that is, with a capital
	// letter or an underscore.
	written []string
	// relations contains a preposition and the word after it as they occur in folded names, such as
	// "fromstring" for "from a string".
	relations []string
}

// term is one word of a query.
type term struct {
	text string // lower case, without "_" and "-", with components separated by "."
	stem string
	id   int32  // ID of the stem in the vocabulary that scores the query
	mask uint64 // mask of text
	// others contains stems that are searched for in addition to the word.
	others []other
	// parts contains the stems of the words of a compound name.
	parts []string
	// meaning is true if the term represents the meaning of a phrase. Only the stems
	// in others are then searched for.
	meaning bool
	// weight is 1, or less for a word that belongs to a phrase.
	weight    float32
	explained bool // whether the word belongs to a phrase whose meaning is searched for
	filler    bool // whether the word has no meaning on its own
	again     bool // whether the word occurs earlier in the query
}

type other struct {
	stem   string
	id     int32
	weight float32
}

// compound reports whether the query has several terms, one of which is a compound name.
func (q *query) compound() bool {
	return len(q.terms) > 1 && slices.ContainsFunc(q.terms, func(t term) bool { return len(t.parts) > 1 })
}

// hasStem reports whether a term has a stem.
func (q *query) hasStem(stem string) bool {
	for i := range q.terms {
		if q.terms[i].stem == stem {
			return true
		}
	}
	return false
}

// writes reports whether the query contains the exact name of a symbol and the name consists of
// several words.
func (q *query) writes(s *apidoc.Symbol) bool {
	return slices.ContainsFunc(q.written, func(name string) bool {
		mayBe := strings.HasSuffix(s.Path, name) || strings.HasSuffix(s.Path, ")") // checked first, because it is faster than baseName
		return mayBe && baseName(s) == name
	})
}

// number sets the IDs of the query's stems to their IDs in v.
func (q *query) number(v *vocabulary) {
	for i := range q.terms {
		t := &q.terms[i]
		t.id = v.id(t.stem)
		for k := range t.others {
			t.others[k].id = v.id(t.others[k].stem)
		}
	}
}

const (
	synonym   = 0.7  // weight of a synonym
	distant   = 0.2  // weight of a synonym of a synonym in a sentence
	negated   = 2.0  // weight of a word after "without" if the text also has "without" before it
	phrased   = 0.9  // weight of the meaning of a phrase
	inPhrase  = 0.5  // weight of the words of a phrase that has a meaning
	ofNames   = 0.75 // weight of the words of a phrase in a query that consists of names
	lightVerb = 0.7  // weight of a verb that can be combined with any noun
	unwanted  = 0.6  // weight of a word after "not" or "without" in a sentence
	before    = 0.6  // weight of the first thing in a sentence about turning one thing into another
)

// without negates the word after it. The two words together count as one more
// term.
const without = "without"

func newTerm(text string) term {
	return term{text: text, stem: stem(text), mask: maskOf(text), weight: 1}
}

// parse splits a query at white space and at characters that do not occur in names. It omits a
// qualifier that is the package's own name, so that "json.Marshal" means Marshal. It omits words
// without meaning for the search, unless there are no others. It also keeps such a word if there
// are only a few words and it is the name of a symbol, as in "errors is".
func (x *Index) parse(s string) query {
	if len(s) > maxQuery {
		s = strings.ToValidUTF8(s[:maxQuery], "")
	}
	var q query
	fields := strings.FieldsFunc(s, notInQuery)
	all := make([]term, 0, min(len(fields), 4*maxTerms))
	add := func(text string) {
		if text != "" && len(all) < 4*maxTerms {
			t := newTerm(text)
			t.again = slices.ContainsFunc(all, func(t term) bool { return t.text == text })
			all = append(all, t)
		}
	}
	for _, field := range fields {
		field = strings.Trim(field, ".:#/-_")
		for _, local := range []string{x.pkg.Name, x.pkg.LocalName} {
			rest, ok := strings.CutPrefix(field, local)
			if ok && local != "" && rest != "" && strings.ContainsRune(".:#", rune(rest[0])) {
				field = strings.TrimLeft(rest, ".:#")
				break
			}
		}
		text := fold(field)
		if strings.ToLower(field) != field || x.with(Spelling) && strings.Contains(field, "_") {
			q.written = append(q.written, field)
		}
		parts := pieces(field)
		if len(parts) > 1 && !x.knows(text) && (strings.ContainsAny(field, "-") || x.knowsAll(parts)) {
			for _, part := range parts {
				add(fold(part))
			}
			continue
		}
		if dot := strings.LastIndexByte(text, '.'); dot > 0 && !x.knowsPath(text) && x.has(text[dot+1:]) {
			for part := range strings.SplitSeq(text, ".") { // a path may begin with the name of a variable, such as program.version
				add(part)
			}
			continue
		}
		n := len(all)
		add(text)
		if x.with(Compounds) && len(all) > n && len(parts) > 1 && !strings.Contains(text, ".") {
			for _, part := range parts {
				if len(part) > 1 { // the "t" of default_value_t says nothing
					all[n].parts = append(all[n].parts, stem(fold(part)))
				}
			}
		}
	}
	spoken, again := all, func(t term) bool { return t.again }
	if slices.ContainsFunc(all, again) {
		all = slices.DeleteFunc(slices.Clone(all), again)
	}
	q.asks = len(all) > 1 && (whether[all[0].text] || all[0].text == "check" && all[1].text == "if")
	q.acts = len(all) > 0 && (lightVerbs[all[0].text] || verbs[all[0].text])
	q.binds = slices.ContainsFunc(all, func(t term) bool { return binds[t.text] })
	q.sentence = len(all) >= 4 && q.binds
	if q.sentence {
		weighRoles(spoken)
	}
	if x.with(Relations) {
		q.relations = relations(spoken)
	}
	if len(all) > 1 && len(all) <= 6 {
		for _, t := range all {
			q.joined += t.text
		}
	}
	few, last := len(all) <= 3, len(all)-1
	all = x.expand(&q, spoken)
	q.terms = make([]term, 0, len(all))
	for i, t := range all {
		// Keep a filler word that joins two other words: "popup on click".
		if t.filler && !(few && (i == 0 || i >= last) && x.has(t.text)) {
			continue
		}
		q.terms = append(q.terms, t)
	}
	if len(q.terms) == 0 {
		q.terms = all
	}
	q.terms = q.terms[:min(len(q.terms), maxTerms)]
	q.fails = len(q.terms) > 1 && slices.ContainsFunc(q.terms, func(t term) bool { return failures[t.stem] })
	if x.with(LightVerbs) && slices.ContainsFunc(q.terms, func(t term) bool { return !lightVerbs[t.text] }) {
		for i := range q.terms {
			if lightVerbs[q.terms[i].text] {
				q.terms[i].weight *= lightVerb
			}
		}
	}
	return q
}

// expand adds synonyms to each term, and appends terms for the meanings of phrases in the query.
func (x *Index) expand(q *query, terms []term) []term {
	table := synonyms()
	var meanings []term
	for i := range terms {
		t := &terms[i]
		t.filler = saysNothing[t.text]
		if makers[t.text] && t.text != "of" && t.text != "from" && t.text != "open" || t.text == "constructor" {
			q.makes = true
		}
		if !x.with(Synonyms) || t.filler {
			continue
		}
		words, far := table.words[t.stem], table.distant[t.stem]
		if !q.sentence {
			far = nil
		}
		t.others = slices.Grow(t.others, len(words)+len(far))
		for _, w := range words {
			t.others = append(t.others, other{stem: w, weight: synonym})
		}
		for _, w := range far {
			t.others = append(t.others, other{stem: w, weight: distant})
		}
		if i > 0 && terms[i-1].text == without && x.with(Negation) {
			t.others = append(t.others, other{stem: without + t.stem, weight: negated})
			for _, w := range table.words[t.stem] {
				t.others = append(t.others, other{stem: without + w, weight: negated})
			}
		}
	}
	if x.with(Synonyms) {
		for _, s := range table.sayings(terms) {
			if !slices.ContainsFunc(s.means, func(w string) bool { return len(x.vocabulary().postingsOf(w)) > 0 }) {
				continue
			}
			m := term{text: s.means[0], meaning: true, weight: 1}
			for _, w := range s.means {
				m.others = append(m.others, other{stem: w, weight: phrased})
			}
			meanings = append(meanings, m)
			for i := range terms {
				if s.terms&(1<<i) == 0 {
					continue
				}
				terms[i].explained = true
				if terms[i].weight = ofNames; q.sentence {
					terms[i].weight = inPhrase
					if x.with(Phrases) {
						terms[i].others = nil // "breaks" in "line breaks" does not mean a failure
					}
				}
			}
		}
	}
	return append(slices.DeleteFunc(terms, func(t term) bool { return t.again }), meanings...)
}

// relations returns each preposition in a query together with the word that follows it, without
// articles between them. "into" also stands for "to", which is more common in names.
func relations(terms []term) []string {
	var all []string
	for i := range terms {
		preposition := terms[i].text
		if !prepositions[preposition] {
			continue
		}
		i++
		for i < len(terms) && articles[terms[i].text] {
			i++
		}
		if i == len(terms) || prepositions[terms[i].text] || strings.Contains(terms[i].text, ".") {
			continue
		}
		all = append(all, preposition+terms[i].text)
		if preposition == "into" {
			all = append(all, "to"+terms[i].text)
		}
	}
	return all
}

// weighRoles lowers the weight of words in a sentence that do not describe what the sentence asks
// for. Examples are "png" in "turn a png into webp" and "hash" in "a url without a hash".
func weighRoles(terms []term) {
	for i := 1; i < len(terms); i++ {
		switch terms[i].text {
		case "into":
			if !turns[terms[0].text] {
				continue
			}
			for j := range terms[1:i] {
				terms[1+j].weight *= before
			}
		case "not", without:
			for i++; i < len(terms); i++ {
				if terms[i].weight *= unwanted; !saysNothing[terms[i].text] {
					break
				}
			}
		}
	}
}

// pieces returns the words of a name in a query.
func pieces(field string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(field, func(r rune) bool { return strings.ContainsRune("-_.:#/$@", r) }) {
		ascii := true
		for i := range len(part) {
			ascii = ascii && part[i] < 128
		}
		if !ascii || len(part) > 64 {
			all = append(all, part)
			continue
		}
		starts := humps(part)
		for from := 0; from < len(part); {
			to := from + 1
			for to < len(part) && starts&(1<<to) == 0 {
				to++
			}
			all = append(all, part[from:to])
			from = to
		}
	}
	return all
}

// knows reports whether a folded name is a name of the package, a part of such a name, or a word of
// its documentation.
func (x *Index) knows(text string) bool {
	if strings.Contains(text, ".") {
		return x.knowsPath(text)
	}
	return strings.Contains(x.names, text) || len(x.vocabulary().postingsOf(stem(text))) > 0
}

func (x *Index) knowsAll(parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return len(x.vocabulary().postingsOf(stem(fold(part)))) == 0 })
}

func (x *Index) knowsPath(text string) bool {
	b := freeBuffers.Get().(*buffers)
	defer freeBuffers.Put(b)
	dot := strings.LastIndexByte(text, '.')
	for i := range members(x.spelled(text, b)) {
		if x.matchPath(text, dot, i) > 0 {
			return true
		}
	}
	return false
}

// has reports whether a symbol or section has the folded name.
func (x *Index) has(name string) bool {
	if name == "" {
		return false
	}
	b := freeBuffers.Get().(*buffers)
	defer freeBuffers.Put(b)
	set := x.spelled(name, b)
	x.signatures.keepPairs(set, pairsOf(name))
	x.signatures.keepFirst(set, name[0])
	for i := range members(set) {
		if x.name(i) == name {
			return true
		}
	}
	return false
}

// binds contains words that connect the words of a sentence. Queries that consist of names do not
// contain them.
var binds = wordSet(`a an the my me i it its that this to of for into does do how there when are be`)

// prepositions contains words that names have between other words, as in NewFromString and to_bytes.
var prepositions = wordSet(`as at before after by for from in into is not of on to until with without`)

var articles = wordSet(`a an the my this that its their your`)

// saysNothing contains words in questions that do not describe the subject.
var saysNothing = wordSet(`a an and are as at be been being but by can could did do does doing done for from had has have having how
	i if in into is it its just let like me my need of on one or our please should so some than that the their them then there these
	they thing things this those to too use used uses using via want was way we were what when where which while who why will with
	would you your something someone somehow already also any such own actually really get's i'm don't dont`)

// lightVerbs contains verbs that can be combined with any noun, so only the nouns describe the
// subject of the query.
var lightVerbs = wordSet(`add allow call change check create find get give go handle keep look make put receive run send set show
	start take tell turn work write`)

// whether contains the first words of yes-or-no questions.
var whether = wordSet(`is are was does do has have can`)

// failures contains stems of words for errors.
var failures = wordSet(`error exception fail`)

// turns contains verbs for turning one thing into another.
var turns = wordSet(`turn convert change transform make parse read decode put split`)

// verbs contains other verbs with which queries begin.
var verbs = wordSet(`abort accept append apply ask attach build cache call cancel clean clear clone close compare compress configure connect convert
	copy count cut decode define delete detect disable disconnect download draw drop edit empty enable encode encrypt escape estimate
	execute export extract fetch fill filter forget format generate group hide host ignore import insert inspect join kill leave let limit
	list listen load lock log look map mark measure merge mount move name notify open parse pause pick ping print process prevent
	publish pull push query react read receive record reference refuse register remember remove rename render repeat replace report
	request reset resize restart restore resume retry return roll rotate save schedule scroll search select serve share shuffle sign
	skip sleep sort speed split spread start stop store stream subscribe support swap switch test throw translate trigger trim truncate
	turn undo unpack update upload validate verify visit wait walk watch wrap zip`)

func wordSet(text string) map[string]bool {
	words := make(map[string]bool)
	for w := range strings.FieldsSeq(text) {
		words[w] = true
	}
	return words
}
