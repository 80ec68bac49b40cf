import {
  firstChoices,
  notificationKinds,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';

/** Choices as they were saved, with what came later as it is before anybody chooses. */
export function completeChoices(saved: NotificationChoices | null): NotificationChoices {
  if (saved === null) return firstChoices;
  // A kind saved before push messages existed has no word on them.
  const kinds: Partial<NotificationChoices['kinds']> = saved.kinds;
  return {
    ...firstChoices,
    ...saved,
    kinds: Object.fromEntries(
      notificationKinds.map((kind) => [kind, { ...firstChoices.kinds[kind], ...kinds[kind] }]),
    ) as NotificationChoices['kinds'],
    location: { ...firstChoices.location, ...saved.location },
  };
}
