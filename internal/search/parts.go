package search

// Parts is a set of parts of the ranking that can be skipped to measure their effect.
type Parts uint32

// These are the parts that can be skipped. The comments describe their purpose.
const (
	FirstSentence Parts = 1 << iota // weigh the first sentence of documentation more than the rest
	Synonyms                        // allow words to match their synonyms in synonyms.txt
	NameCover                       // rank names higher if they contain several terms of the query
	ParentCover                     // count the terms in the parent's name together with those in a member's name
	Roles                           // rank operations before their input and output types
	Constructors                    // rank constructors before types if the query contains make, new or create
	SectionLinks                    // rank symbols higher if a matching section mentions them in a code span
	Descriptions                    // describe undocumented symbols with sentences from prose
	Spread                          // lower the rank of members that share a name with better ones, so that there is room for others
	Verbs                           // prefer operations if a sentence begins with a verb, and predicates if it asks whether something is so
	LightVerbs                      // give verbs that can be combined with any noun a lower weight than nouns
	Introduced                      // rank symbols higher if the README mentions them in a code span
	Attributes                      // lower the rank of undocumented attributes, and rank a class before its attributes if the query contains several of their names
	Boilerplate                     // ignore paragraphs that many comments share
	Compounds                       // match a name of several words even if the words are not adjacent
	Repeated                        // find a field that many types share only once
	Members                         // rank a member before its type if the query contains both names
	Negation                        // allow "without waiting" to match synonyms
	Generics                        // lower the rank of symbols without type parameters if the query asks for generic ones, and of symbols that do not mention "derive" if the query does
	Borrowed                        // describe undocumented symbols with the documentation of a type in their signatures
	Failures                        // rank errors higher if the query asks for one
	Traits                          // lower the rank of members that come from a trait of another package
	Phrases                         // give the meaning of a phrase a higher weight than its individual words if the query is a sentence
	Spelling                        // rank names with underscores, and members of a type, higher if the query contains them exactly
	Inputs                          // count the words of the fields of an operation's input, and of the comment on the type it is named after, for the operation
	Relations                       // rank names higher that contain a preposition of the query with the word after it
	Guides                          // rank the sections of a guide higher if the query contains a word of the guide's path
)

// Without returns an index of the same package whose ranking skips the given parts. It returns x
// itself if x already does that.
func (x *Index) Without(parts Parts) *Index {
	if parts == x.without {
		return x
	}
	return newIndex(x.pkg, parts)
}

func (x *Index) with(p Parts) bool { return x.without&p == 0 }
