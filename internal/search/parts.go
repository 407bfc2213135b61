package search

// Parts are parts of the ranking that can be skipped to measure their effect.
type Parts uint32

// These are the parts that can be skipped. The comments describe their purpose.
const (
	FirstSentence Parts = 1 << iota // weigh the first sentence of documentation more than the rest
	Synonyms                        // let words match their synonyms in synonyms.txt
	NameCover                       // rank names higher if they contain several terms of the query
	ParentCover                     // count terms in the parent's name with those in a member's name
	Roles                           // rank operations before their input and output types
	Constructors                    // rank constructors before types if the query contains make, new or create
	SectionLinks                    // rank symbols higher if a matching section mentions them in a code span
	Descriptions                    // describe undocumented symbols with sentences from prose
	Spread                          // lower members that share a name with better ones, so that they do not crowd out others
	Verbs                           // prefer operations if a sentence begins with a verb, and predicates if it asks whether something is so
	LightVerbs                      // give verbs that go with every noun less weight than the nouns
	Introduced                      // rank symbols higher if the README mentions them in a code span
	Attributes                      // rank undocumented attributes lower, and a class before its attributes if the query names several of them
	Boilerplate                     // ignore paragraphs that many comments share
	Compounds                       // match a name of several words even if the words are not adjacent
	Repeated                        // find a field that many types share only once
	Members                         // rank a member before its type if the query names both
	Negation                        // let "without waiting" match synonyms
	Generics                        // rank symbols without type parameters lower if the query asks for generic ones
	Borrowed                        // describe undocumented symbols with the documentation of a type in their signatures
	Failures                        // rank errors higher if the query asks for one
	Traits                          // rank members that come from another package's trait lower
	Phrases                         // weigh the meaning of a phrase more than its individual words if the query is a sentence
	Spelling                        // rank names with underscores, and members of a type, higher if the query spells them exactly
)

// Without returns an index of the same package that ranks without the given parts, or x itself if
// it already does.
func (x *Index) Without(parts Parts) *Index {
	if parts == x.without {
		return x
	}
	return newIndex(x.pkg, parts)
}

func (x *Index) with(p Parts) bool { return x.without&p == 0 }
