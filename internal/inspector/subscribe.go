package inspector

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/docent-mcp/docent/mcp"
)

// maxSubscriptions is the maximum number of resources that can be watched at the same time.
const maxSubscriptions = 100

// subscribed reports whether a resource is being watched, and returns the number of its changes.
func (c *connection) subscribed(uri string) (bool, int) {
	if c == nil {
		return false, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.subscriptions[uri]
	return ok, c.updates[uri]
}

// canSubscribe reports whether the server supports subscriptions.
func (c *connection) canSubscribe() bool {
	client, err := c.usable()
	return err == nil && client.Server().Subscriptions
}

// subscribe starts or stops watching a resource.
func (c *connection) subscribe(ctx context.Context, uri string, on bool) error {
	client, err := c.usable()
	if err != nil {
		return err
	}
	c.mu.Lock()
	old, watched := c.subscriptions[uri]
	switch {
	case watched == on:
		c.mu.Unlock()
		return nil
	case !on:
		delete(c.subscriptions, uri)
		c.mu.Unlock()
		if old != nil {
			old.Close()
		}
		return nil
	case len(c.subscriptions) >= maxSubscriptions:
		c.mu.Unlock()
		return fmt.Errorf("%d resources are already watched; end a subscription first", maxSubscriptions)
	}
	c.subscriptions[uri] = nil
	c.mu.Unlock()
	sub, err := client.Subscribe(ctx, mcp.Filter{URIs: []string{uri}})
	if err == nil && len(sub.Accepted().URIs) == 0 {
		sub.Close()
		err = errors.New("the server did not accept the subscription to this resource")
	}
	c.mu.Lock()
	_, subscribed := c.subscriptions[uri] // The subscription may have ended in the meantime.
	switch {
	case err != nil:
		delete(c.subscriptions, uri)
	case subscribed:
		c.subscriptions[uri] = sub
	}
	c.mu.Unlock()
	switch {
	case err != nil:
		return err
	case !subscribed:
		sub.Close()
	default:
		go c.countUpdates(uri, sub)
	}
	return nil
}

// countUpdates counts the changes of a resource until its subscription ends.
func (c *connection) countUpdates(uri string, sub *mcp.Subscription) {
	for {
		change, err := sub.Next(c.ctx)
		if err != nil {
			return
		}
		if change.Kind == mcp.ChangeResource {
			c.mu.Lock()
			c.updates[uri]++
			c.mu.Unlock()
			c.changed("updates")
		}
	}
}

// escape escapes text for the query of an address.
func escape(text string) string { return url.QueryEscape(text) }
