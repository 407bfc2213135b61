module github.com/docent-mcp/docent/mcp/internal/jsonschema/suitetest

go 1.26.0

require (
	github.com/docent-mcp/docent v0.0.0
	github.com/google/jsonschema-go v0.4.3
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
)

require golang.org/x/text v0.14.0 // indirect

replace github.com/docent-mcp/docent => ../../../..
