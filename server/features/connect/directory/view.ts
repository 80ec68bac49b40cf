import type { NamedAccount } from '../../identity/queries.ts';
import { schemaIds } from './rules/schemas.ts';
import type { DirectoryGroupRow, DirectoryUserRow } from './store.ts';

export const scimPath = '/scim/v2';

export type ScimUser = ReturnType<typeof viewUser>;
export type ScimGroup = ReturnType<typeof viewGroup>;

interface Dated {
  createdAt: Date;
  changedAt: Date;
}

const metaOf = (kind: 'User' | 'Group', id: string, { createdAt, changedAt }: Dated, publicUrl: string) => ({
  resourceType: kind,
  created: createdAt.toISOString(),
  lastModified: changedAt.toISOString(),
  location: `${publicUrl}${scimPath}/${kind}s/${id}`,
});

/** A person as their directory sees them: the attributes it manages, and nothing else about the account. */
export function viewUser(
  {
    row,
    account,
    groups,
  }: {
    row: DirectoryUserRow;
    account: NamedAccount;
    groups: readonly { id: string; displayName: string }[];
  },
  publicUrl: string,
) {
  const { email, name, firstName, lastName, language } = account;
  return {
    schemas: [schemaIds.user],
    id: row.userId,
    ...(row.externalId === '' ? {} : { externalId: row.externalId }),
    userName: row.userName,
    name: { givenName: firstName, familyName: lastName, formatted: `${firstName} ${lastName}`.trim() },
    displayName: name,
    preferredLanguage: language,
    emails: [{ value: email, type: 'work', primary: true }],
    active: row.isActive,
    groups: groups.map(({ id, displayName }) => ({
      value: id,
      display: displayName,
      $ref: `${publicUrl}${scimPath}/Groups/${id}`,
    })),
    meta: metaOf('User', row.userId, row, publicUrl),
  };
}

export const viewGroup = (
  row: DirectoryGroupRow,
  memberIds: readonly string[] | null,
  publicUrl: string,
) => ({
  schemas: [schemaIds.group],
  id: row.id,
  ...(row.externalId === '' ? {} : { externalId: row.externalId }),
  displayName: row.displayName,
  ...(memberIds === null
    ? {}
    : {
        members: memberIds.map((id) => ({
          value: id,
          $ref: `${publicUrl}${scimPath}/Users/${id}`,
          type: 'User',
        })),
      }),
  meta: metaOf('Group', row.id, row, publicUrl),
});
