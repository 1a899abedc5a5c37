// A plot of a line's height. The figure that it is about stands beside it.

const height = 18;

/** Bars, one for each value, as one path: a table has a plot in each row. */
export function Spark({ values }: { values: number[] }) {
  const most = Math.max(...values);
  if (!(most > 0)) return null;
  return (
    <svg class="spark" viewBox={`0 0 ${values.length * 3} ${height}`} width={values.length * 3} height={height} aria-hidden="true">
      <path d={values.map((value, i) => bar(i, value > 0 ? Math.max(1, (height * value) / most) : 0.5)).join("")} />
    </svg>
  );
}

function bar(i: number, tall: number): string {
  return `M${i * 3} ${height}v${-tall}h2v${tall}z`;
}
