import {
  firstChoices,
  notificationKinds,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';

type Kinds = NotificationChoices['kinds'];

/** Choices as a version of the app that had fewer of them may have saved them. */
export type SavedChoices = Omit<NotificationChoices, 'kinds' | 'location'> & {
  kinds: { [K in keyof Kinds]?: Partial<Kinds[K]> };
  location: Partial<NotificationChoices['location']>;
};

/** Choices as they were saved, with what came later as it is before anybody chooses. */
export function completeChoices(saved: SavedChoices | null): NotificationChoices {
  if (saved === null) return firstChoices;
  return {
    ...firstChoices,
    ...saved,
    // A kind saved before push messages existed has no word on them.
    kinds: Object.fromEntries(
      notificationKinds.map((kind) => [kind, { ...firstChoices.kinds[kind], ...saved.kinds[kind] }]),
    ) as Kinds,
    location: { ...firstChoices.location, ...saved.location },
  };
}
