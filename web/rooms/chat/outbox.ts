import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { sendMessage, type Message } from '#contract/chat/endpoints.ts';
import { call } from '../../base/api.ts';
import { now } from '../../base/clock.ts';
import { Refused } from '../../base/errors.ts';
import { isSignedIn, readSession } from '../../base/session.ts';
import { stored } from '../../base/stored.ts';

const outgoing = z.object({
  /** Made here once, so that a message sent twice is kept once. */
  clientId: z.string(),
  roomid: z.string(),
  userId: z.string(),
  text: z.string(),
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

/** Puts a message at the end of the queue and starts sending. */
export function say(roomid: string, text: string): void {
  const clientId = crypto.randomUUID();
  const at = new Date(now()).toISOString();
  const userId = readSession().id;
  change((all) => [...all, { clientId, roomid, userId, text, at, refused: null }]);
  void sendWaiting();
}

/** Tries a refused message again, with the same id. */
export function sayAgain(clientId: string): void {
  change((all) => all.map((each) => (each.clientId === clientId ? { ...each, refused: null } : each)));
  void sendWaiting();
}

export const forget = (clientId: string): void =>
  change((all) => all.filter((each) => each.clientId !== clientId));

/** Sends what waits, one after the other in the order it was typed; tries again later when there is no connection. */
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

async function drain(): Promise<void> {
  for (;;) {
    const user = readSession();
    const next = queue.reread().find((each) => each.userId === user.id && each.refused === null);
    if (!next || !isSignedIn(user)) return;
    const { clientId, roomid, text } = next;
    try {
      const message = await call(sendMessage, { roomid, clientId, text }, { quiet: true });
      setFailures(0);
      for (const listener of sentListeners) listener(message);
      forget(clientId);
    } catch (error) {
      if (error instanceof Refused && error.code !== 429) {
        if (error.code === 400) return;
        change((all) =>
          all.map((each) => (each.clientId === clientId ? { ...each, refused: error.reason } : each)),
        );
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

/** Sends what an earlier visit left, and whatever waits when the connection is back. Called once, at launch. */
export function startOutbox(): void {
  void sendWaiting();
  addEventListener('online', () => void sendWaiting());
}

/** My messages of a room that the server has not taken yet, in their order; `stuck` once an attempt has failed. */
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
