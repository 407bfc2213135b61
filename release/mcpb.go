package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// mcpbFile returns the name of a bundle. There is one bundle for each operating system: that for
// macOS contains a binary for both processors, and Windows on arm64 runs the binary for amd64.
func (r *Release) mcpbFile(os string) string {
	return r.Name + "-" + r.Version.SemVer + "-" + os + ".mcpb"
}

// bundles writes the MCPB bundles.
func (r *Release) bundles() error {
	amd, arm := r.binaries[Platform{"darwin", "amd64"}], r.binaries[Platform{"darwin", "arm64"}]
	for _, b := range []struct {
		file, platform, executable string
		data                       []byte
	}{
		{r.mcpbFile("darwin"), "darwin", "docent", universal(amd.Data, arm.Data)},
		{r.mcpbFile("windows"), "win32", "docent.exe", r.binaries[Platform{"windows", "amd64"}].Data},
		{r.mcpbFile("linux-amd64"), "linux", "docent", r.binaries[Platform{"linux", "amd64"}].Data},
		{r.mcpbFile("linux-arm64"), "linux", "docent", r.binaries[Platform{"linux", "arm64"}].Data},
	} {
		manifest, err := json.MarshalIndent(map[string]any{
			"manifest_version": "0.3", "name": r.Name, "display_name": r.Title, "version": r.Version.SemVer, "description": r.Description,
			"author": map[string]string{"name": r.Maintainer, "url": r.Repository}, "repository": map[string]string{"type": "git", "url": r.Repository},
			"homepage": r.Repository, "license": r.License, "keywords": []string{"documentation", "packages"}, "tools_generated": true,
			"server": map[string]any{
				"type": "binary", "entry_point": "server/" + b.executable,
				"mcp_config": map[string]any{"command": "${__dirname}/server/" + b.executable, "args": []string{"serve"}},
			},
			"compatibility": map[string]any{"platforms": []string{b.platform}},
		}, "", "  ")
		if err != nil {
			return err
		}
		data, err := zipFile([]entry{
			{name: "manifest.json", data: append(manifest, '\n'), mode: 0o644},
			{name: "LICENSE", data: r.extra("LICENSE"), mode: 0o644},
			{name: "server/" + b.executable, data: b.data, mode: 0o755},
		}, r.Time)
		if err != nil {
			return err
		}
		if err := r.write("mcpb/"+b.file, data); err != nil {
			return err
		}
	}
	return nil
}

// universal joins two Mach-O programs into one for both processors, as lipo does.
func universal(amd64, arm64 []byte) []byte {
	const (
		magic     = 0xcafebabe
		cpuAMD64  = 0x01000007
		cpuARM64  = 0x0100000c
		alignBits = 14 // programs begin at multiples of the page size, 16 KiB
	)
	align := func(n int) int { return (n + 1<<alignBits - 1) &^ (1<<alignBits - 1) }
	first := align(8 + 2*20)
	second := align(first + len(amd64))
	out := binary.BigEndian.AppendUint32(nil, magic)
	out = binary.BigEndian.AppendUint32(out, 2)
	for _, part := range []struct {
		cpu, subtype uint32
		offset, size int
	}{{cpuAMD64, 3, first, len(amd64)}, {cpuARM64, 0, second, len(arm64)}} {
		for _, field := range []uint32{part.cpu, part.subtype, uint32(part.offset), uint32(part.size), alignBits} {
			out = binary.BigEndian.AppendUint32(out, field)
		}
	}
	if second+len(arm64) > 1<<31 {
		panic(fmt.Sprintf("the programs are too large for one file: %d bytes", second+len(arm64)))
	}
	out = append(out, make([]byte, first-len(out))...)
	out = append(out, amd64...)
	out = append(out, make([]byte, second-len(out))...)
	return append(out, arm64...)
}
