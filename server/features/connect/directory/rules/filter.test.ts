import { expect, test } from 'vitest';
import { readFilter, readPath } from './filter.ts';

test.each([
  ['userName eq "ann@example.com"', { attribute: 'username', value: 'ann@example.com' }],
  ['USERNAME EQ "a \\"b\\" c"', { attribute: 'username', value: 'a "b" c' }],
  ['externalId eq "42"', { attribute: 'externalid', value: '42' }],
  ['active eq True', { attribute: 'active', value: true }],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', { attribute: 'username', value: 'a' }],
  ['userName sw "a"', null],
  ['userName eq "a" and active eq true', null],
  ['userName eq a', null],
  ['', null],
])('the filter %s', (text, read) => {
  expect(readFilter(text)).toEqual(read);
});

test.each([
  ['active', { attribute: 'active', filter: null }],
  ['name.givenName', { attribute: 'name.givenname', filter: null }],
  ['members', { attribute: 'members', filter: null }],
  ['members[value eq "7"]', { attribute: 'members', filter: { attribute: 'value', value: '7' } }],
  [
    'emails[type eq "work"].value',
    { attribute: 'emails.value', filter: { attribute: 'type', value: 'work' } },
  ],
  ['urn:ietf:params:scim:schemas:core:2.0:User:active', { attribute: 'active', filter: null }],
  ['members[value', null],
  ['', null],
])('the path %s', (text, read) => {
  expect(readPath(text)).toEqual(read);
});
