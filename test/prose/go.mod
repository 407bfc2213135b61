module github.com/docent-mcp/docent/test/prose

go 1.26.0

replace github.com/docent-mcp/docent => ../..

require github.com/docent-mcp/docent v0.0.0-00010101000000-000000000000

require (
	deps.dev/util/semver v0.0.0-20260727054525-2946ae4a6141 // indirect
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/yuin/goldmark v1.8.7
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
