package main

import (
	"bytes"
	"encoding/pem"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the user of the image: not root, and not a named user of the host.
const user = "65532"

// images writes the OCI images of docent and of docent-team.
func (r *Release) images() error {
	if err := r.image(r.imageFile(r.Name), "docent", []string{"serve"}, r.binaries); err != nil {
		return err
	}
	return r.image(r.imageFile(r.Name+"-team"), "docent-team", nil, r.team)
}

// image writes an OCI image for Linux, for all released processor architectures, as an OCI
// layout in a tar archive. It contains only the command and the certificates of the public
// certificate authorities, without a shell or libraries. args are the default arguments.
func (r *Release) image(file, command string, args []string, binaries map[Platform]*Binary) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range r.platforms() {
		if p.OS != "linux" {
			continue
		}
		image, err := r.imageOf(p, command, args, binaries[p].Data)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.OS, Architecture: p.Arch}},
		})
	}
	dir, err := os.MkdirTemp("", "docent-image")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// The layout refers to the index of all images, not to each image, so that tools copy them
	// together.
	written, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	if err := written.AppendIndex(index); err != nil {
		return err
	}
	var files []entry
	err = filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		name := filepath.ToSlash(strings.TrimPrefix(file, dir+string(filepath.Separator)))
		files = append(files, entry{name: name, data: data, mode: 0o644})
		return err
	})
	if err != nil {
		return err
	}
	data, err := tarBytes(files, r.Time)
	if err != nil {
		return err
	}
	return r.write(file, data)
}

func (r *Release) imageFile(name string) string { return name + "-" + r.Version.SemVer + "-oci.tar" }

func (r *Release) imageOf(p Platform, command string, args []string, binary []byte) (v1.Image, error) {
	var certificates bytes.Buffer
	for root := range bundle.Roots() {
		if err := pem.Encode(&certificates, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	files, err := tarBytes([]entry{
		{name: "etc/", mode: fs.ModeDir | 0o755},
		{name: "etc/passwd", data: []byte("docent:x:" + user + ":" + user + "::/home/docent:/sbin/nologin\n"), mode: 0o644},
		{name: "etc/ssl/certs/ca-certificates.crt", data: certificates.Bytes(), mode: 0o644},
		{name: "home/docent/", mode: fs.ModeDir | 0o777},
		{name: "tmp/", mode: fs.ModeDir | 0o777},
		{name: "usr/bin/" + command, data: binary, mode: 0o755},
	}, r.Time)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil }, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON), layer)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.OS, p.Arch, v1.Time{Time: r.Time}
	config.History = nil
	config.Config = v1.Config{
		User: user + ":" + user, WorkingDir: "/home/docent", Entrypoint: []string{"/usr/bin/" + command}, Cmd: args,
		Env: []string{"PATH=/usr/bin", "HOME=/home/docent", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"},
		Labels: map[string]string{
			"org.opencontainers.image.title":       r.Title,
			"org.opencontainers.image.description": r.Description,
			"org.opencontainers.image.licenses":    r.License,
			"org.opencontainers.image.source":      r.Repository,
			"org.opencontainers.image.revision":    r.Commit,
			"org.opencontainers.image.version":     r.Version.SemVer,
			"io.modelcontextprotocol.server.name":  r.Registry, // the MCP registry requires this proof of ownership
		},
	}
	return mutate.ConfigFile(image, config)
}
