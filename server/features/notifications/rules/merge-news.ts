import type { Changed } from '../../../platform/events/signals.ts';

/** A change that some people are notified of in the open app. */
export interface ToldNews {
  userIds: readonly string[];
  changed: Changed;
}

/**
 * The changes of a batch without repeats: each person gets a thing once, and once with each text there is
 * about it. In the order of the last of each.
 */
export function mergeNews(told: readonly ToldNews[]): ToldNews[] {
  const nameOf = ({ topic, id }: Changed) => `${topic} ${id}`;
  const merged = new Map<string, { userIds: Set<string>; changed: Changed }>();
  for (const { userIds, changed } of told) {
    const key = `${nameOf(changed)} ${changed.news ?? ''}`;
    const own = merged.get(key) ?? { userIds: new Set(), changed };
    for (const userId of userIds) own.userIds.add(userId);
    merged.delete(key);
    merged.set(key, own);
  }
  const withText = new Set(
    [...merged.values()].flatMap(({ userIds, changed }) =>
      changed.news === null ? [] : [...userIds].map((userId) => `${userId} ${nameOf(changed)}`),
    ),
  );
  return [...merged.values()]
    .map(({ userIds, changed }) => ({
      changed,
      userIds: [...userIds].filter(
        (userId) => changed.news !== null || !withText.has(`${userId} ${nameOf(changed)}`),
      ),
    }))
    .filter(({ userIds }) => userIds.length > 0);
}
