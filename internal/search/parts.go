package search

// Parts are parts of the ranking that can be left out to measure what each
// brings.
type Parts uint32

// The parts that can be left out.
const (
	FirstSentence Parts = 1 << iota // the first sentence counts most
	Synonyms                        // words of synonyms.txt stand in for one another
	NameCover                       // words that stand in one name count as that name
	ParentCover                     // words of the parent beside those of the member
	Roles                           // what does it before what goes in and comes out
	Constructors                    // before the type when the query says make, new, create
	SectionLinks                    // sections lend weight to what they name
	Descriptions                    // what prose says of a symbol without documentation
	Spread                          // members that share a name leave room for others
	Verbs                           // what acts, and what tells whether something is so, where a sentence asks for it
	LightVerbs                      // verbs of every request weigh less than what they act on
	Introduced                      // what the README names in code before what it does not
	Attributes                      // a class before its attributes where the query names several of them
	Boilerplate                     // paragraphs that many comments share say nothing
	Compounds                       // a name of several words is also found where its words stand apart
	Repeated                        // a field that many types have is found once
	Members                         // a member before its type where the query names both
	Negation                        // "without waiting" asks for what says so
	Generics                        // what has no type parameters behind where the query asks for generic
	Borrowed                        // what a type in its signature says of a symbol without documentation
	Failures                        // errors before the rest where the query asks for one
	Spelling                        // names with underscores, and members of a type, count as written, too
)

// Without returns an index of the same package that ranks without some parts, x
// itself if they are none.
func (x *Index) Without(parts Parts) *Index {
	if parts == x.without {
		return x
	}
	return newIndex(x.pkg, parts)
}

func (x *Index) with(p Parts) bool { return x.without&p == 0 }
