// Package wideheldout imports what the wide-heldout questions are about, so that the
// go command keeps it in go.mod.
package wideheldout

import (
	_ "github.com/dgraph-io/badger/v4"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/labstack/echo/v4"
	_ "github.com/segmentio/kafka-go"
)
