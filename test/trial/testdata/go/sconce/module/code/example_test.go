package code_test

import (
	"fmt"

	"brae.example/sconce/code"
)

func ExampleTable_Encode() {
	flashes, _ := code.Table{}.Encode("ab z")
	fmt.Println(flashes)
	// Output: [1 1 1 1 1 2 4 3 3 2]
}
