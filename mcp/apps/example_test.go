package apps_test

import (
	"context"
	"fmt"
	"log"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/apps"
)

func Example() {
	// The server.
	s := mcp.NewServer(mcp.Implementation{Name: "weather", Version: "1.0"}, nil)
	mcp.Must(apps.Add(s, apps.View{
		URI: "ui://weather/chart", Name: "chart",
		HTML: apps.WithScript(`<!doctype html><html><head></head><body><pre id="out"></pre><script>
			mcpApp.connect({name: "chart", version: "1.0"}).then(app => {
				app.onresult = result => { out.textContent = result.content[0].text; };
			});
		</script></body></html>`),
	}))
	mcp.Must(mcp.AddFunc(s, apps.Link(mcp.Tool{Name: "forecast"}, "ui://weather/chart"),
		func(context.Context, struct{}) (string, error) { return "Sunny, 20 °C", nil }))

	// The host.
	ctx := context.Background()
	c, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: s}, &mcp.ClientOptions{Extensions: map[string]any{apps.ID: apps.Settings()}})
	if err != nil {
		log.Fatal(err)
	}
	for tool, err := range c.Tools(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		view, err := apps.Read(ctx, c, apps.LinkOf(tool).URI)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(tool.Name, view.URI)
		fmt.Println(view.Policy()[:56], "…")
	}
	if err := c.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// forecast ui://weather/chart
	// default-src 'none'; script-src 'self' 'unsafe-inline'; s …
}
