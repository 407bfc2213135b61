package host

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// separator separates the name of a server from the name of its tool or prompt.
const separator = "__"

// The APIs of models accept names of 1 to 64 letters, digits, '_' and '-'.
const (
	maxName   = 64
	maxPrefix = 28 // maximum length in bytes of the part from the server's name
	hashSize  = 8  // number of hexadecimal digits of a hash
)

// qualify returns a name for a server's tool or prompt that is unique among the tools or prompts of
// all servers.
func qualify(server, name string) string {
	prefix := server
	if !isPlain(prefix) || len(prefix) > maxPrefix || strings.Contains(prefix, separator) || strings.HasSuffix(prefix, "_") {
		prefix = shorten(prefix, maxPrefix)
	}
	prefix += separator
	if !isPlain(name) || len(prefix)+len(name) > maxName {
		name = shorten(name, maxName-len(prefix))
	}
	return prefix + name
}

// shorten returns a plain name of at most limit bytes that ends with a hash.
func shorten(name string, limit int) string {
	sum := sha256.Sum256([]byte(name))
	hash := hex.EncodeToString(sum[:])[:hashSize]
	var b strings.Builder
	for _, c := range name {
		if b.Len() == limit-hashSize-1 {
			break
		}
		if last := b.String(); !isPlainRune(c) || c == '_' {
			if c = '_'; strings.HasSuffix(last, "_") {
				continue // the separator must not occur within one of the two names
			}
		}
		b.WriteRune(c)
	}
	return strings.TrimSuffix(b.String(), "_") + "_" + hash
}

func isPlain(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool { return !isPlainRune(c) })
}

func isPlainRune(c rune) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}
