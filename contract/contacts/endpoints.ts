import { z } from 'zod';
import { daySeconds, defineEndpoint, minuteSeconds, reportLimit } from '../define.ts';
import { id, instant, mostPerPage, nameLine, reasonLength, words } from '../units.ts';
import { person } from '../user/endpoints.ts';

export const contactOrigins = ['DIRECT', 'PHONE_NUMBER', 'FTF_QRCODE', 'PHONE_CONTACT', 'INVITE'] as const;
export type ContactOrigin = (typeof contactOrigins)[number];
export const applyStatuses = ['pending', 'accepted', 'denied'] as const;
export const reportReasons = ['harassment', 'dangerous driving', 'false identity', 'spam', 'other'] as const;

export const remarkLength = 100;
export const tagNameLength = 40;
export const applyMessageLength = 300;
export const mostTags = 100;
/** The most contacts that a person can have. */
export const mostContacts = 5000;
/** The most blocked people in the list, the latest first. */
export const mostBlockedShown = 1000;
export const mostTaggedAtOnce = 500;
/** The maximum of an address book's numbers compared in one call; the browser reads the address book. */
export const mostNumbers = 5000;

export const contact = z.object({
  person,
  remark: z.string(),
  tagIds: z.array(z.string()).max(mostTags),
  origin: z.enum(contactOrigins),
});
export type Contact = z.output<typeof contact>;

/** An application to become a contact: `in` to the viewer, `out` by the viewer. */
export const application = z.object({
  id: z.string(),
  person,
  direction: z.enum(['in', 'out']),
  message: z.string(),
  origin: z.enum(contactOrigins),
  status: z.enum(applyStatuses),
  at: instant,
});
export type Application = z.output<typeof application>;

export const tag = z.object({ id: z.string(), name: z.string(), size: z.number().int() });

/**
 * The viewer's relation to a person: `asked` where that person has applied, `applied` where the viewer has.
 */
export const relation = z.enum(['self', 'none', 'applied', 'asked', 'contact', 'blocked']);
export type Relation = z.output<typeof relation>;

/**
 * A person found by a search or in an address book. The ticket proves to `/contact/apply` how they were
 * found.
 */
export const foundPerson = z.object({ person, relation, ticket: z.string() });
export type FoundPerson = z.output<typeof foundPerson>;

const ofPerson = z.object({ id });
const done = z.object({});
const userIds = z.array(id).max(mostTaggedAtOnce);
const tagName = nameLine(tagNameLength, 'Please enter a name for the tag.');

export const listContacts = defineEndpoint({
  method: 'GET',
  path: '/contact/list',
  who: 'user',
  summary:
    'My contacts by name, contact requests that are open or were denied lately, and the people I blocked.',
  input: z.object({}),
  output: z.object({
    contacts: z.array(contact).max(mostContacts),
    applications: z.array(application).max(mostPerPage),
    blocked: z.array(person).max(mostBlockedShown),
  }),
  refusals: [],
});

export const readContact = defineEndpoint({
  method: 'GET',
  path: '/contact/detail',
  who: 'user',
  summary: 'The profile of a person as I may see it, and our relation.',
  input: ofPerson,
  output: z.object({
    person,
    relation,
    contact: contact.nullable(),
    /** The open application between the two. */
    application: application.nullable(),
    contactsInCommon: z.number().int(),
    /** Empty unless the person shows it to their contacts. */
    phone: z.string(),
    /** The person's conversation topics, in their own words; empty where one has blocked the other. */
    interests: z.string(),
  }),
  refusals: ['contact.notFound'],
});

export const searchPeople = defineEndpoint({
  method: 'GET',
  path: '/contact/search',
  who: 'user',
  summary:
    'People with this exact email address or phone number, or with a name that contains the text, who allow others to find them.',
  limits: [
    { countedAs: 'searchPerMinute', per: 'caller', most: 40, withinSeconds: minuteSeconds },
    { countedAs: 'searchPerDay', per: 'caller', most: 500, withinSeconds: daySeconds },
  ],
  input: z.object({ text: nameLine(254, 'Please enter a name, an email or a phone number.') }),
  output: z.object({ by: z.enum(['email', 'phone', 'name']), people: z.array(foundPerson).max(mostPerPage) }),
  refusals: ['contact.searchShort'],
});

