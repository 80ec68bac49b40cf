import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { Pushed } from '#contract/notifications/push-message.ts';
import type { Env } from '../env.ts';
import type { Carry } from './push-devices.ts';

const timeoutMs = 10_000;
/** Apple refuses a token that is older than an hour, and one that is renewed more than every 20 minutes. */
const tokenLifeMs = 40 * 60_000;
/** An identifier of messages that replace each other has up to 64 bytes. */
const mostOfTag = 64;
/** Apple's reasons when no message will reach the app on this phone any more. */
const endedReasons = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic', 'ExpiredToken', 'Unregistered']);

const refused = z.object({ reason: z.string() });
const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH, HTTP2_HEADER_STATUS } = constants;

/**
 * Push messages to iOS by Apple's push service: HTTP/2, with a token signed by the team's key. Null where no
 * key is configured.
 */
export function createApns({
  PHONE_APP_ID: topic,
  APPLE_TEAM_ID: teamId,
  APNS_KEY: key,
  APNS_KEY_ID: keyId,
  APNS_URL: url,
}: Pick<Env, 'PHONE_APP_ID' | 'APPLE_TEAM_ID' | 'APNS_KEY' | 'APNS_KEY_ID' | 'APNS_URL'>): {
  carry: Carry;
  close: () => void;
} | null {
  if (topic === undefined || teamId === undefined || key === undefined || keyId === undefined) return null;
  const line = createLine(url);
  let token = '';
  let signedAtMs = 0;

  async function signed(): Promise<string> {
    if (Date.now() - signedAtMs < tokenLifeMs) return token;
    token = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId! })
      .setIssuer(teamId!)
      .setIssuedAt()
      .sign(await importPKCS8(key!, 'ES256'));
    signedAtMs = Date.now();
    return token;
  }

  return {
    close: line.close,
    async carry({ endpoint }, { text, seconds, urgent }) {
      const { title, body, tag, path, unread } = JSON.parse(text) as Pushed;
      const { status, answer } = await line.post(
        `/3/device/${endpoint}`,
        {
          authorization: `bearer ${await signed()}`,
          'apns-topic': topic,
          'apns-push-type': 'alert',
          'apns-priority': urgent ? '10' : '5',
          'apns-expiration': String(Math.floor(Date.now() / 1000) + seconds),
          'apns-collapse-id': shortTag(tag),
        },
        { aps: { alert: { title, body }, badge: unread, sound: 'default', 'thread-id': tag }, path, tag },
      );
      if (status === 200) return 'taken';
      const reason = reasonOf(answer);
      if (status === 410 || endedReasons.has(reason)) return 'ended';
      // The next try signs a new token.
      if (status === 403) signedAtMs = 0;
      throw new Error(`Apple’s push service answered ${status} ${reason}`.trimEnd() + '.');
    },
  };
}

const shortTag = (tag: string): string =>
  Buffer.byteLength(tag) <= mostOfTag ? tag : createHash('sha256').update(tag).digest('hex');

function reasonOf(answer: string): string {
  try {
    return refused.parse(JSON.parse(answer)).reason;
  } catch {
    return '';
  }
}

/** One connection for all messages, as Apple wants it, opened when it is needed and again after it broke. */
function createLine(url: string) {
  let open: ClientHttp2Session | null = null;

  function session(): ClientHttp2Session {
    if (open !== null && !open.closed && !open.destroyed) return open;
    const opened = connect(url);
    const forget = () => {
      if (open === opened) open = null;
    };
    // A message under way hears of it by itself.
    opened.on('error', forget).on('goaway', forget).on('close', forget);
    // An idle connection keeps no process alive.
    opened.unref();
    open = opened;
    return opened;
  }

  return {
    close: () => open?.close(),

    async post(
      path: string,
      headers: Record<string, string>,
      content: unknown,
    ): Promise<{ status: number; answer: string }> {
      const stream = session().request(
        { ...headers, [HTTP2_HEADER_METHOD]: 'POST', [HTTP2_HEADER_PATH]: path },
        { signal: AbortSignal.timeout(timeoutMs) },
      );
      stream.end(JSON.stringify(content));
      const [[head], answer] = await Promise.all([
        once(stream, 'response') as Promise<[Record<string, unknown>]>,
        readAll(stream),
      ]);
      return { status: Number(head[HTTP2_HEADER_STATUS]), answer };
    },
  };
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}
