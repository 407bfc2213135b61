/*
Package radio listens on channel 16.

Deprecated: Use package signal.

It writes what it hears:

	12:00 all stations
	12:01 harbor, harbor

# Channels

See [encoding/json.Marshal], [Channel], [*Channel.Tune] and [signal.Sender].

+ no list
1) no list either
# no heading without a blank line before and after
> no quotation

Plain <b>text</b> with `code`, a backslash \* and &amp; an entity.
*/
package radio

import "example.com/harbor/signal"

// Channel is a channel.
type Channel struct {
	// Number is the number of the channel.
	//
	// Deprecated: Use Name.
	Number int
	Name   string
	signal.Sender
}

// Tune changes the channel.
//
// ```
// c.Tune(16)
// ```
//
// Afterwards it waits.
func (c *Channel) Tune(n int) {}

// Scan scans all channels.
//
//go:noinline
func Scan() {}

/* Quiet is commented in a block. */
func Quiet() {}
