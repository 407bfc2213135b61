// Command memory requests many large packages from one server at once, from many clients, and
// prints the peak memory of the server.
//
//	go run ./test/memory [-clients 50] [-packages 30] [-functions 60000] [-memory SIZE]
//
// It reads the peak from /proc, so it needs Linux. Everything runs on the loopback network and in
// temporary directories.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func main() {
	clients := flag.Int("clients", 50, "number of clients, which ask at the same time")
	packages := flag.Int("packages", 30, "number of packages")
	functions := flag.Int("functions", 60_000, "number of functions of each package")
	memory := flag.String("memory", "", "value of the flag --memory of docent serve")
	flag.Parse()
	if err := run(*clients, *packages, *functions, *memory); err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(1)
	}
}

func run(clients, packages, functions int, memory string) error {
	dir, err := os.MkdirTemp("", "memory-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "docent")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/docent").CombinedOutput(); err != nil {
		return fmt.Errorf("docent cannot be built: %w: %s", err, out)
	}
	project := filepath.Join(dir, "project")
	if err := write(project, packages, functions); err != nil {
		return err
	}
	args := []string{"serve", "--port", "0", "--offline"}
	if memory != "" {
		args = append(args, "--memory", memory)
	}
	server := exec.Command(binary, args...)
	server.Env = append(os.Environ(), "DOCENT_CACHE="+filepath.Join(dir, "cache"))
	stderr, err := server.StderrPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the server has not said where it listens: %w", err)
	}
	url := strings.TrimSpace(line[strings.LastIndex(line, " ")+1:])
	began := time.Now()
	if err := ask(url, project, clients, packages); err != nil {
		return err
	}
	peak, err := peakOf(server.Process.Pid)
	if err != nil {
		return err
	}
	fmt.Printf("%d clients, %d packages of %d functions: %d MiB at most, %v\n", clients, packages, functions, peak>>10, time.Since(began).Round(time.Millisecond))
	return nil
}

// write writes a project with packages of npm.
func write(dir string, packages, functions int) error {
	var declarations strings.Builder
	for i := range functions {
		fmt.Fprintf(&declarations, "/** Function %d turns a text into a number. */\nexport declare function turn%d(text: string, options?: Options): number;\n", i, i)
	}
	declarations.WriteString("export interface Options { strict?: boolean }\n")
	requires := map[string]string{}
	for i := range packages {
		name := fmt.Sprintf("wheel%d", i)
		requires[name] = "1.0.0"
		home := filepath.Join(dir, "node_modules", name)
		if err := os.MkdirAll(home, 0o777); err != nil {
			return err
		}
		manifest := fmt.Sprintf(`{"name": %q, "version": "1.0.0", "types": "index.d.ts"}`, name)
		if err := errors.Join(os.WriteFile(filepath.Join(home, "package.json"), []byte(manifest), 0o666),
			os.WriteFile(filepath.Join(home, "index.d.ts"), []byte(declarations.String()), 0o666)); err != nil {
			return err
		}
	}
	manifest, err := json.Marshal(map[string]any{"name": "cart", "dependencies": requires})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "package.json"), manifest, 0o666)
}

// ask makes each client request an overview of one package.
func ask(url, project string, clients, packages int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	failed := make([]error, clients)
	var group sync.WaitGroup
	for i := range clients {
		group.Go(func() {
			c, err := mcp.Connect(ctx, &mcp.HTTPTransport{URL: url}, nil)
			if err != nil {
				failed[i] = err
				return
			}
			defer c.Close()
			result, err := c.CallTool(ctx, "describe_npm_package", map[string]any{"package": fmt.Sprintf("wheel%d", i%packages), "projectPath": project}, nil)
			if err == nil && result.IsError {
				err = fmt.Errorf("the answer is an error: %+v", result.Content)
			}
			failed[i] = err
		})
	}
	group.Wait()
	return errors.Join(failed...)
}

// peakOf returns the peak of a process's resident memory in KiB.
func peakOf(pid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var peak int
			_, err := fmt.Sscan(rest, &peak)
			return peak, err
		}
	}
	return 0, errors.New("the system does not tell the peak of a process's memory")
}
