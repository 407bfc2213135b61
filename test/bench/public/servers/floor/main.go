// Command floor does the work of the public comparison without an MCP library. It is a net/http
// handler that supports the four methods of the load and checks no more than necessary.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/docent-mcp/docent/test/bench/public/work"
)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type result struct {
	Content []content `json:"content"`
}

var (
	initialized = json.RawMessage(`{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"floor","version":"1.0.0"}}`)
	tools       = json.RawMessage(`{"tools":[` +
		`{"name":"search_products","description":"` + work.AboutSearch + `","inputSchema":{"type":"object","properties":{"category":{"type":"string"},"min_price":{"type":"number"},"max_price":{"type":"number"},"limit":{"type":"integer"}},"required":["category","min_price","max_price","limit"]}},` +
		`{"name":"get_user_cart","description":"` + work.AboutCart + `","inputSchema":{"type":"object","properties":{"user_id":{"type":"string"}},"required":["user_id"]}},` +
		`{"name":"checkout","description":"` + work.AboutCheckout + `","inputSchema":{"type":"object","properties":{"user_id":{"type":"string"},"items":{"type":"array","items":{"type":"object","properties":{"product_id":{"type":"integer"},"quantity":{"type":"integer"}},"required":["product_id","quantity"]}}},"required":["user_id","items"]}}]}`)
)

func call[In, Out any](ctx context.Context, arguments json.RawMessage, f func(context.Context, In) (Out, error)) (any, error) {
	var in In
	if err := json.Unmarshal(arguments, &in); err != nil {
		return nil, err
	}
	out, err := f(ctx, in)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(out)
	return result{[]content{{"text", string(text)}}}, err
}

// sessions contains the IDs of the open sessions.
var sessions sync.Map

func main() {
	shop := work.Open()
	shop.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session := r.Header.Get("Mcp-Session-Id")
		if session != "" {
			if _, ok := sessions.Load(session); !ok {
				http.Error(w, "no such session", http.StatusNotFound)
				return
			}
		}
		if r.Method == http.MethodDelete {
			sessions.Delete(session)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var req request
		if err := json.Unmarshal(body, &req); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if req.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		res := response{Version: "2.0", ID: req.ID}
		switch {
		case req.Method == "initialize":
			res.Result = initialized
			if shop.Sessions {
				session = rand.Text()
				sessions.Store(session, time.Now())
				w.Header().Set("Mcp-Session-Id", session)
			}
		case req.Method == "tools/list":
			res.Result = tools
		case req.Params.Name == "search_products":
			res.Result, err = call(r.Context(), req.Params.Arguments, shop.Search)
		case req.Params.Name == "get_user_cart":
			res.Result, err = call(r.Context(), req.Params.Arguments, shop.Cart)
		case req.Params.Name == "checkout":
			res.Result, err = call(r.Context(), req.Params.Arguments, shop.Checkout)
		}
		var answer []byte
		if err == nil {
			answer, err = json.Marshal(res)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer)
	}))
}
