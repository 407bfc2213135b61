package kiosk

import "testing"

func TestNothing(t *testing.T) {}

func ExampleKiosk_Sell() {
	k := New("corner")
	// Sell prints.
	k.Sell("news", nil)

	raw := `
	kept`
	_ = raw
	// Output:
	// news
	//   indented
}
