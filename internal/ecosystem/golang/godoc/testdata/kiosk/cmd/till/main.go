// Till counts money.
//
// Usage: till [flags]
package main

func main() {}

// Exported is of no use to anybody.
func Exported() {}
