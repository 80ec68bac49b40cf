import { Worker } from 'node:worker_threads';
import type { Assignment, Problem } from './problem.ts';
import type { SharedRoads } from './thread.ts';

/** Plans come in bunches: a thread that nobody has needed for so long is ended, and its memory given back. */
const idleMs = 60_000;

/**
 * Assignments in a thread of their own, one at a time: two would only take the time from each other, and from
 * the calls. The thread is started when first needed, and anew after it has ended.
 */
export class Assigner {
  private readonly shared: SharedRoads;
  private last: Promise<unknown> = Promise.resolve();
  private worker: Worker | null = null;
  private idle: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(shared: SharedRoads) {
    this.shared = shared;
  }

  assign(problem: Problem): Promise<Assignment> {
    const mine = this.last.then(() => this.run(problem));
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private async run(problem: Problem): Promise<Assignment> {
    if (this.isClosed) throw new Error('the app is closing');
    if (this.idle !== null) clearTimeout(this.idle);
    const worker = (this.worker ??= this.started());
    // While somebody waits, the process stays.
    worker.ref();
    try {
      return await new Promise<Assignment>((resolve, reject) => {
        const ended = () => reject(new Error('the assigner ended without an answer'));
        worker.once('message', (answer: Assignment) => {
          worker.off('error', reject).off('exit', ended);
          resolve(answer);
        });
        worker.once('error', reject).once('exit', ended);
        worker.postMessage(problem);
      });
    } finally {
      worker.unref();
      this.idle = setTimeout(() => void worker.terminate(), idleMs).unref();
    }
  }

  private started(): Worker {
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: this.shared });
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = null;
    });
    return worker;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.idle !== null) clearTimeout(this.idle);
    await this.worker?.terminate();
  }
}
