package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// vocabulary records where each word occurs, by its stem, in names, signatures and documentation.
type vocabulary struct {
	ids      map[string]int32
	stems    []string          // stems by ID
	masks    []uint64          // mask of each stem, by ID
	weights  []float32         // weight of each word in a name, by ID
	postings []posting         // postings of all stems, by ID and then in the order of entries
	starts   []int32           // start of each stem's postings, by ID; the last element is the end of all postings
	words    []word            // words of the names of all entries, concatenated
	ends     []int32           // end of the words of each entry
	parents  []taken           // folded parent paths of entries; the first is empty
	parent   []int32           // index of each entry's parent in parents
	named    map[int32][]int32 // entries that each section mentions in code spans, by the entry of the section
}

// taken is a folded name with its words.
type taken struct {
	name  string
	words []word
}

// wordsOf returns the words of the name of an entry.
func (v *vocabulary) wordsOf(i int32) []word {
	start := int32(0)
	if i > 0 {
		start = v.ends[i-1]
	}
	return v.words[start:v.ends[i]]
}

// posting is an entry that contains a word, with the weight of the word in the entry, from 0 to 1.
type posting struct {
	entry  int32
	weight float32
}

// word is a word of a folded name. It ends where the next word begins. No word
// begins after the 64th byte.
type word struct {
	stem  int32 // ID of the stem
	start uint8 // offset of the word in the name
}

// endOf returns the offset at which word number n of a name ends.
func endOf(words []word, n int, name string) int {
	if n+1 < len(words) {
		return int(words[n+1].start)
	}
	return len(name)
}

func (v *vocabulary) postingsOf(stem string) []posting {
	if id, ok := v.ids[stem]; ok {
		return v.list(id)
	}
	return nil
}

// list returns the postings of the stem with an ID.
func (v *vocabulary) list(id int32) []posting { return v.postings[v.starts[id]:v.starts[id+1]] }

// join concatenates lists, which are indexed by stem ID, into v.postings, and records where each of
// them starts.
func (v *vocabulary) join(lists [][]posting) {
	v.starts = make([]int32, 1, len(lists)+1)
	n := 0
	for _, list := range lists {
		n += len(list)
		v.starts = append(v.starts, int32(n))
	}
	v.postings = slices.Concat(lists...)
}

// genericStem is a stem that is added to every symbol with type parameters.
const genericStem = "generic"

// has reports whether a stem occurs in an entry.
func (v *vocabulary) has(stem string, entry int32) bool { return v.weight(v.id(stem), entry) > 0 }

// weight returns the weight of a stem in an entry, or 0 if it does not occur there.
func (v *vocabulary) weight(id, entry int32) float32 {
	if id < 0 {
		return 0
	}
	list := v.list(id)
	i, found := slices.BinarySearchFunc(list, entry, func(p posting, entry int32) int { return int(p.entry - entry) })
	if !found {
		return 0
	}
	return list[i].weight
}

// id returns the ID of a stem, or -1 if it does not occur.
func (v *vocabulary) id(stem string) int32 {
	if id, ok := v.ids[stem]; ok {
		return id
	}
	return -1
}

// These are the weights of a word, depending on where it occurs.
const (
	inName      = 2.5
	inParent    = 1.12
	inSynopsis  = 2.0
	inDoc       = 1.0
	inSignature = 0.84
	inExample   = 0.3
	inBorrowed  = 0.8
	inInput     = 0.6
	inSubject   = 1.2

	saturation = 1.5 // sum of weights for which a word gets half of the maximum score
	lengthPart = 0.6 // how much the weights of words are reduced in text that is longer than average
)

// lengthy is the length in bytes above which documentation is considered long.
const lengthy = 3000

