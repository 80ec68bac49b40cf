import { Worker } from 'node:worker_threads';
import type { Assignment, Problem } from './problem.ts';
import type { SharedRoads } from './thread.ts';

/** A thread idle for this long is ended and its memory freed: plans are requested in bursts. */
const idleMs = 60_000;

/**
 * Runs assignments in a thread, one at a time: two would compete for the CPU with each other and with the
 * calls. The thread starts on first use, and again after it has ended.
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
    // A pending problem keeps the process alive.
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
