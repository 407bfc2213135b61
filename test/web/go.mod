module github.com/docent-mcp/docent/test/web

go 1.26.0

replace github.com/docent-mcp/docent => ../..

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/docent-mcp/docent v0.0.0-00010101000000-000000000000
)

require github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
