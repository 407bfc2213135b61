// Package wide imports what the wide questions are about, so that the
// go command keeps it in go.mod.
package wide

import (
	_ "github.com/go-resty/resty/v2"
	_ "github.com/gorilla/mux"
	_ "github.com/robfig/cron/v3"
	_ "github.com/shopspring/decimal"
)
