import type { LonLat } from '../../roads/graph/geometry.ts';

const UNITS_PER_DEGREE = 1e7;
const UNKNOWN = -2_147_483_648;

/**
 * Where wanted nodes are, in 16 bytes each: a country's nodes fit into memory, which a map of objects would
 * burst. Use: `want` every node, then `set` what the extract knows of them, then `get`.
 */
export class NodePositions {
  private ids = new Float64Array(1024);
  private count = 0;
  private lons = new Int32Array(0);
  private lats = new Int32Array(0);
  private sorted = false;
  private cursor = 0;

  want(id: number): void {
    if (this.count === this.ids.length) {
      const roomier = new Float64Array(this.ids.length * 2);
      roomier.set(this.ids);
      this.ids = roomier;
    }
    this.ids[this.count++] = id;
  }

  isWanted(id: number): boolean {
    return this.find(id) >= 0;
  }

  set(id: number, { lon, lat }: LonLat): void {
    const at = this.find(id);
    if (at < 0) return;
    this.lons[at] = Math.round(lon * UNITS_PER_DEGREE);
    this.lats[at] = Math.round(lat * UNITS_PER_DEGREE);
  }

  get(id: number): LonLat | undefined {
    const at = this.find(id);
    if (at < 0 || this.lons[at] === UNKNOWN) return undefined;
    return { lon: this.lons[at]! / UNITS_PER_DEGREE, lat: this.lats[at]! / UNITS_PER_DEGREE };
  }

  private find(id: number): number {
    if (!this.sorted) this.sort();
    // Extracts list nodes in order: the next one wanted is usually the next one found.
    const { ids, cursor, count } = this;
    if (ids[cursor] === id) return this.cursor++;
    let [low, high] = [0, count - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = ids[middle]!;
      if (found === id) {
        this.cursor = middle + 1;
        return middle;
      }
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  private sort(): void {
    const all = this.ids.subarray(0, this.count).toSorted();
    let kept = 0;
    for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[kept++] = all[i]!;
    this.ids = all.slice(0, kept);
    this.count = kept;
    this.lons = new Int32Array(kept).fill(UNKNOWN);
    this.lats = new Int32Array(kept);
    this.sorted = true;
  }
}
