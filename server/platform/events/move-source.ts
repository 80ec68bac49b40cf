import type { SignalPayloads } from './signals.ts';

/**
 * What names the move of a booking, also where it is said twice: what it causes carries it, and is there
 * once.
 */
export const moveSource = ({
  payload: { bookingId, version, move },
}: {
  payload: SignalPayloads['booking.moved'];
}): string => `booking:${bookingId}:${version}:${move}`;
