import type { Visitor } from '../../scripts/screens/visit.ts';
import { scenes } from '../../scripts/screens/scenes.ts';

/** The ten screens that are measured: the name, the visitor, and the scene of `npm run screens`. */
const measured: readonly [name: string, as: Visitor, scene: string][] = [
  ['intro', 'guest', 'intro'],
  ['home', 'guest', 'guest-home'],
  ['matches', 'passenger', 'matches'],
  ['detail', 'passenger', 'detail-joined'],
  ['chat', 'passenger', 'chat'],
  ['events', 'guest', 'events'],
  ['discover', 'passenger', 'discover'],
  ['account', 'passenger', 'account'],
  ['payments', 'passenger', 'payments'],
  ['statistics', 'admin', 'admin-statistics'],
];

/** The screens of these names, all where none is named. @throws Error for a name that is none of theirs. */
export function screensOf(names: readonly string[]) {
  const unknown = names.filter((name) => !measured.some(([each]) => each === name));
  if (unknown.length > 0)
    throw new Error(`Screens are ${measured.map(([name]) => name).join(', ')}; not ${unknown.join(', ')}.`);
  return measured
    .filter(([name]) => names.length === 0 || names.includes(name))
    .map(([name, as, sceneName]) => {
      const { path } = scenes.find((each) => each.name === sceneName)!;
      return { name, as, path };
    });
}
