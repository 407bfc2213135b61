// Package work implements the tools of the public comparison for all compared servers that are
// written in Go. The tools use products in a catalogue over HTTP, and carts and orders in Redis.
// The package also parses the servers' command line:
//
//	SERVER [-sessions] [-profile FILE] -addr ADDR -redis ADDR -catalog URL    (MCP at http://ADDR/mcp)
package work

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// Descriptions of the tools.
const (
	AboutSearch   = "Finds products of a category within a range of prices"
	AboutCart     = "Returns the cart and the latest orders of a user"
	AboutCheckout = "Orders items for a user"
)

type (
	// SearchIn are the arguments of search_products.
	SearchIn struct {
		Category string  `json:"category"`
		MinPrice float64 `json:"min_price"`
		MaxPrice float64 `json:"max_price"`
		Limit    int     `json:"limit"`
	}
	// CartIn are the arguments of get_user_cart.
	CartIn struct {
		UserID string `json:"user_id"`
	}
	// CheckoutIn are the arguments of checkout.
	CheckoutIn struct {
		UserID string `json:"user_id"`
		Items  []Item `json:"items"`
	}
	// Item is one product to order.
	Item struct {
		ProductID int `json:"product_id"`
		Quantity  int `json:"quantity"`
	}
)

type (
	// SearchOut is the result of search_products.
	SearchOut struct {
		Category   string    `json:"category"`
		TotalFound int       `json:"total_found"`
		Products   []Product `json:"products"`
		Popular    []int     `json:"top10_popular_ids"`
	}
	// Product is a product that was found.
	Product struct {
		ID     int     `json:"id"`
		SKU    string  `json:"sku"`
		Name   string  `json:"name"`
		Price  float64 `json:"price"`
		Rating float64 `json:"rating"`
		Rank   int     `json:"popularity_rank"`
	}
	// CartOut is the result of get_user_cart.
	CartOut struct {
		UserID string  `json:"user_id"`
		Cart   Cart    `json:"cart"`
		Recent []Order `json:"recent_history"`
	}
	// Cart is a cart with its estimated price.
	Cart struct {
		Items []CartItem `json:"items"`
		Count int        `json:"item_count"`
		Total float64    `json:"estimated_total"`
	}
	// CartItem is a product in a cart.
	CartItem struct {
		ProductID int `json:"product_id"`
		Quantity  int `json:"qty"`
	}
	// Order is an order in the past.
	Order struct {
		ID        string  `json:"order_id"`
		ProductID int     `json:"product_id"`
		Quantity  int     `json:"qty"`
		Price     float64 `json:"price"`
		Time      int64   `json:"ts"`
	}
	// CheckoutOut is the result of checkout.
	CheckoutOut struct {
		OrderID string  `json:"order_id"`
		UserID  string  `json:"user_id"`
		Total   float64 `json:"total"`
		Count   int     `json:"items_count"`
		Rate    int64   `json:"rate_limit_count"`
		Status  string  `json:"status"`
	}
)

// Shop does the work of the tools.
type Shop struct {
	// Sessions is true if the server uses sessions.
	Sessions bool

	addr, catalog, profile string
	http                   *http.Client
	redis                  *redis.Client
}

// Open parses the command line and returns a Shop for it.
func Open() *Shop {
	s := &Shop{http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}}
	flag.BoolVar(&s.Sessions, "sessions", false, "keep sessions")
	flag.StringVar(&s.addr, "addr", "127.0.0.1:8080", "address to listen on")
	flag.StringVar(&s.catalog, "catalog", "", "URL of the catalogue")
	flag.StringVar(&s.profile, "profile", "", "file for a profile of the CPU")
	store := flag.String("redis", "", "address of Redis")
	flag.Parse()
	s.redis = redis.NewClient(&redis.Options{Addr: *store, PoolSize: 100, DisableIdentity: true})
	return s
}

// Serve serves h at /mcp until the process is interrupted.
func (s *Shop) Serve(h http.Handler) {
	if s.profile != "" {
		f, err := os.Create(s.profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		Check(err)
	}
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-term
		pprof.StopCPUProfile()
		os.Exit(0)
	}()
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	Check(http.ListenAndServe(s.addr, mux))
}

