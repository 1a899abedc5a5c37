package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is who the program runs as in the image: an ordinary one, without a name.
const user = 65532

// imageConfig is how the image runs. A test holds it to deploy/Dockerfile.
func (r *release) imageConfig() v1.Config {
	return v1.Config{
		User: "65532:65532", ExposedPorts: map[string]struct{}{"8930": {}}, Volumes: map[string]struct{}{"/data": {}}, WorkingDir: "/etc/weir", StopSignal: "SIGTERM",
		Env:        []string{"WEIR_DATA=/data", "WEIR_LISTEN=0.0.0.0:8930"},
		Entrypoint: []string{"/usr/local/bin/weir"}, Cmd: []string{"serve"},
		Healthcheck: &v1.HealthConfig{Test: []string{"CMD", "/usr/local/bin/weir", "healthcheck"}, Interval: 10 * time.Second, Timeout: 6 * time.Second, StartPeriod: 10 * time.Second},
		Labels: map[string]string{
			"org.opencontainers.image.source": "https://github.com/weirproxy/weir", "org.opencontainers.image.version": r.number(),
			"org.opencontainers.image.revision": r.commit, "org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
}

// image makes an image for every Linux, as a folder in the layout of https://github.com/opencontainers/image-spec that registries and container engines
// take, packed into one file.
func (r *release) image() error {
	index := mutate.IndexMediaType(empty.Index, "application/vnd.oci.image.index.v1+json")
	found := false
	for _, system := range r.systems {
		goarch, isLinux := strings.CutPrefix(system, "linux/")
		if !isLinux {
			continue
		}
		made, err := r.imageFor(system, goarch)
		if err != nil {
			return err
		}
		found = true
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: made, Descriptor: v1.Descriptor{
			Platform:    &v1.Platform{OS: "linux", Architecture: goarch},
			Annotations: map[string]string{"org.opencontainers.image.ref.name": r.number()},
		}})
	}
	if !found {
		return nil
	}
	folder := filepath.Join(r.scratch, "image")
	if _, err := layout.Write(folder, index); err != nil {
		return err
	}
	return r.packFolder(folder, "weir_"+r.number()+"_image.tar")
}

func (r *release) imageFor(system, goarch string) (v1.Image, error) {
	program, err := os.ReadFile(r.programs[system])
	if err != nil {
		return nil, err
	}
	files, err := r.fileSystem(program)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil })
	if err != nil {
		return nil, err
	}
	made, err := mutate.Append(mutate.MediaType(empty.Image, "application/vnd.oci.image.manifest.v1+json"), mutate.Addendum{
		Layer: layer, MediaType: "application/vnd.oci.image.layer.v1.tar+gzip",
		History: v1.History{CreatedBy: "tools/release", Created: v1.Time{Time: r.time}},
	})
	if err != nil {
		return nil, err
	}
	config, err := made.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created, config.Config = "linux", goarch, v1.Time{Time: r.time}, r.imageConfig()
	return mutate.ConfigFile(mutate.ConfigMediaType(made, "application/vnd.oci.image.config.v1+json"), config)
}

// fileSystem is the image's only layer: the program, the certificates of authorities, and the folder for data.
func (r *release) fileSystem(program []byte) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, folder := range []string{"etc/", "etc/ssl/", "etc/ssl/certs/", "etc/weir/", "usr/", "usr/local/", "usr/local/bin/", "data/"} {
		head := &tar.Header{Typeflag: tar.TypeDir, Name: folder, Mode: 0o755, ModTime: r.time, Format: tar.FormatUSTAR}
		if folder == "data/" {
			head.Uid, head.Gid = user, user
		}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
	}
	for _, f := range []entry{{"etc/ssl/certs/ca-certificates.crt", authorities(), false}, {"usr/local/bin/weir", program, true}} {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: f.mode(), Size: int64(len(f.text)), ModTime: r.time, Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// authorities are those that Mozilla trusts without further conditions, as the Go project publishes them. A file of the machine that makes the image would
// differ from one to the next.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes everything
		}
	}
	return out.Bytes()
}

// packFolder packs a folder into one file.
func (r *release) packFolder(folder, name string) error {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: filepath.ToSlash(below), Mode: 0o644, Size: int64(len(text)), ModTime: r.time, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return r.write(name, out.Bytes())
}
