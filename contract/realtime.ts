import type { markRead, Message, sendMessage } from './chat/endpoints.ts';
import type { InputOf, OutputOf } from './define.ts';
import type { Envelope } from './envelope.ts';
import type { CarPosition } from './trips/endpoints.ts';

export const realtimePath = '/live';

/**
 * When an app opens its socket, it says for how long it has been reading (`readingForMs`), and the server
 * sends what has changed since. If opening takes longer than this, the server may go back too little, and the
 * app reads everything again.
 */
export const mostOpeningMs = 5000;

export type NewsTopic =
  | 'order'
  | 'alert'
  | 'room'
  | 'review'
  | 'event'
  | 'profile'
  | 'contact'
  | 'license'
  | 'ticket'
  /** `id` is the notification, or with the topic `read` the thing it was about. */
  | 'notification';

/** Messages of the server over the socket. All data is read by calls, so a lost connection loses nothing. */
export interface RealtimeFromServer {
  /** Data that the viewer may see has changed: reload it. */
  changed: (news: { topic: NewsTopic; id: string; news: string | null }) => void;
  message: (message: Message) => void;
  /** A member has read up to a position; `unread` is what is left to that member. */
  read: (mark: { roomid: string; userId: string; seq: number; unread: number }) => void;
  /** Another person in one of the viewer's rooms is typing. */
  typing: (typing: { roomid: string; userId: string }) => void;
  /** It is not known what has changed: reload everything. */
  missed: () => void;
  /** The car's position during a ride; only to its driver and to passengers waiting or on board. */
  position: (position: CarPosition) => void;
  /** The clock was moved (demo only). */
  clock: (clock: { now: string }) => void;
}

/**
 * The server's answer to a call that an app makes over its socket; null where it has trouble: the same call
 * over HTTP says which.
 */
export type LiveAnswer<T> = (answer: Envelope<T> | null) => void;

/**
 * Messages of the app over the socket: what may be lost, and calls of the contract that each app makes again
 * and again.
 */
export interface RealtimeFromClient {
  /** The renewed access token, which the socket uses from now on. */
  token: (fresh: { token: string }) => void;
  typing: (typing: { roomid: string }) => void;
  send: (said: InputOf<typeof sendMessage>, answer: LiveAnswer<OutputOf<typeof sendMessage>>) => void;
  read: (mark: InputOf<typeof markRead>, answer: LiveAnswer<OutputOf<typeof markRead>>) => void;
}
