const roundSteps = [1, 2, 5, 10];

/** The lines that a chart is read by: the highest is at its top, the lowest is 0, all are whole numbers. */
export function linesOf(highest: number, most = 4): number[] {
  const least = Math.max(1, highest / most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * roundSteps.find((each) => each * power >= least)!;
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, index) => (count - index) * step);
}
