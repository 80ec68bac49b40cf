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
 * Threads that hash passwords one after another, started when first needed. They run at a low priority: a
 * flood of wrong passwords gets only the CPU time that signed-in people leave.
 */
export class HashThreads {
  private readonly most: { threads: number; waiting: number };
  private readonly thread: URL;
  private readonly waiting: Job[] = [];
  /** Each thread with its current job; null while idle. */
  private readonly jobs = new Map<Worker, Job | null>();

  /**
   * @param most busy threads at once (more than cores only slow each other down), and passwords that wait for
   *   one: a further one is refused at once instead of waiting for minutes.
   * @param thread the module that each thread runs.
   */
  constructor(
    most: { threads: number; waiting: number },
    thread: URL = new URL('password-hash-thread.ts', import.meta.url),
  ) {
    this.most = most;
    this.thread = thread;
  }

  /**
   * Refuses `server.busy`.
   * @throws Error for an invalid hash, and where the thread ends without an answer.
   */
  async ask(question: Question): Promise<string | boolean> {
    if (this.waiting.length >= this.most.waiting) throw busy();
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, resolve, reject });
      this.work();
    });
  }

  private work(): void {
    if (this.waiting.length === 0) return;
    const idle = [...this.jobs].find(([, job]) => job === null)?.[0];
    const worker = idle ?? (this.jobs.size < this.most.threads ? this.start() : null);
    if (worker === null) return;
    const job = this.waiting.shift()!;
    this.jobs.set(worker, job);
    // Keeps the process alive while a person waits.
    worker.ref();
    worker.postMessage(job.question);
  }

  private start(): Worker {
    const worker = new Worker(this.thread);
    let failure = new Error('The thread that hashes passwords ended without an answer.');
    worker.on('message', (answer: Answer) => {
      const job = this.jobs.get(worker);
      this.jobs.set(worker, null);
      worker.unref();
      if ('error' in answer) job?.reject(new Error(answer.error));
      else job?.resolve(answer.value);
      this.work();
    });
    // The thread's exit event follows.
    worker.on('error', (error) => (failure = error));
    worker.on('exit', () => {
      this.jobs.get(worker)?.reject(failure);
      this.jobs.delete(worker);
      this.work();
    });
    return worker;
  }
}

const threads = new HashThreads({ threads: Math.min(4, os.availableParallelism()), waiting: 200 });

/** The argon2id hash of a password, which contains its salt and cost. Refuses `server.busy`. */
export const hashPassword = async (password: string): Promise<string> =>
  String(await threads.ask({ password }));

/** Whether the password matches the hash. Refuses `server.busy`. */
export const isPassword = async (passwordHash: string, password: string): Promise<boolean> =>
  (await threads.ask({ password, passwordHash })) === true;
