import { expect, test } from 'vitest';
import { changeGroup, changePerson, type DirectoryPerson } from './changes.ts';

const ann: DirectoryPerson = {
  userName: 'ann@example.com',
  externalId: '1',
  givenName: 'Ann',
  familyName: 'Lee',
  displayName: 'Ann Lee',
  isActive: true,
};

test.each([
  ['Okta deactivates', [{ op: 'replace', value: { active: false } }], { isActive: false }],
  ['Azure deactivates', [{ op: 'Replace', path: 'active', value: 'False' }], { isActive: false }],
  ['a name by path', [{ op: 'Replace', path: 'name.givenName', value: 'Anna' }], { givenName: 'Anna' }],
  ['a name by dotted key', [{ op: 'add', value: { 'name.familyName': 'Li' } }], { familyName: 'Li' }],
  [
    'a name as an object',
    [{ op: 'replace', path: 'name', value: { givenName: 'A', familyName: 'B' } }],
    {
      givenName: 'A',
      familyName: 'B',
    },
  ],
  ['an email is not kept', [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'x@y.z' }], {}],
  [
    'an extension is not kept',
    [
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'IT',
      },
    ],
    {},
  ],
  ['a removal empties', [{ op: 'Remove', path: 'externalId' }], { externalId: '' }],
  [
    'several, in order',
    [
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'active', value: true },
    ],
    { isActive: true },
  ],
])('%s', (_, operations, changed) => {
  expect(changePerson(ann, operations)).toEqual({ ...ann, ...changed });
});

test.each([
  ['an unknown operation', { op: 'move', path: 'active', value: true }, 'invalidSyntax'],
  ['a removal without a path', { op: 'remove' }, 'noTarget'],
  ['active as a number', { op: 'replace', path: 'active', value: 1 }, 'invalidValue'],
  ['an empty userName', { op: 'replace', path: 'userName', value: ' ' }, 'invalidValue'],
  ['a long userName', { op: 'replace', path: 'userName', value: 'a'.repeat(255) }, 'invalidValue'],
  ['a broken path', { op: 'replace', path: 'name[', value: 'x' }, 'invalidPath'],
])('%s is refused', (_, operation, scimType) => {
  expect(() => changePerson(ann, [operation])).toThrow(expect.objectContaining({ status: 400, scimType }));
});

const group = { displayName: 'IT', externalId: '', memberIds: ['a', 'b'] };

test.each([
  ['Azure adds', { op: 'Add', path: 'members', value: [{ value: 'c' }, { value: 'a' }] }, ['a', 'b', 'c']],
  ['Okta removes', { op: 'remove', path: 'members[value eq "a"]' }, ['b']],
  ['Azure removes', { op: 'Remove', path: 'members', value: [{ value: 'b' }] }, ['a']],
  ['all are removed', { op: 'remove', path: 'members' }, []],
  ['all are replaced', { op: 'replace', path: 'members', value: [{ value: 'z' }] }, ['z']],
  ['replaced without a path', { op: 'replace', value: { members: [{ value: 'z' }] } }, ['z']],
])('%s members', (_, operation, memberIds) => {
  expect(changeGroup(group, [operation]).memberIds).toEqual(memberIds);
});

test('a group is renamed, and a member without an id refused', () => {
  expect(changeGroup(group, [{ op: 'Replace', path: 'displayName', value: 'Tech' }]).displayName).toBe(
    'Tech',
  );
  expect(() => changeGroup(group, [{ op: 'add', path: 'members', value: [{ display: 'x' }] }])).toThrow(
    'needs a value',
  );
});
