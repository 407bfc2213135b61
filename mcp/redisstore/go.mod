module github.com/docent-mcp/docent/mcp/redisstore

go 1.26.0

replace github.com/docent-mcp/docent => ../..

require (
	github.com/docent-mcp/docent v0.0.0
	github.com/redis/go-redis/v9 v9.23.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	go.uber.org/atomic v1.12.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
