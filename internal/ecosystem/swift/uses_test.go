package swift

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/usetest"
)

func TestUses_Swift(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"Package.swift":             "// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"app\", targets: [.target(name: \"App\", exclude: [\"Old\"]), .target(name: \"app-core\"), .testTarget(name: \"AppTests\")])\n",
		"Sources/App/a.swift":       "",
		"Sources/app-core/b.swift":  "",
		"Tests/AppTests/test.swift": "",
	})
	usetest.Run(t, &Swift{}, dir, []usetest.Case{
		{Name: "imports", File: "Sources/App/a.swift", Src: "import KiteCore\n@testable import KiteTail\nimport struct Tree.Leaf\n@preconcurrency public import Wind\n  import `Rope`; import String_\n",
			Want: []string{"1:8 KiteCore", "2:18 KiteTail", "3:15 Tree", "4:31 Wind", "5:10 Rope", "5:25 String_"}},
		{Name: "systems and own targets", File: "Sources/App/a.swift", Src: "import Foundation\nimport SwiftUI\nimport Darwin.C\nimport WinSDK\nimport app_core\nimport App\nimport XCTest\nimport _MapKit_SwiftUI\n", Want: nil},
		{Name: "conditions", File: "Sources/App/a.swift", Src: "#if canImport(KiteCore)\nimport KiteCore\n#else\nimport Tree\n#endif\nimport Wind\n", Want: []string{"6:8 Wind"}},
		{Name: "strings and comments", File: "Sources/App/a.swift", Src: "// import KiteCore\nlet s = \"\"\"\nimport Tree\n\"\"\"\n", Want: nil},
		{Name: "a file of no target", File: "Examples/a.swift", Src: "import KiteCore\n", Want: nil},
		{Name: "an excluded file", File: "Sources/App/Old/a.swift", Src: "import KiteCore\n", Want: nil},
		{Name: "a part of a tutorial", File: "Sources/App/App.docc/Resources/a.swift", Src: "import KiteCore\n", Want: nil},
		{Name: "a snippet", File: "snippet.swift", Src: "import KiteCore\n", Want: []string{"1:8 KiteCore"}},
	})
}

func TestIsOwn_Swift(t *testing.T) {
	for paths, want := range map[string]bool{
		"App/main.swift": false, "App.xcodeproj/project.pbxproj": true, "include/module.modulemap": true, "Kite.framework/Kite": true, "Other.framework/Other": false, "Other.xcframework/Info.plist": true,
		"App.xcodeproj/project.pbxproj Package.swift": false, "Kite.framework/Kite Package.swift": true,
	} {
		if got := (&Swift{}).IsOwn("Kite", strings.FieldsSeq(paths)); got != want {
			t.Errorf("with %s: %v, want %v", paths, got, want)
		}
	}
}

func FuzzUses(f *testing.F) {
	usetest.Fuzz(f, &Swift{}, "a.swift", "import A.B\n", "@testable import struct `A`.b", "#if canImport(A)\nimport A", "import", "import .")
}
