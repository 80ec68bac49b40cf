/** Short numbers for people's ids, assigned on first use. */
export class People {
  private readonly numbers = new Map<string, number>();
  private readonly ids: string[] = [];

  numberOf(id: string): number {
    const known = this.numbers.get(id);
    if (known !== undefined) return known;
    this.numbers.set(id, this.numbers.size);
    this.ids.push(id);
    return this.numbers.size - 1;
  }

  /** The id of a number. */
  idOf(number: number): string {
    return this.ids[number]!;
  }

  /** The numbers of those ids that have one. */
  known(ids: readonly string[]): Set<number> {
    return new Set(ids.flatMap((id) => this.numbers.get(id) ?? []));
  }
}
