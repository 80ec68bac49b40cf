import { useEffect, useSyncExternalStore } from 'react';
import type { Socket } from 'socket.io-client';
import type { Message } from '#contract/chat/endpoints.ts';
import { whereIsCar } from '#contract/trips/endpoints.ts';
import {
  mostOpeningMs,
  realtimePath,
  type LiveAnswer,
  type NewsTopic,
  type RealtimeFromClient,
  type RealtimeFromServer,
} from '#contract/realtime.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { toast } from '../ui/toasts.tsx';
import { call, freshAccessToken } from './api.ts';
import { setServerNow } from './clock.ts';
import { Refused } from './errors.ts';
import { i18n, loadRefusalWords, loadWords } from './i18n.ts';
import { keyOf } from './queries.ts';
import { invalidate, invalidateAbout, queryClient } from './query-client.ts';
import { followSession, isSignedIn, readSession } from './session.ts';

export type ConnectionState = 'online' | 'connecting' | 'offline';
type LiveSocket = Socket<RealtimeFromServer, RealtimeFromClient>;
type Typing = Parameters<RealtimeFromServer['typing']>[0];

/**
 * What to read again when something of a topic has changed: all `lists`, and of `prefixes` what is about the
 * thing that has changed.
 */
const readsOf: Record<NewsTopic, { lists: readonly string[]; prefixes: readonly string[] }> = {
  order: {
    lists: ['/order/list', '/order/next', '/series/list', '/review/pending'],
    prefixes: ['/order/', '/series/', '/event/', '/review/'],
  },
  alert: { lists: ['/alert/'], prefixes: [] },
  room: { lists: ['/im/room-list', '/im/unread-count'], prefixes: ['/im/'] },
  review: { lists: ['/review/', '/user/'], prefixes: ['/order/'] },
  event: { lists: ['/event/list'], prefixes: ['/event/', '/order/'] },
  profile: { lists: ['/user/'], prefixes: [] },
  license: { lists: ['/user/', '/admin/'], prefixes: [] },
  ticket: { lists: ['/feedback/', '/admin/ticket'], prefixes: [] },
  // A block hides orders, events and reviews too.
  contact: { lists: ['/contact/', '/tag/', '/order/', '/event/', '/review/'], prefixes: [] },
  notification: { lists: ['/notification/list', '/notification/unread-count'], prefixes: [] },
};

/** A connection that has not answered a call in time is not asked again: calls go over HTTP then. */
const liveCallMs = 8000;

let socket: LiveSocket | null = null;
let socketOf = '';
let saidToken = '';
let isAnswering = true;
let state: ConnectionState = 'online';
const stateListeners = new Set<() => void>();
const messageListeners = new Set<(message: Message) => void>();
const typingListeners = new Set<(typing: Typing) => void>();
const catchUpListeners = new Set<() => void>();
const newsListeners = new Set<(id: string, news: string) => void>();

function setState(next: ConnectionState): void {
  if (state === next) return;
  state = next;
  for (const listener of stateListeners) listener();
}

function disconnect(): void {
  socket?.disconnect();
  socket = null;
  socketOf = '';
}

/** @param readsSince when the app began to read as this person, in ms since 1970. */
async function connect(userId: string, readsSince: number): Promise<void> {
  disconnect();
  socketOf = userId;
  // The first connection of a page is being made, not lost; a failure to make it arrives by `connect_error`.
  setState(navigator.onLine ? 'online' : 'offline');
  // Only signed-in people need it, and not before the first screen.
  const [{ io }, roomNews] = await Promise.all([import('socket.io-client'), import('./room-news.ts')]);
  if (socketOf !== userId) return;
  let missedNews = false;
  let openingSince = readsSince;
  const opened: LiveSocket = io({
    path: realtimePath,
    transports: ['websocket'],
    // A fresh token at every attempt: the last one may have ended while the connection was down.
    auth: (give) => {
      freshAccessToken().then(
        (token) => {
          saidToken = token;
          openingSince = Date.now();
          give({ token, ...(missedNews ? {} : { readingForMs: openingSince - readsSince }) });
        },
        () => give({ token: '' }),
      );
    },
    reconnectionDelay: 500,
    reconnectionDelayMax: 10_000,
    randomizationFactor: 0.5,
  });
  socket = opened;
  opened.on('connect', () => {
    isAnswering = true;
    setState('online');
    // The first time, the server tells what has changed since the first reads. After a break everything is
    // read again.
    if (missedNews || Date.now() - openingSince > mostOpeningMs) void invalidate();
    missedNews = true;
    for (const listener of catchUpListeners) listener();
  });
  opened.on('missed', () => {
    void invalidate();
    for (const listener of catchUpListeners) listener();
  });
  // What the server has ended or refused is not tried again by itself. The session may be over: a call says
  // so, and why.
  const again = async () => {
    // Who has signed out meanwhile must not be asked who they are.
    if (socket !== opened) return;
    await call(readProfile, {}, { quiet: true }).catch(() => undefined);
    if (socket === opened) opened.connect();
  };
  opened.on('disconnect', (reason) => {
    setState(navigator.onLine ? 'connecting' : 'offline');
    if (reason === 'io server disconnect') void again();
  });
  opened.on('connect_error', () => {
    setState(navigator.onLine ? 'connecting' : 'offline');
    missedNews = true;
    if (!opened.active) setTimeout(() => void again(), 2000);
  });
  hear(opened, userId, roomNews);
}

