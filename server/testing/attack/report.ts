/**
 * Prints what a part of the attack set tried; `docs/attack-set.md` has these lines from the last complete
 * run.
 */
export function printCounts(part: string, counts: Readonly<Record<string, number | string>>): void {
  const told = Object.entries(counts).map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`);
  process.stdout.write(`ATTACK SET ${part}: ${told.join(', ')}\n`);
}
