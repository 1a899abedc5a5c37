package jsonwalk

import "iter"

// Empty reports whether a value that was validated before is an object without members, or none at all.
func Empty(object []byte) bool {
	for range Members(object) {
		return false
	}
	return true
}

// NoElements reports whether a value that was validated before is an array without elements, or none at all.
func NoElements(array []byte) bool {
	for range Elements(array) {
		return false
	}
	return true
}

// Members steps through the members of an object that was validated before: names without quotes, and values. The names
// are valid until the next step. What is no object has no members.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func([]byte, []byte) bool) {
		s := NewScanner(object, Options{})
		if s.Kind() != '{' {
			return
		}
		for ok := s.EnterObject(); ok && s.NextMember(); {
			name := s.Name()
			if !yield(name, s.Skip().Of(object)) {
				return
			}
		}
	}
}

// Elements steps through the elements of an array that was validated before. What is no array has no elements.
func Elements(array []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		s := NewScanner(array, Options{})
		if s.Kind() != '[' {
			return
		}
		i := 0
		for ok := s.EnterArray(); ok && s.NextElement(); {
			if !yield(i, s.Skip().Of(array)) {
				return
			}
			i++
		}
	}
}

// Hollow reports whether an array or object has nothing in it. One that turned out not to be JSON comes as
// no bytes at all, and has nothing in it either.
func Hollow(value []byte) bool {
	for _, c := range value[min(1, len(value)):] {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c == ']' || c == '}'
		}
	}
	return true
}

// Known is a member's name as a string, and whether it is one of names. For one of these no memory is taken.
func Known(name []byte, names []string) (string, bool) {
	for _, known := range names {
		if string(name) == known {
			return known, true
		}
	}
	return string(name), false
}
