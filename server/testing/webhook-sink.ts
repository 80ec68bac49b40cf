import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks: accepts what the server posts, and checks it as the standard says. */
export interface WebhookSink {
  url: string;
  /** Everything received, whatever the answer was. */
  received: ReceivedEvent[];
  /** The answer from now on: a status, or none. */
  answer: number | 'never';
  headers: Record<string, string>;
  /** Answers what has had no answer so far, or the first of it. */
  answerHeld(status: number, most?: number): void;
  close(): Promise<void>;
}

export interface ReceivedEvent {
  id: string;
  timestamp: number;
  signatures: string[];
  text: string;
  body: { type: string; timestamp: string; data: Record<string, string> };
}

export async function openWebhookSink(): Promise<WebhookSink> {
  const received: ReceivedEvent[] = [];
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const header = (name: string) => String(request.headers[name] ?? '');
      received.push({
        id: header('webhook-id'),
        timestamp: Number(header('webhook-timestamp')),
        signatures: header('webhook-signature').split(' '),
        text,
        body: JSON.parse(text) as ReceivedEvent['body'],
      });
      if (sink.answer === 'never') held.push(response);
      else response.writeHead(sink.answer, sink.headers).end('so it says');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sink: WebhookSink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: 204,
    headers: {},
    answerHeld: (status, most = held.length) => {
      for (const response of held.splice(0, most)) response.writeHead(status).end();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return sink;
}

/** Whether a secret made one of the event's signatures, checked as a receiver's library does. */
export function isSignedWith({ id, timestamp, text, signatures }: ReceivedEvent, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const wanted = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`,
  );
  return signatures.some((each) => {
    const given = Buffer.from(each);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
