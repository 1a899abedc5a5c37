package config

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Overrides are settings from flags or the environment; "" leaves the file's. The caller merges the two,
// flags before environment. Relative paths start from the working directory.
type Overrides struct {
	Listen      string // host:port of the public listener; its TLS stays
	AdminListen string // host:port of the admin listener; its TLS stays
	Store       string // as in the file
	Data        string // the data folder; a store that was never set moves with it

	From string // what gives them, for people; "" is the environment
}

// Override applies o with the checks that the file has. On error c is as it was. It is for use before
// anyone else reads c.
func (c *Config) Override(o Overrides) error {
	n := *c
	n.settings = slices.Clone(c.settings)
	if o.Listen != "" {
		if err := checkAddr(o.Listen); err != nil {
			return fmt.Errorf("listen %q %w", o.Listen, err)
		}
		n.Listen.Addr = o.Listen
		n.overridden("listen.addr", o.Listen, cmp.Or(o.From, "WEIR_LISTEN"))
	}
	if o.AdminListen != "" {
		if err := checkAddr(o.AdminListen); err != nil {
			return fmt.Errorf("admin listen %q %w", o.AdminListen, err)
		}
		n.Admin.Listen.Addr = o.AdminListen
		n.overridden("admin.listen.addr", o.AdminListen, cmp.Or(o.From, "WEIR_ADMIN_LISTEN"))
	}
	if err := checkExposure(n.Admin); err != nil {
		return fmt.Errorf("admin listen %q %w", n.Admin.Listen.Addr, err)
	}
	if err := checkDistinct(&n); err != nil {
		return err
	}
	if o.Data != "" {
		data, err := filepath.Abs(o.Data)
		if err != nil {
			return fmt.Errorf("data: %w", err)
		}
		n.Data = data
		n.overridden("data", o.Data, cmp.Or(o.From, "WEIR_DATA"))
		if !n.storeSet {
			n.Store = defaultStore(data)
			n.overridden("store", n.Store.String(), "")
		}
	}
	if o.Store != "" {
		if err := n.Store.UnmarshalText([]byte(o.Store)); err != nil {
			return fmt.Errorf("store %w", err)
		}
		here, err := os.Getwd()
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		n.Store = n.Store.moved(func(path string) string { return absoluteFrom(here, path) })
		n.storeSet = true
		n.overridden("store", n.Store.String(), cmp.Or(o.From, "WEIR_STORE"))
	}
	*c = n
	return nil
}
