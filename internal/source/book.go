// Package source reads what a config has elsewhere: ${file:…}, ${vault:…} and ${exec:…}. A Book reads these values again while Weir runs, and
// keeps the last one of each where its source fails.
package source

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
)

// source reads values of one scheme.
type source interface {
	// read returns one reading for each reference, in their order. It ends when ctx does. No error holds a secret, or a part of one. It is
	// called by one goroutine at a time. settings are nil for files.
	read(ctx context.Context, settings *config.Secrets, refs []config.Reference) []config.Reading
}

// Options are what a Book is made from.
type Options struct {
	Log *slog.Logger     // nil logs nothing
	Now func() time.Time // nil is time.Now
}

// Book has the values that were read. It may be used by many goroutines.
type Book struct {
	sources map[config.Scheme]source
	vault   *vault
	log     *slog.Logger
	now     func() time.Time

	round sync.Mutex // held while something is read, so that one goroutine at a time does

	mu       sync.Mutex // guards what follows
	held     map[config.Reference]*held
	settings config.Secrets // of the config in force
	inForce  []config.Reference
	next     time.Time // when these are read again
	counts   map[config.Scheme]*count
}

// held is a value that was read.
type held struct {
	value   secret.Text
	failing time.Time // since when it cannot be read any more; zero if it can
	reason  string    // why not
}

// count is how often values of one scheme were read, and how often that failed.
type count struct{ read, failed uint64 }

// New makes a Book that has nothing yet.
func New(o Options) *Book {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	v := newVault(o.Log, o.Now)
	b := &Book{
		sources: map[config.Scheme]source{config.SchemeFile: files{}, config.SchemeExec: programs{}, config.SchemeVault: v},
		vault:   v, log: o.Log, now: o.Now, held: map[config.Reference]*held{}, counts: map[config.Scheme]*count{},
	}
	for _, scheme := range config.Schemes() {
		b.counts[scheme] = &count{}
	}
	return b
}

// Sources is Read for a config.Loader.
func (b *Book) Sources(ctx context.Context) func(*config.Secrets, []config.Reference) []config.Reading {
	return func(settings *config.Secrets, refs []config.Reference) []config.Reading {
		return b.Read(ctx, settings, refs)
	}
}

// Read reads values for a config. settings may be nil if all are files. Where a source fails, the reading is the value that it gave before; it
// has an error only where that is missing.
func (b *Book) Read(ctx context.Context, settings *config.Secrets, refs []config.Reference) []config.Reading {
	b.round.Lock()
	defer b.round.Unlock()
	readings := b.read(ctx, settings, refs)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, ref := range refs {
		b.note(ref, readings[i])
		kept := b.held[ref]
		switch {
		case readings[i].Err == nil && kept == nil:
			b.held[ref] = &held{value: readings[i].Value}
		case readings[i].Err == nil:
			kept.value = readings[i].Value
		case kept != nil:
			readings[i] = config.Reading{Value: kept.value}
		}
	}
	return readings
}

// read asks all sources at once.
func (b *Book) read(ctx context.Context, settings *config.Secrets, refs []config.Reference) []config.Reading {
	if settings != nil {
		limited, cancel := context.WithTimeoutCause(ctx, settings.Timeout.D(), overtime(settings))
		defer cancel()
		ctx = limited
	}
	readings := make([]config.Reading, len(refs))
	var asked sync.WaitGroup
	for scheme, from := range b.sources {
		var part []config.Reference
		var at []int
		for i, ref := range refs {
			if ref.Scheme == scheme {
				part, at = append(part, ref), append(at, i)
			}
		}
		if len(part) == 0 {
			continue
		}
		asked.Go(func() {
			for i, reading := range from.read(ctx, settings, part) {
				readings[at[i]] = reading
			}
		})
	}
	asked.Wait()
	return readings
}

// overtime is why a reading ends before everything has come.
func overtime(settings *config.Secrets) error {
	return fmt.Errorf("the time for it is over, which secrets.timeout says (%v)", settings.Timeout)
}

