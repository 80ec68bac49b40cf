import type { EventRow } from './store.ts';

/**
 * Whether somebody may see an event: a public one everybody; one that is not its organizer, those who travel
 * to it, and whoever has its link.
 */
export const maySeeEvent = (
  event: Pick<EventRow, 'visibility' | 'organiserId' | 'travelled'>,
  viewerId: string | null,
  hasLink: boolean,
): boolean =>
  event.visibility === 'public' ||
  hasLink ||
  (viewerId !== null && (event.organiserId === viewerId || event.travelled));
