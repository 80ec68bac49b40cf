import { randomUUID } from 'node:crypto';
import { mostShortcuts, type Shortcut } from '#contract/geo/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { notFound, Refusal } from '../../platform/refusal.ts';
import type { GeoContext } from './context.ts';
import { locatePlace } from './locate-place.ts';
import * as store from './store.ts';
import { showShortcut } from './view.ts';

type ShortcutFields = Place & { label: Shortcut['label']; labelText: string };

const recentPlaces = 8;

/** A person's shortcuts, and the places of their latest orders, each once. */
export async function listShortcuts(
  { platform: { db }, orders }: GeoContext,
  personId: string,
): Promise<{ shortcuts: Shortcut[]; recent: Place[] }> {
  const [kept, used] = await Promise.all([
    store.listShortcuts(db, personId),
    orders.latestPlaces(db, personId, 2 * recentPlaces),
  ]);
  const recent = new Map(used.toReversed().map((place) => [`${place.name}\n${place.detail}`, place]));
  const newestFirst = used.filter((place) => recent.get(`${place.name}\n${place.detail}`) === place);
  return { shortcuts: kept.map(showShortcut), recent: newestFirst.slice(0, recentPlaces) };
}

/** Stores a shortcut. Refuses what `locatePlace` refuses, and `address.tooMany` beyond 50. */
export async function createShortcut(
  context: GeoContext,
  personId: string,
  fields: ShortcutFields,
): Promise<Shortcut> {
  const { transact, clock } = context.platform;
  locatePlace(context, fields, 'name');
  const row = { id: randomUUID(), ownerId: personId, ...shortcutColumns(fields), createdAt: clock.now() };
  await transact(async (tx) => {
    const count = await store.lockAndCountShortcuts(tx, personId);
    if (count >= mostShortcuts)
      throw new Refusal(
        'address.tooMany',
        `You can save up to ${mostShortcuts} places. Please delete one first.`,
      );
    await store.insertShortcut(tx, { ...row, position: count });
  });
  return showShortcut({ ...row, position: 0 });
}

/** Changes a person's own shortcut. Refuses `address.notFound`, and what `locatePlace` refuses. */
export async function updateShortcut(
  context: GeoContext,
  personId: string,
  { id, ...fields }: ShortcutFields & { id: string },
): Promise<Shortcut> {
  locatePlace(context, fields, 'name');
  const change = shortcutColumns(fields);
  await context.platform.transact(async (tx) => {
    if (!(await store.updateShortcut(tx, personId, id, change))) throw notFound('address.notFound');
  });
  return { id, ...fields };
}

/** Removes a person's own shortcut. Refuses `address.notFound`. */
export async function removeShortcut(
  { platform: { transact } }: GeoContext,
  personId: string,
  shortcutId: string,
): Promise<void> {
  await transact(async (tx) => {
    if (!(await store.deleteShortcut(tx, personId, shortcutId))) throw notFound('address.notFound');
  });
}

const shortcutColumns = ({ label, labelText, name, detail, lon, lat }: ShortcutFields) => ({
  label,
  labelText,
  atName: name,
  atDetail: detail,
  atLon: lon,
  atLat: lat,
});
