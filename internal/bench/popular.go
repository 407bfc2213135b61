package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// popularPackages are 100 npm packages that projects require most often, most of them directly.
const popularPackages = `react react-dom typescript lodash axios express chalk commander uuid dotenv webpack vue next zod rxjs
	moment dayjs date-fns redux react-redux @reduxjs/toolkit react-router react-router-dom classnames clsx prop-types styled-components
	@emotion/react @mui/material antd @angular/core @angular/common @angular/router svelte solid-js preact vite rollup esbuild
	@babel/core @babel/parser @babel/types eslint prettier jest vitest mocha chai sinon playwright puppeteer cypress
	@testing-library/react @testing-library/dom ts-node semver glob minimatch rimraf fs-extra yargs inquirer ora
	debug ms nanoid qs node-fetch got undici ws socket.io socket.io-client fastify koa @nestjs/core @nestjs/common hono
	mongoose mongodb pg mysql2 redis ioredis knex sequelize typeorm drizzle-orm @prisma/client graphql @apollo/client
	@tanstack/react-query swr zustand immer ajv joi yup jsonwebtoken bcryptjs`

// popularTypes are the packages with declarations for those that contain none.
const popularTypes = "@types/react @types/react-dom @types/lodash @types/express @types/node @types/semver @types/debug @types/jsonwebtoken @types/koa @types/pg @types/yargs @types/ws"

// benchPopular measures how long the first question about a symbol of a popular npm package takes,
// and how much memory it needs.
func benchPopular(ctx context.Context, dir, docent string, cacheDir cache, runs int) error {
	if npm, _ := exec.LookPath("npm"); npm == "" {
		fmt.Println("\nPopular npm packages: skipped, because npm is not installed")
		return nil
	}
	app := filepath.Join(dir, "popular")
	if err := os.Mkdir(app, 0o750); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(app, "package.json"), []byte(`{"name": "popular", "private": true}`), 0o600); err != nil {
		return err
	}
	names := strings.Fields(popularPackages)
	install := []string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--legacy-peer-deps"}
	if err := runNPM(ctx, app, append(append(install, names...), strings.Fields(popularTypes)...)...); err != nil {
		fmt.Printf("\nPopular npm packages: skipped, because npm did not install them: %.300s\n", err)
		return nil
	}
	fmt.Println()
	t := newTable()
	var all []time.Duration
	largest, largestName := 0.0, ""
	for _, name := range names {
		symbol, err := firstSymbol(ctx, app, docent, name)
		if err != nil {
			return err
		}
		if symbol == "" {
			fmt.Fprintf(t, "%s exports nothing\t\t\t\t\n", name)
			continue
		}
		var times []time.Duration
		for range runs {
			if err := cacheDir.forget(); err != nil {
				return err
			}
			cmd := exec.CommandContext(ctx, docent, "describe", "--offline", "npm", name, symbol)
			cmd.Dir = app
			start := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("describe %s %s: %w: %.300s", name, symbol, err, out)
			}
			times = append(times, time.Since(start))
			if mib, ok := peak(cmd.ProcessState); ok && mib > largest {
				largest, largestName = mib, name
			}
		}
		t.times("docent describe npm "+name+" "+symbol+", empty disk cache", times, "1 s")
		all = append(all, times[len(times)/2])
	}
	if len(all) == 0 {
		return errors.New("none of the popular packages exports a symbol")
	}
	t.times(fmt.Sprintf("one symbol of each of these %d packages", len(all)), all, "300 ms")
	fmt.Fprintf(t, "largest peak memory, %s\t%.1f MiB\t\t\t200 MiB\n", largestName, largest)
	return t.Flush()
}

// firstSymbol returns the path of the first symbol of an npm package, or "" if there is none.
func firstSymbol(ctx context.Context, app, docent, name string) (string, error) {
	cmd := exec.CommandContext(ctx, docent, "describe", "--offline", "--json", "npm", name)
	cmd.Dir = app
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("describe %s: %w", name, err)
	}
	var p struct {
		Symbols []struct{ Path string }
	}
	if err := json.Unmarshal(out, &p); err != nil || len(p.Symbols) == 0 {
		return "", err
	}
	return p.Symbols[0].Path, nil
}
