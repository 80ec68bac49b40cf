/** Short numbers for people's ids, given out as they appear. */
export class People {
  private readonly numbers = new Map<string, number>();

  numberOf(id: string): number {
    const known = this.numbers.get(id);
    if (known !== undefined) return known;
    this.numbers.set(id, this.numbers.size);
    return this.numbers.size - 1;
  }

  /** The numbers of those who have one. */
  known(ids: readonly string[]): Set<number> {
    return new Set(ids.flatMap((id) => this.numbers.get(id) ?? []));
  }
}
