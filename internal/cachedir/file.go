package cachedir

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
)

// A file of the cache is the content followed by a trailer:
//
//	"docent\x00\x01", CRC-32C of the name, a zero byte and what was written
//
// The checksum detects damage, and a file that was stored under another name.
// Users who can write to the directory are trusted.
const (
	trailerMagic = "docent\x00\x01"
	trailerSize  = int64(len(trailerMagic)) + crc32.Size
)

// castagnoli returns the table for CRC-32C, which is built when it is first used to keep startup
// fast.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func trailer(sum uint32) string {
	return string(binary.LittleEndian.AppendUint32([]byte(trailerMagic), sum))
}

// trailerOf returns the trailer of a file with size bytes of content, or "" if the trailer cannot
// be read.
func trailerOf(f *os.File, size int64) string {
	b := make([]byte, trailerSize)
	if _, err := f.ReadAt(b, size); err != nil {
		return ""
	}
	return string(b)
}

// checksum computes the trailer for the first size bytes of a file, and writes
// these bytes to w.
func checksum(f *os.File, name string, size int64, w io.Writer) (string, error) {
	sum := crc32.Checksum([]byte(name+"\x00"), castagnoli())
	buffer := make([]byte, min(size, 64<<10))
	for offset := int64(0); offset < size; {
		n, err := f.ReadAt(buffer[:min(size-offset, int64(len(buffer)))], offset)
		if err != nil {
			return "", err
		}
		sum = crc32.Update(sum, castagnoli(), buffer[:n])
		if _, err := w.Write(buffer[:n]); err != nil {
			return "", err
		}
		offset += int64(n)
	}
	return trailer(sum), nil
}

// File is an open file of a cache, which is read without its trailer, or a temporary file that is
// used instead.
type File struct {
	*io.SectionReader
	file      *os.File
	temporary bool
}

func newFile(f *os.File, size int64, temporary bool) *File {
	return &File{io.NewSectionReader(f, 0, size), f, temporary}
}

// Name returns the path of the file.
func (f *File) Name() string { return f.file.Name() }

// Close closes the file, and removes a temporary one.
func (f *File) Close() error {
	err := f.file.Close()
	if f.temporary {
		os.Remove(f.file.Name())
	}
	return err
}
