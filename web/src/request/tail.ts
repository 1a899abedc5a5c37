// What has just ended, as Weir tells it: events are collected for a moment, the newest are kept, and a tab that is not seen asks for nothing.
import { useEffect, useState } from "preact/hooks";
import { address, call, type Ended } from "../api";
import type { Row } from "./columns";

/** The last requests that ended, the newest first. */
export interface Tail {
  rows: Row[];
  dropped: number; // events that came too fast
  connected: boolean;
}

export type Query = Record<string, string | number>;

const collecting = 250;
const kept = 200;
const again = 5000;
const before = 60_000;

export function useTail(query: Query): Tail {
  const question = JSON.stringify(query);
  const [tail, setTail] = useState<Tail>({ rows: [], dropped: 0, connected: false });
  useEffect(() => {
    setTail({ rows: [], dropped: 0, connected: false });
    const watcher = new Watcher(JSON.parse(question) as Query, (change) => setTail(change));
    const seen = () => watcher.show(!document.hidden);
    document.addEventListener("visibilitychange", seen);
    seen();
    return () => {
      document.removeEventListener("visibilitychange", seen);
      watcher.show(false);
    };
  }, [question]);
  return tail;
}

/** One connection at a time. What was missed between two is asked for as a list. */
class Watcher {
  private source: EventSource | null = null;
  private timer = 0;
  private waiting: Row[] = [];
  private flushing = 0;

  constructor(
    private readonly query: Query,
    private readonly tell: (change: (old: Tail) => Tail) => void,
  ) {}

  show(shown: boolean): void {
    if (shown === (this.source !== null)) return;
    clearTimeout(this.timer);
    clearTimeout(this.flushing);
    this.flushing = 0;
    this.source?.close();
    this.source = null;
    if (shown) this.connect();
  }

  private connect(): void {
    const source = (this.source = new EventSource(address("GET /admin/v1/live", { query: this.query })));
    source.onopen = () => {
      this.tell((old) => ({ ...old, connected: true }));
      void this.missed();
    };
    source.addEventListener("end", (event) => this.collect(JSON.parse(String(event.data)) as Ended));
    source.addEventListener("dropped", (event) => {
      const { dropped } = JSON.parse(String(event.data)) as { dropped: number };
      this.tell((old) => ({ ...old, dropped: old.dropped + dropped }));
    });
    source.onerror = () => {
      this.tell((old) => ({ ...old, connected: false }));
      if (source.readyState !== EventSource.CLOSED || source !== this.source) return; // the browser tries again by itself
      this.timer = setTimeout(() => source === this.source && this.connect(), again);
    };
  }

  /** What ended in the last minute. Weir sends nothing again. */
  private async missed(): Promise<void> {
    const since = new Date(Date.now() - before).toISOString();
    const list = await call("GET /admin/v1/requests", { query: { ...this.query, since, limit: kept } }).catch(() => null);
    list?.data.forEach((row) => this.collect(row));
  }

  private collect(row: Row): void {
    this.waiting.push(row);
    this.flushing ||= setTimeout(() => {
      const more = this.waiting;
      this.waiting = [];
      this.flushing = 0;
      this.tell((old) => ({ ...old, rows: newest(old.rows, more) }));
    }, collecting);
  }
}

/** The newest of both, each once; what the stream says of one is more than the list does. */
function newest(rows: Row[], more: Row[]): Row[] {
  const known = new Map(rows.map((row) => [row.request, row]));
  for (const row of more) if (row.answer_status !== undefined || !known.has(row.request)) known.set(row.request, row);
  return [...known.values()].toSorted((a, b) => (a.started < b.started ? 1 : -1)).slice(0, kept);
}
