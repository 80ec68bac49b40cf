import type { Clock } from './clock.ts';
import type { Db } from './database/db.ts';
import type { Transact } from './database/transact.ts';
import type { Env } from './env.ts';
import { addTask, emitByCommand, postEmail, type Outbox } from './events/outbox.ts';
import type { Realtime } from './realtime/realtime.ts';
import { noteDeed, type AuditLog } from './security/audit-log.ts';
import { createSignedTokens, type SignedTokens } from './security/signed-token.ts';

/**
 * The part of the platform for verbs that a command of the operator calls as well, where no server runs in
 * its process.
 */
export interface CommandPlatform {
  env: Pick<Env, 'publicUrl'>;
  db: Db;
  clock: Clock;
  transact: Transact;
  outbox: Pick<Outbox, 'post' | 'emit' | 'again'>;
  audit: Pick<AuditLog, 'note'>;
  signedTokens: SignedTokens;
  realtime: Pick<Realtime, 'tell' | 'drop'>;
}

/**
 * The platform of a command. Servers hear of what it commits by the log and by triggers: they send the
 * emails, end the open connections and forget what they keep in memory.
 */
export function commandPlatform({ db, env, now }: { db: Db; env: Env; now: Date }): CommandPlatform {
  const clock = { now: () => now };
  return {
    env,
    db,
    clock,
    transact: (_name, work) => db.transaction((tx) => work(tx, () => {})),
    outbox: {
      post: postEmail,
      emit: (tx, name, payload, key) => emitByCommand(tx, { name, payload, key }, now),
      again: addTask,
    },
    audit: { note: (tx, deed) => noteDeed(tx, deed, now) },
    signedTokens: createSignedTokens(db, clock),
    realtime: { tell: () => {}, drop: () => {} },
  };
}
