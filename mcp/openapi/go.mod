module github.com/docent-mcp/docent/mcp/openapi

go 1.26.0

replace github.com/docent-mcp/docent => ../..

require (
	github.com/docent-mcp/docent v0.0.0
	github.com/getkin/kin-openapi v0.153.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	github.com/go-openapi/jsonpointer v0.22.5 // indirect
	github.com/go-openapi/swag/jsonname v0.25.5 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	go.yaml.in/yaml/v4 v4.0.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
