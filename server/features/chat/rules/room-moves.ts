import type { RoomLine } from '#contract/chat/room-lines.ts';

/** The effect of a ride's or a booking's move on one room. */
export interface RoomMove {
  room: { id: string; rideId: string; bookingId: string | null };
  /** Derived from the move, so that its message is written once however often the move is heard. */
  clientId: string;
  move: RoomLine;
  /** The person whom the line names. */
  personId: string;
  at: Date;
  /** People who enter; the room is opened for them. */
  enters: readonly string[];
  leaves: string | null;
  closes: 'ended' | 'joined' | 'over' | null;
  /** Skip unless this person is a member. */
  onlyWith: string | null;
}

/** A locked room, its members, and which lines of the moves at hand it has already. */
export interface RoomState {
  /** False for a room that is opened by one of these moves. */
  isOpened: boolean;
  lastSeq: number;
  said: number;
  members: ReadonlySet<string>;
  lines: ReadonlySet<string>;
}

/** A line to write, and the members to whom it is sent. */
export interface MoveLine extends RoomMove {
  seq: number;
  said: number;
  tells: readonly string[];
}

/** The membership of a person after all moves. */
export interface Membership {
  roomId: string;
  userId: string;
  joinedAt: Date;
  leftAt: Date | null;
}

/**
 * Applies moves to rooms, in the order given. A move whose line is there already was applied before, and does
 * nothing; so does one in a room that is not open yet.
 */
export function applyMoves(
  rooms: ReadonlyMap<string, RoomState>,
  moves: readonly RoomMove[],
): { lines: MoveLine[]; memberships: Membership[] } {
  const states = new Map([...rooms].map(([id, room]) => [id, { ...room, members: new Set(room.members) }]));
  const memberships = new Map<string, Membership>();
  const written = new Set<string>();
  const lines: MoveLine[] = [];
  for (const move of moves) {
    const { room, clientId, enters, leaves, onlyWith, at } = move;
    const state = states.get(room.id);
    if (state === undefined) continue;
    if (enters.length > 0) state.isOpened = true;
    const key = `${room.id} ${clientId}`;
    if (!state.isOpened || state.lines.has(clientId) || written.has(key)) continue;
    if (onlyWith !== null && !state.members.has(onlyWith)) continue;
    written.add(key);
    for (const userId of enters) {
      state.members.add(userId);
      memberships.set(`${room.id} ${userId}`, { roomId: room.id, userId, joinedAt: at, leftAt: null });
    }
    if (leaves !== null && state.members.delete(leaves)) {
      const { joinedAt } = memberships.get(`${room.id} ${leaves}`) ?? { joinedAt: at };
      memberships.set(`${room.id} ${leaves}`, { roomId: room.id, userId: leaves, joinedAt, leftAt: at });
    }
    state.lastSeq++;
    lines.push({ ...move, seq: state.lastSeq, said: state.said, tells: [...state.members] });
  }
  return { lines, memberships: [...memberships.values()] };
}
