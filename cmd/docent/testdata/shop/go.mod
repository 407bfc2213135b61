module example.com/shop

go 1.26

require (
	example.com/oven v1.4.0
	example.com/yeast v0.3.1 // indirect
)
