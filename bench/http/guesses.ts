import { once } from 'node:events';
import path from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { login } from '#contract/access/endpoints.ts';
import { readEnvelope } from '../../server/testing/envelopes.ts';

export const guessesASecond = 50;

/** Where wrong passwords come from: all from one address, or each from another, which no limit holds back. */
export type GuessesFrom = 'one address' | 'many addresses';

interface Wish {
  port: number;
  from: GuessesFrom;
  /** Addresses and accounts are used once in a run, from this number on. */
  first: number;
}

/** The outcomes of the wrong passwords that were sent. */
export interface Guessed {
  sent: number;
  /** Refused by a limit, before the password was checked. */
  limited: number;
  /** Refused because the password was wrong. */
  wrong: number;
}

let next = 1;

/**
 * Sends wrong passwords, 50 a second, until `stop`, which waits for the last answers. From a thread of its
 * own, so that what the server's thread takes for them is its own work alone.
 */
export function guessPasswords(port: number, from: GuessesFrom): { stop: () => Promise<Guessed> } {
  const wish: Wish = { port, from, first: next };
  const worker = new Worker(path.join(import.meta.dirname, 'guesses.ts'), { workerData: wish });
  return {
    async stop() {
      worker.postMessage('stop');
      const [guessed] = (await once(worker, 'message')) as [Guessed];
      next += guessed.sent;
      return guessed;
    },
  };
}

function guess({ port, from, first }: Wish): () => Promise<Guessed> {
  const answers: Promise<string>[] = [];
  const began = performance.now();
  const one = async (number: number): Promise<string> => {
    const isOne = from === 'one address';
    const address = isOne ? '198.51.100.1' : `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
    const response = await fetch(`http://127.0.0.1:${port}${login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email: `guess${isOne ? 0 : number}@example.com`, password: `wrong ${number}` }),
    });
    return readEnvelope(await response.json()).reason ?? 'none';
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * guessesASecond;
    while (answers.length < due) answers.push(one(first + answers.length));
  }, 1000 / guessesASecond);
  return async () => {
    clearInterval(timer);
    const reasons = await Promise.all(answers);
    const count = (reason: string) => reasons.filter((each) => each === reason).length;
    return { sent: reasons.length, limited: count('rate.limited'), wrong: count('access.wrong') };
  };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const stop = guess(workerData as Wish);
  port.once('message', () => {
    void stop().then((guessed) => port.postMessage(guessed));
  });
}
