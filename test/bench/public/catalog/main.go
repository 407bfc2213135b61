// Command catalog is the HTTP service that the tools of the public comparison use. It provides
// 100,000 products, a search, and prices of orders.
//
//	catalog ADDR
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"

	"github.com/docent-mcp/docent/test/bench/public/work"
)

type product struct {
	ID          int      `json:"id"`
	SKU         string   `json:"sku"`
	Name        string   `json:"name"`
	Category    string   `json:"category"`
	Brand       string   `json:"brand"`
	Price       float64  `json:"price"`
	Stock       int      `json:"stock"`
	Rating      float64  `json:"rating"`
	Tags        []string `json:"tags"`
	Weight      float64  `json:"weight"`
	Description string   `json:"description"`
}

var categories = []string{
	"Electronics", "Books", "Clothing", "Kitchen", "Garden", "Toys", "Sports", "Music", "Films", "Games",
	"Office", "Health", "Beauty", "Pets", "Travel", "Tools", "Jewellery", "Baby", "Food", "Cars",
}

const size = 100_000

func cents(f float64) float64 { return math.Round(f*100) / 100 }

func main() {
	products := make([]product, size)
	byCategory := map[string][]product{}
	for i := range products {
		category := categories[i%len(categories)]
		products[i] = product{
			ID: i + 1, SKU: fmt.Sprintf("SKU-%06d", i+1), Name: fmt.Sprintf("%s article %d", category, i+1), Category: category,
			Brand: fmt.Sprintf("Brand %d", i%50), Price: cents(1 + float64(i%99900)/100), Stock: i % 501, Rating: cents(1 + float64(i%40)/10),
			Tags: []string{"new", "offer", "popular"}[:1+i%3], Weight: cents(float64(1+i%100) / 10), Description: fmt.Sprintf("Article %d of the category %s", i+1, category),
		}
		byCategory[category] = append(byCategory[category], products[i])
	}
	for _, all := range byCategory {
		slices.SortStableFunc(all, func(a, b product) int { return int(math.Round((a.Price - b.Price) * 100)) })
	}
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /products/search", func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		lowest, err1 := strconv.ParseFloat(query.Get("min_price"), 64)
		highest, err2 := strconv.ParseFloat(query.Get("max_price"), 64)
		limit, err3 := strconv.Atoi(query.Get("limit"))
		if err1 != nil || err2 != nil || err3 != nil {
			http.Error(w, "min_price, max_price and limit must be numbers", http.StatusBadRequest)
			return
		}
		all := byCategory[query.Get("category")]
		from, _ := slices.BinarySearchFunc(all, lowest, func(p product, price float64) int { return int(math.Round((p.Price - price) * 100)) })
		to, _ := slices.BinarySearchFunc(all, highest+0.01, func(p product, price float64) int { return int(math.Round((p.Price - price) * 100)) })
		found := all[from:max(from, to)]
		answer(w, map[string]any{"category": query.Get("category"), "total_found": len(found), "products": found[:min(max(limit, 0), len(found))]})
	})
	mux.HandleFunc("GET /products/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id < 1 || id > size {
			http.NotFound(w, r)
			return
		}
		answer(w, products[id-1])
	})
	mux.HandleFunc("POST /cart/calculate", func(w http.ResponseWriter, r *http.Request) {
		var order work.CheckoutIn
		if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
			http.Error(w, "malformed JSON", http.StatusBadRequest)
			return
		}
		total := 0.0
		for _, item := range order.Items {
			if item.ProductID >= 1 && item.ProductID <= size {
				total += products[item.ProductID-1].Price * float64(item.Quantity)
			}
		}
		answer(w, map[string]any{"order_id": fmt.Sprintf("order-%s-%d", order.UserID, len(order.Items)), "total": cents(total * 1.085)})
	})
	work.Check(http.ListenAndServe(os.Args[1], mux))
}
