/** The things that a person waits for. */
export type Deed = 'call' | 'search' | 'line' | 'news';

/** One success of many, by what was waited for. */
interface Success {
  deed: Deed;
  atMs: number;
}

/** Notes what people achieve and what they are refused, while parts of the cluster are killed. */
export class Tally {
  acknowledged = 0;
  errorsSeen = 0;
  /** Errors by their words, for the log of a run. */
  readonly errors = new Map<string, number>();
  readonly #successes: Success[] = [];

  success(deed: Deed): void {
    if (deed !== 'news') this.acknowledged += 1;
    this.#successes.push({ deed, atMs: performance.now() });
  }

  error(words: string): void {
    this.errorsSeen += 1;
    this.errors.set(words, (this.errors.get(words) ?? 0) + 1);
  }

  /** The longest time between two instants without one success of some kind, and the kind. */
  longestGapMs(fromMs: number, untilMs: number): { deed: Deed; ms: number } {
    const deeds: Deed[] = ['call', 'search', 'line', 'news'];
    const gaps = deeds.map((deed) => {
      const times = this.#successes
        .filter((each) => each.deed === deed && each.atMs > fromMs && each.atMs < untilMs)
        .map(({ atMs }) => atMs);
      const edges = [fromMs, ...times, untilMs];
      return { deed, ms: Math.max(...edges.slice(1).map((at, index) => at - edges[index]!)) };
    });
    return gaps.reduce((worst, each) => (each.ms > worst.ms ? each : worst));
  }
}
