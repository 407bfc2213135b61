package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"
)

//go:embed launch.py
var launch []byte

// wheelTags are the platform tags of wheels. The binaries are static, so they run with
// any C library.
var wheelTags = map[Platform]string{
	{"linux", "amd64"}:   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	{"linux", "arm64"}:   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	{"darwin", "amd64"}:  "macosx_12_0_x86_64",
	{"darwin", "arm64"}:  "macosx_12_0_arm64",
	{"windows", "amd64"}: "win_amd64",
	{"windows", "arm64"}: "win_arm64",
}

// wheels writes a wheel for each platform. A wheel installs the binary as docent, together with a program named after
// the package that runs the binary, so that uvx and pipx can start it.
func (r *Release) wheels() error {
	module := strings.ReplaceAll(r.PyPI.Package, "-", "_")
	base := module + "-" + r.Version.PEP440
	info := base + ".dist-info/"
	for _, p := range r.platforms() {
		tags := wheelTags[p]
		if tags == "" {
			return fmt.Errorf("there is no wheel tag for %s/%s", p.OS, p.Arch)
		}
		var wheel strings.Builder
		fmt.Fprintf(&wheel, "Wheel-Version: 1.0\nGenerator: docent-release\nRoot-Is-Purelib: false\n")
		for tag := range strings.SplitSeq(tags, ".") {
			fmt.Fprintf(&wheel, "Tag: py3-none-%s\n", tag)
		}
		files := []entry{
			{name: module + "/__init__.py", data: launch, mode: 0o644},
			{name: base + ".data/scripts/" + p.executable(r.Name), data: r.binaries[p].Data, mode: 0o755},
			{name: info + "licenses/LICENSE", data: r.extra("LICENSE"), mode: 0o644},
			{name: info + "METADATA", data: r.metadata(), mode: 0o644},
			{name: info + "WHEEL", data: []byte(wheel.String()), mode: 0o644},
			{name: info + "entry_points.txt", data: fmt.Appendf(nil, "[console_scripts]\n%s = %s:main\n", r.PyPI.Package, module), mode: 0o644},
		}
		var record bytes.Buffer
		for _, f := range files {
			sum := sha256.Sum256(f.data)
			fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
		}
		fmt.Fprintf(&record, "%sRECORD,,\n", info)
		files = append(files, entry{name: info + "RECORD", data: record.Bytes(), mode: 0o644})
		data, err := zipFile(files, r.Time)
		if err != nil {
			return err
		}
		if err := r.write("pypi/"+base+"-py3-none-"+tags+".whl", data); err != nil {
			return err
		}
	}
	return nil
}

func (r *Release) metadata() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Metadata-Version: 2.4\nName: %s\nVersion: %s\nSummary: %s\nLicense-Expression: %s\nLicense-File: LICENSE\nProject-URL: Repository, %s\n",
		r.PyPI.Package, r.Version.PEP440, r.Description, r.License, r.Repository)
	fmt.Fprintf(&b, "Keywords: mcp,mcp-server,documentation,agents\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n%s\n<!-- mcp-name: %s -->\n",
		r.extra("README.md"), r.Registry) // The MCP registry requires this proof of ownership.
	return b.Bytes()
}
