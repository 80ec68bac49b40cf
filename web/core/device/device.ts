import type { PhoneCarrier } from '#contract/notifications/endpoints.ts';

/** Where the device is. */
export interface DevicePosition {
  lon: number;
  lat: number;
  /** Where it is heading, clockwise from north; null where it does not move or does not know. */
  headingDegrees: number | null;
}

/** How to follow a device, whether or not the app is before the person. */
export interface Follower {
  moved: (at: DevicePosition) => void;
  /** The device does not know where it is, or the person does not allow it. */
  lost: (why: 'refused' | 'unknown') => void;
  /** What a phone shows for as long as it tells positions in the background. */
  notice: { title: string; text: string };
}

export interface Shared {
  title: string;
  text?: string;
  url: string;
}

/** What is posted from behind other apps. */
export interface DevicePost {
  headers: Record<string, string>;
  body: object;
  signal: AbortSignal;
}

/** Where push messages reach this device. */
export type PushAddress =
  | { kind: 'browser'; endpoint: string; p256dh: string; auth: string }
  | { kind: 'phone'; carrier: PhoneCarrier; token: string };

/** The state of push messages on this device: `askable` where the person has not been asked. */
export type PushStanding = 'unsupported' | 'installFirst' | 'blocked' | 'askable' | 'allowed';

export interface DevicePush {
  /** @param phones the carriers that the server sends through */
  standing: (phones: readonly PhoneCarrier[]) => Promise<PushStanding>;
  /** Asks the person; true where they allow it. */
  ask: () => Promise<boolean>;
  /** @throws Error where the push service does not answer. */
  subscribe: (of: { publicKey: string; channel: string }) => Promise<PushAddress>;
  /** Where messages reach it now; null where it is not subscribed. */
  address: () => Promise<PushAddress | null>;
  unsubscribe: () => Promise<void>;
}

/**
 * What the app asks of the machine it runs on: a browser, or the phone app, which is a browser with the phone
 * behind it. The pages do not know which.
 */
export interface Device {
  /** Null where the device does not know, or the person does not allow it. */
  position: (of: { withinMs: number; maxAgeMs: number }) => Promise<DevicePosition | null>;
  /** Follows the device; returns how to end that. A browser is followed while its page is open. */
  follow: (follower: Follower) => () => void;
  /**
   * Posts to this installation from behind other apps too, where phones slow down what a page fetches. Only a
   * browser hears the signal.
   */
  post: (path: string, of: DevicePost) => Promise<Response>;
  canShare: boolean;
  /** Opens the share sheet; `left` where the person closes it. */
  share: (what: Shared) => Promise<'shared' | 'left' | 'failed'>;
  /** The number on the app's icon. */
  showBadge: (count: number) => void;
  push: () => Promise<DevicePush>;
  /** Takes notifications off the screen: those with a tag, or all. */
  closeNotices: (tag?: string) => Promise<void>;
  /** Calls back with a path of this app for each link or notification that opens it. */
  followLinks: (open: (path: string) => void) => void;
  /** Opens a page of another site that leads back here. */
  leaveFor: (url: string) => void;
  /**
   * Has the phone's own account sign the person in.
   * @returns the provider's id_token; null where this device has no account of the provider, empty where the
   *   person left it.
   */
  idToken: (of: { authorizationUrl: string; nonce: string }) => Promise<string | null>;
}
