package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// Addresses are the base URLs that the environment names, by kind, in place of the kinds' own.
func (l Loader) Addresses() map[string]string {
	all := map[string]string{}
	for _, k := range l.Kinds {
		if address := l.address(k); address != "" && !l.own(address) {
			all[k.Name] = address
		}
	}
	return all
}

// address is the base URL that the environment names for the kind, "" if none.
func (l Loader) address(k Kind) string {
	if k.BaseOf == nil || !l.set(k.BaseEnv) {
		return ""
	}
	value, _ := l.Env(k.BaseEnv)
	return k.BaseOf(strings.TrimSpace(value))
}

// addressIn is the variable whose address a line of starterBody uses, or "".
func (l Loader) addressIn(line string) string {
	for _, k := range l.Kinds {
		if l.address(k) != "" && strings.HasPrefix(line, "  "+k.Name+": {") {
			return k.BaseEnv
		}
	}
	return ""
}

// checkAddresses reports variables that hold no address. Clients of the vendors would not work with them either.
func (l Loader) checkAddresses() error {
	var errs Errors
	for _, k := range l.Kinds {
		address := l.address(k)
		if u, err := url.Parse(address); address != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "") {
			errs = append(errs, &Error{Message: fmt.Sprintf("the environment variable %s holds no address: set it to a full http or https URL, or unset it", k.BaseEnv)})
		}
	}
	if errs == nil {
		return nil
	}
	return errs
}

// own reports whether a base URL leads to this Weir itself: its callers' variables are often set where it is started.
func (l Loader) own(address string) bool {
	u, err := url.Parse(address)
	_, port, splitErr := net.SplitHostPort(l.Own)
	if err != nil || splitErr != nil || port == "0" || u.Port() != port {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && (ip.Unmap().IsLoopback() || ip.IsUnspecified()) || net.JoinHostPort(u.Hostname(), port) == l.Own
}
