import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { person } from '../user/endpoints.ts';

export const contactOrigins = ['DIRECT', 'PHONE_NUMBER', 'FTF_QRCODE', 'PHONE_CONTACT', 'INVITE'] as const;

export const contact = z.object({
  person,
  remark: z.string(),
  tagIds: z.array(z.string()),
  origin: z.enum(contactOrigins),
});
export type Contact = z.output<typeof contact>;

export const tag = z.object({ id: z.string(), name: z.string(), size: z.number().int() });

export const listContacts = defineEndpoint({
  method: 'GET',
  path: '/contact/list',
  who: 'user',
  summary: 'My contacts, by name.',
  input: z.object({}),
  output: z.object({ contacts: z.array(contact) }),
  refusals: [],
});

export const listTags = defineEndpoint({
  method: 'GET',
  path: '/tag/list',
  who: 'user',
  summary: 'My tags and how many people each holds.',
  input: z.object({}),
  output: z.object({ tags: z.array(tag) }),
  refusals: [],
});
