import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { busy } from '../../platform/refusal.ts';
import type { Answer, Question } from './password-hash-thread.ts';

interface Job {
  question: Question;
  resolve: (answer: string | boolean) => void;
  reject: (error: Error) => void;
}

/**
 * Threads that hash passwords one after another, started when first needed. They run at a low priority: a flood of wrong
 * passwords takes the time that is left over by people who are signed in.
 */
export class HashThreads {
  private readonly most: { threads: number; waiting: number };
  private readonly waiting: Job[] = [];
  private readonly idle: Worker[] = [];
  private started = 0;

  /**
   * @param most threads at work at once (more than cores only take the time from each other), and passwords that wait for one:
   * a further one is told to try again instead of waiting for minutes.
   */
  constructor(most: { threads: number; waiting: number }) {
    this.most = most;
  }

  /** Refuses `server.busy`. @throws Error for a hash that is none. */
  async ask(question: Question): Promise<string | boolean> {
    if (this.waiting.length >= this.most.waiting) throw busy();
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, resolve, reject });
      this.work();
    });
  }

  private work(): void {
    if (this.waiting.length === 0) return;
    const worker = this.idle.pop() ?? (this.started < this.most.threads ? this.start() : undefined);
    if (worker === undefined) return;
    const job = this.waiting.shift()!;
    // While a person waits, the process stays.
    worker.ref();
    const ended = (error: Error) => {
      this.started -= 1;
      job.reject(error);
      this.work();
    };
    const exited = () => ended(new Error('The thread that hashes passwords ended without an answer.'));
    worker.once('error', ended).once('exit', exited);
    worker.once('message', (answer: Answer) => {
      worker.off('error', ended).off('exit', exited).unref();
      this.idle.push(worker);
      if ('error' in answer) job.reject(new Error(answer.error));
      else job.resolve(answer.value);
      this.work();
    });
    worker.postMessage(job.question);
  }

  private start(): Worker {
    this.started += 1;
    return new Worker(new URL('password-hash-thread.ts', import.meta.url));
  }
}

const threads = new HashThreads({ threads: Math.min(4, os.availableParallelism()), waiting: 200 });

/** The argon2id hash of a password, with its salt and its cost in it. Refuses `server.busy`. */
export const hashPassword = async (password: string): Promise<string> =>
  String(await threads.ask({ password }));

/** Whether the password is the one behind the hash. Refuses `server.busy`. */
export const isPassword = async (passwordHash: string, password: string): Promise<boolean> =>
  (await threads.ask({ password, passwordHash })) === true;
