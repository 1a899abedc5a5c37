package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"syscall"
	"testing"
)

// page is the unit in which a disk takes what was written.
const page = 4096

// diskDouble is a disk in memory that knows what a loss of power leaves of it: what was synced, and any of the pages written since.
type diskDouble struct {
	mu    sync.Mutex
	files map[string]*content // by their names
	names map[string]*content // as the last sync of the folder left them

	calls int
	fault func(call int, op string, size int) (short int, err error) // decides about each operation; nil is none
	room  int64                                                      // bytes that files may take; 0 is no limit
	opens int
}

// content is a file.
type content struct {
	data   []byte
	synced []byte // as the last sync left it
	dirty  map[int64]bool
}

func newDisk() *diskDouble {
	return &diskDouble{files: map[string]*content{}, names: map[string]*content{}}
}

// op counts an operation and asks whether it fails.
func (d *diskDouble) op(name string, size int) (short int, err error) {
	d.calls++
	if d.fault == nil {
		return size, nil
	}
	return d.fault(d.calls, name, size)
}

// setFault decides which operations fail from now on.
func (d *diskDouble) setFault(fault func(call int, op string, size int) (short int, err error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = fault
}

// setRoom bounds what the files may take from now on.
func (d *diskDouble) setRoom(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room = bytes
}

// size is what the files take.
func (d *diskDouble) size() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.used()
}

// count is how many operations there were.
func (d *diskDouble) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls
}

func (d *diskDouble) Names() ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.op("names", 0); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(d.files)), nil
}

func (d *diskDouble) Create(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.op("create", 0); err != nil {
		return nil, err
	}
	d.files[name] = &content{dirty: map[int64]bool{}}
	d.opens++
	return &fileDouble{d, d.files[name], false}, nil
}

func (d *diskDouble) Open(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.op("open", 0); err != nil {
		return nil, err
	}
	c := d.files[name]
	if c == nil {
		return nil, fs.ErrNotExist
	}
	d.opens++
	return &fileDouble{d, c, false}, nil
}

func (d *diskDouble) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.op("rename", 0); err != nil {
		return err
	}
	if d.files[from] == nil {
		return fs.ErrNotExist
	}
	d.files[to] = d.files[from]
	delete(d.files, from)
	return nil
}

func (d *diskDouble) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.op("remove", 0); err != nil {
		return err
	}
	if d.files[name] == nil {
		return fs.ErrNotExist
	}
	delete(d.files, name)
	return nil
}

func (d *diskDouble) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.op("syncnames", 0); err != nil {
		return err
	}
	d.names = maps.Clone(d.files)
	return nil
}

// fileDouble is an open file.
type fileDouble struct {
	disk   *diskDouble
	is     *content
	closed bool
}

func (f *fileDouble) ReadAt(b []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if _, err := f.disk.op("read", len(b)); err != nil || f.closed {
		return 0, errors.Join(err, f.open())
	}
	if at >= int64(len(f.is.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.is.data[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *fileDouble) open() error {
	if f.closed {
		return fs.ErrClosed
	}
	return nil
}

func (f *fileDouble) WriteAt(b []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	short, err := f.disk.op("write", len(b))
	if f.closed {
		return 0, fs.ErrClosed
	}
	if err != nil {
		b = b[:short]
	}
	if grown := at + int64(len(b)) - int64(len(f.is.data)); grown > 0 {
		if f.disk.room > 0 && f.disk.used()+grown > f.disk.room {
			return 0, syscall.ENOSPC
		}
		f.is.data = append(f.is.data, make([]byte, grown)...)
	}
	copy(f.is.data[at:], b)
	for p := at / page; p*page < at+int64(len(b)); p++ {
		f.is.dirty[p] = true
	}
	return len(b), err
}

// used is what the files take.
func (d *diskDouble) used() (n int64) {
	for _, c := range d.files {
		n += int64(len(c.data))
	}
	return n
}

// Sync fails as Linux does: the pages are taken for clean, and may be lost all the same.
func (f *fileDouble) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if _, err := f.disk.op("sync", 0); err != nil || f.closed {
		return errors.Join(err, f.open())
	}
	f.is.synced, f.is.dirty = bytes.Clone(f.is.data), map[int64]bool{}
	return nil
}

func (f *fileDouble) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if _, err := f.disk.op("truncate", 0); err != nil || f.closed {
		return errors.Join(err, f.open())
	}
	f.is.data = f.is.data[:min(size, int64(len(f.is.data)))]
	f.is.synced = f.is.synced[:min(size, int64(len(f.is.synced)))]
	return nil
}

func (f *fileDouble) Size() (int64, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	_, err := f.disk.op("size", 0)
	return int64(len(f.is.data)), err
}

func (f *fileDouble) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	_, err := f.disk.op("close", 0)
	if f.closed {
		return fs.ErrClosed
	}
	f.closed = true
	f.disk.opens--
	return err
}