// Check exits on an error.
func Check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (s *Shop) call(ctx context.Context, method, path string, body, result any) error {
	var content bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, s.catalog+path, &content)
	if err != nil {
		return err
	}
	res, err := s.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(result)
}

// together runs functions concurrently.
func together(functions ...func() error) error {
	errs := make([]error, len(functions))
	var group sync.WaitGroup
	for i, f := range functions {
		group.Go(func() { errs[i] = f() })
	}
	group.Wait()
	return errors.Join(errs...)
}

// Search is the tool search_products. It sends one request to the catalogue and one to Redis.
func (s *Shop) Search(ctx context.Context, in SearchIn) (SearchOut, error) {
	query := url.Values{
		"category":  {in.Category},
		"min_price": {strconv.FormatFloat(in.MinPrice, 'f', -1, 64)},
		"max_price": {strconv.FormatFloat(in.MaxPrice, 'f', -1, 64)},
		"limit":     {strconv.Itoa(in.Limit)},
	}
	out := SearchOut{Popular: make([]int, 0, 10)}
	var popular []string
	err := together(
		func() error { return s.call(ctx, http.MethodGet, "/products/search?"+query.Encode(), nil, &out) },
		func() (err error) {
			popular, err = s.redis.ZRangeArgs(ctx, redis.ZRangeArgs{Key: "popular", Start: 0, Stop: 9, Rev: true}).Result()
			return err
		},
	)
	ranks := map[int]int{}
	for _, member := range popular {
		if id, err := strconv.Atoi(strings.TrimPrefix(member, "product:")); err == nil {
			out.Popular = append(out.Popular, id)
			ranks[id] = len(out.Popular)
		}
	}
	for i := range out.Products {
		out.Products[i].Rank = ranks[out.Products[i].ID]
	}
	return out, err
}

// Cart is the tool get_user_cart. It sends one request to Redis, and then one to the catalogue and
// one to Redis.
func (s *Shop) Cart(ctx context.Context, in CartIn) (CartOut, error) {
	out := CartOut{UserID: in.UserID}
	cart, err := s.redis.HGetAll(ctx, "cart:"+in.UserID).Result()
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(cart["items"]), &out.Cart.Items); err != nil {
		return out, err
	}
	out.Cart.Count = len(out.Cart.Items)
	out.Cart.Total, err = strconv.ParseFloat(cart["total"], 64)
	if err != nil {
		return out, err
	}
	var product Product
	var recent []string
	err = together(
		func() error {
			return s.call(ctx, http.MethodGet, "/products/"+strconv.Itoa(out.Cart.Items[0].ProductID), nil, &product)
		},
		func() (err error) {
			recent, err = s.redis.LRange(ctx, "history:"+in.UserID, 0, 4).Result()
			return err
		},
	)
	for _, text := range recent {
		var order Order
		if err := json.Unmarshal([]byte(text), &order); err != nil {
			return out, err
		}
		out.Recent = append(out.Recent, order)
	}
	return out, err
}

// Checkout is the tool checkout. It sends one request to the catalogue and three to Redis.
func (s *Shop) Checkout(ctx context.Context, in CheckoutIn) (CheckoutOut, error) {
	out := CheckoutOut{UserID: in.UserID, Count: len(in.Items), Status: "confirmed"}
	if len(in.Items) == 0 {
		return out, errors.New("there are no items")
	}
	now, first := time.Now().Unix(), in.Items[0]
	order, err := json.Marshal(Order{ID: in.UserID + "-" + strconv.FormatInt(now, 10), ProductID: first.ProductID, Quantity: first.Quantity, Time: now})
	if err != nil {
		return out, err
	}
	var price struct {
		OrderID string  `json:"order_id"`
		Total   float64 `json:"total"`
	}
	err = together(
		func() error { return s.call(ctx, http.MethodPost, "/cart/calculate", in, &price) },
		func() (err error) {
			out.Rate, err = s.redis.Incr(ctx, "rate:"+in.UserID).Result()
			return err
		},
		func() error { return s.redis.RPush(ctx, "history:"+in.UserID, order).Err() },
		func() error {
			return s.redis.ZIncrBy(ctx, "popular", 1, "product:"+strconv.Itoa(first.ProductID)).Err()
		},
	)
	out.OrderID, out.Total = price.OrderID, price.Total
	return out, err
}
