import type { ContactOrigin } from '#contract/contacts/endpoints.ts';
import type { Dice } from './seeded-random.ts';
import { contactsOfPeople, people } from './demo-data.ts';

const most = 12;

/** Pairs of contacts, each once: those chosen, those in tags, then neighbors and colleagues by chance. */
export function friendships(dice: Dice): [string, string, ContactOrigin][] {
  const pairs = new Map<string, [string, string, ContactOrigin]>();
  const friends = new Map(people.map(({ key }) => [key, 0]));
  const count = (key: string) => friends.get(key) ?? 0;
  const add = (a: string, b: string, origin: ContactOrigin) => {
    const name = [a, b].toSorted().join(' ');
    if (a === b || pairs.has(name)) return;
    pairs.set(name, [a, b, origin]);
    for (const key of [a, b]) friends.set(key, count(key) + 1);
  };
  for (const [owner, others] of Object.entries(contactsOfPeople.chosen))
    for (const other of others) add(owner, other, 'DIRECT');
  for (const [owner, tags] of Object.entries(contactsOfPeople.tags))
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