// killed is the disk as a process that is killed leaves it: everything is in the system's cache.
func (d *diskDouble) killed() *diskDouble {
	d.mu.Lock()
	defer d.mu.Unlock()
	left := newDisk()
	for name, c := range d.files {
		left.files[name] = &content{bytes.Clone(c.data), bytes.Clone(c.synced), maps.Clone(c.dirty)}
	}
	for name, c := range d.names {
		if kept := left.files[name]; kept != nil && d.files[name] == c {
			left.names[name] = kept
		} else {
			left.names[name] = &content{bytes.Clone(c.data), bytes.Clone(c.synced), maps.Clone(c.dirty)}
		}
	}
	return left
}

// dirtyPages are the pages that a loss of power may lose.
func (d *diskDouble) dirtyPages() (all []dirtyPage) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		for _, p := range slices.Sorted(maps.Keys(d.files[name].dirty)) {
			all = append(all, dirtyPage{name, p})
		}
	}
	return all
}

type dirtyPage struct {
	file string
	page int64
}

// powerless is the disk after a loss of power: of the pages that were not synced, those are lost for which lost is true. Names that were
// not synced are as they were before if oldNames is set.
func (d *diskDouble) powerless(lost func(dirtyPage) bool, oldNames bool) *diskDouble {
	d = d.killed()
	files := d.files
	if oldNames {
		files = d.names
	}
	left := newDisk()
	for name, c := range files {
		data := bytes.Clone(c.data)
		for p := range c.dirty {
			if !lost(dirtyPage{name, p}) {
				continue
			}
			from, to := p*page, min((p+1)*page, int64(len(data)))
			if from >= to {
				continue
			}
			clear(data[from:to])
			if from < int64(len(c.synced)) {
				copy(data[from:to], c.synced[from:])
			}
		}
		left.files[name] = &content{data, bytes.Clone(data), map[int64]bool{}}
	}
	left.names = maps.Clone(left.files)
	return left
}

// storeDouble keeps rows as a store does: one that is there already is left out. It fails the test if a number comes twice for
// different calls.
type storeDouble struct {
	mu     sync.Mutex
	rows   map[Seq]Row
	order  []Seq
	prices map[uint64]string
	upto   Position
	err    error // of every method, if it is set
	ships  int
	most   int // rows of a shipment
	clash  error

	calls int
	fault func(call int) (done bool, err error) // decides about each call; one that fails may have been done all the same; nil is none
}

func newStore() *storeDouble { return &storeDouble{rows: map[Seq]Row{}, prices: map[uint64]string{}} }

// setFault decides which calls fail from now on.
func (s *storeDouble) setFault(fault func(call int) (done bool, err error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

func (s *storeDouble) Ship(_ context.Context, sh *Shipment) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ships++
	done, err := s.op()
	if err != nil && !done {
		return err
	}
	if s.upto.Before(sh.From) {
		return &ForgotError{s.upto}
	}
	s.most = max(s.most, len(sh.Rows))
	if !slices.IsSortedFunc(sh.Rows, func(a, b Row) int { return int(a.Seq - b.Seq) }) {
		s.clash = errors.New("rows are not in order")
	}
	for _, p := range sh.Prices {
		s.prices[uint64(p.ID)] = string(p.JSON)
	}
	for _, r := range sh.Rows {
		old, there := s.rows[r.Seq]
		if there {
			if !reflect.DeepEqual(old.Intent, r.Intent) {
				s.clash = fmt.Errorf("number %d is of two calls: %+v and %+v", r.Seq, old.Intent, r.Intent)
			}
			continue
		}
		if r.Price != 0 && s.prices[uint64(r.Price)] == "" {
			s.clash = fmt.Errorf("the price of %d is not known", r.Seq)
		}
		s.rows[r.Seq] = r
		s.order = append(s.order, r.Seq)
	}
	s.upto = sh.Upto
	return err
}

// op counts a call and asks whether it fails.
func (s *storeDouble) op() (done bool, err error) {
	s.calls++
	if s.err != nil || s.fault == nil {
		return false, s.err
	}
	return s.fault(s.calls)
}

// count is how many calls there were.
func (s *storeDouble) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

func (s *storeDouble) Shipped(context.Context, string) (Position, Seq, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.op(); err != nil {
		return Position{}, 0, err
	}
	var greatest Seq
	for seq := range s.rows {
		greatest = max(greatest, seq)
	}
	return s.upto, greatest, nil
}

// clone is a copy of the store as it is.
func (s *storeDouble) clone() *storeDouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &storeDouble{rows: maps.Clone(s.rows), order: slices.Clone(s.order), prices: maps.Clone(s.prices), upto: s.upto, clash: s.clash, calls: s.calls, fault: s.fault}
}

func (s *storeDouble) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// get returns the rows by the ids of their requests.
func (s *storeDouble) byRequest(t *testing.T) map[string]Row {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clash != nil {
		t.Fatal(s.clash)
	}
	all := map[string]Row{}
	for _, r := range s.rows {
		if old, twice := all[r.Request]; twice {
			t.Fatalf("the call %s has the rows %d and %d", r.Request, old.Seq, r.Seq)
		}
		all[r.Request] = r
	}
	return all
}

// random is a source of choices that a test can repeat.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 15)) }
