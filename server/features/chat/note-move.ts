import { createHash } from 'node:crypto';
import type { Db } from '../../platform/database/db.ts';
import type { ChatContext } from './context.ts';
import { memberIds } from './rooms.ts';
import * as store from './store.ts';
import { viewMessages } from './view-messages.ts';
import { messageOf } from '../orders/bookings/queries.ts';

/** What a move of a ride or a booking means for one room. */
export interface RoomMove {
  room: { id: string; rideId: string; bookingId: string | null };
  line: { move: string; name: string };
  /** People who enter; the room is opened for them. */
  enters?: readonly string[];
  leaves?: string;
  closes?: 'ended' | 'joined' | 'over';
}

/** Moves that may come with a message of the person who makes them. */
const asking: readonly string[] = ['ask', 'invite'];

/**
 * Applies a move to the rooms it concerns, and writes its line into each. Done once per signal; if the signal
 * is delivered again, the members get the line again.
 */
export async function noteMove(
  context: ChatContext,
  signal: { id: number; at: Date },
  moves: readonly RoomMove[],
): Promise<void> {
  const { transact, realtime } = context.platform;
  const lines = await transact(async (tx) => {
    const added: store.MessageRow[] = [];
    for (const move of moves) {
      const row = await applyMove(tx, signal, move);
      if (row !== null) added.push(row);
    }
    return added;
  });
  for (const { room } of moves) context.members.forget(room.id);
  for (const message of await viewMessages(context, lines)) {
    const { leaves } = moves.find(({ room }) => room.id === message.roomid) ?? {};
    const members = await memberIds(context, message.roomid);
    realtime.tell(members, 'message', message);
    // The room's members, and whether it is open, may have changed too.
    realtime.tell(leaves === undefined ? members : [...members, leaves], 'changed', {
      topic: 'room',
      id: message.roomid,
      news: null,
    });
  }
}

/**
 * Adds people to one room, writes the line, removes those who leave, and closes the room where the move does.
 */
async function applyMove(
  tx: Db,
  { id, at }: { id: number; at: Date },
  { room, line, enters = [], leaves, closes }: RoomMove,
): Promise<store.MessageRow | null> {
  if (enters.length > 0) await store.openRoom(tx, room, at);
  for (const userId of enters.toSorted()) await store.letIn(tx, room.id, userId, at);
  const words = asking.includes(line.move) ? await messageOf(tx, room.id) : '';
  const system: NonNullable<store.MessageRow['system']> = words === '' ? line : { ...line, words };
  const clientId = idOfSignal(id);
  const row = await store.addSystemLine(tx, { roomId: room.id, clientId, system, at });
  if (leaves !== undefined) await store.letOut(tx, room.id, leaves, at);
  if (closes !== undefined) await store.closeRoom(tx, room.id, closes, at);
  return row;
}

/** The same id for the same signal, so that a line delivered twice is written once. */
function idOfSignal(signalId: number): string {
  const hex = createHash('sha256').update(`signal:${signalId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
