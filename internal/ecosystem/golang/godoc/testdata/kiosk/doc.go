// Copyright of nobody.

/*
Package kiosk sells newspapers. It exists to be read by tests.

# Opening

A [Kiosk] is opened with [New]:

	k := kiosk.New("corner")
	defer k.Close()

It sells

  - papers, see [Kiosk.Sell],
  - sweets.

The rules are in the [handbook].

[handbook]: https://example.com/hand_book
*/
package kiosk

// BUG(clerk): Change is given in *small* coins.
