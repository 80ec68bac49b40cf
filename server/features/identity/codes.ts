import type { Platform } from '../../platform/platform.ts';
import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/origin.ts';
import { refuseField, Refusal } from '../../platform/refusal.ts';
import { tryLimits } from './policy.ts';
import {
  codeLifeMs,
  codeTries,
  hashCode,
  newCode,
  resendAfterSeconds,
  sameHash,
  type CodePurpose,
} from './rules/code.ts';
import * as store from './store.ts';

export type Codes = ReturnType<typeof createCodes>;

/**
 * Codes that prove whose an email address or a phone is. Codes asked for and tried wrongly from elsewhere
 * must not shut out the person the code is for, so asking and trying are counted for each network address
 * besides.
 */
export function createCodes({ clock, db, tries }: Platform) {
  return {
    /** Lets one code a minute go to a recipient, and a few an hour for one who asks. */
    async limitAsking(to: string, purpose: CodePurpose, origin: Origin): Promise<void> {
      await tries.count(`codes:${origin.address}`, tryLimits.codesPerAddress);
      await tries.count(`codes:${purpose}:${to}:${origin.address}`, tryLimits.codesPerAccountAndAddress);
      await tries.count(`code:${purpose}:${to}`, { most: 1, withinSeconds: resendAfterSeconds });
      await tries.count(`codes:${purpose}:${to}`, tryLimits.codesPerAccount);
    },

    /** A fresh code for a recipient; the one before stops working. */
    async make(tx: Db, to: string, purpose: CodePurpose): Promise<string> {
      const code = newCode();
      const now = clock.now();
      const codeHash = hashCode(await store.codeKey(tx), purpose, to, code);
      await store.keepCode(tx, {
        email: to,
        purpose,
        codeHash,
        sentAt: now,
        expiresAt: later(now, codeLifeMs),
      });
      return code;
    },

    /**
     * Checks a code and gives its id, to be taken in the transaction that acts on it. The try counts also
     * when the call is refused, so it stands in no transaction. Refuses `access.codeWrong`,
     * `access.codeExpired`.
     */
    async check(to: string, purpose: CodePurpose, code: string, origin: Origin): Promise<string> {
      await tries.count(`tries:${origin.address}`, tryLimits.codeTriesPerAddress);
      const open = await store.countTry(db, to, purpose, clock.now());
      if (open === null) throw codeExpired();
      try {
        const ofCode = { most: codeTries, withinSeconds: codeLifeMs / 1000 };
        await tries.count(`try:${open.id}:${origin.address}`, ofCode);
      } catch (error) {
        throw error instanceof Refusal ? codeExpired() : error;
      }
      if (!sameHash(open.codeHash, hashCode(await store.codeKey(db), purpose, to, code))) throw codeWrong();
      return open.id;
    },

    take: store.takeCode,
  };
}

const codeWrong = () => refuseField('access.codeWrong', 'code', 'This code is wrong.');
export const codeExpired = () =>
  refuseField('access.codeExpired', 'code', 'This code is no longer valid. Please ask for a new one.');
