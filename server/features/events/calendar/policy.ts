import type { EventRow } from './store.ts';

/**
 * Whether a person may see an event: all people see a public one; its organizer, its travelers and holders of
 * its link see a private one.
 */
export const maySeeEvent = (
  event: Pick<EventRow, 'visibility' | 'organizerId' | 'travelled'>,
  viewerId: string | null,
  hasLink: boolean,
): boolean =>
  event.visibility === 'public' ||
  hasLink ||
  (viewerId !== null && (event.organizerId === viewerId || event.travelled));
