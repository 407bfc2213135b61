package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// These constants limit what Export writes.
const (
	maxExported      = 100_000   // maximum number of files
	maxExportedBytes = 512 << 20 // maximum size in bytes of all files
	largeFile        = 16 << 20  // maximum size in bytes of one file; larger files are omitted
)

// WorkTree returns the top directory of the work tree around a directory.
func WorkTree(dir string) (string, error) {
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return top, nil
		}
		if top == filepath.Dir(top) {
			return "", errors.New(dir + " is not in a git repository")
		}
	}
}

// Export writes the regular files of a commit into an existing directory. It omits links,
// submodules and files that are too large for source code.
func (f *FS) Export(ctx context.Context, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	files, bytes := 0, int64(0)
	return fs.WalkDir(f, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case name == ".":
			return nil
		case d.IsDir():
			return root.Mkdir(filepath.FromSlash(name), 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil || info.Size() > largeFile {
			return err
		}
		files, bytes = files+1, bytes+info.Size()
		if files > maxExported || bytes > maxExportedBytes {
			return fmt.Errorf("the commit has more than %d files or %d MiB", maxExported, maxExportedBytes>>20)
		}
		return f.export(root, name)
	})
}

// export writes one file.
func (f *FS) export(root *os.Root, name string) error {
	in, err := f.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := root.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
