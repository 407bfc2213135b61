// Package more imports what more questions are about, so that the go command
// keeps it in go.mod.
package more

import (
	_ "github.com/gorilla/websocket"
	_ "github.com/spf13/cobra"
	_ "go.etcd.io/bbolt"
)
