package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/redis/go-redis/v9"
)

const (
	users   = 1000
	popular = 100_000
)

// seed replaces the content of Redis by carts, orders and the popularity of products.
func seed(addr string) error {
	client := redis.NewClient(&redis.Options{Addr: addr, DisableIdentity: true})
	defer client.Close()
	ctx := context.Background()
	pipe := client.Pipeline()
	flush := func() error {
		_, err := pipe.Exec(ctx)
		return err
	}
	pipe.FlushAll(ctx)
	for n := 1; n <= users; n++ {
		user := fmt.Sprintf("user-%05d", n)
		items, err := json.Marshal([]map[string]int{
			{"product_id": n*7%popular + 1, "qty": 1 + n%3},
			{"product_id": n*13%popular + 1, "qty": 1 + n%2},
		})
		if err != nil {
			return err
		}
		pipe.HSet(ctx, "cart:"+user, "user_id", user, "items", items, "created", "1740000000", "total", fmt.Sprintf("%d.%02d", n%500, n%100))
		for i := 1; i <= 20; i++ {
			order, err := json.Marshal(map[string]any{
				"order_id": fmt.Sprintf("order-%05d-%02d", n, i), "product_id": n*i*7%popular + 1, "qty": 1 + i%3,
				"price": float64(n*i%9999+1) / 100, "ts": 1_740_000_000 + n*86_400 + i*3_600,
			})
			if err != nil {
				return err
			}
			pipe.RPush(ctx, "history:"+user, order)
		}
	}
	if err := flush(); err != nil {
		return err
	}
	for n := 1; n <= popular; n++ {
		pipe.ZAdd(ctx, "popular", redis.Z{Score: float64(n * 7 % 10_000), Member: fmt.Sprintf("product:%d", n)})
		if n%5000 == 0 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return nil
}
