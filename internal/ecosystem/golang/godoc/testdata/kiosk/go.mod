// Deprecated: sell at example.com/market
// instead.
module example.com/kiosk

go 1.24
