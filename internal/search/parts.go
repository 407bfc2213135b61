package search

// Parts are parts of the ranking that can be left out to measure their effect.
type Parts uint32

// These are the parts that can be left out. The comments say what they do.
const (
	FirstSentence Parts = 1 << iota // weigh the first sentence of documentation more than the rest
	Synonyms                        // let words match their synonyms in synonyms.txt
	NameCover                       // raise names that contain several terms of the query
	ParentCover                     // count terms in the parent's name with those in a member's name
	Roles                           // rank operations before their input and output types
	Constructors                    // rank constructors before types when the query says make, new or create
	SectionLinks                    // raise symbols that a matching section names in code
	Descriptions                    // describe undocumented symbols by what prose says about them
	Spread                          // spread members that share a name, so that they do not crowd out others
	Verbs                           // prefer operations where a sentence begins with a verb, and predicates where it asks whether
	LightVerbs                      // weigh verbs that go with every noun less than the nouns
	Introduced                      // raise symbols that the README names in code
	Attributes                      // rank undocumented attributes lower, and a class before its own when the query names several of them
	Boilerplate                     // ignore paragraphs that many comments share
	Compounds                       // match a name of several words even where the words are apart
	Repeated                        // find a field that many types have only once
	Members                         // rank a member before its type when the query names both
	Negation                        // let "without waiting" match text that says so
	Generics                        // rank symbols without type parameters lower when the query asks for generic ones
	Borrowed                        // describe undocumented symbols by the documentation of a type in their signatures
	Failures                        // raise errors when the query asks for one
	Traits                          // rank members that come from another package's trait lower
	Phrases                         // let a phrase's meaning count more than its single words in a sentence
	Spelling                        // raise names with underscores, and members of a type, that the query spells exactly
)

// Without returns an index of the same package that ranks without the given
// parts, or x itself if there are none.
func (x *Index) Without(parts Parts) *Index {
	if parts == x.without {
		return x
	}
	return newIndex(x.pkg, parts)
}

func (x *Index) with(p Parts) bool { return x.without&p == 0 }
