import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { shortcutLabels, type Shortcut } from '#contract/geo/endpoints.ts';
import { place } from '#contract/units.ts';
import { draftStore } from '../../core/drafts.ts';

const shortcutDraft = z.object({
  /** Empty for a new one. */
  id: z.string().catch(''),
  label: z.enum(shortcutLabels).catch('home'),
  labelText: z.string().catch(''),
  place: place.nullable().catch(null),
});
export type ShortcutDraft = z.output<typeof shortcutDraft>;

export const emptyShortcut: ShortcutDraft = { id: '', label: 'home', labelText: '', place: null };

const store = draftStore('shortcut', (raw) => shortcutDraft.catch(emptyShortcut).parse(raw ?? {}));

export const readShortcutDraft = store.read;

/** Begins with a kept shortcut, or with an empty one of a label. */
export function beginShortcut(from: Shortcut | Pick<ShortcutDraft, 'label'>): void {
  if (!('id' in from)) store.write({ ...emptyShortcut, label: from.label });
  else {
    const { id, label, labelText, name, detail, lon, lat } = from;
    store.write({ id, label, labelText, place: { name, detail, lon, lat } });
  }
}

export function useShortcutDraft(): [ShortcutDraft, (part: Partial<ShortcutDraft>) => void] {
  const draft = useSyncExternalStore(store.subscribe, store.read);
  const change = useCallback((part: Partial<ShortcutDraft>) => store.write({ ...store.read(), ...part }), []);
  return [draft, change];
}
