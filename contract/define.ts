import type { z } from 'zod';

/** Who may make a call: anybody, a signed-in person, or an admin. What a person may do to an object is the feature's policy. */
export type Who = 'guest' | 'user' | 'admin';

/**
 * How often a call that costs the server much may be made. Who is signed in counts for themselves, so that no office or school
 * behind one address is shut out; guests count together by their network.
 */
export interface RateLimit {
  perPerson: number;
  perNetwork: number;
  withinSeconds: number;
}

/** Questions about the roads, as fast as a person moves a map or types. */
export const searchLimit: RateLimit = { perPerson: 120, perNetwork: 120, withinSeconds: 60 };
/** Orders published and edited: far more than any person travels, too few to measure another person's way by them. */
export const publishLimit: RateLimit = { perPerson: 60, perNetwork: 60, withinSeconds: 3600 };

/** One call of the product: the only place its method, path, payload, answer and refusals are written. */
export interface Endpoint<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  W extends Who = Who,
> {
  method: 'GET' | 'POST';
  path: `/${string}`;
  who: W;
  summary: string;
  /** The call is multipart: besides its input it carries one file in the field `file`. */
  takesFile?: true;
  limit?: RateLimit;
  input: I;
  output: O;
  /** Dotted words this call can refuse with, besides `input.invalid`, `session.missing` and `rate.limited`. */
  refusals: readonly string[];
}

/** Declares a call; the server registers it, the web client calls it, `/openapi.json` publishes it. */
export function defineEndpoint<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
  endpoint: Endpoint<I, O, W>,
): Endpoint<I, O, W> {
  return endpoint;
}

export type InputOf<E> = E extends Endpoint<infer I, z.ZodType> ? z.input<I> : never;
export type OutputOf<E> = E extends Endpoint<z.ZodObject, infer O> ? z.output<O> : never;

/** One permitted change of state: who may cause it, from where, to where. */
export interface MoveRule<State extends string, Actor extends string> {
  /** The move's id in the table of states and moves, for cross-reading. */
  id: string;
  actors: readonly Actor[];
  from: readonly State[] | null;
  to: State;
}

/** Declares the table of moves of one kind of thing; keys are the moves' names. */
export function defineMoves<State extends string, Actor extends string>() {
  return <const M extends Record<string, MoveRule<State, Actor>>>(moves: M): M => moves;
}

/** The moves that one of such actors makes of what is there already. */
export type MoveOf<M extends Record<string, { actors: readonly unknown[]; from: unknown }>, Actor> = {
  [K in keyof M]: M[K]['from'] extends null
    ? never
    : Extract<M[K]['actors'][number], Actor> extends never
      ? never
      : K;
}[keyof M];
