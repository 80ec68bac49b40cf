/** How much of one kind each file has; files without any are left out. */
export type Counts = Readonly<Record<string, number>>;

/** By kind: what `scripts/sizes/baseline.json` holds, and what is found now. */
export type Kinds = Readonly<Record<string, Counts>>;

const sumOf = (counts: Counts = {}): number => Object.values(counts).reduce((sum, each) => sum + each, 0);

/** One line a kind, with the baseline's number in it. */
export const report = (found: Kinds, baseline: Kinds): string[] =>
  Object.entries(found).map(
    ([kind, counts]) => `${kind}: ${sumOf(counts)} (baseline ${sumOf(baseline[kind])})`,
  );

/** The files that have more of a kind than the baseline lets them. */
export const grown = (found: Kinds, baseline: Kinds): string[] =>
  Object.entries(found).flatMap(([kind, counts]) =>
    Object.entries(counts)
      .filter(([file, count]) => count > (baseline[kind]?.[file] ?? 0))
      .map(([file, count]) => `${file}: ${kind} ${count}, allowed ${baseline[kind]?.[file] ?? 0}`),
  );

/**
 * The files that have less of a kind than the baseline allows them: it must be written again, so that it only
 * shrinks.
 */
export const shrunk = (found: Kinds, baseline: Kinds): string[] =>
  Object.entries(baseline).flatMap(([kind, counts]) =>
    Object.entries(counts)
      .filter(([file, count]) => (found[kind]?.[file] ?? 0) < count)
      .map(([file, count]) => `${file}: ${kind} ${found[kind]?.[file] ?? 0}, the baseline says ${count}`),
  );
