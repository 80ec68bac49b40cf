import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const isAlive = (pid: number): boolean => {
  try {
    // A process of another user counts as one.
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

test.each(['SIGKILL', 'SIGINT', 'SIGHUP'] as const)(
  'of a process that is ended by %s neither its PostgreSQL nor its folder stays',
  async (signal) => {
    const script = path.join(import.meta.dirname, '..', '..', 'testing', 'scratch-user.ts');
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const said = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').once('data', resolve);
      child.once('exit', () => reject(new Error('It ended by itself.')));
    });
    const { folder, pid } = z.object({ folder: z.string(), pid: z.number() }).parse(JSON.parse(said));
    expect([isAlive(pid), fs.existsSync(folder)]).toEqual([true, true]);
    child.kill(signal);
    await expect
      .poll(() => [isAlive(pid), fs.existsSync(folder)], { timeout: 60_000 })
      .toEqual([false, false]);
  },
);
