package browse

import (
	"strconv"
	"strings"
)

// plural returns a number with a noun in the plural: "1 package", "2 packages".
func plural(n int, noun string) string {
	if n == 1 {
		noun = strings.TrimSuffix(noun, "s")
	}
	return strconv.Itoa(n) + " " + noun
}
