/** A label with times alone. */
export interface TimeLabel {
  hubs: Uint32Array;
  milliseconds: Uint32Array;
}

/** Above every time; a sum of two still fits into 32 bits. */
export const noTime = 2 ** 30 - 1;

/**
 * The labels of several places as one: for each hub a row with a time for each place, its lane. Nearby places
 * share most of their hubs, so one pass over this serves all of them.
 */
export interface LaneLabel {
  lanes: number;
  /** Ranks in the hierarchy, ascending. */
  hubs: Uint32Array;
  /**
   * Milliseconds between hub and place, hub by hub, lane by lane; `noTime` where the lane has no such hub.
   */
  times: Int32Array;
}

export function lanesOf(labels: readonly TimeLabel[]): LaneLabel {
  const lanes = labels.length;
  const all = new Uint32Array(labels.reduce((sum, { hubs }) => sum + hubs.length, 0));
  let filled = 0;
  for (const { hubs } of labels) {
    all.set(hubs, filled);
    filled += hubs.length;
  }
  all.sort();
  let count = 0;
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[count++] = all[i]!;
  const hubs = all.slice(0, count);
  const times = new Int32Array(count * lanes).fill(noTime);
  labels.forEach((label, lane) => {
    let row = 0;
    for (let i = 0; i < label.hubs.length; i++) {
      while (hubs[row] !== label.hubs[i]) row++;
      times[row * lanes + lane] = label.milliseconds[i]!;
    }
  });
  return { lanes, hubs, times };
}

/**
 * A lane label laid out for lookups: for each rank its row, plus one, and 0 for ranks that are not its hubs.
 * Important hubs have high ranks and are adjacent, so lookups hub by hub rarely miss the cache.
 */
export class LaneTable {
  label: LaneLabel = { lanes: 0, hubs: new Uint32Array(), times: new Int32Array() };
  readonly rowAt: Uint16Array;

  constructor(ranks: number) {
    this.rowAt = new Uint16Array(ranks);
  }

  lay(label: LaneLabel): void {
    for (const hub of this.label.hubs) this.rowAt[hub] = 0;
    this.label = label;
    label.hubs.forEach((hub, row) => (this.rowAt[hub] = row + 1));
  }
}

/** The least time of any lane for each hub. */
export function leastOf({ lanes, hubs, times }: LaneLabel): TimeLabel {
  const milliseconds = new Uint32Array(hubs.length);
  for (let row = 0; row < hubs.length; row++)
    milliseconds[row] = Math.min(...times.subarray(row * lanes, (row + 1) * lanes));
  return { hubs, milliseconds };
}

/**
 * The least times from each place of one lane label to each of another, row by row; `noTime` where they share
 * no hub.
 */
export function meetLanes(from: LaneLabel, to: LaneLabel): Int32Array {
  const best = new Int32Array(from.lanes * to.lanes).fill(noTime);
  for (let i = 0, j = 0; i < from.hubs.length && j < to.hubs.length;) {
    const [a, b] = [from.hubs[i]!, to.hubs[j]!];
    if (a !== b) {
      if (a < b) i++;
      else j++;
      continue;
    }
    for (let p = 0; p < from.lanes; p++) {
      const time = from.times[i * from.lanes + p]!;
      if (time === noTime) continue;
      for (let d = 0; d < to.lanes; d++) {
        const total = time + to.times[j * to.lanes + d]!;
        if (total < best[p * to.lanes + d]!) best[p * to.lanes + d] = total;
      }
    }
    i++;
    j++;
  }
  return best;
}
