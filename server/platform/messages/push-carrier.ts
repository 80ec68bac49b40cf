import type { PushDevice } from './push-devices.ts';

/** The part of a message that a carrier gets. */
export interface Parcel {
  /** JSON (`Pushed`), as the app's service worker reads it. */
  text: string;
  /** How long the push service stores it for a device that cannot be reached. */
  seconds: number;
  /** Whether the device should be woken for it. */
  urgent: boolean;
}

/**
 * Hands a message to the service that reaches a device.
 * @returns whether it was taken; `ended` where the device gets nothing any more, `skipped` where the
 *   configuration does not send to it.
 * @throws Error when it could not be handed over; it is tried again.
 */
export type Carry = (device: PushDevice, parcel: Parcel) => Promise<'taken' | 'ended' | 'skipped'>;
