/**
 * Arcs by vertex that grow and shrink while the graph is being contracted: each vertex owns a run of slots in
 * flat arrays, and moves to a roomier run at the end when it outgrows its own. At most one arc leads to each
 * neighbor.
 */
export class ArcTable {
  /** The arcs of v are at `start[v] … start[v] + count[v] - 1`. */
  readonly start: Int32Array;
  readonly count: Int32Array;
  /** The vertex at the other end. */
  to: Int32Array;
  weight: Float64Array;
  /** The vertex that a shortcut leads over, -1 for an arc of the graph. */
  middle: Int32Array;
  private readonly room: Int32Array;
  private used = 0;

  constructor(vertices: number, arcs: number) {
    this.start = new Int32Array(vertices);
    this.count = new Int32Array(vertices);
    this.room = new Int32Array(vertices);
    const slots = Math.max(16, arcs * 3);
    this.to = new Int32Array(slots);
    this.weight = new Float64Array(slots);
    this.middle = new Int32Array(slots);
  }

  /** Adds an arc, or lowers the weight of the existing one. */
  put(vertex: number, to: number, weight: number, middle: number): void {
    const start = this.start[vertex]!;
    const end = start + this.count[vertex]!;
    for (let i = start; i < end; i++) {
      if (this.to[i] !== to) continue;
      if (weight >= this.weight[i]!) return;
      this.weight[i] = weight;
      this.middle[i] = middle;
      return;
    }
    if (this.count[vertex] === this.room[vertex]) this.move(vertex);
    const slot = this.start[vertex]! + this.count[vertex]!++;
    this.to[slot] = to;
    this.weight[slot] = weight;
    this.middle[slot] = middle;
  }

  /** Removes the arc to a neighbor, if there is one. */
  remove(vertex: number, to: number): void {
    const start = this.start[vertex]!;
    const last = start + this.count[vertex]! - 1;
    for (let i = start; i <= last; i++) {
      if (this.to[i] !== to) continue;
      this.to[i] = this.to[last]!;
      this.weight[i] = this.weight[last]!;
      this.middle[i] = this.middle[last]!;
      this.count[vertex]!--;
      return;
    }
  }

  private move(vertex: number): void {
    const room = Math.max(4, this.room[vertex]! * 2);
    if (this.used + room > this.to.length) this.grow(this.used + room);
    const from = this.start[vertex]!;
    const end = from + this.count[vertex]!;
    this.to.copyWithin(this.used, from, end);
    this.weight.copyWithin(this.used, from, end);
    this.middle.copyWithin(this.used, from, end);
    this.start[vertex] = this.used;
    this.room[vertex] = room;
    this.used += room;
  }

  private grow(needed: number): void {
    const slots = Math.max(needed, Math.ceil(this.to.length * 1.5));
    const { to, weight, middle } = this;
    this.to = new Int32Array(slots);
    this.to.set(to);
    this.weight = new Float64Array(slots);
    this.weight.set(weight);
    this.middle = new Int32Array(slots);
    this.middle.set(middle);
  }
}
