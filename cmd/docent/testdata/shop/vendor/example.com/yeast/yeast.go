// Package yeast grows cultures for sourdough.
package yeast

// A Culture lives in a jar, and must be fed.
type Culture struct {
	// Days is how old it is.
	Days int
}

// Feed feeds the culture with flour and water, in grams.
func (c *Culture) Feed(flour, water int) {}
