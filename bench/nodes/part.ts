import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { programs } from './packages.ts';

const upWithinMs = 180_000;

/** The start of one part of the cluster, and the sign that it is up. */
export interface PartOptions {
  name: string;
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
  /** The user that it runs as; this process's own if left out. */
  user?: string;
  logFile: string;
  isUp: () => Promise<boolean>;
  /** Further processes that end with its machine. */
  others?: () => number[];
}

/** A part of the cluster: a program that can be killed without a warning, and started again. */
export class Part {
  readonly name: string;
  readonly #of: PartOptions;
  #running: ChildProcess | null = null;

  constructor(of: PartOptions) {
    this.name = of.name;
    this.#of = of;
  }

  async start(): Promise<void> {
    const { command, args, env, user, logFile } = this.#of;
    const log = fs.openSync(logFile, 'a');
    // They end with this process, whatever becomes of it.
    const own = ['--pdeathsig', 'KILL'];
    if (user !== undefined) own.push('--reuid', user, '--regid', user, '--init-groups');
    this.#running = spawn(programs.setpriv.file, [...own, command, ...args], {
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...env },
    });
    fs.closeSync(log);
    await this.untilUp();
  }

  /** Resolves when it is up. @throws Error with the end of its log when it does not come up. */
  async untilUp(): Promise<void> {
    const endsMs = performance.now() + upWithinMs;
    while (!(await this.#of.isUp().catch(() => false))) {
      if (performance.now() > endsMs) {
        const text = fs.readFileSync(this.#of.logFile, 'utf8').slice(-3000);
        throw new Error(`${this.name} does not come up:\n${text}`);
      }
      await sleep(50);
    }
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const others = this.#of.others?.() ?? [];
    const running = this.#running;
    if (running !== null && running.exitCode === null && running.signalCode === null) {
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGKILL');
      await ended;
    }
    for (const pid of others) killOne(pid);
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended with its parent.
  }
}

/** A process and all that it has started. */
export function withChildren(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return [
    pid,
    ...stdout
      .split('\n')
      .map(Number)
      .filter((child) => child > 0),
  ];
}

/** Whether an address answers with 200 over HTTP. */
export async function answers(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(2000) });
  await response.arrayBuffer();
  return response.status === 200;
}
