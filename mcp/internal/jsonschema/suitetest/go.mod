module github.com/docent-mcp/docent/mcp/internal/jsonschema/suitetest

go 1.26.0

require (
	github.com/docent-mcp/docent v0.0.0
	github.com/google/jsonschema-go v0.4.3
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
)

require (
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/docent-mcp/docent => ../../../..
