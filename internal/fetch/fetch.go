// Package fetch gets the images that callers name by URL, for providers that want their bytes. A caller's address is trusted
// less than the config's. Fetch connects only to the public internet, accepts only images, follows no redirect, and uses no
// proxy, cookie or credential.
package fetch

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// MaxImage is how many bytes are taken of an image: as many as the most generous provider does.
	MaxImage = 10 << 20

	within  = 20 * time.Second // for one image, from the first byte to the last
	maxHead = 64 << 10         // bytes of an answer's headers
	maxURL  = 8 << 10
	step    = 64 << 10 // how much is read before room is asked for more
)

// Room is asked before bytes are kept; a negative number gives back. A nil Room has room for anything.
type Room interface {
	Grow(bytes int) bool
}

// ErrNoRoom is returned when memory has no room for an image.
var ErrNoRoom = errors.New("the image does not fit into the memory that is left")

// Image is an image that was fetched.
type Image struct {
	Media string // its type, by what its bytes look like
	Data  []byte // in base64
}

// Fetcher gets images. It is safe for concurrent use, and keeps no connections.
type Fetcher struct {
	transport *http.Transport
	agent     string
	within    time.Duration
}

// New returns a fetcher that connects by the dialer, which is to be dial.NewPublic's, and names itself as agent.
func New(dialer *net.Dialer, agent string) *Fetcher {
	return &Fetcher{agent: agent, within: within, transport: &http.Transport{
		DialContext: dialer.DialContext, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxHead,
	}}
}

// Image gets the image at an address. Room is asked for what it returns. The error says what was wrong in words that a caller
// may read. It does not reveal which private addresses exist.
func (f *Fetcher) Image(ctx context.Context, address string, room Room) (Image, error) {
	u, err := parse(address)
	if err != nil {
		return Image{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, f.within)
	defer cancel()
	req := (&http.Request{
		Method: http.MethodGet, URL: u, Host: u.Host,
		Header: http.Header{"Accept": {"image/*"}, "User-Agent": {f.agent}},
	}).WithContext(ctx)
	resp, err := f.transport.RoundTrip(req) // which follows no redirect
	if err != nil {
		return Image{}, f.unreached(ctx)
	}
	defer resp.Body.Close()
	switch encoding := resp.Header.Get("Content-Encoding"); {
	case resp.StatusCode/100 == 3:
		return Image{}, fmt.Errorf("its server answered %d, and redirects are not followed", resp.StatusCode)
	case resp.StatusCode != http.StatusOK:
		return Image{}, fmt.Errorf("its server answered %d", resp.StatusCode)
	case encoding != "" && encoding != "identity":
		return Image{}, errors.New("its server compresses it unasked")
	case resp.ContentLength > MaxImage:
		return Image{}, errTooLarge
	}
	raw, err := read(resp.Body, resp.ContentLength, room)
	if errors.Is(err, errBroken) {
		err = f.unreached(ctx)
	}
	if err != nil {
		return Image{}, err
	}
	return encode(raw, room)
}

// unreached is the error of an image that did not arrive whole.
func (f *Fetcher) unreached(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("it did not arrive within %v", f.within)
	}
	return errors.New("its server cannot be reached on the public internet, or broke off")
}

// parse takes the addresses that images may have.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxURL || u.Host == "":
		return nil, errors.New("its address is no URL")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("its address is not a data: URL or one of http or https")
	case u.User != nil:
		return nil, errors.New("its address holds a credential")
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

var (
	errTooLarge = fmt.Errorf("it is larger than %d bytes", MaxImage)
	errBroken   = errors.New("it broke off")
)

// read reads a whole image, of the length that it is said to have, or of -1. What was counted and is not returned is given back.
func read(r io.Reader, length int64, room Room) (raw []byte, err error) {
	defer func() {
		if err != nil && room != nil {
			room.Grow(-cap(raw))
			raw = nil
		}
	}()
	for first := true; ; first = false {
		if len(raw) == cap(raw) {
			size := min(max(2*cap(raw), step), MaxImage+1)
			if first && length >= 0 {
				size = int(min(length+1, step))
			}
			if room != nil && !room.Grow(size-cap(raw)) {
				return raw, ErrNoRoom
			}
			raw = append(make([]byte, 0, size), raw...)[:len(raw):size]
		}
		n, err := r.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		switch {
		case len(raw) > MaxImage:
			return raw, errTooLarge
		case errors.Is(err, io.EOF):
			return raw, nil
		case err != nil:
			return raw, errBroken
		}
	}
}

// encode is an image in base64, if it is one.
func encode(raw []byte, room Room) (Image, error) {
	if room != nil {
		defer room.Grow(-cap(raw))
	}
	media := http.DetectContentType(raw)
	switch media {
	case "image/png", "image/jpeg", "image/gif", "image/webp": // what all providers take
	default:
		return Image{}, errors.New("it is no PNG, JPEG, GIF or WebP")
	}
	size := base64.StdEncoding.EncodedLen(len(raw))
	if room != nil && !room.Grow(size) {
		return Image{}, ErrNoRoom
	}
	return Image{media, base64.StdEncoding.AppendEncode(make([]byte, 0, size), raw)}, nil
}
