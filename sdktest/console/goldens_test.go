package console

import (
	"bytes"
	"cmp"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/web"
)

// goldens is where what pages say and how they look is kept.
const goldens = "testdata/pages"

// wednesday is what the clocks say when pages are compared with what they were.
var wednesday = time.Date(2026, time.November, 18, 13, 20, 0, 0, time.UTC)

// TestPages opens every page, fails for whatever no page may do, and compares the pages with their goldens: what they say everywhere, how they look where
// this machine draws as the one did that took the pictures.
func TestPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run(t, suite{file: "pages.test.mjs", pictures: *shots, fewest: len(web.Pages()) + 5, at: wednesday, env: []string{"WEIR_GOLDENS=" + dir}})
	if t.Failed() {
		return
	}
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	same := *update || looksAs(t, filepath.Join(dir, "specimen.png"))
	for _, name := range names {
		taken := filepath.Join(dir, name.Name())
		switch ext := filepath.Ext(taken); {
		case ext == ".txt":
			t.Run(name.Name(), func(t *testing.T) { compareText(t, taken) })
		case same:
			t.Run(name.Name(), func(t *testing.T) { comparePicture(t, taken) })
		}
	}
	if !same {
		t.Run("pictures", func(t *testing.T) {
			t.Skip("Chromium or the fonts draw otherwise here than where the pictures were taken, so these are not compared. What pages say was.")
		})
	}
}

// looksAs reports whether this machine draws the specimen as it was drawn for the goldens.
func looksAs(t *testing.T, specimen string) bool {
	t.Helper()
	kept, err := os.ReadFile(filepath.Join(goldens, filepath.Base(specimen)))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return err == nil && differing(t, kept, reduced(t, specimen)) == 0
}

func compareText(t *testing.T, taken string) {
	t.Helper()
	text, err := os.ReadFile(taken)
	if err != nil {
		t.Fatal(err)
	}
	text = append(bytes.TrimSpace(text), '\n')
	kept := keep(t, taken, text)
	was, is := strings.Split(string(kept), "\n"), strings.Split(string(text), "\n")
	for i := range max(len(was), len(is)) {
		if i >= len(was) || i >= len(is) || was[i] != is[i] {
			t.Fatalf("the page says something else than before, from line %d:\n%s\nIt said:\n%s\nIf that is right: go test ./sdktest/console -update", i+1, part(is, i), part(was, i))
		}
	}
}

// part are the lines from the one at i on.
func part(lines []string, i int) string {
	return strings.Join(lines[min(i, len(lines)):min(i+5, len(lines))], "\n")
}

// most is the share of a picture's points that may differ, as a part of 10,000.
const most = 5

func comparePicture(t *testing.T, taken string) {
	t.Helper()
	is := reduced(t, taken)
	kept := keep(t, taken, is)
	if n := differing(t, kept, is); n > most {
		t.Errorf("%d of 10,000 points differ from the picture of before. See %s, and if it is right: go test ./sdktest/console -update", n, inspected(t, taken))
	}
}

// inspected keeps a picture that a test complains about for those who look into it.
func inspected(t *testing.T, taken string) string {
	t.Helper()
	text, err := os.ReadFile(taken)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(os.TempDir(), "weir-"+filepath.Base(taken))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// keep is the golden of what was taken, which it becomes with -update.
func keep(t *testing.T, taken string, content []byte) []byte {
	t.Helper()
	path := filepath.Join(goldens, filepath.Base(taken))
	if *update {
		if err := os.MkdirAll(goldens, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return content
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v. To take it: go test ./sdktest/console -update", err)
	}
	return kept
}

// reduced is a picture of half the width and height in its 64 commonest colours: a small file, in which a person sees the page.
func reduced(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return paletted(t, halved(decoded(t, text)))
}

// paletted is a picture in its 64 commonest colours, as a file: a third of its size, and it looks the same.
func paletted(t *testing.T, whole *image.RGBA) []byte {
	t.Helper()
	few := image.NewPaletted(whole.Bounds(), commonest(whole))
	draw.Draw(few, few.Bounds(), whole, image.Point{}, draw.Src)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, few); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// flat is a picture without what formats differ in.
func flat(whole image.Image) *image.RGBA {
	flat := image.NewRGBA(whole.Bounds())
	draw.Draw(flat, flat.Bounds(), whole, image.Point{}, draw.Src)
	return flat
}

// halved has a point for each four.
func halved(whole image.Image) *image.RGBA {
	flat := flat(whole)
	half := image.NewRGBA(image.Rect(0, 0, flat.Rect.Dx()/2, flat.Rect.Dy()/2))
	for i := range half.Pix {
		x, y, channel := i%half.Stride/4, i/half.Stride, i%4
		sum := 0
		for _, at := range [...]int{flat.PixOffset(2*x, 2*y), flat.PixOffset(2*x+1, 2*y), flat.PixOffset(2*x, 2*y+1), flat.PixOffset(2*x+1, 2*y+1)} {
			sum += int(flat.Pix[at+channel])
		}
		half.Pix[i] = uint8(sum / 4)
	}
	return half
}

func commonest(p *image.RGBA) color.Palette {
	counts := map[color.RGBA]int{}
	for y := range p.Rect.Dy() {
		for x := range p.Rect.Dx() {
			counts[p.RGBAAt(x, y)]++
		}
	}
	order := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var all color.Palette
	for _, one := range order[:min(64, len(order))] {
		all = append(all, one)
	}
	return all
}

// shade is by how much red, green or blue of a point may differ.
const shade = 48

// differing is how many of 10,000 points differ by more than a shade.
func differing(t *testing.T, a, b []byte) int {
	t.Helper()
	was, is := decoded(t, a), decoded(t, b)
	if was.Bounds() != is.Bounds() {
		return 10_000
	}
	n, bounds := 0, is.Bounds()
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			if apart(was.At(x, y), is.At(x, y)) {
				n++
			}
		}
	}
	return (n*10_000 + bounds.Dx()*bounds.Dy() - 1) / (bounds.Dx() * bounds.Dy())
}

func apart(a, b color.Color) bool {
	if a == b {
		return false
	}
	p, q := color.RGBAModel.Convert(a).(color.RGBA), color.RGBAModel.Convert(b).(color.RGBA)
	far := func(m, n uint8) bool { return max(m, n)-min(m, n) > shade }
	return far(p.R, q.R) || far(p.G, q.G) || far(p.B, q.B)
}

func decoded(t *testing.T, text []byte) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}
