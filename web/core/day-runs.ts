/** Days in a row as their first and last: three or more; two are named each. */
export function runsOf(days: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === day - 1) run[1] = day;
    else runs.push([day, day]);
  }
  return runs.flatMap(([first, last]) =>
    last === first + 1
      ? [[first, first] as [number, number], [last, last] as [number, number]]
      : [[first, last] as [number, number]],
  );
}
