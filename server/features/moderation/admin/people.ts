import type { App } from '../../../app-type.ts';
import { movedOn, type Refusal } from '../../../platform/refusal.ts';
import { peopleByIds } from '../../identity/service.ts';

export const alreadySo = () => movedOn('admin.movedOn', 'Another admin already did this.');

/** The people with these ids, each once; null ids are those whose account is gone. */
export const peopleOf = (app: App, ids: readonly (string | null)[]) =>
  peopleByIds(app, [...new Set(ids.filter((id) => id !== null))]);

/** The first of the views. Throws `missing()` where there is none. */
export function only<T>([first]: readonly T[], missing: () => Refusal): T {
  if (first === undefined) throw missing();
  return first;
}
