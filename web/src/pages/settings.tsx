// Settings: the config in force, where each value is from, and what waits for a restart.
import { useState } from "preact/hooks";
import { call, type ApiError, type ReloadResult, type Setting, type Settings as All } from "../api";
import { asError, refresh, useCall } from "../data";
import { plural } from "../format";
import { useKnown, useMay } from "../session";
import { set, usePlace } from "../state";
import { age, dateTime, hover } from "../time";
import { Elsewhere } from "../ui/copy";
import { Segments, TextField } from "../ui/forms";
import { Page } from "../ui/page";
import { Shown } from "../ui/states";
import { Table, type Column } from "../ui/table";
import { Tile, Tiles } from "../ui/tiles";

export function Settings() {
  const settings = useCall("GET /admin/v1/settings", {});
  return (
    <Page title="Settings" of={settings} tools={<Reload />}>
      <Shown of={settings} framed>
        {(all) => (
          <div class="stack">
            <Facts all={all} />
            <Notes all={all} />
            <Values values={all.values} file={all.file} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

type Done = { result: ReloadResult } | { error: ApiError };

/** Has Weir read its config again, and says what came of it. */
function Reload() {
  const may = useMay("POST /admin/v1/reload");
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<Done | null>(null);
  if (!may) return null;
  const reload = () => {
    setBusy(true);
    call("POST /admin/v1/reload")
      .then((result) => setDone({ result }), (reason: unknown) => setDone({ error: asError(reason) }))
      .finally(() => {
        setBusy(false);
        refresh();
      });
  };
  return (
    <>
      <span role="status" class="small">{done && <Outcome done={done} />}</span>
      <button disabled={busy} onClick={reload}>{busy ? "Reading the file" : "Reload"}</button>
    </>
  );
}

function Outcome({ done }: { done: Done }) {
  if ("error" in done) return <span class="bad">{done.error.status === 400 ? "The file was not taken: the reason is below." : done.error.message}</span>;
  const { applied, needs_restart: waiting } = done.result;
  return <span class={waiting.length > 0 ? "warn" : "good"}>{applied ? "The new config is in force" : "Nothing has changed"}{waiting.length > 0 && `, but for ${plural(waiting.length, "setting")} after a restart`}.</span>;
}

function Facts({ all: { version, file, loaded_at: loaded, reload, store } }: { all: All }) {
  const { zone } = useKnown();
  const read = new Date(loaded);
  return (
    <Tiles>
      <Tile label="Weir" figure={version}>its version</Tile>
      <Tile label="Config" figure={file === null ? "no file" : nameOf(file)} hint={file ?? ""}>
        <span title={hover(read)}>read {dateTime(read, zone)}</span>
      </Tile>
      <Tile label="Last reload" figure={reload === null ? "none" : `${age(Date.now() - new Date(reload.at).getTime())} ago`} tone={reload?.error ? "bad" : ""}>{reload === null ? "since the start" : reload.error ? "failed: the config before stays in force" : "the config is in force"}</Tile>
      <Tile label="Store" figure={store.bytes === null ? "cannot be asked" : bytes(store.bytes)} hint={store.place} tone={store.bytes === null ? "warn" : ""}>{store.kind}, calls kept {plural(store.keep_days, "day")}</Tile>
    </Tiles>
  );
}

/** The name of a file without its folder. */
function nameOf(file: string): string {
  return file.split(/[/\\]/).pop() ?? file;
}

/** A size with three digits. */
function bytes(n: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, n)) / 10));
  const size = n / 1024 ** at;
  return `${at === 0 || size >= 100 ? Math.round(size) : size.toPrecision(3)} ${units[at]}`;
}

/** What the operator should know: a reload that failed, what waits, what the config hardly means. */
function Notes({ all: { reload, needs_restart: waiting, warnings } }: { all: All }) {
  return (
    <>
      {reload?.error && <div class="panel alert bad-edge"><strong>The last reload failed</strong><pre class="code">{reload.error}</pre></div>}
      {waiting.length > 0 && <div class="panel alert"><strong>Waiting for a restart</strong><span>{waiting.map((name, i) => <span key={name}>{i > 0 && ", "}<code>{name}</code></span>)}</span></div>}
      {warnings.map((warning) => <div class="panel alert" key={warning}>{warning}</div>)}
    </>
  );
}

function Values({ values, file }: { values: Setting[]; file: string | null }) {
  const { params } = usePlace();
  const find = params.get("find") ?? "";
  const written = params.get("show") !== "all";
  const has = (text: string | null) => text !== null && text.toLowerCase().includes(find.trim().toLowerCase());
  const rows = values.filter((row) => (!written || row.from !== null) && (has(row.name) || has(row.from) || (!row.hidden && has(row.value))));
  return (
    <section class="panel" aria-label="Values">
      <header>
        <TextField bare label="Find a setting" type="search" placeholder="Find a setting" value={find} onInput={(text) => set({ find: text }, true)} />
        <Segments label="Which values" value={written ? "set" : "all"} options={[{ value: "set", label: "What is set" }, { value: "all", label: "All, with defaults" }]} onChange={(value) => set({ show: value === "all" ? "all" : null })} />
        <span class="muted small">{plural(rows.length, "value")}. The file is changed where it is; secrets are never shown.</span>
        <div class="rest"><Elsewhere route="GET /admin/v1/settings" asked={{}} /></div>
      </header>
      {rows.length === 0 ? <div class="state">{find === "" ? "Nothing is set: all values are defaults." : `No setting has “${find}” in it.`}</div> : <Table label="Values of the config" columns={columns(file)} rows={rows} id={(row) => row.name} />}
    </section>
  );
}

const columns = (file: string | null): Column<Setting>[] => [
  { key: "name", title: "Setting", cell: (row) => <code>{row.name}</code>, sort: (row) => row.name },
  { key: "value", title: "Value", wrap: true, cell: (row) => (row.value === null ? <span class="muted">none</span> : row.hidden ? <span class="muted">{row.value}</span> : <code>{row.value}</code>) },
  { key: "from", title: "From", cell: (row) => (row.from === null ? <span class="muted">default</span> : <code title={row.from}>{file !== null && row.from.startsWith(file) ? nameOf(file) + row.from.slice(file.length) : row.from}</code>), sort: (row) => row.from ?? "" },
];
