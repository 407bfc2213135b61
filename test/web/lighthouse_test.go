package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// minScore is the score that Lighthouse must give to a page in each category.
const minScore = 0.95

// lighthouseReport is a part of what Lighthouse writes about a page.
type lighthouseReport struct {
	Categories map[string]struct {
		Score  float64 `json:"score"`
		Audits []struct {
			ID     string  `json:"id"`
			Weight float64 `json:"weight"`
		} `json:"auditRefs"`
	} `json:"categories"`
	Audits map[string]struct {
		Title   string   `json:"title"`
		Score   *float64 `json:"score"`
		Display string   `json:"displayValue"`
	} `json:"audits"`
}

// low returns the categories whose score is too low, with the audits that failed.
func (r *lighthouseReport) low() (all []string) {
	for name, c := range r.Categories {
		if c.Score >= minScore {
			continue
		}
		text := name + ":"
		for _, ref := range c.Audits {
			if a := r.Audits[ref.ID]; ref.Weight > 0 && a.Score != nil && *a.Score < 1 {
				text += "\n\t" + a.Title + " " + a.Display
			}
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// lighthouse runs Lighthouse, installed in a directory, on a page.
func lighthouse(t *testing.T, dir, address string) (*lighthouseReport, error) {
	t.Helper()
	node := filepath.Join(dir, "node_modules", ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	flags := "--headless=new"
	if os.Getuid() == 0 {
		flags += " --no-sandbox"
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join(dir, "node_modules", "lighthouse", "cli", "index.js"), address,
		"--quiet", "--output=json", "--only-categories=performance,accessibility,best-practices", "--chrome-flags="+flags)
	cmd.Env = append(os.Environ(), "CHROME_PATH="+chromium(t))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("lighthouse: %w\n%s", err, stderr.String())
	}
	report := &lighthouseReport{}
	if err := json.Unmarshal(out, report); err != nil {
		return nil, err
	}
	if len(report.Categories) != 3 {
		return nil, fmt.Errorf("the report has %d categories", len(report.Categories))
	}
	return report, nil
}

// TestLighthouse runs Lighthouse with its default settings, which simulate a slow phone on a slow
// network.
func TestLighthouse(t *testing.T) {
	chromium(t) // chromium skips the test if there is no browser.
	dir := fromNPM(t, "LIGHTHOUSE", "lighthouse@13", "node@22")
	own := serve(t, project(t))
	for _, p := range []struct{ name, path string }{
		{"start", "/"},
		{"package", "/go/net/http@project/"},
		{"symbol", "/go/net/http@project/Client"},
		{"source", "/go/net/http@project/-/source/net/http/server.go"},
		{"search", "/-/search?q=open"},
		{"README with images", "/npm/till@1.0.0/"},
	} {
		t.Run(p.name, func(t *testing.T) {
			response, err := http.Get(own + p.path) // The first request waits until the package has been read.
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			var report *lighthouseReport
			for range 3 { // On a busy machine, a page may be slow and a run may fail, so try several times.
				report, err = lighthouse(t, dir, own+p.path)
				if err == nil && len(report.low()) == 0 {
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			for name, c := range report.Categories {
				t.Logf("%s: %.0f", name, 100*c.Score)
			}
			t.Logf("first contentful paint: %s", report.Audits["first-contentful-paint"].Display)
			for _, low := range report.low() {
				t.Errorf("the score is below %.0f in %s", 100*minScore, low)
			}
		})
	}
}
