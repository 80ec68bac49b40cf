/** Chance that falls the same way every time it is thrown from the same seed. */
export interface Dice {
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True in this many of a hundred throws. */
  percent(chance: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  // mulberry32: short, and good enough to look like life.
  const throwOnce = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(throwOnce() * (high - low + 1));
  return {
    between,
    percent: (chance) => throwOnce() * 100 < chance,
    pick(list) {
      if (list.length === 0) throw new Error('There is nothing to pick from.');
      return list[between(0, list.length - 1)]!;
    },
    shuffled(list) {
      const left = [...list];
      return list.map(() => left.splice(between(0, left.length - 1), 1)[0]!);
    },
  };
}
