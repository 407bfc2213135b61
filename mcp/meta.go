package mcp

import (
	"fmt"
	"strings"
)

// checkMeta returns an error for a key or value that is not allowed in _meta
// (specification: Base Protocol, _meta).
func checkMeta(meta Meta) error {
	for _, key := range sortedKeys(meta) {
		if err := checkMetaKey(key); err != nil {
			return err
		}
		if _, err := encode(meta[key]); err != nil {
			return fmt.Errorf("_meta key %q: %w", key, err)
		}
	}
	return nil
}

// checkMetaKey returns an error for a key with an invalid prefix or name, or
// with a prefix that the protocol reserves.
func checkMetaKey(key string) error {
	name := key
	if i := strings.LastIndexByte(key, '/'); i >= 0 {
		if isReserved(key[:i]) {
			return fmt.Errorf("_meta key %q: the protocol reserves the prefix; use your own, such as com.example", key)
		}
		for label := range strings.SplitSeq(key[:i], ".") {
			if !isLabel(label) {
				return fmt.Errorf("_meta key %q: each label of the prefix must begin with a letter, end with a letter or digit and contain only letters, digits and hyphens", key)
			}
		}
		name = key[i+1:]
	}
	for i, c := range []byte(name) {
		edge := i == 0 || i == len(name)-1
		if !isAlphanumeric(c) && (edge || c != '-' && c != '_' && c != '.') {
			return fmt.Errorf("_meta key %q: a name must begin and end with a letter or digit and contain only letters, digits, hyphens, underscores and dots", key)
		}
	}
	return nil
}

// isReserved reports whether the protocol reserves the prefix. Up to revision 2025-06-18, it
// reserves prefixes whose second-to-last label is modelcontextprotocol or mcp. Later revisions
// reserve prefixes whose second label is one of these. io.modelcontextprotocol is allowed, because
// it is the prefix of official extensions.
func isReserved(prefix string) bool {
	if prefix == "io.modelcontextprotocol" {
		return false
	}
	labels := strings.Split(prefix, ".")
	for i, label := range labels {
		if (label == "modelcontextprotocol" || label == "mcp") && (i == 1 || i == len(labels)-2) {
			return true
		}
	}
	return false
}

func isLabel(s string) bool {
	for i, c := range []byte(s) {
		switch {
		case i == 0 && c|0x20-'a' >= 26, !isAlphanumeric(c) && (c != '-' || i == len(s)-1):
			return false
		}
	}
	return s != ""
}

func isAlphanumeric(c byte) bool {
	return c|0x20-'a' < 26 || c-'0' < 10
}
