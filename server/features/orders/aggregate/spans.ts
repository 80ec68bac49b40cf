/** The part of a person's time that an order takes: from its first instant to just before its last. */
export interface Span {
  orderId: string;
  personId: string;
  from: Date;
  until: Date;
}

const overlap = (a: Span, b: Span): boolean =>
  a.personId === b.personId && a.orderId !== b.orderId && a.from < b.until && b.from < a.until;
const isSame = (a: Span, b: Span): boolean =>
  a.from.getTime() === b.from.getTime() && a.until.getTime() === b.until.getTime();

/**
 * The spans of all open orders of some people, as they were read. They are not locked: the database judges
 * again when they are written (`order_spans_no_overlap`).
 */
export class Spans {
  readonly #people = new Set<string>();
  readonly #spans = new Map<string, Span>();
  readonly #moved = new Set<string>();
  readonly #freed = new Set<string>();

  read(
    people: readonly string[],
    spans: readonly { orderId: string; personId: string; from: string; until: string }[],
  ): void {
    for (const person of people) this.#people.add(person);
    for (const { from, until, ...of } of spans)
      if (!this.#spans.has(of.orderId) && !this.#freed.has(of.orderId))
        this.#spans.set(of.orderId, { ...of, from: new Date(from), until: new Date(until) });
  }

  of = (orderId: string): Span | null => this.#spans.get(orderId) ?? null;

  /** Whether these spans overlap no other order of their person. */
  areFree(taking: readonly Span[]): boolean {
    for (const { personId } of taking)
      if (!this.#people.has(personId)) throw new Error(`no order of ${personId} is locked`);
    const all = [...this.#spans.values()];
    return !taking.some((span) => all.some((other) => overlap(span, other)));
  }

  /**
   * Moves spans that there are, or takes new ones; false, with nothing changed, where one would overlap
   * another order of its person.
   */
  move(taking: readonly Span[], isNew = false): boolean {
    const known = taking.filter(({ orderId }) => isNew || this.#spans.has(orderId));
    const moved = new Map([...this.#spans, ...known.map((span) => [span.orderId, span] as const)]);
    const all = [...moved.values()];
    if (known.some((span) => all.some((other) => overlap(span, other)))) return false;
    for (const span of known) {
      const before = this.#spans.get(span.orderId);
      if (before !== undefined && isSame(before, span)) continue;
      this.#spans.set(span.orderId, span);
      this.#moved.add(span.orderId);
      this.#freed.delete(span.orderId);
    }
    return true;
  }

  /** Frees the time of an order. */
  free(orderId: string): void {
    this.#spans.delete(orderId);
    this.#moved.delete(orderId);
    this.#freed.add(orderId);
  }

  /** Returns the spans to write, once. */
  takeMoved(): { moved: Span[]; freed: string[] } {
    const moved = [...this.#moved].map((id) => this.#spans.get(id)!);
    const freed = [...this.#freed];
    this.#moved.clear();
    this.#freed.clear();
    return { moved, freed };
  }
}
