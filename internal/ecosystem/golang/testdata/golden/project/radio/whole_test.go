package radio_test

import (
	"fmt"

	"example.com/harbor/radio"
)

type printer struct{}

func (printer) print(c *radio.Channel) { fmt.Println(c.Name) }

// A whole file is an example.
func ExampleChannel_Tune() {
	var c radio.Channel
	c.Tune(16)
	printer{}.print(&c)
	// Output:
}
