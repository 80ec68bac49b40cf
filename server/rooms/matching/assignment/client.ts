import { Worker } from 'node:worker_threads';
import type { RoadNetwork } from '#roads/network.ts';
import type { Assignment, Problem } from './problem.ts';
import type { AssignmentTask } from './thread.ts';

/** Assignments in threads of their own, one at a time: two would only take the time from each other, and from the calls. */
export class Assigner {
  private readonly shared: RoadNetwork['shared'];
  private last: Promise<unknown> = Promise.resolve();
  private worker: Worker | null = null;
  private isClosed = false;

  constructor(shared: RoadNetwork['shared']) {
    this.shared = shared;
  }

  assign(problem: Problem): Promise<Assignment> {
    const mine = this.last.then(() => this.run(problem));
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private run(problem: Problem): Promise<Assignment> {
    if (this.isClosed) return Promise.reject(new Error('the house is closing'));
    const task: AssignmentTask = { problem, shared: this.shared };
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: task });
    this.worker = worker;
    return new Promise<Assignment>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread ended without an answer')));
    }).finally(() => {
      this.worker = null;
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }
}
