package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/importer"
)

// importCmd has a command for each gateway. A file that is named without one is an archive: weir import FILE is older than the others.
type importCmd struct {
	Archive importArchiveCmd `cmd:"" default:"withargs" help:"Fill an empty store from a file of weir export. The word archive may be omitted."`
	Litellm importLitellmCmd `cmd:"" name:"litellm" help:"Make a weir.yaml from the config of LiteLLM's proxy."`
	Bifrost importBifrostCmd `cmd:"" name:"bifrost" help:"Make a weir.yaml from Bifrost's config.json."`
	Newapi  importNewapiCmd  `cmd:"" name:"newapi" help:"Make a weir.yaml from the database of new-api or one-api."`
	Portkey importPortkeyCmd `cmd:"" name:"portkey" help:"Make a weir.yaml from a config of Portkey's gateway."`
}

func (importCmd) Help() string {
	return `Makes a config from that of another gateway, or fills an empty store from a file of weir export, which is what weir import FILE does. A file whose
name is that of a command needs its folder: weir import ./litellm.

Examples:
  weir import litellm config.yaml
  weir import archive -c new.yaml weir.export`
}

// importFlags are what all gateways have in common.
type importFlags struct {
	Output string `short:"o" placeholder:"FILE" default:"weir.yaml" help:"The config to write (default: weir.yaml). It must not exist yet."`
	Format string `enum:"text,json" default:"text" help:"How to print the report: text, a line for each finding, or json."`
}

type importLitellmCmd struct {
	importFlags
	keysFlags
	compareFlags
	File string `arg:"" placeholder:"FILE" help:"LiteLLM's config file, rendered if it is a template."`
}

func (importLitellmCmd) Help() string {
	return `Reads the file that LiteLLM's proxy is started with, writes a commented weir.yaml, and prints what became of each value: exact, approximate,
manual (to be done by hand) or unsupported, with its line. Nothing is called. Secrets are not copied: os.environ/NAME becomes ${NAME}, and for one that
stands in the file the report names a variable to set. The exit status is 0 only if the result passes weir check --without-secrets.

With --keys the keys and teams of LiteLLM's database are read, in one transaction that only reads, and written with what they spent into a file for
weir import archive. Keys go as digests, as LiteLLM keeps them, so callers go on with those that they have.

With --compare nothing is written: the models that the running LiteLLM lists stand beside those of the result, or of a running Weir (--with), and --call
sends a short chat to both. The exit status is 0 only if no model is missing.

Examples:
  weir import litellm config.yaml -o new.yaml > report.txt
  weir import litellm config.yaml --compare http://127.0.0.1:4000 --with http://127.0.0.1:8930 --call smart
  weir import litellm config.yaml --keys DATABASE_URL && weir import archive -c weir.yaml weir.export`
}

// Run makes the config, and the archive of the keys.
func (c importLitellmCmd) Run(ctx context.Context, sys *system) error {
	if err := cmp.Or(c.keysFlags.check(), c.compareFlags.check(c.Keys), c.apart(c.Accounts)); err != nil {
		return &exitError{2, err}
	}
	ctx, cancel := sys.interruptible(ctx)
	defer cancel()
	from := importer.LiteLLM{}
	draft, err := c.importFlags.read(ctx, from, c.File, c.Compare == "")
	if err != nil {
		return err
	}
	if c.Compare != "" {
		return c.compareFlags.run(ctx, draft, sys)
	}
	if err := c.keysFlags.read(ctx, from, draft, sys); err != nil {
		return err
	}
	return errors.Join(c.print(sys.stdout, draft.Report), c.write(ctx, sys, draft, c.Accounts))
}

// apart makes sure that the config and the archive of its accounts are two files.
func (f importFlags) apart(accounts string) error {
	if filepath.Clean(f.Output) == filepath.Clean(accounts) {
		return fmt.Errorf("--output and --accounts are the same file, %s: name two", f.Output)
	}
	return nil
}

// read converts the file. If the result is to be written, its place is looked at before.
func (f importFlags) read(ctx context.Context, from importer.Source, file string, writes bool) (*importer.Draft, error) {
	if writes {
		if err := newFile(f.Output).check(); err != nil {
			return nil, &exitError{2, err}
		}
	}
	read := interruptibleRead(ctx)
	data, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the file: %w", err)
	}
	return importer.Convert(from, importer.Input{Name: file, Data: data, Read: read, Known: catalog.Known})
}

// interruptibleRead is importer.ReadFile until the context ends: a file may be a pipe without a writer.
func interruptibleRead(ctx context.Context) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		type read struct {
			data []byte
			err  error
		}
		done := make(chan read, 1)
		go func() { // which waits for as long as the process lives, if it has to
			data, err := importer.ReadFile(path)
			done <- read{data, err}
		}()
		select {
		case <-ctx.Done():
			return nil, errors.New("it was interrupted")
		case r := <-done:
			return r.data, r.err
		}
	}
}

// print prints the report.
func (f importFlags) print(w io.Writer, report *importer.Report) error {
	if f.Format == formatJSON {
		return printJSON(w, report.Findings)
	}
	return report.Write(w, importer.Exact)
}

// write writes the config and, if the draft has accounts, their archive: both or neither. It says what weir check finds in the config.
func (f importFlags) write(ctx context.Context, sys *system, draft *importer.Draft, accounts string) error {
	text := draft.YAML()
	config, err := newFile(f.Output).prepare(func(w io.Writer) (int64, error) {
		n, err := w.Write(text)
		return int64(n), err
	})
	if err != nil {
		return err
	}
	files, wrote := []wholeFile{config}, ""
	if !draft.Accounts.Empty() {
		archive, said, err := archiveOf(ctx, draft, f.Output, accounts)
		if err != nil {
			return errors.Join(err, remove(config.at))
		}
		files, wrote = append(files, archive), said
	}
	if err := placeAll(files...); err != nil {
		return err
	}
	return errors.Join(f.check(sys, draft, text), tellLine(sys.stderr, wrote))
}

// check prints what weir check would find in the written config.
func (f importFlags) check(sys *system, draft *importer.Draft, text []byte) error {
	loader := configLoader(sys)
	loader.WithoutSecrets = true
	cfg, err := loader.Parse(f.Output, text)
	var list config.Errors
	if errors.As(err, &list) {
		for _, e := range list {
			fmt.Fprintln(sys.stderr, e)
		}
		return fmt.Errorf("wrote %s (%s), and it has %s: mend the lines above, then run weir check %s", f.Output, draft.Report.Summary(), count(len(list), "mistake"), f.Output)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.stderr, "Wrote %s (%s, %s): %s. Look at what is not exact, set the variables that it names, then: weir check %s\n",
		f.Output, count(len(cfg.Providers), "provider"), count(len(cfg.Models), "model"), draft.Report.Summary(), f.Output)
	return err
}

// tellLine writes a line, if there is one.
func tellLine(w io.Writer, line string) (err error) {
	if line != "" {
		_, err = fmt.Fprintln(w, line)
	}
	return err
}
