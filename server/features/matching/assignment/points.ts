import type { RoadLabel, RoadNetwork } from '#roads/graph/network.ts';
import type { Between } from './routes.ts';

interface Known {
  from: RoadLabel;
  to: RoadLabel;
}

const unknownMs = -1;
/** Milliseconds where no road leads. */
const neverMs = 0x7f_ff_ff_ff;

/** The distinct places of a problem, and the drives between them: computed from labels on first use. */
export class Points {
  private readonly network: RoadNetwork;
  private readonly numbers = new Map<string, number>();
  private readonly known: (Known | null)[] = [];

  constructor(network: RoadNetwork) {
    this.network = network;
  }

  /** The number of a place; all are numbered before the first drive is computed. */
  number(at: { lon: number; lat: number }): number {
    const key = `${at.lon},${at.lat}`;
    const numbered = this.numbers.get(key);
    if (numbered !== undefined) return numbered;
    const point = this.network.snap(at);
    const number = this.known.length;
    this.known.push(
      point && { from: this.network.label(point, 'from'), to: this.network.label(point, 'to') },
    );
    this.numbers.set(key, number);
    return number;
  }

  between(): Between {
    const { known, network } = this;
    const count = known.length;
    const table = new Int32Array(count * count).fill(unknownMs);
    return (from, to) => {
      const at = from * count + to;
      let ms = table[at]!;
      if (ms === unknownMs) {
        const [a, b] = [known[from], known[to]];
        ms = (a && b && network.meet(a.from, b.to)?.milliseconds) ?? neverMs;
        table[at] = ms;
      }
      return ms === neverMs ? Infinity : ms;
    };
  }
}
