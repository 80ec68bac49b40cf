import type { contactOrigins } from '#contract/contacts/endpoints.ts';
import type { Dice } from './seeded-random.ts';
import { people } from './people.ts';
import { contactTags } from './contact-tags.ts';

type Origin = (typeof contactOrigins)[number];

const most = 12;

/** Contacts of the three accounts, so that a visitor meets known faces among the candidates. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  mia: ['grace', 'jasmine', 'camila'],
  leo: ['grace', 'jasmine', 'ivy', 'siyu', 'emily', 'kofi'],
  ada: ['yesenia', 'daniel', 'zhaomin', 'luis', 'tessa', 'oscar'],
};

/** People who ask to become a contact, so that a visitor has a request to answer. */
export const applications: readonly { from: string; to: string; message: string }[] = [
  {
    from: 'daniel',
    to: 'mia',
    message: 'We talked at the charger. I drive your way on Tuesdays.',
  },
  { from: 'zhaomin', to: 'leo', message: '您好，我也常去 Science Hill，以后可以一起拼车。' },
];

/** Pairs of contacts, each once: those chosen, those in tags, then neighbors and colleagues by chance. */
export function friendships(dice: Dice): [string, string, Origin][] {
  const pairs = new Map<string, [string, string, Origin]>();
  const friends = new Map(people.map(({ key }) => [key, 0]));
  const count = (key: string) => friends.get(key) ?? 0;
  const add = (a: string, b: string, origin: Origin) => {
    const name = [a, b].toSorted().join(' ');
    if (a === b || pairs.has(name)) return;
    pairs.set(name, [a, b, origin]);
    for (const key of [a, b]) friends.set(key, count(key) + 1);
  };
  for (const [owner, others] of Object.entries(chosen))
    for (const other of others) add(owner, other, 'DIRECT');
  for (const [owner, tags] of Object.entries(contactTags))
    for (const member of Object.values(tags).flat()) add(owner, member, 'PHONE_CONTACT');
  for (const one of people) {
    const wanted = dice.between(3, 7);
    const near = people.filter((each) => each.work === one.work || each.car !== null);
    for (const other of dice.shuffled([...near, ...people])) {
      if (count(one.key) >= wanted) break;
      if (count(other.key) < most)
        add(one.key, other.key, dice.pick(['DIRECT', 'FTF_QRCODE', 'PHONE_NUMBER', 'INVITE']));
    }
  }
  return [...pairs.values()];
}
