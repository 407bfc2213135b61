package openapi_test

import (
	"fmt"
	"log"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/openapi"
)

const shop = `
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    get: {operationId: getOrdersV2, summary: Lists orders., responses: {"200": {description: ok}}}
    post: {operationId: placeOrder, summary: Places an order., responses: {"201": {description: made}}}
    delete: {operationId: cancelAllOrders, summary: Cancels all orders., responses: {"204": {description: gone}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getOrder, summary: Reads an order., responses: {"200": {description: ok}}}
    delete: {operationId: cancelOrder, summary: Cancels an order., responses: {"204": {description: gone}}}
  /orders/old:
    get: {operationId: getOrders, deprecated: true, summary: Lists orders., responses: {"200": {description: ok}}}
  /invoices/{number}:
    get: {operationId: getInvoice, summary: Reads an invoice., responses: {"200": {description: ok}}}
`

// All operations that change nothing become tools, one of them with another name, and one DELETE.
func ExampleAPI_AddTools() {
	api, err := openapi.Load([]byte(shop))
	if err != nil {
		log.Fatal(err)
	}
	s := mcp.NewServer(mcp.Implementation{Name: "shop", Version: "1.0.0"}, nil)
	report, err := api.AddTools(s, &openapi.Options{
		BaseURL: "https://shop.example.com/v1",
		Unsafe:  true, // with Unsafe set, only Include excludes operations that change something
		Include: func(op openapi.Operation) bool {
			return !op.Deprecated && (op.Safe() || op.ID == "cancelOrder") // one DELETE
		},
		Name: func(op openapi.Operation) string {
			if op.ID == "getOrdersV2" {
				return "list_orders"
			}
			return "" // the default
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range report.Added {
		fmt.Println(name)
	}
	for operation, reason := range report.Skipped {
		fmt.Printf("no tool for %s: %s\n", operation, reason)
	}
	// Output:
	// list_orders
	// getOrder
	// cancelOrder
	// no tool for GET /invoices/{number}: its path contains {number}, which no parameter describes
}
