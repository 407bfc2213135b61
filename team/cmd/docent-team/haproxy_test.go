package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// haproxy is an HAProxy in front of replicas, with the defaults from deploy/haproxy.cfg.
type haproxy struct {
	config, url string
	log         *os.File
	cmd         *exec.Cmd
}

// startHAProxy starts HAProxy. It skips the test if HAProxy is not installed.
func startHAProxy(t *testing.T, replicas ...*replicaProcess) *haproxy {
	t.Helper()
	if _, err := exec.LookPath("haproxy"); err != nil {
		t.Skipf("this test sends requests to several replicas through HAProxy, which is not installed: %v; make team installs it and runs this test", err)
	}
	deployed, err := os.ReadFile("../../../deploy/haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	global, _, ok := strings.Cut(string(deployed), "\nresolvers ")
	_, backend, found := strings.Cut(string(deployed), "\nbackend replicas\n")
	if !ok || !found {
		t.Fatal("deploy/haproxy.cfg has other sections than this test expects")
	}
	backend, template, _ := strings.Cut(strings.ReplaceAll(backend, "docent.example.com", "localhost"), "    server-template ")
	if strings.Count(template, "\n") != 1 {
		t.Fatalf("deploy/haproxy.cfg has lines that this test does not expect: %s", template)
	}
	backend = strings.ReplaceAll(backend, " init-addr none", "")
	global = strings.Replace(global, "maxconn 20000", "maxconn 2000", 1) // HAProxy does not start if maxconn exceeds what the limit on open files allows
	address := freeAddress(t)
	docs, probes := "backend docs\n"+backend, "backend probes\n    http-request set-path /mcp\n"+backend
	for i, r := range replicas {
		_, port, _ := net.SplitHostPort(r.docs)
		docs += fmt.Sprintf("    server replica%d %s\n", i, r.docs)
		probes += fmt.Sprintf("    server replica%d %s port %s\n", i, r.probe, port)
	}
	frontend := "\nfrontend docent\n    bind " + address + "\n    use_backend probes if { path /probe }\n    default_backend docs\n"
	dir := t.TempDir()
	h := &haproxy{config: filepath.Join(dir, "haproxy.cfg"), url: "http://" + address}
	if err := os.WriteFile(h.config, []byte(global+frontend+"\n"+docs+"\n"+probes), 0o600); err != nil {
		t.Fatal(err)
	}
	if h.log, err = os.Create(filepath.Join(dir, "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.stop()
		if t.Failed() {
			text, _ := os.ReadFile(h.log.Name())
			t.Logf("the end of the log of HAProxy: %s", text[max(len(text)-2000, 0):])
		}
		h.log.Close()
	})
	if err := h.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

// start starts the process and waits until a replica responds through it.
func (h *haproxy) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	h.cmd = exec.Command("haproxy", "-db", "-f", h.config)
	h.cmd.Stdout, h.cmd.Stderr = h.log, h.log
	if err := h.cmd.Start(); err != nil {
		return err
	}
	if err := waitReady(ctx, h.url); err != nil {
		return fmt.Errorf("HAProxy does not respond: %w", err)
	}
	return nil
}

// waitReady waits until a server reports that it is ready. It returns the last error if ctx ends first.
func waitReady(ctx context.Context, url string) error {
	for {
		response, err := http.Get(url + "/readyz")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return cmp.Or(err, ctx.Err())
		}
	}
}

func (h *haproxy) stop() {
	if h.cmd != nil {
		_ = h.cmd.Process.Kill()
		_ = h.cmd.Wait()
		h.cmd = nil
	}
}
