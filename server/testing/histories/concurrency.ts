import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../app.ts';
import { asAction } from '../../platform/database/transact.ts';
import { pick, type Deed, type Dice } from './deeds.ts';
import type { HistoryContext } from './history-context.ts';

/** A deed, of which kind it is, and the process that does it. */
export interface Chosen {
  kind: string;
  deed: Deed;
  app: App;
}

/** In one step of so many another person does something at the same moment. */
const pairEvery = 3;
/** Of so many calls one is sent twice with its key, to both processes. */
const twiceEvery = 4;

/**
 * What is done at the same moment as a deed: nothing, or what the next dice choose. What a person does is
 * done beside what a person does: the clock, the card provider and admins have their own steps.
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

/**
 * A deed as the call of a person, with a key; some are sent twice at the same moment, to both processes, and
 * have one answer.
 */
export function keyed(
  context: HistoryContext,
  { deed, app, kind }: Chosen,
  { how }: Dice,
): Pick<Deed, 'words' | 'act'> {
  const { words, act, who } = deed;
  if (who === null || who === context.strangerId) return { words, act };
  const use = { userId: who, key: randomUUID(), path: `/${kind}`, fingerprint: '' };
  const send = (to: App) =>
    context.keys
      .get(to)!
      .once(use, (claim) =>
        asAction(claim, async () => ({ code: 200 as const, info: '', data: (await act()) ?? null })),
      );
  if (how % twiceEvery !== 0) return { words, act: () => send(app) };
  return {
    words: `${words}, sent twice`,
    async act() {
      const answers = await Promise.allSettled(context.apps.map(send));
      const done = answers.flatMap((each) => (each.status === 'fulfilled' ? [asSent(each.value)] : []));
      const refused = answers.find(({ status }) => status === 'rejected');
      if (done.length === 2 && !isDeepStrictEqual(done[0], done[1]))
        throw new Error(`one key has two answers: ${JSON.stringify(done)}`);
      if (refused?.status === 'rejected' && done.length === 0) throw refused.reason;
      return pick(done, 0);
    },
  };
}

const asSent = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer));
