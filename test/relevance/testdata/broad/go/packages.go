// Package broad imports what the broad questions are about, so that the
// go command keeps it in go.mod.
package broad

import (
	_ "github.com/fsnotify/fsnotify"
	_ "github.com/gin-gonic/gin"
	_ "github.com/rs/zerolog"
	_ "github.com/samber/lo"
	_ "github.com/spf13/viper"
)
