import type { Clock } from './clock.ts';
import type { Db } from './database/db.ts';
import type { KeptStatements } from './database/kept-statements.ts';
import type { Env } from './env.ts';
import type { Erasure } from './erasure.ts';
import type { Files } from './storage/files.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Maintenance } from './maintenance.ts';
import type { Uptime } from './observability/uptime.ts';
import type { Drain } from './http/drain.ts';
import type { SharedCounts } from './http/shared-counts.ts';
import type { Tries } from './http/tries.ts';
import type { Realtime } from './realtime/realtime.ts';
import type { Log } from './observability/log.ts';
import type { LongRead } from './database/long-reads.ts';
import type { LaggingReads } from './database/replica.ts';
import type { Outbox } from './events/outbox.ts';
import type { EmailSender } from './messages/email.ts';
import type { PushSender } from './messages/push.ts';
import type { AuditLog } from './security/audit-log.ts';
import type { Proofs } from './security/proofs.ts';
import type { Seal } from './security/seal.ts';
import type { SignedTokens } from './security/signed-token.ts';
import type { SecurityLog } from './security/security-log.ts';
import type { Transactions } from './database/transact.ts';

/** The services that every feature uses. */
export interface Platform extends Transactions {
  env: Env;
  log: Log;
  clock: Clock;
  db: Db;
  kept: Pick<KeptStatements, 'run' | 'read'>;
  longRead: LongRead;
  /** For what may lag behind. */
  lagging: LaggingReads;
  outbox: Outbox;
  /**
   * For emails that must not wait in the queue, such as a test of the mail server. All others go through the
   * outbox.
   */
  mail: EmailSender;
  push: PushSender;
  /** The Redis of `REDIS_URL`; null without one. */
  redis: Pick<SharedCounts, 'isConnected'> | null;
  realtime: Realtime;
  tries: Tries;
  files: Files;
  uptime: Uptime;
  maintenance: Maintenance;
  metrics: Metrics;
  /** The state of stopping, which `/ready` reports. */
  drain: Drain;
  signedTokens: SignedTokens;
  seal: Seal;
  proofs: Proofs;
  security: SecurityLog;
  audit: AuditLog;
  /** Erases a person's rows in the platform's own tables. */
  erasure: Erasure;
}
