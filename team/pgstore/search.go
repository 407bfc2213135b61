package pgstore

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/memory"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/internal/store"
)

const (
	// maxRows is the maximum number of symbols of a package whose words are stored.
	maxRows = 3000
	// maxText is the maximum length, in bytes, of text whose words are stored.
	maxText = 1000
	// maxMatches is the maximum number of symbols that a search ranks.
	maxMatches = 5000
	// maxDecoded is the maximum approximate size, in bytes, of packages that searches keep in
	// memory.
	maxDecoded = 96 << 20
)

// prefixOf returns the prefix of the stored words of a build, an owner and a language, so that
// other words do not slow down a search. Two combinations can have the same prefix, although that
// is unlikely.
func prefixOf(build, owner string, language apidoc.Ecosystem) string {
	sum := sha256.Sum256([]byte(build + "\x00" + owner + "\x00" + string(language)))
	return base64.RawURLEncoding.EncodeToString(sum[:3]) + ":"
}

// wordsOf returns the word vectors of a package, one for the package and one for each symbol. The
// words of a name have the weight A.
func wordsOf(p *apidoc.Package, prefix string) []string {
	about := []string{p.Synopsis, clipped(p.Doc)}
	for i := range p.Sections {
		about = append(about, p.Sections[i].Title)
	}
	vectors := []string{vector(prefix, p.Name+" "+p.LocalName, strings.Join(about, " "))}
	for symbol := range p.All {
		if len(vectors) > maxRows {
			break
		}
		vectors = append(vectors, vector(prefix, symbol.Path, markup.Synopsis(symbol.Doc)+" "+clipped(symbol.Doc)))
	}
	return vectors
}

func clipped(s string) string { return s[:min(len(s), maxText)] }

// vector returns a tsvector in text form.
func vector(prefix, name, about string) string {
	var b strings.Builder
	names := search.NameLexemes(name)
	for _, word := range names {
		b.WriteString(quoted(prefix+word) + ":1A ")
	}
	for _, word := range search.Lexemes(about) {
		if !slices.Contains(names, word) {
			b.WriteString(quoted(prefix+word) + ":2 ")
		}
	}
	return b.String()
}

