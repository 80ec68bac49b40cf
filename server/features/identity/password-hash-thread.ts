// A worker thread that hashes passwords one after another and answers each.
import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

/** With a hash to check the password against, or without one to make it. */
export interface Question {
  password: string;
  passwordHash?: string;
}
export type Answer = { value: string | boolean } | { error: string };

/** OWASP's first recommendation for argon2id, the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Linux has a priority for each thread; elsewhere it would apply to the whole process. Never above the
 * process's own, which may have been started with a lower one.
 */
const lowPriority = 12;
if (process.platform === 'linux') os.setPriority(Math.max(lowPriority, os.getPriority()));

function answer({ password, passwordHash }: Question): Answer {
  try {
    const value = passwordHash === undefined ? hashSync(password, cost) : verifySync(passwordHash, password);
    return { value };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
