// Package stock counts. And more.
package stock
