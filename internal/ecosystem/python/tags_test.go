package python

import (
	"fmt"
	"testing"
)

// TestWheelTags_Rank chooses the best wheel of those that an index offers.
func TestWheelTags_Rank(t *testing.T) {
	for _, tt := range []struct {
		name   string
		target target
		tags   []string // from the best to the worst that suits
		other  []string // tags that do not suit
	}{
		{
			"CPython on Linux", target{python: "3.11.7", platform: "linux/amd64"},
			[]string{"cp311-cp311-manylinux_2_17_x86_64", "cp39-abi3-manylinux2014_x86_64", "py3-none-linux_x86_64", "py3-none-any"},
			[]string{
				"cp310-cp310-manylinux_2_17_x86_64", "cp312-abi3-manylinux2014_x86_64", "cp311-cp311-musllinux_1_2_x86_64", "cp311-cp311-manylinux2014_aarch64", "cp311-cp311-win_amd64",
				"cp311-cp311t-manylinux_2_17_x86_64", "pp311-pypy311_pp73-manylinux_2_17_x86_64", "py2-none-any", "py312-none-any", "graalpy311-none-any", "cp311-cp311-macosx_11_0_arm64",
			},
		},
		{
			"musl", target{python: "3.11.7", platform: "linux/arm64", musl: true},
			[]string{"cp311-cp311-musllinux_1_2_aarch64", "py3-none-any"},
			[]string{"cp311-cp311-manylinux2014_aarch64", "cp311-cp311-musllinux_1_2_x86_64"},
		},
		{
			"PyPy", target{python: "3.10", pypy: true, platform: "linux/amd64"},
			[]string{"pp310-pypy310_pp73-manylinux_2_17_x86_64", "py310-none-any"},
			[]string{"cp310-cp310-manylinux_2_17_x86_64", "cp39-abi3-manylinux_2_17_x86_64", "pp39-pypy39_pp73-manylinux_2_17_x86_64", "cp310-none-any"},
		},
		{
			"a Mac with an Arm processor", target{python: "3.12.1", platform: "darwin/arm64"},
			[]string{"cp312-cp312-macosx_11_0_arm64", "cp38-abi3-macosx_10_12_universal2", "cp312-none-macosx_11_0_arm64"},
			[]string{"cp312-cp312-macosx_10_9_x86_64", "cp312-cp312-macosx_10_9_intel", "cp312-cp312-macosx_arm64", "cp312-cp312-linux_x86_64"},
		},
		{
			"a Mac with an Intel processor", target{python: "3.12.1", platform: "darwin/amd64"},
			[]string{"cp312-cp312-macosx_10_9_intel", "cp38-abi3-macosx_10_9_x86_64", "py3-none-any"},
			[]string{"cp312-cp312-macosx_11_0_arm64", "cp312-cp312-macosx_10_9_ppc"},
		},
		{
			"Windows", target{python: "3.13.0", platform: "windows/amd64"},
			[]string{"cp313-cp313-win_amd64", "cp37-abi3-win_amd64", "py3-none-win_amd64", "py3-none-any"},
			[]string{"cp313-cp313-win32", "cp313-cp313-win_arm64", "cp313-cp313-manylinux_2_17_x86_64"},
		},
		{"Windows on Arm", target{python: "3.13.0", platform: "windows/arm64"}, []string{"cp313-cp313-win_arm64"}, []string{"cp313-cp313-win_amd64"}},
		{"Windows with 32 bits", target{python: "3.13.0", platform: "windows/386"}, []string{"cp313-cp313-win32"}, []string{"cp313-cp313-win_amd64"}},
		{"FreeBSD", target{python: "3.11.7", platform: "freebsd/amd64"}, []string{"cp311-cp311-freebsd_14_0_release_x86_64", "py3-none-any"}, []string{"cp311-cp311-linux_x86_64"}},
		{"a Raspberry Pi", target{python: "3.11.7", platform: "linux/arm"}, []string{"cp311-cp311-linux_armv7l"}, []string{"cp311-cp311-linux_armv6l", "cp311-cp311-linux_aarch64"}},
		{"an unknown Python", target{platform: "linux/amd64"}, []string{"cp39-cp39-linux_x86_64", "cp39-abi3-linux_x86_64", "py3-none-any"}, []string{"cp27-cp27mu-linux_x86_64", "py2-none-any"}},
		{"Python 2", target{python: "2.7.18", platform: "linux/amd64"}, []string{"cp27-cp27mu-manylinux1_x86_64", "py2-none-any"}, []string{"py3-none-any", "cp37-abi3-linux_x86_64"}},
	} {
		rank := func(tag string) int {
			f, ok := parseFileName("till-1.0-" + tag + ".whl")
			if !ok {
				t.Fatalf("%s is not a valid tag", tag)
			}
			return tt.target.rank(&f)
		}
		for i, tag := range tt.tags {
			if r := rank(tag); r == rankForeign {
				t.Errorf("%s: %s does not suit", tt.name, tag)
			} else if i > 0 && r >= rank(tt.tags[i-1]) {
				t.Errorf("%s: %s is not worse than %s", tt.name, tag, tt.tags[i-1])
			}
		}
		for _, tag := range tt.other {
			if rank(tag) != rankForeign {
				t.Errorf("%s: %s suits", tt.name, tag)
			}
		}
	}
}

// TestMarkerEnvironment evaluates environment markers for each platform.
func TestMarkerEnvironment(t *testing.T) {
	for _, tt := range []struct {
		target target
		want   string
	}{
		{target{python: "3.11.7", platform: "linux/amd64"}, "posix linux Linux x86_64 CPython cpython 3.11 3.11.7"},
		{target{python: "3.11", platform: "linux/386"}, "posix linux Linux i686 CPython cpython 3.11 3.11.0"},
		{target{python: "3.9.1", platform: "linux/loong64"}, "posix linux Linux loongarch64 CPython cpython 3.9 3.9.1"},
		{target{python: "3.9.1", platform: "linux/riscv64"}, "posix linux Linux riscv64 CPython cpython 3.9 3.9.1"},
		{target{python: "3.10.14", platform: "darwin/arm64", pypy: true}, "posix darwin Darwin arm64 PyPy pypy 3.10 3.10.14"},
		{target{python: "3.13.0rc1", platform: "windows/amd64"}, "nt win32 Windows AMD64 CPython cpython 3.13 3.13.0rc1"},
		{target{python: "3.13.0", platform: "windows/arm64"}, "nt win32 Windows ARM64 CPython cpython 3.13 3.13.0"},
		{target{python: "3.13.0", platform: "windows/386"}, "nt win32 Windows x86 CPython cpython 3.13 3.13.0"},
		{target{python: "3.12.0", platform: "freebsd/amd64"}, "posix freebsd FreeBSD x86_64 CPython cpython 3.12 3.12.0"},
	} {
		v := tt.target.environment().Values
		got := fmt.Sprint(v["os_name"], " ", v["sys_platform"], " ", v["platform_system"], " ", v["platform_machine"], " ", v["platform_python_implementation"], " ", v["implementation_name"], " ", v["python_version"], " ", v["python_full_version"])
		if got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.target, got, tt.want)
		}
	}
}
