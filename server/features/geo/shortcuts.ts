import { randomUUID } from 'node:crypto';
import { mostShortcuts, type Shortcut } from '#contract/geo/endpoints.ts';
import type { Place } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { notFound, Refusal } from '../../platform/refusal.ts';
import { locatePlace } from './region-roads.ts';
import * as store from './store.ts';
import { showShortcut } from './view.ts';

type ShortcutFields = Place & { label: Shortcut['label']; labelText: string };

const recentPlaces = 8;

/** A person's shortcuts, and the places of their latest orders, each once. */
export async function listShortcuts(
  { db, ports }: App,
  personId: string,
): Promise<{ shortcuts: Shortcut[]; recent: Place[] }> {
  const [kept, used] = await Promise.all([
    store.listShortcuts(db, personId),
    ports.geo.latestPlaces(db, personId, 2 * recentPlaces),
  ]);
  const recent = new Map(used.toReversed().map((place) => [`${place.name}\n${place.detail}`, place]));
  const newestFirst = used.filter((place) => recent.get(`${place.name}\n${place.detail}`) === place);
  return { shortcuts: kept.map(showShortcut), recent: newestFirst.slice(0, recentPlaces) };
}

/** Stores a shortcut. Refuses what `locatePlace` refuses, and `address.tooMany` beyond 50. */
export async function createShortcut(app: App, personId: string, fields: ShortcutFields): Promise<Shortcut> {
  const { transact, clock } = app;
  locatePlace(app, fields, 'name');
  const row = { id: randomUUID(), ownerId: personId, ...shortcutColumns(fields), createdAt: clock.now() };
  await transact('create shortcut', async (tx) => {
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
  app: App,
  personId: string,
  { id, ...fields }: ShortcutFields & { id: string },
): Promise<Shortcut> {
  locatePlace(app, fields, 'name');
  const change = shortcutColumns(fields);
  await app.transact('update shortcut', async (tx) => {
    if (!(await store.updateShortcut(tx, personId, id, change))) throw notFound('address.notFound');
  });
  return { id, ...fields };
}

/** Removes a person's own shortcut. Refuses `address.notFound`. */
export async function removeShortcut({ transact }: App, personId: string, shortcutId: string): Promise<void> {
  await transact('remove shortcut', async (tx) => {
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
