// Package shop sells bread.
package shop

// A Counter is where bread is sold.
type Counter struct {
	// Price is that of a loaf, in cents.
	Price int
}

// Sell sells a loaf.
func (c *Counter) Sell() (cents int) { return c.Price }

// Close closes the shop.
func Close() {}
