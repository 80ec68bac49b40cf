import { expect, test } from 'vitest';
import type { Contact } from '#contract/contacts/endpoints.ts';
import { groupByInitial } from './by-initial.ts';
import { searchContacts } from './search.ts';

const contact = (name: string, remark = '', tagIds: string[] = []): Contact => ({
  person: {
    id: name,
    name,
    avatar: '',
    rating: null,
    ratingCount: 0,
    completedRides: 0,
    verifiedDriver: false,
  },
  remark,
  tagIds,
  origin: 'DIRECT',
});
const contacts = [contact('Zoë Ruiz'), contact('adam Lee', 'from work'), contact('王芳', '', ['t1'])];
const tags = [{ id: 't1', name: 'Ski club', size: 1 }];
const names = (found: readonly Contact[]) => found.map(({ person }) => person.name);

test.each([
  ['zoe', ['Zoë Ruiz']],
  [' WORK', ['adam Lee']],
  ['ski', ['王芳']],
  ['王', ['王芳']],
  ['nobody', []],
])('%j finds %j', (text, found) => expect(names(searchContacts(contacts, tags, text))).toEqual(found));

test('the address book groups by the first letter, and keeps other scripts last', () => {
  expect(groupByInitial(contacts).map(({ initial, members }) => [initial, names(members)])).toEqual([
    ['A', ['adam Lee']],
    ['Z', ['Zoë Ruiz']],
    ['#', ['王芳']],
  ]);
});
