import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { id, instant, nameLine, someWords } from '../units.ts';

export const announcementTitleLength = 80;
export const announcementTextLength = 500;
/** The most announcements that a person sees at once; the newest come first. */
export const mostAnnouncements = 3;

const missingTitle = 'Please enter a title in both languages.';
const missingText = 'Please enter a text in both languages.';
const inBoth = (line: z.ZodString, text: z.ZodString) => ({
  title: z.object({ en: line, zh: line }),
  text: z.object({ en: text, zh: text }),
});
const words = inBoth(
  nameLine(announcementTitleLength, missingTitle),
  someWords(announcementTextLength, missingText),
);

export const shownAnnouncement = z.object({
  id: z.string(),
  title: z.object({ en: z.string(), zh: z.string() }),
  text: z.object({ en: z.string(), zh: z.string() }),
});
export type ShownAnnouncement = z.output<typeof shownAnnouncement>;

export const currentAnnouncements = defineEndpoint({
  method: 'GET',
  path: '/announcement/current',
  who: 'guest',
  summary: 'The announcements that the caller should see now, the newest first.',
  input: z.object({}),
  output: z.object({ announcements: z.array(shownAnnouncement).max(mostAnnouncements) }),
  refusals: [],
});

export const announcement = shownAnnouncement.extend({
  fromAt: instant,
  untilAt: instant,
  /** Only people who confirmed an email address of this domain see it. Empty: everyone, guests too. */
  community: z.string(),
  state: z.enum(['planned', 'shown', 'over']),
  createdAt: instant,
});
export type Announcement = z.output<typeof announcement>;

export const listAnnouncements = defineEndpoint({
  method: 'GET',
  path: '/admin/announcements',
  who: 'admin',
  permission: 'announcements.write',
  summary: 'The latest hundred announcements, the newest first.',
  input: z.object({}),
  output: z.object({ announcements: z.array(announcement).max(100) }),
  refusals: [],
});

export const announce = defineEndpoint({
  method: 'POST',
  path: '/admin/announce',
  who: 'admin',
  permission: 'announcements.write',
  summary:
    'Publishes an announcement in both languages, for everyone or for people with one email domain, until it ends.',
  limits: [{ countedAs: 'announce', per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({
    ...words,
    /** Null: now. */
    fromAt: instant.nullable().default(null),
    untilAt: instant,
    community: z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .regex(/^$|^([a-z0-9-]+\.)+[a-z]{2,}$/, 'Please enter a domain such as example.edu.')
      .default(''),
  }),
  output: announcement,
  refusals: ['announcement.order', 'announcement.past'],
});

export const endAnnouncement = defineEndpoint({
  method: 'POST',
  path: '/admin/end-announcement',
  who: 'admin',
  permission: 'announcements.write',
  summary: 'Takes an announcement down before its end.',
  limits: [{ countedAs: 'announce', per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({ id }),
  output: announcement,
  refusals: ['announcement.notFound', 'admin.movedOn'],
});
