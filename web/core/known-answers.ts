import { followSession, readSession } from './session.ts';

/*
 * The last answers of reads with their tags, so that the server need not send again what has not changed. It
 * is asked each time all the same. They outlast a reload of their tab, for their person alone.
 */

interface Answer {
  tag: string;
  body: string;
}

const storageKey = 'sameway.answers';
/** Of all together; a single one takes up to a fourth of it. */
const mostCharacters = 240_000;

const answers = takeUp();
let characters = [...answers.values()].reduce((sum, { body }) => sum + body.length, 0);
let personId = readSession().id;

function takeUp(): Map<string, Answer> {
  try {
    const { of, kept } = JSON.parse(sessionStorage.getItem(storageKey) ?? '') as {
      of: string;
      kept: [string, Answer][];
    };
    if (of === readSession().id) return new Map(kept);
  } catch {
    // Nothing is cached, or a private window stores nothing: all is sent once more.
  }
  return new Map();
}

/** What is known of an address; undefined for nothing. */
export const knownAnswer = (address: string): Answer | undefined => answers.get(address);

/** Keeps the latest answer of an address; the one that was not asked for longest makes room. */
export function keepAnswer(address: string, answer: Answer): void {
  drop(address);
  if (answer.body.length > mostCharacters / 4) return;
  answers.set(address, answer);
  characters += answer.body.length;
  for (const each of answers.keys()) {
    if (characters <= mostCharacters) break;
    drop(each);
  }
}

function drop(address: string): void {
  characters -= answers.get(address)?.body.length ?? 0;
  answers.delete(address);
}

followSession(() => {
  const { id } = readSession();
  if (id === personId) return;
  personId = id;
  answers.clear();
  characters = 0;
});

addEventListener('pagehide', () => {
  try {
    if (answers.size === 0) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify({ of: personId, kept: [...answers] }));
  } catch {
    // A private window keeps nothing.
  }
});