export const myQrCode = defineEndpoint({
  method: 'GET',
  path: '/contact/qrcode',
  who: 'user',
  summary: 'A QR code to show in person. A person who scans it before it expires becomes a contact.',
  input: z.object({}),
  output: z.object({ code: z.string(), expiresAt: instant }),
  refusals: [],
});

export const scanCode = defineEndpoint({
  method: 'POST',
  path: '/contact/scan',
  who: 'user',
  summary:
    'Redeems a scanned code or an invitation: a QR code adds the contact at once, an invitation sends a contact request.',
  limits: [{ countedAs: 'scanPerMinute', per: 'caller', most: 30, withinSeconds: minuteSeconds }],
  input: z.object({ code: z.string().min(1, 'Invalid QR Code.').max(2000, 'Invalid QR Code.') }),
  output: z.object({ person, relation }),
  refusals: [
    'contact.qrInvalid',
    'contact.self',
    'contact.unable',
    'contact.deniedLately',
    'contact.tooMany',
  ],
});

export const applyForContact = defineEndpoint({
  method: 'POST',
  path: '/contact/apply',
  who: 'user',
  summary: 'Sends a contact request. If the person has already sent one to me, we become contacts at once.',
  input: z.object({
    id,
    message: words(applyMessageLength).default(''),
    /** From the search or address book that found the person. */
    ticket: z.string().max(200).default(''),
  }),
  output: z.object({ relation }),
  refusals: ['contact.self', 'contact.unable', 'contact.deniedLately', 'contact.tooMany'],
});

export const answerApplication = defineEndpoint({
  method: 'POST',
  path: '/contact/answer',
  who: 'user',
  summary: 'Accepts or denies a contact request, once.',
  input: z.object({ id, status: z.enum(['accepted', 'denied']) }),
  output: application,
  refusals: ['contact.applicationNotFound', 'contact.answered', 'contact.tooMany'],
});

export const updateContact = defineEndpoint({
  method: 'POST',
  path: '/contact/update',
  who: 'user',
  summary: 'Changes my remark and tags for a contact, which only I see.',
  input: z.object({ id, remark: words(remarkLength), tagIds: z.array(id).max(mostTags) }),
  output: contact,
  refusals: ['contact.notFound', 'tag.notFound'],
});

export const deleteContact = defineEndpoint({
  method: 'POST',
  path: '/contact/delete',
  who: 'user',
  summary: 'Removes a contact on both sides, or withdraws my contact request.',
  input: ofPerson,
  output: done,
  refusals: ['contact.notFound'],
});

export const blockPerson = defineEndpoint({
  method: 'POST',
  path: '/contact/block',
  who: 'user',
  summary:
    'Blocks a person: hides both from each other at once, ends the contact and closes open requests between them.',
  input: ofPerson,
  output: done,
  refusals: ['contact.self', 'contact.notFound'],
});

export const unblockPerson = defineEndpoint({
  method: 'POST',
  path: '/contact/unblock',
  who: 'user',
  summary: 'Unblocks a person. To become contacts again, one of the two must send a contact request.',
  input: ofPerson,
  output: done,
  refusals: ['contact.notFound'],
});

export const reportPerson = defineEndpoint({
  method: 'POST',
  path: '/contact/report',
  who: 'user',
  summary: 'Tells the admins about a person.',
  limits: [reportLimit],
  input: z.object({
    id,
    reason: z.enum(reportReasons, 'Please select a reason.'),
    words: words(reasonLength).default(''),
  }),
  output: done,
  refusals: ['contact.self', 'contact.notFound'],
});

/** A SHA-256 of salt and E.164 number, base64url. */
export const numberHash = z.string().regex(/^[\w-]{43}$/, 'Please choose the address book again.');

/** How many groups all numbers fall into, by the first two bytes of a number's own SHA-256. */
export const numberGroups = 65_536;

export const importSalt = defineEndpoint({
  method: 'GET',
  path: '/contact/import-salt',
  who: 'user',
  summary: 'The caller’s own salt for hashing an address book.',
  input: z.object({}),
  output: z.object({ salt: z.string() }),
  refusals: [],
});

