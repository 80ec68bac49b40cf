import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { sendMessage, type Message } from '#contract/chat/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { call } from '../../core/api.ts';
import { now } from '../../core/clock.ts';
import { Refused } from '../../core/errors.ts';
import { offlineQueue, queuedItem, type OfflineQueue } from '../../core/offline-queue.ts';
import { callLive } from '../../core/realtime.ts';
import { readSession } from '../../core/session.ts';
import * as shape from '../../core/shape.ts';
import { uploadPicture } from '../../core/upload.ts';
import { newId } from '../../core/new-id.ts';
import { dropPicture, keepPicture, keptPicture } from './kept-pictures.ts';

const outgoing = shape.fields({
  ...queuedItem,
  /** Made here once, so that a message sent twice is stored once. */
  clientId: shape.text,
  roomid: shape.text,
  text: shape.text,
  place: shape.keptPlace.nullable().catch(null),
  /** A picture's bytes are stored under `clientId`; `sentAs` once the server has them. */
  picture: shape
    .fields({ width: shape.figure, height: shape.figure, sentAs: shape.text.nullable() })
    .nullable()
    .catch(null),
  at: shape.text,
  /** Why the server would not take it; null while it waits to be sent. */
  refused: shape.text.nullable(),
});
export type Outgoing = shape.Shaped<typeof outgoing>;

const sentListeners = new Set<(message: Message) => void>();

const queue: OfflineQueue<Outgoing> = offlineQueue({
  name: 'outbox',
  schema: outgoing,
  keyOf: ({ clientId }) => clientId,
  thingOf: ({ roomid }) => roomid,
  send: async (item) => {
    const message = await send(item);
    for (const listener of sentListeners) listener(message);
    void dropPicture(item.clientId);
  },
  onRefused: ({ clientId, picture }, { reason }) =>
    // A picture that the server no longer has is sent again from the start when the person wants it.
    queue.amend(clientId, { refused: reason, picture: picture && { ...picture, sentAs: null } }),
});

/** Sends what an earlier visit left, and whatever waits when the connection is back. */
export const startOutbox = queue.start;
export const sendWaiting = queue.send;

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
  const clientId = newId();
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
    waited: false,
    refused: null,
  };
  if ('text' in said) waiting.text = said.text;
  else if ('place' in said) waiting.place = said.place;
  else {
    const { blob, width, height } = said.picture;
    await keepPicture(clientId, blob);
    waiting.picture = { width, height, sentAs: null };
  }
  queue.add(waiting);
}

/** Tries a refused message again, with the same id. */
export function sayAgain(clientId: string): void {
  queue.amend(clientId, { refused: null });
  void queue.send();
}

export function forget(clientId: string): void {
  queue.forget(clientId);
  void dropPicture(clientId);
}

/**
 * Sends one message, over the live connection where there is one; its own id keeps it from being said twice,
 * so it needs no other key.
 */
async function send({ clientId, roomid, text, place, picture }: Outgoing): Promise<Message> {
  const said =
    picture !== null
      ? { picture: picture.sentAs ?? (await upload(clientId, picture)) }
      : place !== null
        ? { place }
        : { text };
  const line = { roomid, clientId, ...said };
  return (await callLive('send', line)) ?? call(sendMessage, line, { quiet: true, idempotencyKey: '' });
}

async function upload(clientId: string, picture: NonNullable<Outgoing['picture']>): Promise<string> {
  const blob = await keptPicture(clientId);
  if (blob === null) throw new Refused({ code: 422, info: '', reason: 'upload.gone' });
  const { id } = await uploadPicture('chat', blob, () => undefined);
  queue.amend(clientId, { picture: { ...picture, sentAs: id } });
  return id;
}

/**
 * My messages of a room that the server has not taken yet, in their order; `stuck` once an attempt has
 * failed.
 */
export function useOutgoing(roomid: string): { waiting: Outgoing[]; stuck: boolean } {
  const all = useSyncExternalStore(queue.subscribe, queue.read);
  const userId = readSession().id;
  const waiting = useMemo(
    () => all.filter((each) => each.roomid === roomid && each.userId === userId),
    [all, roomid, userId],
  );
  return { waiting, stuck: waiting.some(({ waited, refused }) => waited && refused === null) };
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
