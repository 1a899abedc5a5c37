package ledger

import "io"

// Files is the folder of a journal. Names have no path.
type Files interface {
	// Names lists the files.
	Names() ([]string, error)
	// Create makes a file, or empties it if it is there. Its name is durable after Sync.
	Create(name string) (File, error)
	// Open opens a file for reading, and for Sync.
	Open(name string) (File, error)
	// Rename and Remove are durable after Sync.
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes the names of files durable.
	Sync() error
}

// File is an open file.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Sync makes what was written durable. After it failed, nothing is known of what was written since it last succeeded.
	Sync() error
	Truncate(size int64) error
	Size() (int64, error)
}