// note counts a reading, and says when a value that is held cannot be read any more, or can be again. b.mu is held.
func (b *Book) note(ref config.Reference, reading config.Reading) {
	b.counts[ref.Scheme].read++
	if reading.Err != nil {
		b.counts[ref.Scheme].failed++
	}
	kept := b.held[ref]
	switch {
	case kept == nil:
	case reading.Err == nil && !kept.failing.IsZero():
		kept.failing, kept.reason = time.Time{}, ""
		b.log.Info("a secret can be read again", "secret", ref.String())
	case reading.Err == nil:
	case kept.failing.IsZero():
		kept.failing, kept.reason = b.now(), reading.Err.Error()
		b.log.Warn("a secret cannot be read again; its last value stays in use", "secret", ref.String(), "reason", kept.reason)
	default:
		kept.reason = reading.Err.Error()
	}
}

// InForce says which config is in force: its references are read again from now on, and what is held of others is forgotten.
func (b *Book) InForce(cfg *config.Config) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settings, b.inForce = cfg.Secrets, cfg.References
	b.next = b.now().Add(cfg.Secrets.Refresh.D())
	for ref := range b.held {
		if !slices.Contains(b.inForce, ref) {
			delete(b.held, ref)
		}
	}
}

// Changed reads values of the config in force again, if it is time, and reports whether one differs from what Read returned last, so that the
// config is to be read again. Files are not read again: they are watched with the config's own. It also keeps the login to Vault alive.
func (b *Book) Changed(ctx context.Context) bool {
	b.round.Lock()
	defer b.round.Unlock()
	b.mu.Lock()
	settings, due := b.settings, b.settings.Refresh > 0 && !b.now().Before(b.next)
	refs := slices.DeleteFunc(slices.Clone(b.inForce), func(ref config.Reference) bool { return ref.Scheme == config.SchemeFile })
	b.mu.Unlock()
	if slices.ContainsFunc(refs, func(ref config.Reference) bool { return ref.Scheme == config.SchemeVault }) {
		b.vault.tend(ctx, &settings)
	}
	if !due || len(refs) == 0 {
		return false
	}
	readings := b.read(ctx, &settings, refs)
	if ctx.Err() != nil { // Weir stops, and no source has failed
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next = b.now().Add(settings.Refresh.D())
	changed := false
	for i, ref := range refs {
		b.note(ref, readings[i])
		if kept := b.held[ref]; kept != nil && readings[i].Err == nil && kept.value != readings[i].Value {
			changed = true
			b.log.Info("a secret has changed", "secret", ref.String())
		}
	}
	return changed
}

// Failing is a value that cannot be read any more, and whose last one is in use.
type Failing struct {
	Reference config.Reference
	Since     time.Time
	Reason    string
}

// Failing lists them in the order of the config.
func (b *Book) Failing() (all []Failing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, ref := range b.inForce {
		if kept := b.held[ref]; kept != nil && !kept.failing.IsZero() {
			all = append(all, Failing{ref, kept.failing, kept.reason})
		}
	}
	return all
}

// Figures are what is counted of one scheme.
type Figures struct {
	InForce, Failing int    // references of the config in force, and those of them whose last value is kept
	Read, Failed     uint64 // readings, and those of them that failed
}

// Figures returns what is counted of a scheme.
func (b *Book) Figures(scheme config.Scheme) (f Figures) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, ref := range b.inForce {
		if ref.Scheme != scheme {
			continue
		}
		f.InForce++
		if kept := b.held[ref]; kept != nil && !kept.failing.IsZero() {
			f.Failing++
		}
	}
	f.Read, f.Failed = b.counts[scheme].read, b.counts[scheme].failed
	return f
}

// VaultExpires is when the login to Vault ends, unless it is renewed; zero if it does not end, or without one.
func (b *Book) VaultExpires() time.Time { return b.vault.expires() }
