import type { Clock } from './clock.ts';
import type { Db } from './db.ts';
import type { Env } from './env.ts';
import type { Files } from './files.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Limit } from './limits.ts';
import type { Live } from './live.ts';
import type { Log } from './log.ts';
import type { LongRead } from './long-reads.ts';
import type { Memory } from './memory.ts';
import type { Outbox } from './outbox.ts';
import type { Push } from './push.ts';
import type { Seals } from './seal.ts';
import type { SecurityLog } from './security-log.ts';
import type { Transact } from './transact.ts';

/** What every feature stands on. */
export interface Platform {
  env: Env;
  log: Log;
  clock: Clock;
  db: Db;
  transact: Transact;
  longRead: LongRead;
  outbox: Outbox;
  push: Push;
  live: Live;
  memory: Pick<Memory, 'forget'>;
  limit: Limit;
  files: Files;
  uptime: Heartbeat;
  seals: Seals;
  security: SecurityLog;
}
