package config

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Ledger is the durable account of all calls to upstreams.
type Ledger struct {
	// How long the rows of single calls are kept, in days. Sums by hour and by day are kept for good. Default `400d`.
	Keep Days `yaml:"keep"`

	// What happens to a request that cannot be recorded, because the disk is full or fails. `refuse`: it is refused with 503
	// `ledger_unavailable`. `serve`: it is served and counted in a metric alone, and is missing in every report. Keys and teams with
	// budgets are refused either way. Default `refuse`.
	Unrecorded Unrecorded `yaml:"unrecorded"`

	// What happens to a request whose budgets are on `expected`, when this Weir has spent its part of them and the Postgres that it shares
	// with others does not answer. `refuse`: it is refused with 503 `ledger_unavailable`. `serve`: it is served, and charged when the
	// database answers again; until then nothing bounds the budget. `strict` budgets refuse either way. Default `refuse`.
	Unanswered Unanswered `yaml:"unanswered"`
}

// Durability is what the ledger keeps when the power fails.
type Durability string

// DurabilityPower is that nothing is lost.
const DurabilityPower Durability = "power"

var durabilities = [...]Durability{"background", DurabilityPower}

// UnmarshalText accepts the values there are.
func (d *Durability) UnmarshalText(text []byte) error { return word(d, text, durabilities[:]) }

// Unrecorded is what happens to requests that the ledger cannot record.
type Unrecorded string

// UnrecordedServe is that they are served.
const UnrecordedServe Unrecorded = "serve"

var unrecorded = [...]Unrecorded{"refuse", UnrecordedServe}

// UnmarshalText accepts the values there are.
func (u *Unrecorded) UnmarshalText(text []byte) error { return word(u, text, unrecorded[:]) }

// Unanswered is what happens to requests with budgets on expected while the database does not answer.
type Unanswered string

// UnansweredServe is that they are served.
const UnansweredServe Unanswered = "serve"

var unanswered = [...]Unanswered{"refuse", UnansweredServe}

// UnmarshalText accepts the values there are.
func (u *Unanswered) UnmarshalText(text []byte) error { return word(u, text, unanswered[:]) }

// Days is a number of days, written as 400d.
type Days int

// maxDays is a hundred years.
const maxDays = 36_500

// String writes the days as they are read.
func (d Days) String() string { return strconv.Itoa(int(d)) + "d" }

// MarshalText writes what UnmarshalText reads.
func (d Days) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses a whole number of days.
func (d *Days) UnmarshalText(text []byte) error {
	number, ok := strings.CutSuffix(string(text), "d")
	n, err := strconv.ParseUint(number, 10, 32)
	if !ok || err != nil || n < 1 || n > maxDays {
		return errors.New("must be a number of days from 1d to 36500d, such as 400d")
	}
	*d = Days(n)
	return nil
}

// Zone is a time zone, by its name in the IANA database.
type Zone string

// UnmarshalText accepts the zones that this program knows.
func (z *Zone) UnmarshalText(text []byte) error {
	*z = Zone(text)
	if _, err := time.LoadLocation(string(text)); err != nil || len(text) == 0 || *z == "Local" {
		return errors.New("must be the name of a time zone, such as UTC or Europe/Berlin")
	}
	return nil
}

// Location is the zone. The name was checked when it was read.
func (z Zone) Location() *time.Location {
	location, err := time.LoadLocation(string(z))
	if err != nil {
		return time.UTC
	}
	return location
}

// minJournal is the least that a journal works in, in bytes.
const minJournal Size = 1 << 20

func (d *decoder) checkLedger(c *Config) {
	if d.usable(&c.Journal) && c.Journal < minJournal {
		d.errorf(d.where(&c.Journal), "journal must be at least 1MiB, such as 1GiB")
	}
}
