package llm

// Turns has the blocks of an answer come one after the other, for dialects that have no other order. The zero value is ready.
type Turns struct {
	open  bool
	block int
	part  PartKind
}

// Take returns what has to be written before ev: as a rule nothing. Without it, an upstream that left out the end of a block, or has texts come in turns,
// would break the order. ok is false if ev is the end of a block that has ended.
func (t *Turns) Take(ev *Event) (before []Event, ok bool) {
	same := t.open && t.block == ev.Block
	switch ev.Kind {
	case BlockStart:
		before = t.leave()
		t.open, t.block, t.part = true, ev.Block, ev.Part
	case Delta:
		if same {
			return nil, true
		}
		before = append(t.leave(), Event{Kind: BlockStart, Block: ev.Block, Part: ev.Part})
		t.open, t.block, t.part = true, ev.Block, ev.Part
	case BlockStop:
		if !same {
			return nil, false
		}
		t.open = false
	case End:
		before = t.leave()
	}
	return before, true
}

// leave is the end of the open block.
func (t *Turns) leave() []Event {
	if !t.open {
		return nil
	}
	t.open = false
	return []Event{{Kind: BlockStop, Block: t.block, Part: t.part}}
}
