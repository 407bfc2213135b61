package kiosk_test

import "fmt"

type reader struct{}

func (reader) Title() string { return "whole" }

// The whole file is the example.
func ExamplePaper() {
	fmt.Println(reader{}.Title())
	// Output: whole
}
