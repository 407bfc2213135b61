//go:build ignore

// Package wrong is not meant.
package main
