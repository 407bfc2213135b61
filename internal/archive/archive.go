// Package archive reads zip and tar files that strangers made, as an fs.FS.
// Nothing is written to disk and nothing in an archive is trusted: not its
// names, not its sizes, not its kinds of files.
package archive

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/quote"
)

// Limits bound what an archive may be. A zero field has the default.
type Limits struct {
	Packed   int64 // bytes of the archive itself; 128 MiB
	Unpacked int64 // bytes of all files together; 512 MiB
	File     int64 // bytes of one file; 64 MiB
	Files    int   // files and directories; 50,000
	Ratio    int64 // how many bytes one packed byte may become, in archives over 1 MiB; 200
}

func (l Limits) withDefaults() Limits {
	set := func(v *int64, def int64) {
		if *v <= 0 {
			*v = def
		}
	}
	set(&l.Packed, 128<<20)
	set(&l.Unpacked, 512<<20)
	set(&l.File, 64<<20)
	set(&l.Ratio, 200)
	if l.Files <= 0 {
		l.Files = 50_000
	}
	return l
}

// Options say how an archive is read.
type Options struct {
	Limits Limits
	// Prefix is what every name must begin with; it is taken off.
	Prefix string
	// StripFirst takes the first element off every name, whatever it is.
	StripFirst bool
	// SkipLinks passes over symbolic and hard links. Without it they are refused.
	SkipLinks bool
	// FoldCase refuses names that differ by letter case alone.
	FoldCase bool
	// Keep says which files, by their name without prefix and their size in
	// bytes, are wanted; nil wants all. Limits count them all.
	Keep func(name string, size int64) Want
}

// Want is what becomes of a file.
type Want int

const (
	// Never leaves a file out.
	Never Want = iota
	// Later unpacks the file of a tar file, and all others that are wanted
	// later, when one of them is opened for the first time.
	Later
	// Now unpacks the file of a tar file at once. That of a zip file is unpacked
	// when it is opened, Now or Later.
	Now
)

func (o *Options) want(name string, size int64) Want {
	if o.Keep == nil {
		return Now
	}
	return o.Keep(name, size)
}

// Error says what is wrong with an archive, as the rest of a sentence that
// begins with the archive's name: `holds "../x", which lies outside of it`.
type Error struct {
	Problem string
	// TooLarge is true if a limit was reached, which the user may raise, and
	// false if the archive is damaged or hostile.
	TooLarge bool
	Err      error
}

func (e *Error) Error() string { return e.Problem }

func (e *Error) Unwrap() error { return e.Err }

func bad(format string, args ...any) error {
	return &Error{Problem: fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return &Error{Problem: fmt.Sprintf(format, args...), TooLarge: true}
}

func damaged(err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return &Error{Problem: "is damaged: " + quote.Error(err).Error(), Err: err}
}

const (
	maxName  = 1024 // bytes
	maxDepth = 64   // elements
)

// cleanName turns a name in an archive into one for fs.FS. It returns an empty
// name for the root. A name that could mean a file outside of the archive on
// any system is an error.
func (o *Options) cleanName(name string) (string, error) {
	if len(name) > maxName {
		return "", bad("holds a name of %d bytes, more than %d", len(name), maxName)
	}
	if !utf8.ValidString(name) || strings.IndexFunc(name, func(r rune) bool { return r < 0x20 || r == 0x7f }) >= 0 {
		return "", bad("holds the name %q, which no file should have", name)
	}
	if strings.HasPrefix(name, "/") || strings.ContainsAny(name, `\`) || len(name) > 1 && name[1] == ':' {
		return "", bad("holds the name %q, which is not relative", name)
	}
	clean := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	for elem := range strings.SplitSeq(clean, "/") {
		if elem == ".." {
			return "", bad("holds %q, which lies outside of it", name)
		}
	}
	if clean = path.Clean(clean); clean == "." {
		clean = ""
	}
	if strings.Count(clean, "/") >= maxDepth {
		return "", bad("holds %q, which lies more than %d directories deep", name, maxDepth)
	}
	if o.StripFirst {
		_, clean, _ = strings.Cut(clean, "/")
	}
	if p := strings.TrimSuffix(o.Prefix, "/"); p != "" {
		rest, ok := strings.CutPrefix(clean+"/", p+"/")
		if !ok {
			return "", bad("holds %q, which is not below %s", name, p)
		}
		clean = strings.TrimSuffix(rest, "/")
	}
	return clean, nil
}

// tally counts against limits while an archive is read.
type tally struct {
	Limits
	files    int
	unpacked int64
}

func (t *tally) add(name string, size int64) error {
	if t.files++; t.files > t.Files {
		return tooLarge("holds more than %d files, the limit", t.Files)
	}
	if size < 0 || size > t.File {
		return tooLarge("holds %q of %s, and the limit for one file is %s", name, Bytes(size), Bytes(t.File))
	}
	if t.unpacked += size; t.unpacked > t.Unpacked {
		return tooLarge("unpacks to more than %s, the limit", Bytes(t.Unpacked))
	}
	return nil
}

// ratio refuses what grows beyond reason when it is unpacked.
func (t *tally) ratio(unpacked, packed int64) error {
	if unpacked > 1<<20 && unpacked/t.Ratio > packed {
		return bad("unpacks to %s from %s, more than %d times as much", Bytes(unpacked), Bytes(packed), t.Ratio)
	}
	return nil
}

// Bytes writes a size as people read it: "512 MiB".
func Bytes(n int64) string {
	switch {
	case n < 0:
		return "an impossible size"
	case n < 10<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	case n < 10<<30:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d GiB", n>>30)
}
