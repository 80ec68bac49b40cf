import type { RoomRow } from './store.ts';

const exactAfterEndMs = 24 * 3_600_000;

/**
 * Whether a member sees the exact places of the ride: its driver always, others while they ride along and a
 * day longer.
 */
export function isExact(
  room: Pick<RoomRow, 'driverId' | 'bookingId' | 'closedAt'>,
  viewerId: string,
  now: Date,
): boolean {
  if (viewerId === room.driverId) return true;
  if (room.bookingId !== null) return false;
  return room.closedAt === null || now.getTime() < room.closedAt.getTime() + exactAfterEndMs;
}
