import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { sendMessage, type Message } from '#contract/chat/endpoints.ts';
import { place, type Place } from '#contract/units.ts';
import { call } from '../../core/api.ts';
import { now } from '../../core/clock.ts';
import { Refused } from '../../core/errors.ts';
import { isSignedIn, readSession } from '../../core/session.ts';
import { stored } from '../../core/stored.ts';
import { uploadPicture } from '../../core/upload.ts';
import { dropPicture, keepPicture, keptPicture } from './kept-pictures.ts';

const outgoing = z.object({
  /** Made here once, so that a message sent twice is kept once. */
  clientId: z.string(),
  roomid: z.string(),
  userId: z.string(),
  text: z.string(),
  place: place.nullable().default(null),
  /** A picture's bytes are kept under `clientId`; `sentAs` once the server has them. */
  picture: z
    .object({ width: z.number(), height: z.number(), sentAs: z.string().nullable() })
    .nullable()
    .default(null),
  at: z.string(),
  /** Why the server would not take it; null while it waits to be sent. */
  refused: z.string().nullable(),
});
export type Outgoing = z.output<typeof outgoing>;

// Kept in the browser: what was typed without a connection is sent when it is back, even after a reload.
const queue = stored('outbox', (raw): Outgoing[] => {
  const parsed = z.array(outgoing).safeParse(raw);
  return parsed.success ? parsed.data : [];
});

const retryMs = { first: 1000, most: 30_000 };
let working = false;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | null = null;
const sentListeners = new Set<(message: Message) => void>();
const troubleListeners = new Set<() => void>();

function setFailures(count: number): void {
  failures = count;
  for (const listener of troubleListeners) listener();
}

const change = (edit: (all: Outgoing[]) => Outgoing[]) => queue.write(edit(queue.reread()));

/** A picture that was chosen, made small enough to send. */
export interface ChosenPicture {
  blob: Blob;
  width: number;
  height: number;
}

/** Puts a message at the end of the queue and starts sending. */
export async function say(
  roomid: string,
  said: { text: string } | { place: Place } | { picture: ChosenPicture },
): Promise<void> {
  const clientId = crypto.randomUUID();
  const at = new Date(now()).toISOString();
  const userId = readSession().id;
  const waiting: Outgoing = {
    clientId,
    roomid,
    userId,
    text: '',
    place: null,
    picture: null,
    at,
    refused: null,
  };
  if ('text' in said) waiting.text = said.text;
  else if ('place' in said) waiting.place = said.place;
  else {
    const { blob, width, height } = said.picture;
    await keepPicture(clientId, blob);
    waiting.picture = { width, height, sentAs: null };
  }
  change((all) => [...all, waiting]);
  void sendWaiting();
}

/** Tries a refused message again, with the same id. */
export function sayAgain(clientId: string): void {
  amend(clientId, { refused: null });
  void sendWaiting();
}

export function forget(clientId: string): void {
  change((all) => all.filter((each) => each.clientId !== clientId));
  void dropPicture(clientId);
}

const amend = (clientId: string, part: Partial<Outgoing>): void =>
  change((all) => all.map((each) => (each.clientId === clientId ? { ...each, ...part } : each)));

/**
 * Sends what waits, one after the other in the order it was typed; tries again later when there is no
 * connection.
 */
export async function sendWaiting(): Promise<void> {
  if (working) return;
  working = true;
  if (timer !== null) clearTimeout(timer);
  timer = null;
  try {
    // One tab at a time, so that the order holds over all of them.
    await ('locks' in navigator ? navigator.locks.request('sameway.outbox', drain) : drain());
  } finally {
    working = false;
  }
}

/** Sends one message; its own id keeps it from being said twice, so it needs no other key. */
async function send({ clientId, roomid, text, place, picture }: Outgoing): Promise<Message> {
  const options = { quiet: true, idempotencyKey: '' };
  if (picture !== null) {
    const sentAs = picture.sentAs ?? (await upload(clientId, picture));
    return call(sendMessage, { roomid, clientId, picture: sentAs }, options);
  }
  return call(sendMessage, { roomid, clientId, ...(place === null ? { text } : { place }) }, options);
}

async function upload(clientId: string, picture: NonNullable<Outgoing['picture']>): Promise<string> {
  const blob = await keptPicture(clientId);
  if (blob === null) throw new Refused({ code: 422, info: '', reason: 'upload.gone' });
  const { id } = await uploadPicture('chat', blob, () => undefined);
  amend(clientId, { picture: { ...picture, sentAs: id } });
  return id;
}

async function drain(): Promise<void> {
  for (;;) {
    const user = readSession();
    const next = queue.reread().find((each) => each.userId === user.id && each.refused === null);
    if (!next || !isSignedIn(user)) return;
    const { clientId } = next;
    try {
      const message = await send(next);
      setFailures(0);
      for (const listener of sentListeners) listener(message);
      forget(clientId);
    } catch (error) {
      if (error instanceof Refused && error.code !== 429) {
        if (error.code === 400) return;
        // A picture that the server no longer has is sent again from the start when the person wants it.
        const picture = next.picture && { ...next.picture, sentAs: null };
        amend(clientId, { refused: error.reason, picture });
        continue;
      }
      const wanted = error instanceof Refused ? Number(error.data['retryAfterSeconds']) * 1000 : 0;
      const backoff = Math.min(retryMs.first * 2 ** failures, retryMs.most);
      setFailures(failures + 1);
      timer = setTimeout(() => void sendWaiting(), Math.max(backoff, wanted || 0));
      return;
    }
  }
}

/**
 * Sends what an earlier visit left, and whatever waits when the connection is back. Called once, at launch.
 */
export function startOutbox(): void {
  void sendWaiting();
  addEventListener('online', () => void sendWaiting());
}

/**
 * My messages of a room that the server has not taken yet, in their order; `stuck` once an attempt has
 * failed.
 */
export function useOutgoing(roomid: string): { waiting: Outgoing[]; stuck: boolean } {
  const all = useSyncExternalStore(queue.subscribe, queue.read);
  const stuck = useSyncExternalStore(
    (listener) => {
      troubleListeners.add(listener);
      return () => troubleListeners.delete(listener);
    },
    () => failures > 0,
  );
  const userId = readSession().id;
  const waiting = useMemo(
    () => all.filter((each) => each.roomid === roomid && each.userId === userId),
    [all, roomid, userId],
  );
  return { waiting, stuck };
}

/** Calls back with every message of mine that the server has taken. */
export function useSent(onSent: (message: Message) => void): void {
  useEffect(() => {
    sentListeners.add(onSent);
    return () => {
      sentListeners.delete(onSent);
    };
  }, [onSent]);
}
