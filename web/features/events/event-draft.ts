import { z } from 'zod';
import { eventVisibilities, type Event } from '#contract/events/endpoints.ts';
import { place } from '#contract/units.ts';
import { draftStore } from '../../core/drafts.ts';
import { localOf } from '../../core/zoned-time.ts';

const eventDraft = z.object({
  /** The event that is edited; empty for a new one. */
  of: z.string().catch(''),
  name: z.string().catch(''),
  description: z.string().catch(''),
  place: place.nullable().catch(null),
  /** What clocks show at the place. */
  starts: z.string().catch(''),
  ends: z.string().catch(''),
  visibility: z.enum(eventVisibilities).catch('public'),
  expectedPeople: z.number().int().nullable().catch(null),
  /** A picture just uploaded; null takes the picture away, undefined leaves it. */
  picture: z.object({ id: z.string(), url: z.string() }).nullable().optional().catch(undefined),
});
export type EventDraft = z.output<typeof eventDraft>;

const empty = eventDraft.parse({});

/** What is typed of an event and not sent yet. */
export const eventDrafts = draftStore('event', (raw) => eventDraft.catch(empty).parse(raw ?? {}));

/** Begins with the event as it stands. */
export function editEvent(event: Event): void {
  const { id: of, name, description, place: at, visibility, expectedPeople, timeZone } = event;
  eventDrafts.write({
    ...empty,
    of,
    name,
    description,
    place: at,
    visibility,
    expectedPeople,
    starts: localOf(event.startsAt, timeZone),
    ends: localOf(event.endsAt, timeZone),
  });
}