export const importContacts = defineEndpoint({
  method: 'POST',
  path: '/contact/import',
  who: 'user',
  summary:
    'Which numbers of an address book belong to people who allow others to find them by phone. The server does not store the numbers.',
  limits: [{ countedAs: 'importPerDay', per: 'caller', most: 6, withinSeconds: daySeconds }],
  input: z.object({
    hashes: z
      .array(numberHash)
      .min(1, 'Please choose an address book with phone numbers.')
      .max(mostNumbers, `Please choose up to ${mostNumbers} numbers.`),
    /** The groups of these numbers, in any order: only people in them are compared. */
    groups: z
      .array(
        z
          .number()
          .int()
          .min(0)
          .max(numberGroups - 1),
      )
      .max(mostNumbers),
  }),
  output: z.object({
    /** Each with the index of its number in the sent list. */
    people: z.array(foundPerson.extend({ index: z.number().int() })).max(mostNumbers),
  }),
  refusals: [],
});

export const inviteLink = defineEndpoint({
  method: 'GET',
  path: '/contact/invite-link',
  who: 'user',
  summary: 'The code of my invitation link. A person who signs up with it becomes my contact.',
  input: z.object({}),
  output: z.object({ code: z.string(), expiresAt: instant }),
  refusals: [],
});

export const inviteSomebody = defineEndpoint({
  method: 'POST',
  path: '/contact/invite',
  who: 'user',
  summary:
    'Sends my invitation link by email or text message. The answer is the same whether or not the person has an account.',
  limits: [{ countedAs: 'invitePerDay', per: 'caller', most: 30, withinSeconds: daySeconds }],
  input: z.object({
    by: z.enum(['email', 'sms']),
    /** An email address, or a phone number as typed. */
    to: z.string().trim().min(1, 'Please enter an email or a phone number.').max(254),
  }),
  output: done,
  refusals: ['access.emailInvalid', 'access.phoneInvalid', 'contact.invitedLately'],
});

export const listTags = defineEndpoint({
  method: 'GET',
  path: '/tag/list',
  who: 'user',
  summary: 'My tags, with the number of people in each.',
  input: z.object({}),
  output: z.object({ tags: z.array(tag).max(mostTags) }),
  refusals: [],
});

export const readTag = defineEndpoint({
  method: 'GET',
  path: '/tag/detail',
  who: 'user',
  summary: 'One of my tags and its contacts, by name.',
  input: z.object({ id }),
  output: z.object({ tag, contacts: z.array(contact).max(mostContacts) }),
  refusals: ['tag.notFound'],
});

export const createTag = defineEndpoint({
  method: 'POST',
  path: '/tag/create',
  who: 'user',
  summary: 'Creates a tag with these contacts.',
  input: z.object({ name: tagName, userIds: userIds.default([]) }),
  output: tag,
  refusals: ['tag.nameTaken', 'tag.tooMany', 'contact.notFound'],
});

export const updateTag = defineEndpoint({
  method: 'POST',
  path: '/tag/update',
  who: 'user',
  summary: 'Renames a tag.',
  input: z.object({ id, name: tagName }),
  output: tag,
  refusals: ['tag.notFound', 'tag.nameTaken'],
});

export const deleteTag = defineEndpoint({
  method: 'POST',
  path: '/tag/delete',
  who: 'user',
  summary: 'Deletes a tag; the contacts in it stay.',
  input: z.object({ id }),
  output: done,
  refusals: ['tag.notFound'],
});

export const addToTag = defineEndpoint({
  method: 'POST',
  path: '/tag/add-contact',
  who: 'user',
  summary: 'Adds contacts to a tag.',
  input: z.object({ id, userIds: userIds.min(1, 'Please select at least one contact.') }),
  output: tag,
  refusals: ['tag.notFound', 'contact.notFound'],
});

export const removeFromTag = defineEndpoint({
  method: 'POST',
  path: '/tag/remove-contact',
  who: 'user',
  summary: 'Removes contacts from a tag.',
  input: z.object({ id, userIds: userIds.min(1, 'Please select at least one contact.') }),
  output: tag,
  refusals: ['tag.notFound'],
});
