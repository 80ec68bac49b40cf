import type { SignalPayloads } from './signals.ts';

/**
 * What names the move of a booking, also where it is said twice: what it causes carries it, and is there
 * once.
 */
export const moveSource = ({
  id,
  payload: { bookingId, version, move },
}: {
  id: number;
  payload: SignalPayloads['booking.moved'];
}): string =>
  // A signal of an earlier release says no version.
  version === undefined ? `signal:${id}` : `booking:${bookingId}:${version}:${move}`;
