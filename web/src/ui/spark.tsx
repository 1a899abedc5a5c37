// A plot of a line's height. The figure that it is about stands beside it.

const height = 18;

/** Bars, one for each value. */
export function Spark({ values }: { values: number[] }) {
  const most = Math.max(...values);
  if (!(most > 0)) return null;
  return (
    <svg class="spark" viewBox={`0 0 ${values.length * 3} ${height}`} width={values.length * 3} height={height} aria-hidden="true">
      {values.map((value, i) => {
        const tall = value > 0 ? Math.max(1, (height * value) / most) : 0.5;
        return <rect key={i} x={i * 3} y={height - tall} width={2} height={tall} />;
      })}
    </svg>
  );
}
