import type { FoundPlace, Shortcut } from '#contract/geo/endpoints.ts';
import type { PlaceRow, ShortcutRow } from './store.ts';

/** The line that distinguishes a place from others of its name: for a named place with its street. */
export function detailOf({
  kind,
  street,
  town,
  postcode,
}: Pick<PlaceRow, 'kind' | 'street' | 'town' | 'postcode'>): string {
  if (kind === 'address') return [town, postcode].filter(Boolean).join(' ');
  return kind === 'place' ? [street, town].filter(Boolean).join(', ') : town;
}

export function showPlace(row: PlaceRow & { detail: string }): FoundPlace {
  const { id, kind, name, detail, category, lon, lat } = row;
  return { id, kind, name, detail, category, lon, lat };
}

export const showShortcut = (row: ShortcutRow): Shortcut => ({
  id: row.id,
  label: row.label,
  labelText: row.labelText,
  name: row.atName,
  detail: row.atDetail,
  lon: row.atLon,
  lat: row.atLat,
});
