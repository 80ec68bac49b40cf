import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Pushed } from '#contract/notifications/push-message.ts';

/**
 * A push service and a browser in one: takes what the server posts, and decrypts it as the subscribed browser
 * would.
 */
export interface PushSink {
  origin: string;
  /** The subscription that a browser hands over. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** The received messages, with their headers. */
  received: { message: Pushed; urgency: string; vapid: string }[];
  /** Its answer from now on; push services answer 201 when all is well. */
  answer: number;
  close(): void;
}

const pushed: z.ZodType<Pushed> = z.strictObject({
  title: z.string(),
  body: z.string(),
  tag: z.string(),
  path: z.string(),
  actions: z.array(z.strictObject({ title: z.string(), path: z.string() })),
  language: z.string(),
  atMs: z.number(),
  unread: z.number(),
});

export async function openPushSink(): Promise<PushSink> {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const received: PushSink['received'] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (sink.answer === 201) {
        const text = decrypt(Buffer.concat(parts), browser, auth);
        received.push({
          message: pushed.parse(JSON.parse(text)),
          urgency: String(request.headers['urgency']),
          vapid: request.headers.authorization ?? '',
        });
      }
      response.writeHead(sink.answer).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sink: PushSink = {
    origin,
    subscription: {
      endpoint: `${origin}/device`,
      keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    received,
    answer: 201,
    close: () => server.close(),
  };
  return sink;
}

/** RFC 8291 and RFC 8188, one record. */
function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const [salt, idLength] = [body.subarray(0, 16), body[20]!];
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const hkdf = (secret: Buffer, saltOf: Buffer, infoOf: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, saltOf, infoOf, length));
  const key = hkdf(browser.computeSecret(sender), auth, info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    hkdf(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    hkdf(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
