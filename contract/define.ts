import type { z } from 'zod';
import type { Permission } from './admin/roles.ts';

/**
 * The callers of an endpoint: guests, signed-in people, or team members whose role has the call's permission
 * (`admin/roles.ts`). Permissions on single objects are the feature's policy.
 */
export type Who = 'guest' | 'user' | 'admin';

/** How often a call may be made; the one after `most` within the window is refused with `rate.limited`. */
export interface RateLimit {
  /**
   * The group of calls counted together. `caller`: a signed-in person's own, so that an office or school
   * behind one address is not shut out, and those of all guests of a network. `network`: all of a network,
   * signed in or not.
   */
  per: 'caller' | 'network';
  most: number;
  withinSeconds: number;
  /**
   * With this name the calls are counted in the database: across processes and restarts, together with every
   * call that has a limit of the same name, and only where the input is valid. Without it each process counts
   * by itself, before it reads the body: for calls so frequent that a database query would cost more than the
   * call.
   */
  countedAs?: string;
}

export const minuteSeconds = 60;
export const hourSeconds = 60 * minuteSeconds;
export const daySeconds = 24 * hourSeconds;

/** Road queries, made as fast as a person moves a map or types. */
export const searchLimit: RateLimit = { per: 'caller', most: 120, withinSeconds: minuteSeconds };
/** Reports about a person to admins: by profile, by review and by chat message together. */
export const reportLimit: RateLimit = {
  countedAs: 'report',
  per: 'caller',
  most: 20,
  withinSeconds: daySeconds,
};
/**
 * Orders published and edited: far more than any person travels, too few to locate another person's route by
 * probing.
 */
export const publishLimit: RateLimit = { per: 'caller', most: 60, withinSeconds: hourSeconds };

/** One call of the API: its method, path, input, output and refusals are written only here. */
export interface Endpoint<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  W extends Who = Who,
> {
  method: 'GET' | 'POST';
  path: `/${string}`;
  who: W;
  summary: string;
  /** The permission that a team member needs; `who` is `admin` then. */
  permission?: Permission;
  /** The person must have confirmed their identity in the last ten minutes; otherwise `session.stepUp`. */
  stepUp?: true;
  /** The call is multipart: in addition to its input it has one file in the field `file`. */
  takesFile?: true;
  /** Counted in the given order; empty if a call is cheap or limited by the object it acts on. */
  limits?: readonly RateLimit[];
  input: I;
  output: O;
  /**
   * Refusal reasons in addition to `input.invalid`, `session.missing`, `rate.limited`, and those of
   * `permission` and `stepUp`.
   */
  refusals: readonly string[];
}

/** Declares a call; the server registers it, the web client calls it, `/openapi.json` publishes it. */
export function defineEndpoint<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
  endpoint: Endpoint<I, O, W> & (W extends 'admin' ? { permission: Permission } : { permission?: never }),
): Endpoint<I, O, W> {
  return endpoint;
}

export type InputOf<E> = E extends Endpoint<infer I, z.ZodType> ? z.input<I> : never;
export type OutputOf<E> = E extends Endpoint<z.ZodObject, infer O> ? z.output<O> : never;

/** One permitted change of state: its actors, the states before, the state after. */
export interface MoveRule<State extends string, Actor extends string> {
  /** The move's id in the specification's table of states and moves. */
  id: string;
  actors: readonly Actor[];
  from: readonly State[] | null;
  to: State;
}

/** Declares a state machine's table of moves; keys are the moves' names. */
export function defineMoves<State extends string, Actor extends string>() {
  return <const M extends Record<string, MoveRule<State, Actor>>>(moves: M): M => moves;
}

/** The moves of existing things that one of these actors may make. */
export type MoveOf<M extends Record<string, { actors: readonly unknown[]; from: unknown }>, Actor> = {
  [K in keyof M]: M[K]['from'] extends null
    ? never
    : Extract<M[K]['actors'][number], Actor> extends never
      ? never
      : K;
}[keyof M];
