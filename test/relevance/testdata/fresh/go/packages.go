// Package fresh imports what the fresh questions are about, so that the
// go command keeps it in go.mod.
package fresh

import (
	_ "github.com/nats-io/nats.go"
	_ "github.com/urfave/cli/v3"
	_ "golang.org/x/time/rate"
)
