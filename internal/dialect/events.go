package dialect

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// WalkEvent begins a walk over the data of an event, which must be an object. The members are the caller's to walk over.
func WalkEvent(s *jsonwalk.Scanner, data []byte) error {
	s.Reset(data, jsonwalk.Options{})
	if s.Kind() == '{' {
		return nil
	}
	s.Skip()
	if err := s.End(); err != nil {
		return err
	}
	return fmt.Errorf("%w: an event is no object", llm.ErrNoAnswer)
}
