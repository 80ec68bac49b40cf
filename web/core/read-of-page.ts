import type { Endpoint, InputOf, OutputOf } from '#contract/define.ts';

/** A call that a page's first view makes. */
export interface Read {
  endpoint: Endpoint;
  input: Readonly<Record<string, unknown>>;
  /** As `usePaginatedCall` reads it. */
  isPaginated: boolean;
  /** How long its component treats it as fresh, if longer than usual. */
  staleTime?: number;
  /** The page's next reads, which depend on this answer and the person. */
  follow?: (answer: unknown, personId: string) => readonly Read[];
  /** Not part of a query: only code that runs before the app uses the answer. */
  isOutsideQueries?: boolean;
}

/** A call as `useCall` makes it. */
export const read = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  staleTime?: number,
): Read & { endpoint: E } => ({
  endpoint,
  input,
  isPaginated: false,
  ...(staleTime === undefined ? {} : { staleTime }),
});

/** The first page of a call as `usePaginatedCall` makes it. */
export const firstPage = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Read => ({
  endpoint,
  input,
  isPaginated: true,
});

/** The input of a read as sent to the server: a list starts at its beginning. */
export const inputOfRead = ({ input, isPaginated }: Read): Readonly<Record<string, unknown>> =>
  isPaginated ? { ...input, offset: 0 } : input;

/** A read with those that follow from its answer. */
export const followed = <E extends Endpoint>(
  first: Read & { endpoint: E },
  follow: (answer: OutputOf<E>, personId: string) => readonly Read[],
): Read => ({ ...first, follow: (answer, personId) => follow(answer as OutputOf<E>, personId) });
