package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/doctor"
)

// printFindings writes them as a table for people, as JSON or as CSV.
func (f formatFlag) printFindings(w io.Writer, findings []finding) error {
	switch f.Format {
	case formatJSON:
		return printJSON(w, findings)
	case formatCSV:
		rows := [][]string{{"check", "provider", "credential", "status", "found", "advice"}}
		for _, f := range findings {
			rows = append(rows, []string{f.Check, f.Provider, f.number(), string(f.Status), f.Found, f.Advice})
		}
		return admin.WriteCSV(w, rows)
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "STATUS\tPROVIDER\tCHECK\tFOUND") // Flush returns the errors of all
	for _, f := range findings {
		check, text := f.Check, f.Found
		if f.Credential > 0 {
			check += " " + f.number()
		}
		if f.Advice != "" {
			text += " → " + f.Advice
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", f.Status, orElse(f.Provider, "-"), check, text)
	}
	return out.Flush()
}

// number is which credential the finding is about, "" if it is about none.
func (f finding) number() string {
	if f.Credential == 0 {
		return ""
	}
	return strconv.Itoa(f.Credential)
}

// warnings are what the config may say, and yet should not without a reason.
func warnings(cfg *config.Config, now time.Time) []finding {
	var all []finding
	warn := func(found, advice string) {
		all = append(all, finding{Check: "config", Status: doctor.Warning, Found: found, Advice: advice})
	}
	for _, w := range cfg.Warnings {
		all = append(all, finding{Check: "config", Status: doctor.Warning, Found: w.Error()})
	}
	if cfg.Listen.TLS == nil && !nearby(cfg.Listen.Addr) {
		warn("listen "+cfg.Listen.Addr+" has no TLS, so callers' keys cross that network in clear", "give it {addr, tls: {cert, key}}, unless a proxy in front does TLS")
	}
	if cfg.Admin.Insecure && cfg.Admin.Listen.TLS == nil && !nearby(cfg.Admin.Listen.Addr) {
		warn("admin.listen "+cfg.Admin.Listen.Addr+" has no TLS, so the admin token crosses that network in clear", "give it tls, or a loopback address")
	}
	used := map[string]bool{}
	for _, m := range cfg.Models {
		for _, t := range m.Targets {
			used[t.Provider] = true
		}
	}
	for _, p := range cfg.Providers {
		if !used[p.Name] && len(cfg.Models) > 0 { // otherwise a warning about the config says so for all
			warn("no model uses the provider "+p.Name, "name it in a target, or remove it")
		}
		base, err := url.Parse(p.BaseURL)
		if err == nil && base.Scheme == "http" && len(p.Credentials()) > 0 && !nearby(net.JoinHostPort(base.Hostname(), "80")) {
			warn("base_url of the provider "+p.Name+" is plain HTTP, so its credential crosses that network in clear", "use https://, unless that network is yours alone")
		}
	}
	for _, k := range cfg.Keys {
		if !k.Expires.IsZero() && !k.Expires.After(now) {
			warn("the key "+k.Name+" has expired", "remove it, or give it another date")
		}
	}
	return all
}

// nearby reports whether the host of an address is this machine.
func nearby(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// checkData is about the data folder: that this user may write there, and who uses it.
func checkData(dir string) finding {
	f := finding{Check: "data", Status: doctor.Good}
	bad := func(found, advice string) finding {
		f.Status, f.Found, f.Advice = doctor.Bad, found, advice
		return f
	}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		f.Found = dir + " is not there yet; the first weir serve makes it"
		return f
	}
	if err != nil || !info.IsDir() {
		return bad(dir+" is no folder that can be looked at", "correct data in the config, or WEIR_DATA")
	}
	trial, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return bad(fmt.Sprintf("cannot write in %s: %v", dir, pathCause(err)), "let the user that runs Weir own it, and see that the disk is not full or read-only")
	}
	if err := errors.Join(trial.Close(), os.Remove(trial.Name())); err != nil {
		return bad(fmt.Sprintf("cannot write in %s: %v", dir, pathCause(err)), "check the disk")
	}
	running, err := app.InUse(dir)
	switch {
	case err != nil:
		return bad(fmt.Sprintf("cannot look at the lock in %s: %v", dir, pathCause(err)), "run this as the user that runs Weir")
	case info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows": // which has no such bits
		f.Status, f.Found, f.Advice = doctor.Warning, dir+" is open to other users of this machine", fmt.Sprintf("chmod 700 %q", dir)
	case running:
		f.Found = dir + " can be written; a Weir is running with it"
	default:
		f.Found = dir + " can be written; no Weir is running with it"
	}
	return f
}

// storePatience bounds looking at the store, which another process may hold for a moment.
const storePatience = 5 * time.Second

// checkStore is about the store, which is not changed.
func checkStore(ctx context.Context, at config.Store) finding {
	ctx, cancel := context.WithTimeout(ctx, storePatience)
	defer cancel()
	f := finding{Check: "store", Status: doctor.Good}
	schema, err := app.Schema(ctx, at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Found = at.Path + " is not there yet; the first weir serve makes it"
		if _, err := os.Stat(filepath.Dir(at.Path)); err != nil {
			f.Found += ", and its folder"
		}
	case err != nil:
		f.Status, f.Found, f.Advice = doctor.Bad, err.Error(), "correct store in the config, or the store"
	case schema.Applied < schema.Needed:
		f.Status, f.Advice = doctor.Warning, "back it up; weir migrate, or the next weir serve, brings it up to date"
		f.Found = fmt.Sprintf("%v has schema %d, this program's is %d", at, schema.Applied, schema.Known)
	default:
		f.Found = fmt.Sprintf("%v is readable, schema %d", at, schema.Applied)
		if schema.Waiting != "" {
			f.Found += "; " + schema.Waiting
		}
	}
	return f
}

// pathCause is a file's error without the path.
func pathCause(err error) error {
	var failure *fs.PathError
	if errors.As(err, &failure) {
		return failure.Err
	}
	return err
}
