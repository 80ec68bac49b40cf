import { randomUUID } from 'node:crypto';
import type { Db } from '../../server/platform/database/db.ts';
import { hashSecret, newSecret } from '../../server/platform/security/session.ts';
import { chatMembers, chatRooms } from '../../server/schema/chat.ts';
import { sessions, users } from '../../server/schema/identity.ts';
import { rides } from '../../server/schema/rides.ts';
import { openRide } from '../../server/testing/orders.ts';

const dayMs = 86_400_000;

/** A person who is signed in and may write in one room. */
export interface Writer {
  userId: string;
  token: string;
  roomid: string;
}

/**
 * Writes people, their sessions and the rooms they ride in into an empty database; `perRoom` of them in each.
 */
export async function drawCrowd(db: Db, people: number, perRoom: number): Promise<Writer[]> {
  const now = new Date();
  const later = new Date(now.getTime() + dayMs);
  const drawn = Array.from({ length: people }, (_, index) => ({
    id: randomUUID(),
    token: newSecret(),
    name: `Person ${index}`,
  }));
  const writers: Writer[] = [];
  for (let first = 0; first < people; first += perRoom) {
    const inRoom = drawn.slice(first, first + perRoom);
    await db.insert(users).values(
      inRoom.map(({ id, name }) => ({
        id,
        name,
        email: `${id}@example.com`,
        passwordHash: '',
        emailVerifiedAt: now,
        profileCompletedAt: now,
        createdAt: now,
      })),
    );
    await db.insert(sessions).values(
      inRoom.map(({ id, token }) => ({
        id: randomUUID(),
        userId: id,
        family: randomUUID(),
        accessHash: hashSecret(token),
        refreshHash: hashSecret(newSecret()),
        expiresAt: later,
        refreshExpiresAt: later,
        createdAt: now,
      })),
    );
    const ride = openRide({ driverId: inRoom[0]!.id, departsAt: later });
    await db.insert(rides).values(ride);
    await db.insert(chatRooms).values({ id: ride.id, rideId: ride.id, bookingId: null, createdAt: now });
    await db
      .insert(chatMembers)
      .values(inRoom.map(({ id }) => ({ roomId: ride.id, userId: id, joinedAt: now })));
    writers.push(...inRoom.map(({ id, token }) => ({ userId: id, token, roomid: ride.id })));
  }
  return writers;
}
