import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import { createKeyRing } from './key-ring.ts';

/** Short codes that carry ids and an end, signed with HMAC by a key of this installation. */
export interface SignedTokens {
  /** @param purpose a code of one purpose is worth nothing for another. */
  sign(purpose: string, ids: readonly string[], endsAt: Date): Promise<string>;
  /** The ids of a code; null when it is foreign, forged, over, or of another purpose. */
  verify(purpose: string, code: string): Promise<string[] | null>;
  /** A secret of the purpose that follows from the id, the same until the key is replaced. */
  derive(purpose: string, id: string): Promise<string>;
  /** The secrets that follow from each key that still verifies, beginning with the one `derive` gives. */
  derivations(purpose: string, id: string): Promise<[string, ...string[]]>;
  /** Whether a text is one of them; the time it takes tells nothing of the secret. */
  isDerived(purpose: string, id: string, text: string): Promise<boolean>;
}

const endBytes = 4;
const idBytes = 16;
const macBytes = 16;

export function createSignedTokens(db: Db, clock: Clock): SignedTokens {
  const keys = createKeyRing(db, clock, 'signing');
  const hmac = (key: string, purpose: string, body: Buffer | string) =>
    createHmac('sha256', key).update(`${purpose}\n`).update(body).digest();
  const derived = (key: string, purpose: string, id: string) =>
    hmac(key, `derive ${purpose}`, id).toString('base64url');
  return {
    async sign(purpose, ids, endsAt) {
      const end = Buffer.alloc(endBytes);
      end.writeUInt32BE(Math.floor(endsAt.getTime() / 1000));
      const body = Buffer.concat([end, ...ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'))]);
      const mac = hmac(await keys.signing(), purpose, body).subarray(0, macBytes);
      return Buffer.concat([body, mac]).toString('base64url');
    },

    async verify(purpose, code) {
      if (!/^[\w-]{27,300}$/.test(code)) return null;
      const bytes = Buffer.from(code, 'base64url');
      const body = bytes.subarray(0, -macBytes);
      // One code has one writing: spare bits at the end of base64 are not a second one.
      if (bytes.toString('base64url') !== code || (body.length - endBytes) % idBytes !== 0) return null;
      const given = bytes.subarray(-macBytes);
      const isOurs = (key: string) => timingSafeEqual(hmac(key, purpose, body).subarray(0, macBytes), given);
      if (!(await keys.verifying()).some(isOurs)) return null;
      if (body.readUInt32BE(0) * 1000 <= clock.now().getTime()) return null;
      const ids: string[] = [];
      for (let at = endBytes; at < body.length; at += idBytes)
        ids.push(uuidOf(body.subarray(at, at + idBytes)));
      return ids;
    },

    derive: async (purpose, id) => derived(await keys.signing(), purpose, id),

    async derivations(purpose, id) {
      const [first, ...others] = await keys.verifying();
      return [derived(first, purpose, id), ...others.map((key) => derived(key, purpose, id))];
    },

    async isDerived(purpose, id, text) {
      const given = Buffer.from(text);
      return (await keys.verifying()).some((key) => {
        const right = Buffer.from(derived(key, purpose, id));
        return given.length === right.length && timingSafeEqual(given, right);
      });
    },
  };
}

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
