import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool } from 'pg';

const urlOf = (file: string) => pathToFileURL(path.join(import.meta.dirname, file)).href;

/** A sandbox in a process of its own, on the database of the given pool, which can be killed at any point. */
export class SandboxProcess {
  readonly #poolOf: () => Pool;
  readonly #secretKey: string;
  #child: ChildProcess | null = null;

  /** @param poolOf is asked at each start, because tests open their database later than they are declared. */
  constructor(poolOf: () => Pool, secretKey: string) {
    this.#poolOf = poolOf;
    this.#secretKey = secretKey;
  }

  /** @param dieAt the POST between whose commit and answer it kills itself, from 1; 0 never. */
  async start(port: number, dieAt = 0): Promise<void> {
    const { host, port: databasePort, user, password, database, ...rest } = this.#poolOf().options;
    const connectionString: unknown = Reflect.get(rest, 'connectionString');
    const input = {
      connection: { host, port: databasePort, user, password, database, connectionString },
      at: port,
      dieAt,
      secretKey: this.#secretKey,
    };
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(input)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.stdout?.once('data', () => resolve());
      child.once('exit', (code) => reject(new Error(`It ended with ${String(code)}.`)));
    });
  }

  /** Waits until the process has ended. @returns the signal that ended it. */
  async ended(): Promise<NodeJS.Signals | null> {
    const child = this.#child;
    if (child === null) return null;
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => child.once('exit', resolve));
    return child.signalCode;
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.ended();
  }
}

const program = `
  import { createSandbox } from ${JSON.stringify(urlOf('../../stripe-sandbox/server.ts'))};
  import { databaseOf, openPool } from ${JSON.stringify(urlOf('../platform/database/db.ts'))};
  import { MovableClock } from ${JSON.stringify(urlOf('../platform/clock.ts'))};
  const { connection, at, dieAt, secretKey } = JSON.parse(process.argv[1]);
  const pool = openPool(connection, () => undefined);
  const log = { error: (...all) => console.error(...all) };
  const sandbox = createSandbox({ db: databaseOf(pool), clock: new MovableClock(), log, secretKey });
  let answers = 0;
  sandbox.app.addHook('onSend', async (request) => {
    if (request.method === 'POST' && ++answers === dieAt) process.kill(process.pid, 'SIGKILL');
  });
  await sandbox.listen(at);
  console.log('listening');
`;
