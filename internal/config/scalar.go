package config

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Duration is a length of time, written as Go writes it: "10s", "1m30s", "250ms". It is never negative.
type Duration time.Duration

// D is the value as a time.Duration.
func (d Duration) D() time.Duration { return time.Duration(d) }

// String writes the duration as Go does.
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText writes what UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses a duration. Negative ones are an error.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return errors.New("must be a duration such as 10s, 1m30s or 250ms")
	}
	if v < 0 {
		return errors.New("must not be negative")
	}
	*d = Duration(v)
	return nil
}

// Size is a number of bytes. It is written as a whole number, optionally with KB, MB, GB (powers of 1000) or KiB,
// MiB, GiB (powers of 1024). It is never negative.
type Size int64

// String writes the size with the largest unit that divides it.
func (s Size) String() string {
	for i := len(sizeUnits) - 1; i >= 0; i-- {
		if u := sizeUnits[i]; s != 0 && int64(s)%u.bytes == 0 {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// MarshalText writes what UnmarshalText reads.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// sizeUnits is ordered by size, so that the last one that divides a size is its best unit.
var sizeUnits = [...]struct {
	name  string
	bytes int64
}{{"B", 1}, {"KB", 1e3}, {"KiB", 1 << 10}, {"MB", 1e6}, {"MiB", 1 << 20}, {"GB", 1e9}, {"GiB", 1 << 30}}

// UnmarshalText parses a size.
func (s *Size) UnmarshalText(text []byte) error {
	digits := strings.TrimRight(string(text), "BKMGi")
	unit := string(text)[len(digits):]
	bytes := int64(1)
	if unit != "" {
		bytes = 0
		for _, u := range sizeUnits {
			if u.name == unit {
				bytes = u.bytes
			}
		}
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(digits, " "), 10, 63)
	if err != nil || bytes == 0 {
		return errors.New("must be a size such as 64MiB, 512KB or a whole number of bytes")
	}
	if int64(n) > math.MaxInt64/bytes {
		return errors.New("is more than a size can be")
	}
	*s = Size(int64(n) * bytes)
	return nil
}

// Digest is the SHA-256 of a whole API key.
type Digest [32]byte

// String writes the digest as the config file does.
func (d Digest) String() string { return digestPrefix + hex.EncodeToString(d[:]) }

// MarshalText writes what UnmarshalText reads.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

const digestPrefix = "sha256:"

// UnmarshalText parses "sha256:" and 64 hex digits. Its errors never repeat the text: it may be the key
// itself, pasted by mistake.
func (d *Digest) UnmarshalText(text []byte) error {
	s := string(text)
	digits, ok := strings.CutPrefix(s, digestPrefix)
	if !ok && strings.HasPrefix(s, "sk-") {
		return errors.New("looks like the key itself, which must not be in a config file: write its digest (printf %s \"$KEY\" | sha256sum) after sha256:, and replace the key if the file was shared")
	}
	raw, err := hex.DecodeString(digits)
	if !ok || err != nil || len(raw) != len(d) {
		return fmt.Errorf("must be %s and the 64 hex digits of the key's SHA-256", digestPrefix)
	}
	copy(d[:], raw)
	return nil
}

// Network is a range of IP addresses, written as in 10.0.0.0/8, or one address.
type Network netip.Prefix

// String writes the network as the config file does.
func (n Network) String() string { return netip.Prefix(n).String() }

// MarshalText writes what UnmarshalText reads.
func (n Network) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText parses a network or an address.
func (n *Network) UnmarshalText(text []byte) error {
	if addr, err := netip.ParseAddr(string(text)); err == nil && addr.Zone() == "" {
		*n = Network(netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()))
		return nil
	}
	p, err := netip.ParsePrefix(string(text))
	if err != nil || p.Addr().Is4In6() {
		return errors.New("must be a network such as 10.0.0.0/8, or an address")
	}
	if p != p.Masked() {
		return fmt.Errorf("has bits set beyond its length: write %s for the network, or %s for the address", p.Masked(), p.Addr())
	}
	*n = Network(p)
	return nil
}

// parseTime parses a date (its first moment, UTC) or an RFC 3339 date-time.
func parseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, errors.New("must be a date such as 2027-01-31, or a date-time such as 2027-01-31T12:00:00Z")
}
