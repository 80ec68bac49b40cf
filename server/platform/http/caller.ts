/** The signed-in person behind a request. */
export interface Caller {
  userId: string;
  sessionId: string;
  isAdmin: boolean;
}
