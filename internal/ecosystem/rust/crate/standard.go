package crate

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// standardZip contains the stable public declarations of core, alloc and std without bodies and comments.
// TestStandardOutline writes it from the sources of a toolchain.
//
//go:embed standard.zip
var standardZip []byte

// standardCrates returns the crates of the standard library, by name, with the declarations in standardZip.
var standardCrates = sync.OnceValue(func() map[string]*Source {
	z, err := zip.NewReader(bytes.NewReader(standardZip), int64(len(standardZip)))
	if err != nil {
		panic(fmt.Sprintf("read the outline of the standard library: %v", err))
	}
	all := map[string]*Source{}
	for _, name := range []string{"core", "alloc", "std"} {
		files, _ := fs.Sub(z, name) // the name is valid
		all[name] = &Source{Name: name, FS: files, Lib: "lib.rs", Edition: "2024", Deps: map[string]string{"core": "", "alloc": "", "std": ""}}
	}
	return all
})

// standardNames are the names of members that the outline of the standard library declares.
var standardNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for text := range StandardTexts() {
		s := source.Scanner{Text: text}
		before := ""
		for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
			word := s.Text[t.Start:t.End]
			if t.Kind == source.Ident && before == "fn" {
				names[word] = true
			}
			before = word
		}
	}
	return names
})

// StandardTexts returns the texts of the outline of the standard library.
func StandardTexts() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, src := range standardCrates() {
			text, _ := fs.ReadFile(src.FS, src.Lib) // it is embedded
			if !yield(string(text)) {
				return
			}
		}
	}
}

// IsStandard reports whether a function or method of the standard library has a name.
func IsStandard(name string) bool { return standardNames()[name] }

// isOutlined reports whether the outline of the standard library contains the module of an item and may contain the item.
// It lacks some modules and macros.
func isOutlined(path []string) bool {
	return !slices.Contains(path, "arch") && !slices.Contains(path, "intrinsics") &&
		!slices.Contains([]string{"addr_of", "addr_of_mut", "format", "offset_of", "pin"}, path[len(path)-1])
}

// omitted are the traits whose implementations the outline lacks, because they would take much room and programs rarely call
// their methods by name.
var omitted = []string{"Add", "Sub", "Mul", "Div", "Rem", "BitAnd", "BitOr", "BitXor", "Shl", "Shr", "AddAssign", "SubAssign", "MulAssign", "DivAssign", "RemAssign", "BitAndAssign", "BitOrAssign", "BitXorAssign", "ShlAssign", "ShrAssign",
	"Send", "Sync", "UnwindSafe", "RefUnwindSafe", "Unpin", "StructuralPartialEq", "Freeze", "UseCloned", "ZeroablePrimitive", "TrustedLen", "FusedIterator", "TrustedRandomAccess", "TrustedRandomAccessNoCoerce", "SourceIter", "InPlaceIterable", "TrustedFused", "PinCoerceUnsized", "CoerceUnsized", "DispatchFromDyn", "DerefPure", "ConstParamTy_", "UnsizedConstParamTy", "Eq", "BytewiseEq", "TrustedStep", "TrustedSteps", "CloneToUninit", "SpecToString", "Simd", "NonDrop", "Sum", "Product", "Binary", "Octal", "LowerHex", "UpperHex", "LowerExp", "UpperExp", "Pointer", "Drop", "StepByImpl", "StepByBackImpl", "Step"}

// conversions are the traits whose implementations for primitive types the outline lacks.
var conversions = []string{"From", "TryFrom", "PartialEq"}

// StandardVersion returns the version of Rust that the outline of the standard library describes.
func StandardVersion() string {
	text, _ := fs.ReadFile(standardCrates()["std"].FS, "lib.rs") // it is embedded
	line, _, _ := strings.Cut(string(text), "\n")
	_, version, _ := strings.Cut(line, "rustc ")
	version, _, _ = strings.Cut(version, " ")
	return version
}
