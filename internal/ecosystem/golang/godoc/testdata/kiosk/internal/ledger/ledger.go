// Package ledger is internal.
package ledger
