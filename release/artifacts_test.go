package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/macho"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/docent-mcp/docent/mcp"
)

// These tests use the files of a release in the directory given by DOCENT_DIST. The command make
// release builds them, and then runs the tests. Files for other machines are checked by their
// content only.

// dist returns the release, as if it had been built just now.
func dist(t *testing.T) *Release {
	t.Helper()
	dir := os.Getenv("DOCENT_DIST")
	if dir == "" {
		t.Skip("DOCENT_DIST names no release; make release builds one and runs this test")
	}
	m, err := readManifest()
	if err != nil {
		t.Fatal(err)
	}
	v, err := parseVersion(os.Getenv("DOCENT_VERSION"))
	if err != nil {
		t.Fatal(err)
	}
	return &Release{Manifest: m, Version: v, Out: dir}
}

func (r *Release) read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Out, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// here is the platform of this machine.
var here = Platform{runtime.GOOS, runtime.GOARCH}

// onLinux skips a test of what runs only on Linux.
func onLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("it is for Linux")
	}
}

// tool returns a program that a test needs.
func tool(t *testing.T, name, from string) string {
	t.Helper()
	file, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed (%s)", name, from)
	}
	return file
}

func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return string(out)
}

// checkServes starts a command as a host does, and calls a tool.
func checkServes(t *testing.T, env []string, command ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // The timeout allows for the time in which npx and uvx install packages.
	defer cancel()
	var log bytes.Buffer
	c, err := mcp.Connect(ctx, &mcp.CommandTransport{Command: command[0], Args: command[1:], Env: append(env, "DOCENT_OFFLINE=1", "DOCENT_CACHE="+t.TempDir()), Stderr: &log}, nil)
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, log.String())
	}
	defer c.Close()
	result, err := c.CallTool(ctx, "describe_go_package", map[string]any{"package": "example.com/absent"}, nil)
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, log.String())
	}
	data, err := json.Marshal(result)
	if err != nil || !strings.Contains(string(data), "example.com/absent") {
		t.Errorf("%v answered %s, %v", command, data, err)
	}
}

// unpack writes a tar.gz or zip archive to a new directory.
func unpack(t *testing.T, name string, data []byte) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, mode fs.FileMode, r io.Reader) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		data, err := io.ReadAll(r)
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, mode)); err != nil {
			t.Fatal(err)
		}
	}
	if strings.HasSuffix(name, ".zip") || strings.HasSuffix(name, ".mcpb") || strings.HasSuffix(name, ".whl") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			write(f.Name, f.Mode(), r)
		}
		return dir
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		write(h.Name, h.FileInfo().Mode(), r)
	}
}

// magic begins the programs of each system.
var magic = map[string]string{"linux": "\x7fELF", "darwin": "\xcf\xfa\xed\xfe", "windows": "MZ"}

func checkProgram(t *testing.T, os string, data []byte) {
	t.Helper()
	if !bytes.HasPrefix(data, []byte(magic[os])) || len(data) < 1<<20 {
		t.Errorf("no program for %s: %d bytes, %.4q", os, len(data), data)
	}
}

func TestArtifacts_Archives(t *testing.T) {
	r := dist(t)
	for _, p := range r.platforms() {
		dir := unpack(t, r.archiveFile(p), r.read(t, r.archiveFile(p)))
		for _, name := range []string{"README.md", "LICENSE", "completions/docent.bash", "completions/_docent", "completions/docent.fish", "completions/docent.ps1", "man/docent.1"} {
			if info, err := os.Stat(filepath.Join(dir, r.archiveName(p), name)); err != nil || info.Size() == 0 {
				t.Errorf("%s: %s: %v", r.archiveFile(p), name, err)
			}
		}
		program := filepath.Join(dir, r.archiveName(p), p.executable(r.Name))
		data, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		checkProgram(t, p.OS, data)
		if p == here {
			checkServes(t, nil, program, "serve")
			if got := output(t, exec.Command(program, "version")); r.Version.Tag != "" && strings.TrimSpace(got) != "docent "+r.Version.Tag {
				t.Errorf("version: %q", got)
			}
		}
	}
}

