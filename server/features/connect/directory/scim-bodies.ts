import { z } from 'zod';
import { isTooDeep } from '../../../platform/http/check-input.ts';
import { booleanOf, memberIdsOf, mostOf, type DirectoryGroup, type ScimOperation } from './rules/changes.ts';
import { ScimError } from './rules/scim-error.ts';
import type { SentPerson } from './users.ts';

/** Directories send null for empty attributes, and attributes that Sameway does not store. */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .nullish()
    .transform((typed) => (typed ?? '').replaceAll('\0', '').trim());

const emailEntry = z.object({
  value: text(254),
  primary: z.unknown().optional(),
  type: z.unknown().optional(),
});

const userBody = z.object({
  userName: z.string().trim().min(1).max(mostOf.userName),
  externalId: text(mostOf.externalId),
  name: z.object({ givenName: text(mostOf.givenName), familyName: text(mostOf.familyName) }).nullish(),
  displayName: text(mostOf.displayName),
  preferredLanguage: text(40),
  active: z.unknown().optional(),
  emails: z.array(emailEntry).nullish(),
});

const groupBody = z.object({
  displayName: z.string().max(mostOf.groupName),
  externalId: text(mostOf.externalId),
  members: z.unknown().optional(),
});

const patchBody = z.object({
  Operations: z
    .array(
      z.object({
        op: z.string().max(40),
        path: z.string().max(500).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1000),
});

/** Attribute names are case-insensitive (RFC 7643, 2.1). @throws ScimError naming the attribute */
function read<S extends z.ZodObject>(schema: S, body: unknown): z.output<S> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ScimError(400, 'invalidSyntax', 'The body must be an object.');
  if (isTooDeep(body)) throw new ScimError(400, 'invalidSyntax', 'The body is nested too deeply.');
  if (JSON.stringify(body).includes('\\u0000'))
    throw new ScimError(400, 'invalidValue', 'The body must not contain zero characters.');
  const names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]));
  const known = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
  );
  const parsed = schema.safeParse(known);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ScimError(400, 'invalidValue', `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? ''}`);
}

/** A complete person, as in POST and PUT. */
export function readUserBody(body: unknown): SentPerson {
  const { userName, externalId, name, displayName, preferredLanguage, active, emails } = read(userBody, body);
  const all = emails ?? [];
  const main = all.find(({ primary }) => primary === true || primary === 'true') ?? all[0];
  return {
    userName,
    externalId,
    givenName: name?.givenName ?? '',
    familyName: name?.familyName ?? '',
    displayName,
    isActive: active === undefined || active === null ? null : booleanOf(active),
    email: main?.value ?? '',
    language: preferredLanguage.toLowerCase().startsWith('zh') ? 'zh' : 'en',
  };
}

export function readGroupBody(body: unknown): DirectoryGroup {
  const { displayName, externalId, members } = read(groupBody, body);
  return {
    displayName: displayName.trim(),
    externalId,
    memberIds: members === undefined || members === null ? [] : memberIdsOf(members),
  };
}

export const readOperations = (body: unknown): ScimOperation[] => read(patchBody, body).Operations;
