package main

// openFiles is 0, any number: Windows bounds handles by memory only.
func openFiles() int { return 0 }
