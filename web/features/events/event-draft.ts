import { eventVisibilities, type Event } from '#contract/events/endpoints.ts';
import { draftStore } from '../../core/drafts.ts';
import * as shape from '../../core/shape.ts';
import { localOf } from '../../core/zoned-time.ts';

const uploaded = shape.fields({ id: shape.text, url: shape.text });

const eventDraft = shape.fields({
  /** The event that is edited; empty for a new one. */
  of: shape.text.catch(''),
  name: shape.text.catch(''),
  description: shape.text.catch(''),
  place: shape.keptPlace.nullable().catch(null),
  /** What clocks show at the place. */
  starts: shape.text.catch(''),
  ends: shape.text.catch(''),
  visibility: shape.oneOf(...eventVisibilities).catch('public'),
  expectedPeople: shape.whole().nullable().catch(null),
  /** A picture just uploaded; null takes the picture away, undefined leaves it. */
  picture: shape
    .valueOf(
      (raw): raw is shape.Shaped<typeof uploaded> | null | undefined =>
        raw === null || uploaded.safeParse(raw).success,
    )
    .catch(undefined),
});
export type EventDraft = shape.Shaped<typeof eventDraft>;

const empty: EventDraft = {
  of: '',
  name: '',
  description: '',
  place: null,
  starts: '',
  ends: '',
  visibility: 'public',
  expectedPeople: null,
  picture: undefined,
};

/** What is typed of an event and not sent yet. */
export const eventDrafts = draftStore('event', (raw) => eventDraft.safeParse(raw ?? {}).data ?? empty);

/** Begins with the current event. */
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
