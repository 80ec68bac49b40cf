import { createHash, timingSafeEqual } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { appVersion } from '#contract/app/endpoints.ts';
import type { Env } from '../../../platform/env.ts';
import { regionNames } from '../../../platform/process-roles.ts';
import type { Ask, PairAsk } from '../engine/engine.ts';
import type { Answer, PairVerdict } from '../engine/entries.ts';

/** The questions to a matching process over HTTP, by path: question and answer. */
export interface Questions {
  ask: { question: Ask; answer: Answer };
  judge: { question: PairAsk; answer: PairVerdict[] };
}
export type QuestionKind = keyof Questions;

/** Answers 200 once the process holds all its open orders. */
export const readyPath = '/ready';

/**
 * Release and regions of a process. One of another release may mean something else by the same words, and one
 * with other regions knows other roads: the question goes to the next one.
 */
export const dialectHeader = 'x-sameway-matching';
export const dialectOf = ({ REGION }: Pick<Env, 'REGION'>): string =>
  `${appVersion};${regionNames(REGION).join(',')}`;

/** Questions and answers are written as messages to a thread are: infinite times stay what they are. */
export const write = (value: unknown): Buffer<ArrayBuffer> => Buffer.from(serialize(value));
/** Only of what the secret has come with: the format is not for strangers' bytes. */
export const read = (bytes: Buffer): unknown => deserialize(bytes);

export const bearerOf = (secret: string): string => `Bearer ${secret}`;

/** Whether the header is that of the secret, in the same time whatever it holds. */
export const isBearer = (header: string | undefined, secret: string): boolean =>
  timingSafeEqual(digest(header ?? ''), digest(bearerOf(secret)));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
