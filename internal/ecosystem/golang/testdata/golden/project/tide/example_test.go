package tide_test

import (
	"fmt"

	"example.com/harbor/tide"
)

func Example() {
	fmt.Println(tide.Low)
	// Output: 40
}

// The suffix distinguishes the examples of the package.
func Example_storm() {
	for _, l := range []tide.Level{tide.Low, tide.High} {
		fmt.Println(l)
	}
	// Unordered output:
	// 120
	// 40
}

func ExampleNew() { fmt.Println(*tide.New(3)) }

func ExampleLevel() {
	var l tide.Level
	fmt.Printf(`a
	raw %v
`, l)
}

func ExampleLevel_At_later() {
	// This example has no output.
	_ = tide.High
}
