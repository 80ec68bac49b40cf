/** The room that all sockets of a person are in. */
export const roomOfPerson = (userId: string): string => `user:${userId}`;
export const roomOfSession = (sessionId: string): string => `session:${sessionId}`;
