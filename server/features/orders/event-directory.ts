/** What orders read from events, a feature above them: `server/app.ts` passes it in. */
export interface EventDirectory {
  /** Whether there is such an event that this person may see. */
  exists(eventId: string, personId: string): Promise<boolean>;
  /** The names of events by id; those that the viewer may not see are left out. */
  eventNames(ids: readonly string[], viewerId: string | null): Promise<Map<string, string>>;
}
