package main

import (
	"fmt"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
)

// idempotencyFlag is how long a key's answers are kept, or none.
type idempotencyFlag struct {
	given bool
	keep  time.Duration // 0 for none
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *idempotencyFlag) UnmarshalText(text []byte) error {
	*f = idempotencyFlag{given: true}
	if string(text) == noneWord {
		return nil
	}
	var err error
	if f.keep, err = admin.ParseDuration(string(text)); err != nil || f.keep < auth.MinIdempotency || f.keep > auth.MaxIdempotency || f.keep%time.Second != 0 {
		return fmt.Errorf("%q is not a duration from 1m to 30d in whole seconds, such as 24h", text)
	}
	return nil
}

// change says what the flag sets; nil leaves it as it is.
func (f idempotencyFlag) change() *time.Duration {
	if !f.given {
		return nil
	}
	return &f.keep
}
