package python

import (
	"cmp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// target is the interpreter and platform for which packages are chosen.
type target struct {
	python   string // such as "3.11.7" or "3.11"; empty if unknown
	pypy     bool
	platform string // "linux/amd64": system and architecture in Go's names
	musl     bool
}

func (t *target) goos() string { os, _, _ := strings.Cut(t.platform, "/"); return os }

// machine returns Python's name for the processor of the platform.
func (t *target) machine() string {
	_, arch, _ := strings.Cut(t.platform, "/")
	windows, darwin := t.goos() == "windows", t.goos() == "darwin"
	switch {
	case arch == "amd64" && windows:
		return "AMD64"
	case arch == "amd64":
		return "x86_64"
	case arch == "arm64" && windows:
		return "ARM64"
	case arch == "arm64" && darwin:
		return "arm64"
	case arch == "arm64":
		return "aarch64"
	case arch == "386" && windows:
		return "x86"
	case arch == "386":
		return "i686"
	case arch == "arm":
		return "armv7l"
	case arch == "loong64":
		return "loongarch64"
	}
	return arch // the names are equal for ppc64le, s390x and riscv64
}

// defaultPlatform returns the platform of this machine.
func defaultPlatform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// onMusl reports whether this machine's C library is musl.
var onMusl = sync.OnceValue(func() bool {
	for _, name := range project.DirNames("/lib") {
		if strings.HasPrefix(name, "ld-musl-") {
			return true
		}
	}
	return false
})

// environment returns the values of marker variables for the target.
func (t *target) environment() pep508.Environment {
	osName, sysPlatform, system := "posix", t.goos(), t.goos()
	switch t.goos() {
	case "windows":
		osName, sysPlatform, system = "nt", "win32", "Windows"
	case "darwin":
		system = "Darwin"
	case "linux":
		system = "Linux"
	case "freebsd":
		system = "FreeBSD"
	}
	full := cmp.Or(t.python, newestPython)
	if strings.Count(full, ".") == 1 {
		full += ".0"
	}
	implementation, name := "CPython", "cpython"
	if t.pypy {
		implementation, name = "PyPy", "pypy"
	}
	return pep508.Environment{
		Values: map[string]string{
			"implementation_name": name, "implementation_version": full, "os_name": osName, "platform_machine": t.machine(),
			"platform_release": kernelRelease(), "platform_system": system, "platform_version": "", "python_full_version": full,
			"platform_python_implementation": implementation, "python_version": minorOf(full), "sys_platform": sysPlatform, "extra": "",
		},
		Sets: map[string][]string{"extras": {}, "dependency_groups": {}},
	}
}

// newestPython is the version assumed for an unknown interpreter.
const newestPython = "3.14"

// kernelRelease returns the release of the operating system, or "" if it cannot be read.
func kernelRelease() string {
	data, err := project.ReadSettings("/proc/sys/kernel/osrelease", maxConfig)
	if err != nil || runtime.GOOS != "linux" {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// These are the ranks of wheels; higher ranks are preferred. A wheel that is not
// for the target has rank 0.
const (
	rankForeign = iota
	rankPure    // py3-none-any
	rankPlatform
	rankStable // abi3 of an older version
	rankExact  // built for exactly this version
)

// rank returns how well a wheel suits the target.
func (t *target) rank(f *fileName) int {
	best := rankForeign
	for _, tag := range f.Tags {
		best = max(best, t.rankTag(tag))
	}
	return best
}

var interpreterTag = lazyregexp.New(`^(py|cp|pp)(\d)(\d*)$`)

func (t *target) rankTag(g tag) int {
	if g.Platform != "any" && !t.runsOn(g.Platform) {
		return rankForeign
	}
	m := interpreterTag().FindStringSubmatch(g.Python)
	if m == nil {
		return rankForeign
	}
	major, minor := t.numbers()
	tagMajor, _ := strconv.Atoi(m[2])
	tagMinor, err := strconv.Atoi(m[3])
	if err != nil {
		tagMinor = -1
	}
	if tagMajor != major {
		return rankForeign
	}
	same := tagMinor == minor || minor < 0 && tagMinor >= 0
	switch {
	case m[1] == "cp" && !t.pypy && g.ABI == "abi3" && (tagMinor <= minor || minor < 0):
		return rankStable
	case m[1] == "cp" && !t.pypy && same && g.ABI == "none":
		return rankPlatform
	case m[1] == "cp" && !t.pypy && same && !strings.HasSuffix(g.ABI, "t"):
		return rankExact
	case m[1] == "pp" && t.pypy && same:
		return rankExact
	case m[1] == "py" && g.ABI == "none" && (tagMinor <= minor || minor < 0):
		if g.Platform == "any" {
			return rankPure
		}
		return rankPlatform
	}
	return rankForeign
}

// numbers returns the major and the minor version. The minor version is -1 if it is unknown.
func (t *target) numbers() (major, minor int) {
	parts := strings.SplitN(t.python, ".", 3)
	if len(parts) < 2 {
		return 3, -1
	}
	major, err := strconv.Atoi(parts[0])
	if err != nil {
		return 3, -1
	}
	if minor, err = strconv.Atoi(parts[1]); err != nil {
		return major, -1
	}
	return major, minor
}

var macTag = lazyregexp.New(`^macosx_\d+_\d+_(.+)$`)

// runsOn reports whether a platform tag is for the target. It does not compare versions of macOS
// and of the C library, because the Python sources are the same.
func (t *target) runsOn(platform string) bool {
	machine := strings.ToLower(t.machine())
	switch t.goos() {
	case "linux":
		if !strings.HasSuffix(platform, "_"+machine) {
			return false
		}
		if strings.HasPrefix(platform, "musllinux_") {
			return t.musl
		}
		return strings.HasPrefix(platform, "linux_") || strings.HasPrefix(platform, "manylinux") && !t.musl
	case "darwin":
		m := macTag().FindStringSubmatch(platform)
		if m == nil {
			return false
		}
		switch m[1] {
		case machine, "universal2":
			return true
		case "universal", "intel", "fat", "fat64":
			return machine == "x86_64"
		}
		return false
	case "windows":
		return platform == map[string]string{"amd64": "win_amd64", "arm64": "win_arm64", "x86": "win32"}[machine]
	}
	return strings.HasPrefix(platform, t.goos()) && strings.HasSuffix(platform, "_"+machine)
}
