import type { RequestEntry } from './entries.ts';
import type { Places } from './places.ts';
import { RequestIndex } from './request-index.ts';

/** Above it all are forgotten, and given again as they are asked about: some 100 MB. */
const mostKept = 50_000;

/** A request outside the index of requests, by a key under which it always means the same. */
export interface KeyedWish {
  key: string;
  /** Missing where the engine may know it already. */
  given?: Pick<RequestEntry, 'wish' | 'offerCents'>;
}

/**
 * Requests that are judged again and again, such as those of alerts, each by a key: the drives between its
 * meeting points are computed once, and the next ride is compared with it as with an open request.
 */
export class KeptWishes {
  readonly #places: Places;
  readonly #most: number;
  #index: RequestIndex;
  readonly #idOfKey = new Map<string, string>();

  constructor(places: Places, most: number = mostKept) {
    this.#places = places;
    this.#most = most;
    this.#index = new RequestIndex(places);
  }

  /** Takes in those that are given; returns the index with the id of each, null for one that is not known. */
  take(wishes: readonly KeyedWish[]): { index: RequestIndex; ids: (string | null)[] } {
    const fresh = wishes.filter(({ key, given }) => given !== undefined && !this.#idOfKey.has(key));
    if (this.#idOfKey.size + fresh.length > this.#most) this.#forget();
    for (const { key, given } of wishes)
      if (given !== undefined && !this.#idOfKey.has(key)) this.#put(key, given);
    return { index: this.#index, ids: wishes.map(({ key }) => this.#idOfKey.get(key) ?? null) };
  }

  #put(key: string, { wish, offerCents }: NonNullable<KeyedWish['given']>): void {
    const id = idAt(this.#idOfKey.size);
    this.#idOfKey.set(key, id);
    this.#index.put({ id, passengerId: '', isPublic: true, wish, offerCents });
  }

  #forget(): void {
    this.#index = new RequestIndex(this.#places);
    this.#idOfKey.clear();
  }
}

/** Ids for requests without one. */
export const idAt = (index: number): string =>
  `00000000-0000-0000-0000-${index.toString(16).padStart(12, '0')}`;
