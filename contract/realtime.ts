import type { Message } from './chat/endpoints.ts';
import type { CarPosition } from './trips/endpoints.ts';

export const realtimePath = '/live';

/**
 * What the server says over the socket. Everything else is read by calls, so a lost connection loses nothing.
 */
export interface RealtimeFromServer {
  /** Something I may see has changed: read it again. */
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
      /** `id` is the news, or with the news `read` what it was about. */
      | 'notification';
    id: string;
    news: string | null;
  }) => void;
  message: (message: Message) => void;
  /** Somebody else in a room of mine is writing right now. */
  typing: (typing: { roomid: string; userId: string }) => void;
  /** News may have been lost between the server's processes: read everything again. */
  missed: () => void;
  /** Where the car of a ride under way is; only to its driver and to those who wait for it or sit in it. */
  position: (position: CarPosition) => void;
  /** The clock was moved (demo only). */
  clock: (clock: { now: string }) => void;
}

/** What an app says over the socket: only what may be lost. */
export interface RealtimeFromClient {
  /** The access token was renewed: the socket goes on with this one. */
  token: (fresh: { token: string }) => void;
  typing: (typing: { roomid: string }) => void;
}
