package mcp_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestWhatComesWhenTheStreamOfTheOldTransportHasEndedIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		p := endpoint.pair("2024-11-05", `{}`)
		line := callLine(1, "echo", `{"message":"x"}`)
		c := endpoint.raw(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", p.endpoint, len(line), line[:10]))
		settle()
		p.close()
		settle()
		go io.WriteString(c, line[10:])
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		must(t, err)
		body := readAll(t, resp.Body)
		if resp.StatusCode != http.StatusNotFound || !strings.Contains(body, fmt.Sprintf(`"code":%d`, mcp.CodeInvalidRequest)) || !strings.Contains(body, "open another one with GET") {
			t.Errorf("%s: %s", resp.Status, body)
		}
	})
}
