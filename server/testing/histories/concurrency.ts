import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { BuiltApp } from '../../app.ts';
import type { Claim } from '../../platform/http/idempotency.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type Deed, type Dice } from './deeds.ts';
import type { HistoryContext } from './history-context.ts';

/** A deed, of which kind it is, and the process that does it. */
export interface Chosen {
  kind: string;
  deed: Deed;
  app: BuiltApp;
  /** The same deed by another process, or in the transactions of an action. */
  by: (app: BuiltApp) => Deed;
}

/** In one of this many steps another person acts at the same moment. */
const pairEvery = 3;
/** One of this many calls is sent twice with its key, to both processes. */
const twiceEvery = 4;

/**
 * Chooses what happens at the same moment as a deed: nothing, or what the next dice choose. Only deeds of
 * people are paired: the clock, the card provider and admins have their own steps.
 */
export async function besideOf(
  { deed }: Chosen,
  next: Dice | undefined,
  choose: (dice: Dice) => Promise<Chosen>,
): Promise<Chosen[]> {
  if (next === undefined || next.more % pairEvery !== 0 || !isOfPerson(deed)) return [];
  const other = await choose(next);
  return isOfPerson(other.deed) && other.deed.who !== deed.who ? [other] : [];
}

const isOfPerson = ({ who, isAlone }: Deed): boolean => who !== null && isAlone !== true;

const inAction = (app: BuiltApp, claim: Claim): BuiltApp => ({
  ...app,
  platform: { ...app.platform, ...app.platform.forAction(claim) },
});

/**
 * A deed as the call of a person, with a key; some are sent twice at the same moment, to both processes, and
 * have one answer.
 */
export function keyed(
  context: HistoryContext,
  { deed, app, kind, by }: Chosen,
  { how }: Dice,
): Pick<Deed, 'words' | 'act'> {
  const { words, who } = deed;
  if (who === null || who === context.strangerId) return deed;
  const use = { userId: who, key: randomUUID(), path: `/${kind}`, fingerprint: '' };
  const send = (to: BuiltApp) =>
    context.keys.get(to)!.once(use, async (claim) => ({
      code: 200 as const,
      info: '',
      data: (await by(inAction(to, claim)).act()) ?? null,
    }));
  if (how % twiceEvery !== 0) return { words, act: () => send(app) };
  return {
    words: `${words}, sent twice`,
    async act() {
      const done: unknown[] = [];
      const refused: Refusal[] = [];
      const hear = async (to: BuiltApp) => {
        try {
          done.push(asSent(await send(to)));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          refused.push(error);
          // A refusal frees the key for the other; after an answer the other gets the same, or is asked to
          // wait.
          if (done.length > 0 && !['action.alreadyDone', 'server.busy'].includes(error.reason))
            throw new Error(`one key has an answer, and then ${error.reason}`, { cause: error });
        }
      };
      const ends = await Promise.allSettled(context.apps.map(hear));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      if (done.length === 2 && !isDeepStrictEqual(done[0], done[1]))
        throw new Error(`one key has two answers: ${JSON.stringify(done)}`);
      if (done.length === 0) throw refused[0];
      return done[0];
    },
  };
}

const asSent = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer));