// readWords counts the words of every entry and returns the vocabulary.
func (x *Index) readWords() *vocabulary {
	v := &vocabulary{ids: make(map[string]int32)}
	var lists [][]posting               // postings by ID
	var counts []float32                // weights in the current entry, by ID
	var seen []int32                    // IDs that occur in the current entry
	idsByWord := make(map[string]int32) // IDs by the word before stemming
	numberStem := func(w string) int32 {
		id, ok := v.ids[w]
		if !ok {
			w = strings.Clone(w) // copy the word, so that the complete text is not kept in memory
			id = int32(len(counts))
			v.ids[w] = id
			v.stems = append(v.stems, w)
			v.masks = append(v.masks, maskOf(w))
			lists = append(lists, nil)
			counts = append(counts, 0)
		}
		return id
	}
	number := func(word string) int32 {
		id, ok := idsByWord[word]
		if !ok {
			id = numberStem(stem(strings.ToLower(word)))
			idsByWord[word] = id
		}
		return id
	}
	add := func(text string, weight float32) {
		count := func(id int32) {
			if counts[id] == 0 {
				seen = append(seen, id)
			}
			counts[id] += weight
		}
		behindWithout := false
		for w := range rawWords(text) {
			id := number(w)
			count(id)
			if behindWithout {
				count(numberStem(without + v.stems[id]))
			}
			behindWithout = len(w) == len(without) && strings.EqualFold(w, without) && x.with(Negation)
		}
	}
	var size, documented int
	for i := range x.entries {
		if n := len(x.entries[i].doc()); n > 0 {
			size += n
			documented++
		}
	}
	average := float32(max(size/max(documented, 1), 100))
	var described map[int32]string
	if x.with(Descriptions) {
		described = x.describe()
	}
	var lenders map[string]string
	if x.with(Borrowed) {
		lenders = x.borrowable()
	}
	var operandsOf map[int32]*operands
	if x.with(Inputs) {
		operandsOf = x.operands()
	}
	var shared map[string]bool
	if x.with(Boilerplate) {
		shared = x.boilerplate()
	}
	for i := range x.entries {
		e := &x.entries[i]
		doc := cmp.Or(e.doc(), described[int32(i)])
		length := 1 - lengthPart + lengthPart*float32(len(doc))/average
		first := markup.Synopsis(doc)
		body, sentence := inDoc/max(length, 0.7), inSynopsis/(1-lengthPart+lengthPart*float32(len(first))/80)
		if len(doc) > lengthy { // a long text contains many words
			body *= lengthy / float32(len(doc))
			if e.section != nil { // the first sentence of a section does not summarize it
				sentence *= lengthy / float32(len(doc))
			}
		}
		if x.with(FirstSentence) {
			add(first, sentence)
		}
		add(withoutParagraphs(doc, shared), body)
		if doc == "" && e.symbol != nil {
			add(borrowed(baseName(e.symbol), e.symbol.Signature, lenders), inBorrowed)
		}
		switch {
		case e.symbol != nil:
			s := e.symbol
			path, name := s.Path, s.Path[strings.LastIndexAny(s.Path, ".:#/")+1:]
			add(name, inName)
			parent := strings.TrimRight(path[:len(path)-len(name)], ".:#/")
			add(parent[strings.LastIndexAny(parent, ".:#/")+1:], inParent)
			add(s.Of, inParent)
			add(s.Signature, inSignature/(1-lengthPart+lengthPart*max(1, float32(len(s.Signature))/200)))
			if x.isGeneric(s) {
				add(genericStem, inSynopsis)
			}
			for j := range s.Examples {
				add(s.Examples[j].Code, inExample)
			}
			if o := operandsOf[int32(i)]; o != nil {
				for _, t := range o.inputs {
					for field := range inputFields(t) {
						add(baseName(field), inInput)
						add(markup.Synopsis(field.Doc), inInput)
					}
				}
				if o.subject != nil {
					add(markup.Synopsis(o.subject.Doc), inSubject)
				}
			}
		case e.section != nil:
			add(e.section.Title, inName)
		default:
			add(e.subpackage.Name[strings.LastIndexByte(e.subpackage.Name, '/')+1:], inName)
		}
		for _, id := range seen {
			n := counts[id]
			lists[id] = append(lists[id], posting{int32(i), n / (n + saturation)})
			counts[id] = 0
		}
		seen = seen[:0]
	}
	x.readNames(v, number)
	x.readLinks(v)
	v.join(lists)
	v.weights = make([]float32, len(lists))
	for id, list := range lists {
		v.weights[id] = minWord + rarity(max(1, len(list)), len(x.entries))
	}
	return v
}

