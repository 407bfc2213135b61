// Package broadheldout imports what the broad held-out questions are about, so that the
// go command keeps it in go.mod.
package broadheldout

import (
	_ "github.com/Masterminds/semver/v3"
	_ "github.com/hashicorp/golang-lru/v2/expirable"
	_ "github.com/jmoiron/sqlx"
	_ "github.com/spf13/afero"
	_ "github.com/stretchr/testify/assert"
)
