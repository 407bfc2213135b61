module github.com/docent-mcp/docent

go 1.26