// readNames splits the names of all entries into words. number returns the ID of a
// word's stem.
func (x *Index) readNames(v *vocabulary, number func(string) int32) {
	split := func(all []word, name string, humps uint64) []word {
		for from := 0; from < len(name); {
			to := from + 1
			for to < len(name) && (to >= 64 || humps&(1<<to) == 0) {
				to++
			}
			all = append(all, word{number(name[from:to]), uint8(from)})
			from = to
		}
		return all
	}
	v.words = make([]word, 0, len(x.names)/5)
	v.ends, v.parent = make([]int32, len(x.entries)), make([]int32, len(x.entries))
	v.parents = make([]taken, 1)
	idsByWord := map[string]int32{}
	for i := range x.entries {
		e := &x.entries[i]
		v.words = split(v.words, x.name(i), x.spans[i].humps)
		v.ends[i] = int32(len(v.words))
		if e.symbol == nil || !x.spans[i].isMember() {
			continue
		}
		parent := x.parentName(e)
		if _, ok := idsByWord[parent]; !ok {
			idsByWord[parent] = int32(len(v.parents))
			folded := fold(parent)
			v.parents = append(v.parents, taken{folded, split(nil, folded, foldedHumps(parent))})
		}
		v.parent[i] = idsByWord[parent]
	}
}

// isGeneric reports whether a declaration has type parameters. They directly follow its name.
func (x *Index) isGeneric(s *apidoc.Symbol) bool {
	name := s.Path[strings.LastIndexAny(s.Path, ".:#/")+1:]
	_, rest, _ := strings.Cut(s.Signature, name)
	if rest == "" || strings.IndexByte(" (:;,.\n", rest[0]) >= 0 || isLetter(rune(rest[0])) {
		return false // most declarations do not have to be parsed
	}
	d := x.pkg.Decl(s)
	return d.Child(d.Child(-1, apidoc.DeclarationPart), apidoc.TypeParamPart) >= 0
}

func isLetter(r rune) bool { return r < 128 && class[byte(r)] != 0 || r == '_' || r == '$' }

// readLinks records which symbols sections mention in code spans.
func (x *Index) readLinks(v *vocabulary) {
	if !x.hasProse() {
		return
	}
	byName := map[string]int32{}
	for i := range x.entries {
		e := &x.entries[i]
		if e.symbol == nil {
			continue
		}
		name := x.name(i)
		if _, ok := byName[name]; ok {
			byName[name] = -1 // several symbols have the name, so it does not identify one
		} else {
			byName[name] = int32(i)
		}
		byName[x.path(i)] = int32(i)
	}
	v.named = map[int32][]int32{}
	for i := range x.entries {
		s := x.entries[i].section
		if s == nil || s.ID == "changelog" {
			continue
		}
		seen := map[int32]bool{}
		for code := range codeIn(s.Body) {
			for w := range strings.FieldsFuncSeq(code, func(r rune) bool { return !isLetter(r) && r != '.' }) {
				for w != "" {
					if j, ok := byName[fold(w)]; ok && j >= 0 && !seen[j] && len(seen) < 12 {
						seen[j] = true
						v.named[int32(i)] = append(v.named[int32(i)], j)
					}
					_, w, _ = strings.Cut(w, ".")
				}
			}
		}
	}
}

// codeIn returns an iterator over the text of code spans and code blocks.
func codeIn(body string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for {
			_, rest, ok := strings.Cut(body, "`")
			if !ok {
				return
			}
			n := len(rest) - len(strings.TrimLeft(rest, "`"))
			fence := "```"[:min(n, 2)+1]
			if n == 1 {
				body = rest[1:] // an empty span
				continue
			}
			code, after, ok := strings.Cut(rest[n:], fence)
			if !ok || !yield(code) {
				return
			}
			body = after
		}
	}
}
