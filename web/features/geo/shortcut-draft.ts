import { useCallback, useSyncExternalStore } from 'react';
import { shortcutLabels, type Shortcut } from '#contract/geo/endpoints.ts';
import { draftStore } from '../../core/drafts.ts';
import * as shape from '../../core/shape.ts';

const shortcutDraft = shape.fields({
  /** Empty for a new one. */
  id: shape.text.catch(''),
  label: shape.oneOf(...shortcutLabels).catch('home'),
  labelText: shape.text.catch(''),
  place: shape.keptPlace.nullable().catch(null),
});
export type ShortcutDraft = shape.Shaped<typeof shortcutDraft>;

export const emptyShortcut: ShortcutDraft = { id: '', label: 'home', labelText: '', place: null };

const store = draftStore('shortcut', (raw) => shortcutDraft.safeParse(raw ?? {}).data ?? emptyShortcut);

export const readShortcutDraft = store.read;

/** Begins with a saved shortcut, or with an empty one of a label. */
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
