import { z } from 'zod';
import { defineEndpoint } from '../define.ts';

/** What there is news of. Chat lines and every change also show live while the app is open, whatever is chosen here. */
export const notificationKinds = [
  'ask',
  'answer',
  'invitation',
  'change',
  'reached',
  'review',
  'nearby',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** How news leaves the app. */
export const notificationChannels = ['email', 'sms'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** How far around a place counts as near it. */
export const nearbyMetres = [1_600, 5_000, 10_000, 25_000] as const;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time.');

const kindChoices = z.object({ email: z.boolean(), sms: z.boolean() });

export const notificationChoices = z.object({
  /** Whether the person agrees to messages outside the app at all, as `/pages/legal/optin` words it. */
  agreed: z.boolean(),
  kinds: z.object({
    ask: kindChoices,
    answer: kindChoices,
    invitation: kindChoices,
    change: kindChoices,
    reached: kindChoices,
    review: kindChoices,
    nearby: kindChoices,
  }),
  quietHours: z.object({
    on: z.boolean(),
    from: timeOfDay,
    to: timeOfDay,
    timeZone: z
      .string()
      .max(64)
      .refine((zone) => isTimeZone(zone), 'Please select a time zone.'),
  }),
  /** Around which of the person's saved places a new ride or request is news, and how far around. */
  location: z.object({
    nearHome: z.boolean(),
    nearWork: z.boolean(),
    withinMetres: z.union(nearbyMetres.map((metres) => z.literal(metres))),
  }),
});
export type NotificationChoices = z.output<typeof notificationChoices>;

/** What holds until a person chooses: nothing leaves the app. */
export const firstChoices: NotificationChoices = {
  agreed: false,
  kinds: {
    ask: { email: true, sms: false },
    answer: { email: true, sms: false },
    invitation: { email: true, sms: false },
    change: { email: true, sms: false },
    reached: { email: true, sms: false },
    review: { email: true, sms: false },
    nearby: { email: false, sms: false },
  },
  quietHours: { on: false, from: '22:00', to: '07:00', timeZone: 'America/Los_Angeles' },
  location: { nearHome: false, nearWork: false, withinMetres: 5_000 },
};

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const readSettings = defineEndpoint({
  method: 'GET',
  path: '/notification/settings',
  who: 'user',
  summary: 'What the person wants to be told outside the app, on which channel, and when not.',
  input: z.object({}),
  output: z.object({
    choices: notificationChoices,
    /** The latest word on the message opt-in; null before the first. */
    consent: z.object({ given: z.boolean(), version: z.string(), at: z.iso.datetime() }).nullable(),
    /** Where a text message would go: empty until a phone number is verified. */
    phone: z.string(),
    email: z.string(),
  }),
  refusals: [],
});

export const saveSettings = defineEndpoint({
  method: 'POST',
  path: '/notification/save-settings',
  who: 'user',
  summary: 'Saves them; agreeing and taking it back are recorded with the version of the opt-in text.',
  input: notificationChoices,
  output: notificationChoices,
  refusals: ['notification.phoneUnverified'],
});
