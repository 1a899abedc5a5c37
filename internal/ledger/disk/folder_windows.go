package disk

// Sync implements ledger.Files. Windows keeps a journal of names, and has no call that waits for it.
func (f Folder) Sync() error { return nil }
