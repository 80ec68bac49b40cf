import type { Message } from './chat/endpoints.ts';
import type { CarPosition } from './trips/endpoints.ts';

export const realtimePath = '/live';

/** Messages of the server over the socket. All data is read by calls, so a lost connection loses nothing. */
export interface RealtimeFromServer {
  /** Data that the viewer may see has changed: reload it. */
  changed: (news: {
    topic:
      | 'order'
      | 'alert'
      | 'room'
      | 'review'
      | 'event'
      | 'profile'
      | 'contact'
      | 'licence'
      /** `id` is the notification, or with the news `read` the thing it was about. */
      | 'notification';
    id: string;
    news: string | null;
  }) => void;
  message: (message: Message) => void;
  /** Another person in one of the viewer's rooms is typing. */
  typing: (typing: { roomid: string; userId: string }) => void;
  /** Messages between the server's processes may have been lost: reload everything. */
  missed: () => void;
  /** The car's position during a ride; only to its driver and to passengers waiting or on board. */
  position: (position: CarPosition) => void;
  /** The clock was moved (demo only). */
  clock: (clock: { now: string }) => void;
}

/** Messages of the app over the socket: only what may be lost. */
export interface RealtimeFromClient {
  /** The renewed access token, which the socket uses from now on. */
  token: (fresh: { token: string }) => void;
  typing: (typing: { roomid: string }) => void;
}