// quoted quotes a word for a tsvector or tsquery.
func quoted(word string) string {
	return "'" + strings.NewReplacer("'", "''", `\`, `\\`, "\x00", "").Replace(strings.ToValidUTF8(word, "")) + "'"
}

// result is a package that a search found.
type result struct {
	number         int64
	language, name string
}

// Search implements store.Searcher.
func (s *Store) Search(ctx context.Context, scope store.Scope, query string, limit int, budget *memory.Budget) (packages []*apidoc.Package, total int, err error) {
	words := search.QueryLexemes(query)
	if len(words) == 0 || len(scope.Languages) == 0 {
		return nil, 0, nil
	}
	owners := []string{scope.Group}
	if scope.Group != "" {
		owners = append(owners, "")
	}
	var prefixes, languages []string
	for _, language := range scope.Languages {
		languages = append(languages, string(language.ID))
		for _, owner := range owners {
			prefixes = append(prefixes, prefixOf(scope.Build, owner, language.ID))
		}
	}
	// Symbols that contain all words come first, then symbols that lack one word, and then all
	// others.
	combinations := []func([]string) string{allOf}
	if len(words) > 2 {
		combinations = append(combinations, allButOne)
	}
	if len(words) > 1 {
		combinations = append(combinations, anyOf)
	}
	rank := tsquery(prefixes, words, anyOf)
	var found []result
	err = s.do(ctx, func(ctx context.Context) error {
		if total, err = s.total(ctx, text(scope.Build), owners, languages); err != nil {
			return err
		}
		for _, combine := range combinations {
			matching, err := s.matches(ctx, match{text(scope.Build), owners, languages, tsquery(prefixes, words, combine), rank, limit})
			if err != nil {
				return err
			}
			for _, r := range matching {
				same := func(other result) bool { return other.language == r.language && other.name == r.name }
				if len(found) < limit && !slices.ContainsFunc(found, same) {
					found = append(found, r)
				}
			}
			if len(found) >= min(limit, enough) {
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	packages, err = s.decode(ctx, scope.Languages, found, budget)
	return packages, total, err
}

// totalAge is how old the number of packages in a response may be.
const totalAge = 10 * time.Second

// totals caches the number of packages of each scope. There are as many scopes as combinations of
// groups and languages.
type totals struct {
	mu     sync.Mutex
	counts map[string]counted
}

type counted struct {
	n  int
	at time.Time
}

// total returns the number of packages of the owners in the languages.
func (s *Store) total(ctx context.Context, build string, owners, languages []string) (int, error) {
	key := strings.Join(append(append([]string{build}, owners...), languages...), "\x00")
	s.totals.mu.Lock()
	known, ok := s.totals.counts[key]
	s.totals.mu.Unlock()
	if ok && known.n > 0 && time.Since(known.at) < totalAge {
		return known.n, nil
	}
	var n int
	err := s.pool.QueryRow(ctx, `SELECT count(DISTINCT (language, name)) FROM docent_packages
		WHERE build = $1 AND owner = ANY($2) AND language = ANY($3) AND searchable`, build, owners, languages).Scan(&n)
	if err != nil {
		return 0, err
	}
	s.totals.mu.Lock()
	defer s.totals.mu.Unlock()
	if s.totals.counts == nil {
		s.totals.counts = map[string]counted{}
	}
	s.totals.counts[key] = counted{n, time.Now()}
	return n, nil
}

// enough is a number of packages. If that many packages contain all words, packages with only some
// of the words are not searched.
const enough = 5

// tsquery returns a query for words with one of the prefixes.
func tsquery(prefixes []string, words [][]string, combine func([]string) string) string {
	var all []string
	for _, prefix := range prefixes {
		var each []string
		for _, word := range words {
			each = append(each, alternatives(prefix, word))
		}
		all = append(all, "("+combine(each)+")")
	}
	return strings.Join(all, " | ")
}

func allOf(queries []string) string { return strings.Join(queries, " & ") }

func anyOf(queries []string) string { return strings.Join(queries, " | ") }

// allButOne returns a query that matches if one of the queries does not match.
func allButOne(queries []string) string {
	var all []string
	for i := range queries {
		all = append(all, "("+allOf(slices.Delete(slices.Clone(queries), i, i+1))+")")
	}
	return anyOf(all)
}

// alternatives returns the query for one word, which matches the word or all of its parts.
func alternatives(prefix string, word []string) string {
	if len(word) == 1 {
		return quoted(prefix + word[0])
	}
	var parts []string
	for _, part := range word[1:] {
		parts = append(parts, quoted(prefix+part))
	}
	return "(" + quoted(prefix+word[0]) + " | (" + allOf(parts) + "))"
}

// A match searches the packages of owners in languages.
type match struct {
	build             string
	owners, languages []string
	where, rank       string // tsquery expressions
	limit             int
}

// matches returns the packages whose symbols match a query best. The plan depends on how frequent
// the words are, so PostgreSQL creates a new plan for each query.
func (s *Store) matches(ctx context.Context, m match) ([]result, error) {
	rows, err := s.pool.Query(ctx, `
		WITH matched AS MATERIALIZED (
			SELECT package, ts_rank('{0.3, 0.3, 0.3, 1}', words, $2::text::tsquery) AS rank FROM docent_words WHERE words @@ $1::text::tsquery LIMIT $3
		), best AS (
			SELECT package, max(rank) AS rank, count(*) AS matches FROM matched GROUP BY package ORDER BY rank DESC, matches DESC, package LIMIT $4
		)
		SELECT p.number, p.language, p.name FROM best JOIN docent_packages AS p ON p.number = best.package
		WHERE p.build = $5 AND p.owner = ANY($6) AND p.language = ANY($7)
		ORDER BY best.rank DESC, best.matches DESC, p.number DESC`,
		pgx.QueryExecModeCacheDescribe, m.where, m.rank, maxMatches, 2*m.limit, m.build, m.owners, m.languages)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []result
	for rows.Next() {
		var r result
		if err := rows.Scan(&r.number, &r.language, &r.name); err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return found, rows.Err()
}

// decode returns the packages of results. It omits packages that cannot be decoded. It waits until the
// budget has room unless all are in the cache.
func (s *Store) decode(ctx context.Context, languages []*ecosystem.Info, results []result, budget *memory.Budget) (packages []*apidoc.Package, err error) {
	known := map[int64]*apidoc.Package{}
	var missing []result
	for _, r := range results {
		if p := s.cache.get(r.number); p != nil {
			known[r.number] = p
		} else {
			missing = append(missing, r)
		}
	}
	if len(missing) > 0 {
		err = budget.Do(ctx, func(ctx context.Context) error {
			data := s.read(ctx, missing)
			for _, r := range missing {
				p := s.decodeOne(data[r.number])
				if p == nil {
					continue
				}
				for _, language := range languages {
					if string(language.ID) == r.language {
						p.Ecosystem, p.Style = language.ID, language.Style
					}
				}
				known[r.number] = s.cache.put(r.number, p)
			}
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		if p := known[r.number]; p != nil {
			packages = append(packages, p)
		}
	}
	return packages, nil
}

// decodeOne decodes a value. It returns nil if the value is damaged.
func (s *Store) decodeOne(data []byte) *apidoc.Package {
	value, err := s.decoder.DecodeAll(data, nil)
	if err != nil {
		return nil
	}
	p, err := store.Decode(string(value))
	if err != nil {
		return nil
	}
	return p
}

// read reads the values of packages, by their numbers.
func (s *Store) read(ctx context.Context, results []result) map[int64][]byte {
	all := map[int64][]byte{}
	numbers := make([]int64, len(results))
	for i := range results {
		numbers[i] = results[i].number
	}
	err := s.do(ctx, func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, `SELECT number, data FROM docent_packages WHERE number = ANY($1) AND octet_length(data) <= $2`, numbers, maxCompressed)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var number int64
			var data []byte
			if err := rows.Scan(&number, &data); err != nil {
				return err
			}
			all[number] = data
		}
		return rows.Err()
	})
	if err != nil {
		return nil
	}
	return all
}

// decoded caches the packages that recent searches found.
type decoded struct {
	mu      sync.Mutex
	recent  *list.List // list of *decodedPackage, most recent first
	entries map[int64]*list.Element
	bytes   int64
}

type decodedPackage struct {
	number int64
	pkg    *apidoc.Package
	bytes  int64
}

func (d *decoded) get(number int64) *apidoc.Package {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.entries[number]
	if e == nil {
		return nil
	}
	d.recent.MoveToFront(e)
	return e.Value.(*decodedPackage).pkg
}

// put adds a package, and returns the package that is in the cache.
func (d *decoded) put(number int64, p *apidoc.Package) *apidoc.Package {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.entries == nil {
		d.entries, d.recent = map[int64]*list.Element{}, list.New()
	}
	if e := d.entries[number]; e != nil {
		return e.Value.(*decodedPackage).pkg
	}
	one := &decodedPackage{number, p, store.Weigh(p)}
	d.entries[number] = d.recent.PushFront(one)
	d.bytes += one.bytes
	for d.bytes > maxDecoded && d.recent.Len() > 1 {
		last := d.recent.Remove(d.recent.Back()).(*decodedPackage)
		delete(d.entries, last.number)
		d.bytes -= last.bytes
	}
	return p
}
