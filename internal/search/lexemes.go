package search

import (
	"slices"
	"strings"
)

// Lexemes returns the stems of the words of a text, without duplicates, for an index outside of
// this package. A name of several words has one lexeme for the name and one for each word.
func Lexemes(text string) []string {
	var all []string
	seen := map[string]bool{}
	for w := range rawWords(text) {
		if s := stem(strings.ToLower(w)); !seen[s] {
			seen[s] = true
			all = append(all, s)
		}
	}
	return all
}

// NameLexemes returns the lexemes of a symbol's path. One of them is its last name without word
// separators, such as "readall" for "io.read_all".
func NameLexemes(path string) []string {
	all := Lexemes(path)
	folded := fold(path)
	folded = folded[strings.LastIndexByte(folded, '.')+1:]
	if folded = stem(folded); folded != "" && len(folded) <= maxWord && !slices.Contains(all, folded) {
		all = append(all, folded)
	}
	return all
}

// QueryLexemes returns the lexemes of the significant words of a query. A text matches a word if it
// contains the word's first lexeme, or otherwise all others.
func QueryLexemes(query string) [][]string {
	if len(query) > maxQuery {
		query = strings.ToValidUTF8(query[:maxQuery], "")
	}
	var significant, all [][]string
	for field := range strings.FieldsFuncSeq(query, func(r rune) bool { return notInQuery(r) || strings.ContainsRune(".:#/$@", r) }) {
		whole := stem(strings.ReplaceAll(fold(field), ".", ""))
		if whole == "" || len(whole) > maxWord {
			continue
		}
		word := []string{whole}
		if parts := pieces(field); len(parts) > 1 {
			for _, part := range parts {
				if part = stem(fold(part)); len(part) >= 2 {
					word = append(word, part)
				}
			}
		}
		all = append(all, word)
		if !saysNothing[strings.ToLower(field)] {
			significant = append(significant, word)
		}
	}
	if len(significant) == 0 {
		significant = all
	}
	return significant[:min(len(significant), maxTerms)]
}
