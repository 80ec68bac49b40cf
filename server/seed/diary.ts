/** The times at which people are busy; no person is in two places at once. */
export class Diary {
  readonly #taken = new Map<string, [fromMs: number, toMs: number][]>();

  isFree(person: string, from: Date, to: Date): boolean {
    const spans = this.#taken.get(person) ?? [];
    return spans.every(([fromMs, toMs]) => to.getTime() <= fromMs || from.getTime() >= toMs);
  }

  take(person: string, from: Date, to: Date): void {
    this.#taken.set(person, [...(this.#taken.get(person) ?? []), [from.getTime(), to.getTime()]]);
  }
}
