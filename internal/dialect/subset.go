package dialect

// Subset is what a host takes of a dialect that its own vendor takes more of. Without lists it takes anything.
type Subset struct {
	Members []string // top-level members; others can be left out
	Blocks  []string // types of the blocks of a prompt
	Tools   []string // how the types of tools begin that are the vendor's own
	Inline  bool     // images and documents have to be in the request
}

// Portable is a Passing request of a dialect that not only its vendor serves.
type Portable interface {
	// Fits reports whether a host takes the request, once what is Outside is left out.
	Fits(s *Subset) bool
	// Outside are the top-level members that a host does not take.
	Outside(s *Subset) []string
}
