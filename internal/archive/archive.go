// Package archive reads untrusted zip and tar files as an fs.FS. It writes
// nothing to disk, and checks the names, sizes and types of all files.
package archive

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/quote"
)

// Limits limit an archive. A zero field means the default given in its comment.
type Limits struct {
	Packed   int64 // size in bytes of the archive itself; 128 MiB
	Unpacked int64 // size in bytes of all files together; 512 MiB
	Memory   int64 // size in bytes of the files of a tar archive that are unpacked into memory; 512 MiB
	File     int64 // size in bytes of one file; 64 MiB
	Files    int   // number of entries, and of directories including those that no entry names; 50,000
	Ratio    int64 // unpacked bytes per packed byte, in archives over 1 MiB; 200
}

func (l Limits) withDefaults() Limits {
	set := func(v *int64, def int64) {
		if *v <= 0 {
			*v = def
		}
	}
	set(&l.Packed, 128<<20)
	set(&l.Unpacked, 512<<20)
	set(&l.Memory, 512<<20)
	set(&l.File, 64<<20)
	set(&l.Ratio, 200)
	if l.Files <= 0 {
		l.Files = 50_000
	}
	return l
}

// Options are options for reading an archive.
type Options struct {
	Limits Limits
	// Prefix must begin every name, and is removed.
	Prefix string
	// StripFirst removes the first element of every name.
	StripFirst bool
	// SkipLinks ignores symbolic and hard links, which are errors without it.
	SkipLinks bool
	// FoldCase makes it an error if two names differ only in case.
	FoldCase bool
	// Keep decides, by name (without the prefix) and size in bytes, when a file is unpacked. If it
	// is nil, all files are unpacked. Limits count all files.
	Keep func(name string, size int64) Want
}

// Want specifies when to unpack a file.
type Want int

const (
	// Never omits a file.
	Never Want = iota
	// Later delays unpacking a file in a tar archive until a file that is wanted Later is opened.
	// Then all such files are unpacked.
	Later
	// Now unpacks a file in a tar archive immediately. Files in a zip archive are always unpacked
	// when they are opened.
	Now
)

func (o *Options) want(name string, size int64) Want {
	if o.Keep == nil {
		return Now
	}
	return o.Keep(name, size)
}

// Error describes a problem with an archive, as the rest of a sentence that begins with the
// archive's name, such as `contains "../x", which is outside the archive`.
type Error struct {
	Problem string
	// TooLarge is true if a limit was exceeded, and false if the archive is damaged or malicious.
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
	maxName  = 1024 // maximum length in bytes of a name
	maxDepth = 64   // maximum number of elements of a path
)

// cleanName converts a name in an archive to a name for fs.FS. The name of the root is "". A name
// that leads outside the archive on any system is an error.
func (o *Options) cleanName(name string) (string, error) {
	if len(name) > maxName {
		return "", bad("contains a name of %d bytes; the limit is %d", len(name), maxName)
	}
	if !utf8.ValidString(name) || strings.IndexFunc(name, func(r rune) bool { return r < 0x20 || r == 0x7f }) >= 0 {
		return "", bad("contains the invalid file name %q", name)
	}
	clean := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	for elem := range strings.SplitSeq(clean, "/") {
		if elem == ".." {
			return "", bad("contains %q, which is outside the archive", name)
		}
	}
	if clean = path.Clean(clean); clean == "." {
		clean = ""
	}
	if strings.HasPrefix(clean, "/") || strings.HasPrefix(name, "/") || strings.Contains(name, `\`) || len(clean) > 1 && clean[1] == ':' {
		return "", bad("contains the name %q, which is not relative", name)
	}
	if strings.Count(clean, "/") >= maxDepth {
		return "", bad("contains %q, which is nested more than %d directories deep", name, maxDepth)
	}
	if o.StripFirst {
		_, clean, _ = strings.Cut(clean, "/")
	}
	if p := strings.TrimSuffix(o.Prefix, "/"); p != "" {
		rest, ok := strings.CutPrefix(clean+"/", p+"/")
		if !ok {
			return "", bad("contains %q, which is not below %s", name, p)
		}
		clean = strings.TrimSuffix(rest, "/")
	}
	return clean, nil
}

// tally enforces limits while an archive is read.
type tally struct {
	Limits
	files    int
	unpacked int64
	memory   int64
}

func (t *tally) add(name string, size int64) error {
	if t.files++; t.files > t.Files {
		return tooLarge("contains more files than the limit of %d", t.Files)
	}
	if size < 0 || size > t.File {
		return tooLarge("contains %q of %s; the limit for one file is %s", name, Bytes(size), Bytes(t.File))
	}
	if t.unpacked += size; t.unpacked > t.Unpacked {
		return tooLarge("unpacks to more than the limit of %s", Bytes(t.Unpacked))
	}
	return nil
}

// ratio returns an error if the archive exceeds Limits.Ratio.
func (t *tally) ratio(unpacked, packed int64) error {
	if unpacked > 1<<20 && unpacked/t.Ratio > packed {
		return bad("unpacks to %s from %s, more than %d times as much", Bytes(unpacked), Bytes(packed), t.Ratio)
	}
	return nil
}

// Bytes formats a size, for example as "512 MiB".
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
