// Listen prints what is said on a channel.
//
// Usage:
//
//	listen [-v] CHANNEL
package main

// Exported is not part of a command's documentation.
func Exported() {}

func main() {}
