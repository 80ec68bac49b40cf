import type { RealtimeFromServer } from '#contract/realtime.ts';

/** What begins the name of the room that all sockets of a person are in. */
const personRoom = 'user:';

export const roomOfPerson = (userId: string): string => `${personRoom}${userId}`;
export const roomOfSession = (sessionId: string): string => `session:${sessionId}`;

/** Whose room it is. */
export const personIn = (room: string): string => room.slice(personRoom.length);

/** Called with what is about to be told here, and to whom; with no one for what is told to everyone. */
export type OnNews = (userIds: readonly string[], event: keyof RealtimeFromServer, said: unknown) => void;
