import { readPath } from './filter.ts';
import { ScimError } from './scim-error.ts';

/** The stored facts of a person that a directory manages. */
export interface DirectoryPerson {
  userName: string;
  externalId: string;
  givenName: string;
  familyName: string;
  displayName: string;
  isActive: boolean;
}

/** One operation of a PATCH, as received. */
export interface ScimOperation {
  op: string;
  path?: string | undefined;
  value?: unknown;
}

/** A stored group: its names and the ids of its members. */
export interface DirectoryGroup {
  displayName: string;
  externalId: string;
  memberIds: readonly string[];
}

type Kind = 'add' | 'replace' | 'remove';

/** Some directories write `Add` instead of `add`. */
function kindOf(op: string): Kind {
  const kind = op.toLowerCase();
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
    throw new ScimError(400, 'invalidSyntax', `The operation ${op.slice(0, 40)} is not known.`);
  return kind;
}

/** Some directories send booleans as strings. */
export function booleanOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new ScimError(400, 'invalidValue', 'active must be true or false.');
}

/** A text of a change, no longer than a complete person or group may send it. */
function textOf(attribute: string, value: unknown, most: number): string {
  if (typeof value !== 'string') throw new ScimError(400, 'invalidValue', `${attribute} must be a text.`);
  if (value.length > most)
    throw new ScimError(400, 'invalidValue', `${attribute} must have at most ${most} characters.`);
  return value.trim();
}

/** The most characters of each attribute. */
export const mostOf = {
  userName: 254,
  externalId: 254,
  givenName: 200,
  familyName: 200,
  displayName: 200,
  groupName: 1000,
} as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textAttributes = {
  username: 'userName',
  externalid: 'externalId',
  displayname: 'displayName',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
} as const satisfies Record<string, Exclude<keyof DirectoryPerson, 'isActive'>>;

/**
 * Applies the operations of a PATCH (RFC 7644, 3.5.2) to a person, in the forms that Azure and Okta use.
 * Ignores attributes that Sameway does not store.
 * @throws ScimError
 */
export function changePerson(person: DirectoryPerson, operations: readonly ScimOperation[]): DirectoryPerson {
  return operations.reduce((before, operation) => {
    const kind = kindOf(operation.op);
    const { path, value } = operation;
    if (path === undefined || path === '') {
      if (kind === 'remove') throw new ScimError(400, 'noTarget', 'A removal needs a path.');
      if (!isObject(value)) throw new ScimError(400, 'invalidValue', 'Without a path, value is an object.');
      return Object.entries(value).reduce((now, [name, each]) => setOne(now, name, each), before);
    }
    return setOne(before, path, kind === 'remove' ? null : value);
  }, person);
}

function setOne(person: DirectoryPerson, path: string, value: unknown): DirectoryPerson {
  const read = readPath(path);
  // Attributes of extensions have a different syntax; Sameway stores none of them.
  if (read === null && !path.startsWith('urn:'))
    throw new ScimError(400, 'invalidPath', `The path ${path.slice(0, 100)} is not known.`);
  const attribute = read?.attribute ?? '';
  if (attribute === 'active') return value === null ? person : { ...person, isActive: booleanOf(value) };
  if (attribute === 'name' && isObject(value))
    return Object.entries(value).reduce((now, [name, each]) => setOne(now, `name.${name}`, each), person);
  if (!(attribute in textAttributes)) return person;
  const field = textAttributes[attribute as keyof typeof textAttributes];
  const text = value === null ? '' : textOf(field, value, mostOf[field]);
  if (field === 'userName' && text === '')
    throw new ScimError(400, 'invalidValue', 'userName must not be empty.');
  return { ...person, [field]: text };
}

/** Applies the operations of a PATCH to a group. @throws ScimError */
export function changeGroup(group: DirectoryGroup, operations: readonly ScimOperation[]): DirectoryGroup {
  return operations.reduce((before, { op, path, value }) => {
    const kind = kindOf(op);
    if (path === undefined || path === '') {
      if (!isObject(value)) throw new ScimError(400, 'invalidValue', 'Without a path, value is an object.');
      return Object.entries(value).reduce((now, [name, each]) => setOfGroup(now, kind, name, each), before);
    }
    return setOfGroup(before, kind, path, value);
  }, group);
}

function setOfGroup(group: DirectoryGroup, kind: Kind, path: string, value: unknown): DirectoryGroup {
  const read = readPath(path);
  if (read === null) throw new ScimError(400, 'invalidPath', `The path ${path.slice(0, 100)} is not known.`);
  if (read.attribute === 'displayname')
    return { ...group, displayName: textOf('displayName', value, mostOf.groupName) };
  if (read.attribute === 'externalid')
    return { ...group, externalId: textOf('externalId', value, mostOf.externalId) };
  if (read.attribute !== 'members') return group;
  if (kind === 'remove') {
    const { filter } = read;
    if (filter === null && value === undefined) return { ...group, memberIds: [] };
    const gone = new Set(filter === null ? memberIdsOf(value) : [String(filter.value)]);
    return { ...group, memberIds: group.memberIds.filter((id) => !gone.has(id)) };
  }
  const named = memberIdsOf(value);
  return { ...group, memberIds: kind === 'add' ? [...new Set([...group.memberIds, ...named])] : named };
}

/** The ids in `members`, which is a list or a single member. */
export function memberIdsOf(value: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const ids = all.map((member) => {
    if (!isObject(member) || typeof member['value'] !== 'string')
      throw new ScimError(400, 'invalidValue', 'Each member needs a value: the id of a person.');
    return member['value'];
  });
  return [...new Set(ids)];
}