/** What the server tells. */
function hear(
  opened: LiveSocket,
  userId: string,
  { takeMessage, takeRead }: typeof import('./room-news.ts'),
): void {
  opened.on('changed', ({ topic, id, news }) => {
    void invalidateAbout(id, readsOf[topic]);
    if (topic === 'notification') for (const listener of newsListeners) listener(id, news ?? '');
    if (news === 'alert.hit') toast.info(i18n.t('alerts:news'));
    if (news === 'series.refused')
      void loadWords(['recurring']).then(() => toast.error(i18n.t('recurring:refused')));
  });
  opened.on('message', (message) => {
    for (const listener of messageListeners) listener(message);
    takeMessage(message, userId);
  });
  opened.on('read', (mark) => takeRead(mark, userId));
  opened.on('typing', (typing) => {
    for (const listener of typingListeners) listener(typing);
  });
  opened.on('position', (position) => {
    queryClient.setQueryData(keyOf(whereIsCar, { id: position.rideId }), { position });
  });
  opened.on('clock', ({ now }) => {
    setServerNow(now);
    void invalidate();
  });
}

function follow(readsSince: number): void {
  const user = readSession();
  if (!isSignedIn(user)) {
    disconnect();
    setState(navigator.onLine ? 'online' : 'offline');
  } else if (user.id !== socketOf)
    connect(user.id, readsSince).catch(() => setTimeout(() => retry(readsSince), 5000));
  else if (user.accessToken !== saidToken && socket?.connected === true) {
    // The server ends a connection with its token, unless it hears of the next one.
    saidToken = user.accessToken;
    socket.emit('token', { token: saidToken });
  }
}

/** The live code itself could not be fetched: the next try starts from the beginning. */
function retry(readsSince: number): void {
  socketOf = '';
  follow(readsSince);
}

/** Keeps a live connection while a person is signed in. Called once, at launch. */
export function startRealtime(): void {
  follow(performance.timeOrigin);
  // A person who signs in later has read nothing before.
  followSession(() => follow(Date.now()));
  addEventListener('online', () => {
    if (!socket) {
      setState('online');
      return;
    }
    // A connection that was away for a moment can still call itself connected, alive or not, and one that is
    // down waits up to 15 s between two attempts: a new one is made at once in both cases.
    setState('connecting');
    socket.disconnect();
    socket.connect();
  });
  addEventListener('offline', () => setState('offline'));
}

/** Tells the others in a room that I am writing; lost where there is no connection. */
export function sayTyping(roomid: string): void {
  if (socket?.connected === true) socket.emit('typing', { roomid });
}

type LiveCalls = Pick<RealtimeFromClient, 'send' | 'read'>;
type AnswerTo<E extends keyof LiveCalls> =
  Parameters<LiveCalls[E]>[1] extends LiveAnswer<infer T> ? T : never;

/**
 * Makes a call over the live connection; null where there is none or it does not answer: the call is made
 * over HTTP then, and must do nothing where it has been done.
 * @throws Refused when the server says no.
 */
export async function callLive<E extends keyof LiveCalls>(
  event: E,
  input: Parameters<LiveCalls[E]>[0],
): Promise<AnswerTo<E> | null> {
  if (socket?.connected !== true || !isAnswering) return null;
  // The library's types know no event that is chosen by a parameter.
  const asked = socket.timeout(liveCallMs) as unknown as {
    emitWithAck(event: string, input: unknown): Promise<Parameters<LiveAnswer<AnswerTo<E>>>[0]>;
  };
  const answer = await asked.emitWithAck(event, input).catch(() => {
    isAnswering = false;
    return null;
  });
  if (answer === null) return null;
  if (answer.code === 200 && answer.data !== undefined) return answer.data;
  await loadRefusalWords();
  throw new Refused(answer);
}

function useListener<L>(listeners: Set<L>, listener: L): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listeners, listener]);
}

/** Calls back for every chat message that arrives, in any of my rooms. */
export const useMessages = (onMessage: (message: Message) => void): void =>
  useListener(messageListeners, onMessage);

/** Calls back when another person writes in a room of mine. */
export const useTypingNews = (onTyping: (typing: Typing) => void): void =>
  useListener(typingListeners, onTyping);

/**
 * Calls back when live updates may have been missed: what is followed live is then read on from its last
 * position.
 */
export const useCatchUp = (onCatchUp: () => void): void => useListener(catchUpListeners, onCatchUp);

/** Calls back for every notification (`id` is its id), and for what was read (`id` is what it was about). */
export const followNews = (listener: (id: string, news: string) => void): void =>
  void newsListeners.add(listener);

/**
 * Whether live updates arrive right now. Guests have no live connection and count as online while the network
 * is up.
 */
export function useConnectionState(): ConnectionState {
  return useSyncExternalStore(
    (listener) => {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    () => state,
  );
}
