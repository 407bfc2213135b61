package kiosk_test

import (
	"fmt"

	"example.com/kiosk"
)

// This is how it begins.
func Example() {
	fmt.Println(kiosk.Name)
	// Output: kiosk
}

func Example_second() {
	fmt.Println(2)
	// Unordered output:
	// 2
	// 1
}

func ExampleNew() { kiosk.New("a") }

func ExampleNew_nameless() {
	kiosk.New("")
	// Output:
}

func ExampleKiosk_Rattle() { new(kiosk.Kiosk).Rattle() }

func ExampleShelf_Put_twice() { new(kiosk.Shelf[int, int]).Put(1, 2) }

func ExampleNobody() { fmt.Println("lost") }

func ExampleEmpty() {}
