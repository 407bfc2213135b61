package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// demoClient is a client with a session. It prints the messages from the server and answers its
// questions with answers, keyed by method.
type demoClient struct {
	conn    net.Conn
	lines   *bufio.Scanner
	answers map[string]string
}

// newDemoClient connects to s. capabilities contains the members of the client's capabilities
// object.
func newDemoClient(s *mcp.Server, capabilities string) *demoClient {
	near, far := net.Pipe()
	go s.ServeConn(context.Background(), far)
	c := &demoClient{conn: near, lines: bufio.NewScanner(near)}
	c.send(`"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{` + capabilities + `},"clientInfo":{"name":"demo","version":"1"}}`)
	c.lines.Scan()
	c.send(`"method":"notifications/initialized"`)
	return c
}

func (c *demoClient) send(members string) {
	if _, err := fmt.Fprintln(c.conn, `{"jsonrpc":"2.0",`+members+`}`); err != nil {
		log.Fatal(err)
	}
}

// call sends a request, prints the messages that arrive before the response, and returns the
// response.
func (c *demoClient) call(method, params string) string {
	c.send(fmt.Sprintf(`"id":1,"method":%q,"params":%s`, method, params))
	for {
		m := c.next()
		switch {
		case m.Method == "" && m.Error != nil:
			return "error " + string(m.Error)
		case m.Method == "":
			return string(m.Result)
		case m.ID != nil:
			fmt.Println("asked:", m.Method)
			c.send(fmt.Sprintf(`"id":%s,"result":%s`, m.ID, c.answers[m.Method]))
		default:
			fmt.Println(strings.TrimPrefix(m.Method, "notifications/"), string(m.Params))
		}
	}
}

type demoMessage struct {
	ID, Params, Result, Error json.RawMessage
	Method                    string
}

func (c *demoClient) next() (m demoMessage) {
	if !c.lines.Scan() {
		log.Fatal("the connection has ended")
	}
	if err := json.Unmarshal(c.lines.Bytes(), &m); err != nil {
		log.Fatal(err)
	}
	return m
}
