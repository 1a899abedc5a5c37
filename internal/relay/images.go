package relay

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/fetch"
	"github.com/weirproxy/weir/internal/llm"
)

// Images fetches an image that a caller names by URL. It is safe for concurrent use; the error may be shown to the
// caller.
type Images interface {
	Image(ctx context.Context, address string, room fetch.Room) (fetch.Image, error)
}

// Bounds on what one request may have fetched.
const (
	maxImages  = 64
	imageBytes = 48 << 20 // for all together, in base64; no provider takes so much in one request
	atOnce     = 4
)

// named is an image that the caller names by URL.
type named struct {
	at   int // the message
	part *llm.Part
}

// namedImages are those of a request.
func namedImages(request *llm.Request) (all []named) {
	var collect func(at int, parts []llm.Part)
	collect = func(at int, parts []llm.Part) {
		for i := range parts {
			if p := &parts[i]; p.Kind == llm.Image && p.Data == nil {
				all = append(all, named{at, p})
			} else {
				collect(at, p.Parts)
			}
		}
	}
	for i := range request.Messages {
		collect(request.Messages[i].At, request.Messages[i].Parts)
	}
	return all
}

// inline puts the bytes of images in place of their URLs, if the config lets Weir fetch them for the target. bytes says that
// the target takes nothing else. One image may be named often. room is the size of all these copies together; the request
// holds it until it is given back.
func (r *run) inline(request *llm.Request, fetches, bytes bool) (room int, err *llm.Error) {
	all := namedImages(request)
	switch {
	case len(all) == 0, !fetches && !bytes:
		return 0, nil
	case !fetches:
		return 0, imageError(llm.UnsupportedParameter, all[0].at, "is named by its URL, but this model's provider takes images only in the request. Send it as a data: URL in base64; the operator of this Weir can let it fetch them (fetch_images in the provider's config)")
	case len(all) > maxImages:
		return 0, imageError(llm.InvalidValue, all[maxImages].at, fmt.Sprintf("is one too many: at most %d are fetched for a request. Send it as a data: URL in base64", maxImages))
	}
	if err := r.fetch(all); err != nil {
		return 0, err
	}
	for _, n := range all {
		image := r.images[n.part.URL.Text()]
		if room += len(image.Data); room > imageBytes {
			return 0, tooManyImages(n.at)
		}
		n.part.Media, n.part.Data = image.Media, image.Data
	}
	if r.Memory != nil && !r.Memory.Grow(room) {
		return 0, noRoomForImages()
	}
	return room, nil
}

// giveBack gives back room that inline counted.
func (r *run) giveBack(room int) {
	if r.Memory != nil && room > 0 {
		r.Memory.Grow(-room)
	}
}

// dropImages forgets what was fetched, once no other target will be asked.
func (r *run) dropImages() {
	r.giveBack(r.imageBytes)
	r.images, r.imageBytes = nil, 0
}

// fetch gets the images, each once for all targets, a few at a time.
func (r *run) fetch(all []named) *llm.Error {
	var wanted []named
	for _, n := range all {
		address := n.part.URL.Text()
		if _, known := r.images[address]; known {
			continue
		}
		if r.images == nil {
			r.images = make(map[string]fetch.Image)
		}
		r.images[address] = fetch.Image{}
		wanted = append(wanted, n)
	}
	if len(wanted) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	b := batch{run: r, room: &imageRoom{memory: r.Memory, left: imageBytes - r.imageBytes}, wanted: wanted, stop: cancel}
	parallel(min(atOnce, len(wanted)), cancel, func() { b.work(ctx) })
	took := imageBytes - r.imageBytes - b.room.left
	if b.failed == nil {
		r.imageBytes += took
		return nil
	}
	for _, n := range wanted { // another target may try again
		delete(r.images, n.part.URL.Text())
	}
	r.giveBack(took)
	return b.failed
}

// batch is the state of one fetch, which several goroutines share.
type batch struct {
	*run
	room   *imageRoom
	wanted []named
	next   atomic.Int32
	stop   context.CancelFunc

	mu     sync.Mutex // guards what follows, and images of run
	failed *llm.Error // the first error
}

// work fetches one image after the other until all are fetched or one failed.
func (b *batch) work(ctx context.Context) {
	for {
		i := int(b.next.Add(1)) - 1
		if i >= len(b.wanted) || ctx.Err() != nil {
			return
		}
		n := b.wanted[i]
		address := n.part.URL.Text()
		image, err := b.Images.Image(ctx, address, b.room)
		b.mu.Lock()
		if err == nil {
			b.images[address] = image
		} else if b.failed == nil {
			b.failed = b.fault(n, err)
			b.stop()
		}
		b.mu.Unlock()
	}
}

// fault is the caller's error.
func (b *batch) fault(n named, err error) *llm.Error {
	switch {
	case b.ctx.Err() != nil:
		return Cancellation(b.ctx)
	case errors.Is(err, fetch.ErrNoRoom) && b.room.spent():
		return tooManyImages(n.at)
	case errors.Is(err, fetch.ErrNoRoom):
		return noRoomForImages()
	}
	return imageError(llm.InvalidValue, n.at, fmt.Sprintf("could not be fetched: %v. Send it as a data: URL in base64, or name another", err))
}

func tooManyImages(at int) *llm.Error {
	return imageError(llm.InvalidValue, at, fmt.Sprintf("is one too many: all that are fetched may have %d bytes together. Send fewer, or smaller ones", imageBytes))
}

func noRoomForImages() *llm.Error {
	return &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is short of memory for the images of this request at the moment. Send it again."}
}

func imageError(kind llm.Kind, at int, what string) *llm.Error {
	param := fmt.Sprintf("messages[%d].content", at)
	return &llm.Error{Kind: kind, Param: param, Message: fmt.Sprintf("The image in '%s' %s.", param, what)}
}

// imageRoom is the memory of a request while several images are fetched for it, and how much these may take of it.
type imageRoom struct {
	mu     sync.Mutex // guards what follows, and memory
	memory Memory
	left   int
	over   bool // what was asked for last was beyond left
}

// Grow implements fetch.Room.
func (r *imageRoom) Grow(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > r.left {
		r.over = true
		return false
	}
	if r.memory != nil && !r.memory.Grow(n) {
		return false
	}
	r.left -= n
	return true
}

func (r *imageRoom) spent() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over
}
