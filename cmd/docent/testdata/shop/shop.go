// Package shop sells bread.
package shop

import (
	"context"

	"example.com/oven"
)

// Loaves bakes a number of loaves.
func Loaves(ctx context.Context, n int) ([]oven.Bread, error) {
	o := oven.New(oven.WithHeat(230))
	if err := o.Bakes(ctx); err != nil {
		return nil, err
	}
	return o.Bake(ctx, oven.Dough{Grams: 500, Yeast: "dry"}, n)
}

// A Counter is where bread is sold.
type Counter struct {
	// Price is that of a loaf, in cents.
	Price int
}

// Sell sells loaves, and returns what they cost.
func (c *Counter) Sell(loaves int) (cents int) { return c.Price * loaves }
