// Tables: sorted by any column, from the keyboard too; rows may open something.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** A column of a table about rows of T. */
export interface Column<T> {
  key: string;
  title: string;
  cell: (row: T) => ComponentChildren;
  sort?: (row: T) => number | string; // what it is sorted by; without it, it is not
  num?: boolean; // to the right
  wrap?: boolean; // may take several lines
  hint?: string; // what the title means
  sum?: ComponentChildren; // its cell in the last line
}

interface TableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  id: (row: T) => string;
  sorted?: string; // the column that it is sorted by until another one is chosen, and again when this changes: -cost is the most first
  selected?: string | null;
  most?: number; // rows that are drawn until more are asked for
  onOpen?: (row: T) => void;
}

interface Order {
  key: string;
  down: boolean;
}

/** An order that was chosen in place of the table's own. */
interface Chosen {
  insteadOf: string | undefined;
  order: Order;
}

export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, id, selected, onOpen } = props;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  if (chosen && chosen.insteadOf !== props.sorted) setChosen(null);
  const order = chosen && chosen.insteadOf === props.sorted ? chosen.order : orderOf(props.sorted);
  const [all, setAll] = useState(false);
  const ordered = inOrder(rows, columns, order);
  const shown = all ? ordered : ordered.slice(0, props.most);
  const totals = columns.some((column) => column.sum !== undefined);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table class={columns.length > 8 ? "dense" : undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} onOrder={(order) => setChosen({ insteadOf: props.sorted, order })} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Row key={id(row)} row={row} columns={columns} selected={selected !== undefined && selected === id(row)} onOpen={onOpen} />
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {columns.map((column) => (
                <td key={column.key} class={classOf(column)}>{column.sum}</td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {shown.length < rows.length && <button class="quiet more" onClick={() => setAll(true)}>Show all {rows.length}</button>}
    </div>
  );
}

function classOf<T>(column: Column<T>): string | undefined {
  return column.num ? "num" : column.wrap ? "wrap" : undefined;
}

interface HeadProps<T> {
  column: Column<T>;
  order: Order | null;
  onOrder: (order: Order) => void;
}

function Head<T>({ column, order, onOrder }: HeadProps<T>) {
  if (column.title === "") return <td class={classOf(column)} />;
  const mine = order?.key === column.key ? order : null;
  if (!column.sort) return <th scope="col" class={classOf(column)} title={column.hint}>{column.title}</th>;
  const next = { key: column.key, down: mine ? !mine.down : column.num === true };
  return (
    <th scope="col" class={classOf(column)} title={column.hint} aria-sort={mine ? (mine.down ? "descending" : "ascending") : "none"}>
      <button type="button" onClick={() => onOrder(next)}>
        {mine && <span aria-hidden="true">{mine.down ? "↓" : "↑"}</span>}
        <span>{column.title}</span>
      </button>
    </th>
  );
}

interface RowProps<T> {
  row: T;
  columns: Column<T>[];
  selected: boolean;
  onOpen: ((row: T) => void) | undefined;
}

function Row<T>({ row, columns, selected, onOpen }: RowProps<T>) {
  const cells = columns.map((column) => (
    <td key={column.key} class={classOf(column)}>{column.cell(row)}</td>
  ));
  if (!onOpen) return <tr>{cells}</tr>;
  return (
    <tr class="open" aria-selected={selected} tabIndex={0} onClick={(event) => opens(event) && onOpen(row)} onKeyDown={(event) => move(event, () => onOpen(row))}>
      {cells}
    </tr>
  );
}

/** A click on a link or a button in a row is theirs, and one that ends a selection of text opens nothing. */
function opens(event: MouseEvent): boolean {
  const on = event.target instanceof Element ? event.target.closest("a, button") : null;
  return on === null && getSelection()?.isCollapsed !== false;
}

/** Enter opens a row; the arrows go to the next. */
function move(event: KeyboardEvent, open: () => void): void {
  const row = event.currentTarget;
  if (!(row instanceof HTMLElement) || event.target !== row) return;
  const next = event.key === "ArrowDown" ? row.nextElementSibling : event.key === "ArrowUp" ? row.previousElementSibling : null;
  if (event.key === "Enter") open();
  else if (next instanceof HTMLElement) next.focus();
  else return;
  event.preventDefault();
}

function orderOf(text: string | undefined): Order | null {
  if (text === undefined) return null;
  return text.startsWith("-") ? { key: text.slice(1), down: true } : { key: text, down: false };
}

function inOrder<T>(rows: T[], columns: Column<T>[], order: Order | null): T[] {
  const by = columns.find((column) => column.key === order?.key)?.sort;
  if (!by || !order) return rows;
  const sign = order.down ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [by(a), by(b)];
    return sign * (typeof x === "string" ? words.compare(x, String(y)) : x - Number(y));
  });
}

const words = new Intl.Collator(); // one for all: localeCompare makes up its mind anew for each two

interface NameProps {
  whole: string;
  far?: boolean; // it has two parts, and more room
  children?: ComponentChildren; // what shows it, one element; the text itself if there is none
}

/** A name, which is as long as its maker liked. What there is no room for is cut, and seen when the pointer rests on it. Short ones are never cut. */
export function Name({ whole, far = false, children }: NameProps) {
  const shown = children ?? <span>{whole}</span>;
  return whole.length <= (far ? 30 : 16) ? shown : <span class={far ? "name far" : "name"} title={whole}>{shown}</span>;
}

/** A bar for a part of a whole. The figure stands beside it. */
export function Share({ part, whole }: { part: number; whole: number }) {
  const width = whole > 0 ? Math.max(part > 0 ? 1 : 0, (96 * part) / whole) : 0;
  return (
    <svg class="share" viewBox="0 0 96 8" aria-hidden="true">
      <rect width="96" height="8" rx="1" />
      <rect width={width} height="8" rx="1" />
    </svg>
  );
}
