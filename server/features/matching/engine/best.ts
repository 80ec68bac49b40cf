/** The best few of many, lowest first. Equal scores stay in insertion order. */
export class Best<T> {
  private readonly most: number;
  private readonly scoreOf: (item: T) => number;
  private items: T[] = [];
  private known = Infinity;

  constructor(most: number, scoreOf: (item: T) => number) {
    this.most = most;
    this.scoreOf = scoreOf;
  }

  add(item: T): void {
    this.items.push(item);
    if (this.items.length >= this.most * 1.25 + 1) this.prune();
  }

  /** Only an item with a score below this can be among the best. Infinity until enough items were added. */
  get limit(): number {
    return this.known;
  }

  get isFull(): boolean {
    return this.items.length >= this.most;
  }

  /** The score that a further item must be below; only when full. */
  get worst(): number {
    this.prune();
    return this.scoreOf(this.items.at(-1)!);
  }

  sorted(): T[] {
    this.prune();
    return this.items;
  }

  private prune(): void {
    this.items = this.items.toSorted((a, b) => this.scoreOf(a) - this.scoreOf(b)).slice(0, this.most);
    if (this.isFull && this.items.length > 0) this.known = this.scoreOf(this.items.at(-1)!);
  }
}
