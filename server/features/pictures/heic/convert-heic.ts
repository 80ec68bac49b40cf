import { Worker } from 'node:worker_threads';
import { busy } from '../../../platform/refusal.ts';
import type { Answer } from './thread.ts';

/** Far more than any photo takes; a hostile file occupies one core at low priority for this time. */
const longestMs = 30_000;
/** HEIC photos that wait for the one before: a further one is refused instead of waiting for minutes. */
const mostWaiting = 8;
/** Of the thread’s own code. Its pictures lie in other memory, which the decoder's limits bound. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Runs `work`, one after another: a HEIC takes as much memory as the largest of other pictures.
 * Refuses `server.busy`.
 */
export async function oneHeicAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (waiting > mostWaiting) throw busy();
  waiting += 1;
  const mine = last.then(work).finally(() => (waiting -= 1));
  last = mine.catch(() => undefined);
  return mine;
}

/**
 * Decodes a HEIC photo into an uncompressed TIFF with its pixels, colors and orientation, and nothing else.
 * Each file gets a thread of its own, which ends with it: its memory goes back, a crash ends nothing else,
 * and nothing is loaded before the first file.
 */
export function convertHeic(
  file: Buffer,
  thread: URL = new URL('thread.ts', import.meta.url),
  mostMs = longestMs,
): Promise<Answer> {
  return new Promise((resolve) => {
    const worker = new Worker(thread, { workerData: file, resourceLimits });
    let answer: Answer = { refused: 'damaged' };
    const timeLimit = setTimeout(() => {
      answer = { refused: 'tooManyPixels' };
      void worker.terminate();
    }, mostMs);
    worker.once('message', (said: Answer) => (answer = said));
    // The exit event follows: what ends the thread is the file.
    worker.once('error', () => undefined);
    worker.once('exit', () => {
      clearTimeout(timeLimit);
      resolve(answer);
    });
  });
}
