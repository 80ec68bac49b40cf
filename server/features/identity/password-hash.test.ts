import fs from 'node:fs';
import os from 'node:os';
import { expect, test } from 'vitest';
import { hashPassword, HashThreads, isPassword } from './password-hash.ts';

test('a password is known by its hash, another is not', async () => {
  const hash = await hashPassword('correct horse');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPassword(hash, 'correct horse')).toBe(true);
  expect(await isPassword(hash, 'correct hors')).toBe(false);
});

test('a hash that is none is an error, and the thread goes on', async () => {
  await expect(isPassword('none', 'correct horse')).rejects.toThrow(/decod/i);
  expect(await hashPassword('correct horse')).toContain('$argon2id$');
});

test('beyond those that may wait, a password is refused at once', async () => {
  const threads = new HashThreads({ threads: 1, waiting: 2 });
  const answers = await Promise.allSettled(
    ['one', 'two', 'three', 'four'].map((password) => threads.ask({ password })),
  );
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(answers[3]).toMatchObject({ reason: { reason: 'server.busy', code: 429 } });
});

test('a thread that ends without an answer fails that password alone, and another takes its place', async () => {
  const ends =
    'import { parentPort } from "node:worker_threads"; parentPort.on("message", ({ password }) => { ';
  const crash = new URL(
    `data:text/javascript,${encodeURIComponent(
      `${ends} if (password === "crash") throw new Error("crashed"); parentPort.postMessage({ value: password }); });`,
    )}`,
  );
  const threads = new HashThreads({ threads: 1, waiting: 10 }, crash);
  const answers = await Promise.allSettled(
    ['crash', 'one', 'crash', 'two'].map((password) => threads.ask({ password })),
  );
  expect(answers).toMatchObject([
    { reason: { message: 'crashed' } },
    { value: 'one' },
    { reason: { message: 'crashed' } },
    { value: 'two' },
  ]);
});

test.runIf(process.platform === 'linux')(
  'the threads have a low priority, the process keeps its own',
  async () => {
    await hashPassword('correct horse');
    const nice = fs.readdirSync('/proc/self/task').map((task) => {
      const [, fields = ''] = fs.readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ');
      return Number(fields.split(' ')[16]);
    });
    const own = os.getPriority();
    expect(nice[0]).toBe(own);
    expect(nice).toContain(Math.max(12, own));
  },
);
