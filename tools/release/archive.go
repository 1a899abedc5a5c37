package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string // below the archive's own folder
	text []byte
	runs bool // it is a program
}

func (e *entry) mode() int64 {
	if e.runs {
		return 0o755
	}
	return 0o644
}

// archives packs the program of each system with what goes beside it.
func (r *release) archives() error {
	for _, system := range r.systems {
		program, err := os.ReadFile(r.programs[system])
		if err != nil {
			return err
		}
		folder := "weir_" + r.number() + "_" + strings.ReplaceAll(system, "/", "_")
		name, ending, pack := "weir", ".tar.gz", packed
		if strings.HasPrefix(system, "windows/") {
			name, ending, pack = "weir.exe", ".zip", zipped
		}
		text, err := pack(folder, r.time, append([]entry{{name, program, true}}, r.extras...))
		if err != nil {
			return err
		}
		if err := r.write(folder+ending, text); err != nil {
			return err
		}
	}
	return nil
}

// packed packs files in the order of their names, as belonging to root.
func packed(folder string, at time.Time, files []entry) ([]byte, error) {
	var out bytes.Buffer
	squeezed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(squeezed)
	for _, f := range sorted(files) {
		head := &tar.Header{Name: folder + "/" + f.name, Mode: f.mode(), Size: int64(len(f.text)), ModTime: at, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = squeezed.Close()
	return out.Bytes(), err
}

// zipped is packed for Windows.
func zipped(folder string, at time.Time, files []entry) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range sorted(files) {
		head := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at}
		head.SetMode(os.FileMode(f.mode()))
		file, err := w.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func sorted(files []entry) []entry {
	return slices.SortedFunc(slices.Values(files), func(a, b entry) int { return cmp.Compare(a.name, b.name) })
}

// source packs what the commit has.
func (r *release) source() error {
	folder := "weir_" + r.number() + "_source"
	plain, err := r.command(nil, "git", "archive", "--format=tar", "--prefix="+folder+"/", r.commit)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(plain); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return r.write(folder+".tar.gz", out.Bytes())
}

// sums writes the SHA-256 of every file, as sha256sum -c reads it.
func (r *release) sums() error {
	files, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var list bytes.Buffer
	for _, f := range files {
		digest, err := digestOf(filepath.Join(r.out, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", digest, f.Name())
	}
	return r.write("SHA256SUMS", list.Bytes())
}

func digestOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
}
