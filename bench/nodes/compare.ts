import type { Client } from 'pg';
import { compareLines, keptLines, type KeptLine } from '../../server/testing/acknowledged/lines.ts';
import type { Pairing } from './people.ts';

/** Acknowledged rows that are missing, there twice, or in another order. */
export interface Compared {
  lost: string[];
  doubled: string[];
  reordered: string[];
}

interface Kept {
  rides: Map<string, number>;
  requests: Map<string, number>;
  /** Bookings by request. */
  bookings: Map<string, { id: string; state: string }[]>;
  lines: Map<string, KeptLine[]>;
}

/** Compares the answers that people got with the rows of the database and what their screens showed. */
export async function compare(client: Client, all: readonly Pairing[]): Promise<Compared> {
  const kept = await read(client);
  const found: Compared = { lost: [], doubled: [], reordered: [] };
  for (const met of all) compareOne(met, kept, found);
  return found;
}

function compareOne(met: Pairing, kept: Kept, found: Compared): void {
  const { lost, doubled, reordered } = found;
  const { driverId, passengerId, rideId, requestId, bookingId, isAccepted, lines, screens } = met;
  for (const [what, id, count] of [
    ['ride', rideId, kept.rides.get(driverId) ?? 0],
    ['request', requestId, kept.requests.get(passengerId) ?? 0],
  ] as const) {
    if (id !== null && count === 0) lost.push(`${what} ${id}`);
    if (count > 1) doubled.push(`${what} of ${what === 'ride' ? driverId : passengerId}`);
  }
  const bookings = kept.bookings.get(requestId ?? '') ?? [];
  if (bookings.length > 1) doubled.push(`booking of request ${requestId}`);
  const booking = bookings.find(({ id }) => id === bookingId);
  if (bookingId !== null && booking === undefined) lost.push(`booking ${bookingId}`);
  if (isAccepted && booking?.state !== 'joined') lost.push(`acceptance of ${bookingId}`);

  const room = kept.lines.get(rideId ?? '') ?? [];
  const told = room.flatMap(({ system }) => system ?? []);
  if (new Set(told).size < told.length) doubled.push(`line of the system in ${rideId}`);
  const said = compareLines(
    kept.lines,
    lines.map((each) => ({ ...each, roomId: rideId ?? '' })),
  );
  for (const what of ['lost', 'doubled', 'reordered'] as const) found[what].push(...said[what]);
  const inOrder = room.filter(({ senderId }) => senderId !== null).map(({ text }) => text);
  for (const screen of screens) {
    const shown = inOrder.filter((text) => screen.includes(text));
    lost.push(
      ...inOrder
        .filter((text) => !screen.includes(text))
        .map((text) => `line ${text} on a screen of ${rideId}`),
    );
    if (screen.length > shown.length) doubled.push(`line on a screen of ${rideId}`);
    else if (screen.some((text, at) => text !== shown[at])) reordered.push(`lines on a screen of ${rideId}`);
  }
}

async function read(client: Client): Promise<Kept> {
  const counted = async (table: 'rides' | 'requests', owner: string) => {
    const { rows } = await client.query<{ id: string; count: number }>(
      `select ${owner} as id, count(*)::int as count from ${table} group by 1`,
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  };
  const { rows: bookings } = await client.query<{ id: string; request: string; state: string }>(
    'select id, request_id as request, state from bookings',
  );
  return {
    rides: await counted('rides', 'driver_id'),
    requests: await counted('requests', 'passenger_id'),
    bookings: Map.groupBy(bookings, ({ request }) => request) as Kept['bookings'],
    lines: await keptLines(client),
  };
}
