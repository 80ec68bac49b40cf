import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import { secretMadeOnce } from '../database/settings.ts';
import { newSecret } from './session.ts';

/** Short codes that carry ids and an end, signed with HMAC by a key of this installation. */
export interface SignedTokens {
  /** @param purpose a code of one purpose is worth nothing for another. */
  sign(purpose: string, ids: readonly string[], endsAt: Date): Promise<string>;
  /** The ids of a code; null when it is foreign, forged, over, or of another purpose. */
  verify(purpose: string, code: string): Promise<string[] | null>;
  /** A secret of the purpose that follows from the id, the same each time. */
  derive(purpose: string, id: string): Promise<string>;
}

const endBytes = 4;
const idBytes = 16;
const macBytes = 16;

/** The key is made at its first use and lives in the database, so that every process has the same. */
export function createSignedTokens(db: Db, clock: Clock): SignedTokens {
  let kept: Promise<string> | null = null;
  const key = () => {
    kept ??= secretMadeOnce(db, 'signingKey', newSecret).catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return kept;
  };
  const hmac = async (purpose: string, body: Buffer | string) =>
    createHmac('sha256', await key())
      .update(`${purpose}\n`)
      .update(body)
      .digest();
  return {
    async sign(purpose, ids, endsAt) {
      const end = Buffer.alloc(endBytes);
      end.writeUInt32BE(Math.floor(endsAt.getTime() / 1000));
      const body = Buffer.concat([end, ...ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'))]);
      const mac = (await hmac(purpose, body)).subarray(0, macBytes);
      return Buffer.concat([body, mac]).toString('base64url');
    },

    async verify(purpose, code) {
      if (!/^[\w-]{27,300}$/.test(code)) return null;
      const bytes = Buffer.from(code, 'base64url');
      const body = bytes.subarray(0, -macBytes);
      // One code has one writing: spare bits at the end of base64 are not a second one.
      if (bytes.toString('base64url') !== code || (body.length - endBytes) % idBytes !== 0) return null;
      const mac = (await hmac(purpose, body)).subarray(0, macBytes);
      if (!timingSafeEqual(mac, bytes.subarray(-macBytes))) return null;
      if (body.readUInt32BE(0) * 1000 <= clock.now().getTime()) return null;
      const ids: string[] = [];
      for (let at = endBytes; at < body.length; at += idBytes)
        ids.push(uuidOf(body.subarray(at, at + idBytes)));
      return ids;
    },

    derive: async (purpose, id) => (await hmac(`derive ${purpose}`, id)).toString('base64url'),
  };
}

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