func TestArtifacts_Deb(t *testing.T) {
	onLinux(t)
	r := dist(t)
	dpkg := tool(t, "dpkg-deb", "a part of Debian")
	files, err := filepath.Glob(filepath.Join(r.Out, "*.deb"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		dir := t.TempDir()
		output(t, exec.Command(dpkg, "-x", file, dir))
		if info := output(t, exec.Command(dpkg, "-f", file, "Package", "Version", "Maintainer")); !strings.Contains(info, "Package: docent\n") {
			t.Error(info)
		}
		checkInstalled(t, dir, strings.Contains(file, "_"+runtime.GOARCH+"."))
	}
}

func TestArtifacts_RPM(t *testing.T) {
	onLinux(t)
	r := dist(t)
	rpm := tool(t, "rpm", "the Debian package rpm")
	files, err := filepath.Glob(filepath.Join(r.Out, "*.rpm"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		output(t, exec.Command(rpm, "--checksig", file))
		dir := t.TempDir()
		output(t, exec.Command(rpm, "--install", "--nodeps", "--ignorearch", "--root", dir, file))
		checkInstalled(t, dir, strings.Contains(file, map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]))
	}
}

// checkInstalled checks the files of a package that is unpacked below a directory.
func checkInstalled(t *testing.T, dir string, runs bool) {
	t.Helper()
	for _, name := range []string{"usr/share/man/man1/docent.1.gz", "usr/share/bash-completion/completions/docent", "usr/share/doc/docent/copyright"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	program := filepath.Join(dir, "usr", "bin", "docent")
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	checkProgram(t, "linux", data)
	if runs {
		checkServes(t, nil, program, "serve")
	}
}

func TestArtifacts_Image(t *testing.T) {
	onLinux(t)
	r := dist(t)
	for _, command := range []string{r.Name, r.Name + "-team"} {
		t.Run(command, func(t *testing.T) { checkImage(t, r, command) })
	}
}

// checkImage checks the image of a command.
func checkImage(t *testing.T, r *Release, command string) {
	t.Helper()
	packed, err := gz(r.read(t, r.imageFile(command)))
	if err != nil {
		t.Fatal(err)
	}
	index, err := layout.ImageIndexFromPath(unpack(t, "image.tar.gz", packed))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("%+v, %v", manifest, err)
	}
	index, err = index.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if manifest, err = index.IndexManifest(); err != nil || len(manifest.Manifests) != 2 {
		t.Fatalf("%+v, %v", manifest, err)
	}
	for _, d := range manifest.Manifests {
		image, err := index.Image(d.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if config.Architecture != d.Platform.Architecture || config.Config.User != "65532:65532" || config.Config.Labels["io.modelcontextprotocol.server.name"] != r.Registry {
			t.Errorf("%+v", config)
		}
		files := mutate.Extract(image)
		var b bytes.Buffer
		if _, err := io.Copy(&b, files); err != nil {
			t.Fatal(err)
		}
		packed, err := gz(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		root := unpackTree(t, packed)
		if _, err := os.Stat(filepath.Join(root, "bin", "sh")); err == nil {
			t.Error("the image has a shell")
		}
		certificates, err := os.ReadFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt"))
		if err != nil || bytes.Count(certificates, []byte("BEGIN CERTIFICATE")) < 50 {
			t.Errorf("certificates: %v", err)
		}
		program, err := os.ReadFile(filepath.Join(root, config.Config.Entrypoint[0]))
		if err != nil {
			t.Fatal(err)
		}
		checkProgram(t, "linux", program)
		if d.Platform.Architecture != runtime.GOARCH {
			continue
		}
		if command != r.Name { // This command serves only HTTP, which the tests of its module cover.
			if out := output(t, exec.Command(filepath.Join(root, config.Config.Entrypoint[0]), "--version")); !strings.HasPrefix(out, command+" ") {
				t.Errorf("it prints %s", out)
			}
			continue
		}
		if os.Getuid() != 0 {
			t.Log("not root, so the image's program runs outside of the image")
			checkServes(t, nil, filepath.Join(root, config.Config.Entrypoint[0]), "serve")
			continue
		}
		checkServesIn(t, root, config.Config.Env, append(config.Config.Entrypoint, config.Config.Cmd...))
	}
}

// unpackTree is like unpack, for an archive with directories.
func unpackTree(t *testing.T, packed []byte) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(tool(t, "tar", "a part of every Linux"), "-xz", "-C", dir)
	cmd.Stdin = bytes.NewReader(packed)
	output(t, cmd)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// checkServesIn starts a command within a directory as its root, as the user of the image, and
// writes a request to its input itself, because nothing else can be started there.
func checkServesIn(t *testing.T, root string, env, command []string) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Path = command[0]
	cmd.Err = nil // the path is looked up below root
	cmd.Dir, cmd.Env = "/home/docent", slices.Concat(env, []string{"DOCENT_OFFLINE=1"})
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe_go_package","arguments":{"package":"example.com/absent"}}}
`)
	if out := output(t, cmd); !strings.Contains(out, "example.com/absent") {
		t.Errorf("answered %s", out)
	}
}

// npmRegistry plays a registry with the npm packages of the release.
func npmRegistry(t *testing.T, r *Release) *httptest.Server {
	t.Helper()
	type file struct {
		manifest map[string]any
		data     []byte
	}
	packages := map[string]file{}
	files, err := filepath.Glob(filepath.Join(r.Out, "npm", "*.tgz"))
	if err != nil || len(files) != 1+len(r.Platforms) {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var manifest map[string]any
		text, err := os.ReadFile(filepath.Join(unpack(t, "x.tgz", data), "package", "package.json"))
		if err := errors.Join(err, json.Unmarshal(text, &manifest)); err != nil {
			t.Fatal(err)
		}
		packages[manifest["name"].(string)] = file{manifest, data}
	}
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		name, isFile := strings.CutSuffix(strings.TrimPrefix(req.URL.Path, "/"), "/-/package.tgz")
		p, ok := packages[name]
		switch {
		case !ok:
			http.NotFound(w, req)
		case isFile:
			w.Write(p.data)
		default:
			sum := sha256.Sum256(p.data)
			p.manifest["dist"] = map[string]string{"tarball": server.URL + "/" + name + "/-/package.tgz", "integrity": "sha256-" + base64.StdEncoding.EncodeToString(sum[:])}
			version := p.manifest["version"].(string)
			json.NewEncoder(w).Encode(map[string]any{"name": name, "dist-tags": map[string]string{"latest": version}, "versions": map[string]any{version: p.manifest}})
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func TestArtifacts_NPM(t *testing.T) {
	r := dist(t)
	npx := tool(t, "npx", "a part of Node.js")
	home := t.TempDir()
	env := []string{"npm_config_registry=" + npmRegistry(t, r).URL, "npm_config_cache=" + filepath.Join(home, "cache"), "npm_config_update_notifier=false", "HOME=" + home, "npm_config_userconfig=" + filepath.Join(home, "npmrc")}
	checkServes(t, env, npx, "-y", r.NPM.Package, "serve")

	// The exit code of the program is that of the shim, and a signal reaches it.
	install := exec.Command(tool(t, "npm", "a part of Node.js"), "install", "--no-audit", "--no-fund", r.NPM.Package)
	install.Dir, install.Env = t.TempDir(), append(os.Environ(), env...)
	output(t, install)
	shim := filepath.Join(install.Dir, "node_modules", ".bin", r.Name)
	err := exec.Command(shim, "describe", "--no-such-flag").Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 {
		t.Errorf("exit code: %v", err)
	}
	if installed, err := filepath.Glob(filepath.Join(install.Dir, "node_modules", r.NPM.Scope, "*")); err != nil || len(installed) != 1 {
		t.Errorf("installed for other platforms: %v, %v", installed, err)
	}
}

func TestArtifacts_Wheels(t *testing.T) {
	r := dist(t)
	python := tool(t, "python3", "Python")
	files, err := filepath.Glob(filepath.Join(r.Out, "pypi", "*.whl"))
	if err != nil || len(files) != len(r.Platforms) {
		t.Fatal(files, err)
	}
	for _, file := range files {
		checkWheel(t, r, file)
	}
	dir := t.TempDir()
	output(t, exec.Command(python, "-m", "venv", dir))
	bin := filepath.Join(dir, "bin")
	output(t, exec.Command(filepath.Join(bin, "pip"), "install", "--no-index", "--find-links", filepath.Join(r.Out, "pypi"), r.PyPI.Package))
	checkServes(t, nil, filepath.Join(bin, "docent"), "serve")
	checkServes(t, nil, filepath.Join(bin, r.PyPI.Package), "serve")
	uvx := tool(t, "uvx", "uv, from PyPI")
	home := t.TempDir()
	checkServes(t, []string{"UV_CACHE_DIR=" + home, "UV_NO_CONFIG=1"}, uvx, "--no-index", "--find-links", filepath.Join(r.Out, "pypi"), r.PyPI.Package, "serve")
}

// checkWheel checks the records and the mark of ownership of a wheel.
func checkWheel(t *testing.T, r *Release, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := unpack(t, file, data)
	info, err := filepath.Glob(filepath.Join(dir, "*.dist-info"))
	if err != nil || len(info) != 1 {
		t.Fatal(info, err)
	}
	record, err := os.ReadFile(filepath.Join(info[0], "RECORD"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(record)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if strings.HasSuffix(fields[0], "RECORD") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, fields[0]))
		sum := sha256.Sum256(data)
		if err != nil || fields[1] != "sha256="+base64.RawURLEncoding.EncodeToString(sum[:]) || fields[2] != fmt.Sprint(len(data)) {
			t.Errorf("%s: %v: %v", file, fields, err)
		}
	}
	metadata, err := os.ReadFile(filepath.Join(info[0], "METADATA"))
	if err != nil || !strings.Contains(string(metadata), "mcp-name: "+r.Registry+" ") {
		t.Errorf("%s: the mark of ownership is missing: %v", file, err)
	}
}

func TestArtifacts_Bundles(t *testing.T) {
	r := dist(t)
	for _, system := range []string{"darwin", "windows", "linux-amd64", "linux-arm64"} {
		name := r.mcpbFile(system)
		dir := unpack(t, name, r.read(t, "mcpb/"+name))
		var manifest struct {
			Server struct {
				EntryPoint string `json:"entry_point"`
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		if err := errors.Join(err, json.Unmarshal(text, &manifest)); err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(dir, manifest.Server.EntryPoint)
		switch data, err := os.ReadFile(program); {
		case err != nil:
			t.Error(err)
		case system == "darwin":
			fat, err := macho.NewFatFile(bytes.NewReader(data))
			if err != nil || len(fat.Arches) != 2 {
				t.Errorf("no program for both processors: %v", err)
			}
		default:
			checkProgram(t, strings.SplitN(system, "-", 2)[0], data)
		}
		if system == runtime.GOOS+"-"+runtime.GOARCH {
			checkServes(t, nil, program, "serve")
		}
		if mcpb := os.Getenv("DOCENT_MCPB"); mcpb != "" {
			output(t, exec.Command(mcpb, "validate", filepath.Join(dir, "manifest.json")))
		} else {
			t.Log("DOCENT_MCPB names no official tool, so that it did not validate the manifest")
		}
	}
}

func TestArtifacts_RegistryEntry(t *testing.T) {
	r := dist(t)
	module := output(t, exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/modelcontextprotocol/registry"))
	c := jsonschema.NewCompiler()
	schema, err := c.Compile(filepath.Join(strings.TrimSpace(module), "internal", "validators", "schemas", "2025-12-11.json"))
	if err != nil {
		t.Fatal(err)
	}
	data := r.read(t, "server.json")
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
	var server struct {
		Packages []struct{ RegistryType, Identifier, Version, FileSHA256 string }
	}
	if err := json.Unmarshal(data, &server); err != nil {
		t.Fatal(err)
	}
	types := map[string]int{}
	for _, p := range server.Packages {
		types[p.RegistryType]++
		if p.RegistryType == "mcpb" {
			if sum, err := r.sum("mcpb/" + path.Base(p.Identifier)); err != nil || sum != p.FileSHA256 {
				t.Errorf("%s: %s, %v", p.Identifier, sum, err)
			}
		}
	}
	if got := fmt.Sprint(types); got != "map[mcpb:4 npm:1 oci:1 pypi:1]" {
		t.Errorf("packages: %s", got)
	}
}

func TestArtifacts_FormulasNameTheArchives(t *testing.T) {
	r := dist(t)
	formula, scoop := string(r.read(t, "homebrew/docent.rb")), string(r.read(t, "scoop/docent.json"))
	for _, p := range r.platforms() {
		text := formula
		if p.OS == "windows" {
			text = scoop
		}
		sum, err := r.sum(r.archiveFile(p))
		if err != nil || !strings.Contains(text, sum) || !strings.Contains(text, r.archiveFile(p)) {
			t.Errorf("%s: %v in\n%s", r.archiveFile(p), err, text)
		}
	}
	if !json.Valid([]byte(scoop)) {
		t.Error("the Scoop manifest is no JSON")
	}
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		t.Skip("ruby is not installed, so the formula's syntax is not checked")
	}
	output(t, exec.Command(ruby, "-c", filepath.Join(r.Out, "homebrew", "docent.rb")))
}

func TestArtifacts_Plugins(t *testing.T) {
	r := dist(t)
	dir := filepath.Join(r.Out, "plugins")
	if err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, ".json") {
			data, err := os.ReadFile(file)
			if err != nil || !json.Valid(data) {
				t.Errorf("%s: %v", file, err)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	claude := os.Getenv("DOCENT_CLAUDE")
	if claude == "" {
		t.Skip("DOCENT_CLAUDE names no Claude Code, so that it did not validate the plugin")
	}
	for _, place := range []string{dir, filepath.Join(dir, "plugins", r.Name)} {
		cmd := exec.Command(claude, "plugin", "validate", place)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		output(t, cmd)
	}
}

func TestArtifacts_Gemini(t *testing.T) {
	onLinux(t)
	r := dist(t)
	_, cpu := here.node()
	name := "linux." + cpu + "." + r.Name + ".tar.gz"
	dir := unpack(t, name, r.read(t, "gemini/"+name))
	checkServes(t, nil, filepath.Join(dir, r.Name), "serve")
	gemini := os.Getenv("DOCENT_GEMINI")
	if gemini == "" {
		t.Skip("DOCENT_GEMINI names no Gemini CLI, so that it did not validate the extension")
	}
	cmd := exec.Command(gemini, "extensions", "validate", dir)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	output(t, cmd)
}

func TestArtifacts_SBOM(t *testing.T) {
	r := dist(t)
	modules, err := os.ReadFile(filepath.Join("..", "vendor", "modules.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.platforms() {
		var bom cdx.BOM
		if err := cdx.NewBOMDecoder(bytes.NewReader(r.read(t, "sbom/"+r.archiveName(p)+".cdx.json")), cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
			t.Fatal(err)
		}
		if len(*bom.Components) < 8 || (*bom.Components)[0].Name != "std" {
			t.Errorf("%d components", len(*bom.Components))
		}
		for _, c := range *bom.Components {
			if c.Name != "std" && !strings.Contains(string(modules), "# "+c.Name+" "+c.Version+"\n") {
				t.Errorf("%s %s is not vendored", c.Name, c.Version)
			}
		}
	}
}

func TestArtifacts_ChecksumsAndProvenance(t *testing.T) {
	r := dist(t)
	var statement struct {
		Subject []struct {
			Name   string
			Digest struct{ SHA256 string }
		}
	}
	if err := json.Unmarshal(r.read(t, "provenance.intoto.json"), &statement); err != nil {
		t.Fatal(err)
	}
	attested := map[string]string{}
	for _, s := range statement.Subject {
		attested[s.Name] = s.Digest.SHA256
	}
	list := string(r.read(t, "SHA256SUMS"))
	n := 0
	err := r.eachFile(func(name string, data []byte) error {
		if name == "SHA256SUMS" || name == "provenance.intoto.json" {
			return nil
		}
		n++
		sum := sha256.Sum256(data)
		hash := hex.EncodeToString(sum[:])
		if !strings.Contains(list, hash+"  "+name+"\n") || attested[name] != hash {
			t.Errorf("%s is not listed as %s", name, hash)
		}
		return nil
	})
	if err != nil || n != len(attested) || n != strings.Count(list, "\n") {
		t.Errorf("%d files, %d attested, %d listed, %v", n, len(attested), strings.Count(list, "\n"), err)
	}
}

func TestArtifacts_AreReproducible(t *testing.T) {
	r := dist(t)
	again := os.Getenv("DOCENT_DIST_AGAIN")
	if again == "" {
		t.Skip("DOCENT_DIST_AGAIN names no second build of the release")
	}
	second, err := os.ReadFile(filepath.Join(again, "SHA256SUMS"))
	if err != nil || !bytes.Equal(second, r.read(t, "SHA256SUMS")) {
		t.Errorf("the second build differs (%v):\n%s", err, second)
	}
}
