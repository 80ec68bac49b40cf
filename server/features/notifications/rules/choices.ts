import {
  firstChoices,
  notificationKinds,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';

type Kinds = NotificationChoices['kinds'];

/** Choices as an older version of the app, with fewer fields, may have saved them. */
export type SavedChoices = Omit<NotificationChoices, 'kinds' | 'location' | 'emailsBesidePush'> & {
  emailsBesidePush?: boolean;
  kinds: { [K in keyof Kinds]?: Partial<Kinds[K]> };
  location: Partial<NotificationChoices['location']>;
};

/** Completes saved choices with the defaults of fields added later. */
export function completeChoices(saved: SavedChoices | null): NotificationChoices {
  if (saved === null) return firstChoices;
  return {
    ...firstChoices,
    // Each channel was a choice of its own before one could follow the other.
    emailsBesidePush: true,
    ...saved,
    // A kind saved before push messages existed has no choice for them.
    kinds: Object.fromEntries(
      notificationKinds.map((kind) => [kind, { ...firstChoices.kinds[kind], ...saved.kinds[kind] }]),
    ) as Kinds,
    location: { ...firstChoices.location, ...saved.location },
  };
}
