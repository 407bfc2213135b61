module docent.test/relevance/wide

go 1.26.0

require (
	github.com/go-resty/resty/v2 v2.17.2
	github.com/gorilla/mux v1.8.1
	github.com/robfig/cron/v3 v3.0.1
	github.com/shopspring/decimal v1.6.0
)

require golang.org/x/net v0.43.0 // indirect
