package mcp

import (
	"reflect"
	"testing"
)

// TestNegativeLimitsAreTheDefaults sets every limit to -1.
func TestNegativeLimitsAreTheDefaults(t *testing.T) {
	negative := func(limits any, unbounded ...string) {
		v := reflect.ValueOf(limits).Elem()
		for _, field := range v.Fields() {
			if field.CanInt() {
				field.SetInt(-1)
			}
		}
		for _, name := range unbounded { // fields in which a negative value disables the limit
			v.FieldByName(name).SetInt(0)
		}
	}
	var server, wantServer ServerOptions
	negative(&server.Limits, "MaxNotificationRate")
	negative(&server.Tasks)
	server.setDefaults()
	wantServer.setDefaults()
	var client, wantClient ClientOptions
	negative(&client.Limits, "MaxCacheBytes")
	client.setDefaults()
	wantClient.setDefaults()
	for got, want := range map[any]any{
		server.Limits: wantServer.Limits, client.Limits: wantClient.Limits,
	} {
		if got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
	server.Tasks.Store, wantServer.Tasks.Store = nil, nil
	if server.Tasks != wantServer.Tasks {
		t.Errorf("got  %+v\nwant %+v", server.Tasks, wantServer.Tasks)
	}
}
