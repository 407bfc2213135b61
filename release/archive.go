package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"time"
)

// entry is one file of an archive.
type entry struct {
	name string
	data []byte
	mode fs.FileMode
}

// archives writes an archive for each platform: zip for Windows, tar.gz for the others.
func (r *Release) archives() error {
	for _, p := range r.platforms() {
		dir := r.archiveName(p)
		files := []entry{{name: dir + "/" + p.executable(r.Name), data: r.binaries[p].Data, mode: 0o755}}
		for _, e := range r.extras {
			e.name = dir + "/" + e.name
			files = append(files, e)
		}
		pack := tarGz
		if p.OS == "windows" {
			pack = zipFile
		}
		data, err := pack(files, r.Time)
		if err != nil {
			return err
		}
		if err := r.write(r.archiveFile(p), data); err != nil {
			return err
		}
	}
	return nil
}

// archiveName returns the name of the directory in an archive.
func (r *Release) archiveName(p Platform) string {
	return r.Name + "-" + r.Version.SemVer + "-" + p.OS + "-" + p.Arch
}

func (r *Release) archiveFile(p Platform) string {
	if p.OS == "windows" {
		return r.archiveName(p) + ".zip"
	}
	return r.archiveName(p) + ".tar.gz"
}

// tarBytes returns a tar archive that depends only on the arguments.
func tarBytes(files []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range files {
		h := &tar.Header{Name: e.name, Size: int64(len(e.data)), Mode: int64(e.mode.Perm()), ModTime: at, Format: tar.FormatPAX}
		if e.mode.IsDir() {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func tarGz(files []entry, at time.Time) ([]byte, error) {
	data, err := tarBytes(files, at)
	if err != nil {
		return nil, err
	}
	return gz(data)
}

func gz(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// zipFile returns a zip archive that depends only on the arguments.
func zipFile(files []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range files {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		h.SetMode(e.mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
