package search

import (
	"math/bits"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// beforeAttributes is the ratio of the score of a class to the scores of its attributes.
const beforeAttributes = 1.02

// undocumented is the factor for the score of an attribute without documentation if the query has
// several terms. The name of the attribute matches, but there is no description that could match.
const undocumented = 0.8

// findAttributes records the entry of the class for each attribute without documentation. Most such
// attributes contain an argument of the constructor.
func (x *Index) findAttributes() {
	classes := map[string]int32{}
	for i := range x.entries {
		e := &x.entries[i]
		e.class = -1
		switch s := e.symbol; {
		case s == nil:
		case s.Form() == apidoc.ClassForm:
			classes[s.Path] = int32(i)
		case s.Doc == "" && s.IsAttribute():
			if class, ok := classes[s.ParentPath()]; ok {
				e.class = class
			}
		}
	}
}

// preferClasses lowers the rank of undocumented attributes. It ranks a class before its attributes
// if different words of the query are in the names of several of them. used contains the terms in
// the name of each of the best entries.
func (x *Index) preferClasses(best []int32, used []uint32, total []float32) {
	type sum struct {
		used    uint32
		maximum int // maximum number of terms that one attribute contains
		score   float32
	}
	classes := map[int32]sum{}
	for n, i := range best {
		class := x.entries[i].class
		if class < 0 {
			continue
		}
		score := total[i]
		total[i] *= undocumented
		if used[n] == 0 {
			continue
		}
		s := classes[class]
		s.used |= used[n]
		s.maximum = max(s.maximum, bits.OnesCount32(used[n]))
		s.score = max(s.score, score)
		classes[class] = s
	}
	for class, s := range classes {
		if bits.OnesCount32(s.used) > s.maximum && total[class] > 0 {
			total[class] = max(total[class], beforeAttributes*s.score)
		}
	}
}
