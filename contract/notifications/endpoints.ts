import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { cents } from '../units.ts';

/**
 * What there is news of. Chat lines and every change also show live while the app is open, whatever is chosen
 * here.
 */
export const notificationKinds = [
  'ask',
  'answer',
  'invitation',
  'joined',
  'change',
  'reminder',
  'onTheWay',
  'reached',
  'paymentNeeded',
  'receipt',
  'review',
  'chat',
  'contact',
  'event',
  'alert',
  'licence',
  'nearby',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** How news leaves the app: to devices that were connected, by email, by text message. */
export const notificationChannels = ['push', 'email', 'sms'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/**
 * Kinds whose email is written by the feature they come from, and goes out whatever is chosen: news about the
 * account.
 */
export const alwaysEmailed: readonly NotificationKind[] = ['licence'];

/**
 * Kinds that go out by email whatever is chosen, at least once: without the passenger's answer the seat is
 * lost.
 */
export const emailsAlways: readonly NotificationKind[] = ['paymentNeeded'];

/** How far around a place counts as near it. */
export const nearbyMetres = [1_600, 5_000, 10_000, 25_000] as const;
/** Which orders near a place are news. */
export const nearbyOrders = ['both', 'rides', 'requests'] as const;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time.');

const kindChoices = z.object({ push: z.boolean(), email: z.boolean(), sms: z.boolean() });

export const notificationChoices = z.object({
  /**
   * Whether the person agrees to emails and text messages at all, as `/pages/legal/optin` words it; a device
   * is asked by its browser.
   */
  agreed: z.boolean(),
  kinds: z.object({
    ask: kindChoices,
    answer: kindChoices,
    invitation: kindChoices,
    joined: kindChoices,
    change: kindChoices,
    reminder: kindChoices,
    onTheWay: kindChoices,
    reached: kindChoices,
    paymentNeeded: kindChoices,
    receipt: kindChoices,
    review: kindChoices,
    chat: kindChoices,
    contact: kindChoices,
    event: kindChoices,
    alert: kindChoices,
    licence: kindChoices,
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
    /** Every other place they have saved. */
    nearOther: z.boolean(),
    of: z.enum(nearbyOrders),
    withinMetres: z.union(nearbyMetres.map((metres) => z.literal(metres))),
  }),
});
export type NotificationChoices = z.output<typeof notificationChoices>;

const byLetter = { push: true, email: true, sms: false };
const byPush = { push: true, email: false, sms: false };

/**
 * What holds until a person chooses: nothing leaves the app, since no device is connected and nothing is
 * agreed to.
 */
export const firstChoices: NotificationChoices = {
  agreed: false,
  kinds: {
    ask: byLetter,
    answer: byLetter,
    invitation: byLetter,
    joined: byLetter,
    change: byLetter,
    reminder: byLetter,
    onTheWay: byPush,
    reached: byLetter,
    paymentNeeded: byLetter,
    receipt: byLetter,
    review: byLetter,
    chat: byLetter,
    contact: byLetter,
    event: byLetter,
    alert: byLetter,
    licence: byLetter,
    nearby: { push: false, email: false, sms: false },
  },
  quietHours: { on: false, from: '22:00', to: '07:00', timeZone: 'America/Los_Angeles' },
  location: { nearHome: false, nearWork: false, nearOther: false, of: 'both', withinMetres: 5_000 },
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
    push: z.object({
      /** The key of this installation that a browser subscribes with. */
      publicKey: z.string(),
      /** How many devices of the person are connected. */
      devices: z.int(),
    }),
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

/** What a piece of news asks of the person it was told to, and how that stands now. */
export const newsAnswer = z.object({
  to: z.enum(['ask', 'invitation', 'change']),
  /** Of the booking, or of the proposed change. */
  id: z.string(),
  /** Of the person who asks, invites or proposes. */
  name: z.string(),
  state: z.enum(['open', 'accepted', 'declined', 'over']),
  /** The passenger's share of that booking: what is held when an invitation is accepted. */
  holdCents: cents,
});
export type NewsAnswer = z.output<typeof newsAnswer>;

/** A piece of news in the center; several of one thing (messages of a room) are one line. */
export const newsLine = z.object({
  id: z.uuid(),
  kind: z.enum(notificationKinds),
  title: z.string(),
  text: z.string(),
  /** The page it opens, a path of the app. */
  path: z.string(),
  at: z.iso.datetime(),
  read: z.boolean(),
  /** When the ride it is about leaves, or gets to the person; null where it is about none. */
  departsAt: z.iso.datetime().nullable(),
  answer: newsAnswer.nullable(),
});
export type NewsLine = z.output<typeof newsLine>;

const unread = z.object({ unread: z.int() });
const mostAtOnce = 50;

export const listNews = defineEndpoint({
  method: 'GET',
  path: '/notification/list',
  who: 'user',
  summary: 'What has happened, newest first, in the language asked for.',
  input: z.object({
    language: z.enum(['en', 'zh']).default('en'),
    offset: z.coerce.number().int().min(0).default(0),
    size: z.coerce.number().int().min(1).max(mostAtOnce).default(20),
  }),
  output: unread.extend({ news: z.array(newsLine), total: z.int() }),
  refusals: [],
});

export const countNews = defineEndpoint({
  method: 'GET',
  path: '/notification/unread-count',
  who: 'user',
  summary: 'How many pieces of news are unread; messages are counted by `/im/unread-count`.',
  input: z.object({}),
  output: unread,
  refusals: [],
});

export const readNews = defineEndpoint({
  method: 'POST',
  path: '/notification/read',
  who: 'user',
  summary:
    'Marks news as read: by id, all that lead to a page, or all there is. What is read leaves the app no more.',
  input: z.object({
    ids: z.array(z.uuid()).max(mostAtOnce).default([]),
    path: z.string().max(500).default(''),
    all: z.boolean().default(false),
  }),
  output: unread,
  refusals: [],
});

export const seeNews = defineEndpoint({
  method: 'POST',
  path: '/notification/seen',
  who: 'user',
  summary:
    'Says that news was shown while the app was open before the person: it stays unread, and is not sent.',
  input: z.object({ ids: z.array(z.uuid()).min(1).max(mostAtOnce) }),
  output: z.object({}),
  refusals: [],
});

const pushEndpoint = z.url().max(1000);
const base64Url = z.string().regex(/^[\w-]+=*$/);

export const connectDevice = defineEndpoint({
  method: 'POST',
  path: '/notification/connect-device',
  who: 'user',
  summary: 'Connects this device for push messages, for as long as its sign-in lasts.',
  input: z.object({
    endpoint: pushEndpoint,
    keys: z.object({ p256dh: base64Url.length(87), auth: base64Url.min(22).max(24) }),
  }),
  output: z.object({ devices: z.int() }),
  refusals: ['notification.pushService'],
});

export const disconnectDevice = defineEndpoint({
  method: 'POST',
  path: '/notification/disconnect-device',
  who: 'user',
  summary: 'Ends push messages to a device of the caller.',
  input: z.object({ endpoint: pushEndpoint }),
  output: z.object({ devices: z.int() }),
  refusals: [],
});

/** What an email's link carries: the kind it is about, and a sealed code that says whose email it was. */
export const unsubscribeInput = z.object({ kind: z.enum(notificationKinds), code: z.string().max(300) });

export const unsubscribe = defineEndpoint({
  method: 'POST',
  path: '/notification/unsubscribe',
  who: 'guest',
  summary: 'Ends the letters of one kind without signing in, by the code in a letter.',
  input: unsubscribeInput.extend({ all: z.boolean().default(false) }),
  output: z.object({}),
  refusals: ['notification.linkOver'],
});

/** An email, text, push or signal that could not be delivered however often it was tried. */
export const undelivered = z.object({
  id: z.uuid(),
  task: z.enum(['letter', 'text', 'push', 'deliver']),
  /** Whom it was for: an address, a number, a push service; for a signal its listener. */
  to: z.string(),
  what: z.string(),
  error: z.string(),
  attempts: z.int(),
  at: z.iso.datetime(),
});
export type Undelivered = z.output<typeof undelivered>;

export const listUndelivered = defineEndpoint({
  method: 'GET',
  path: '/admin/undelivered',
  who: 'admin',
  summary: 'What could not be delivered, newest first.',
  input: z.object({
    offset: z.coerce.number().int().min(0).default(0),
    size: z.coerce.number().int().min(1).max(mostAtOnce).default(20),
  }),
  output: z.object({ undelivered: z.array(undelivered), total: z.int() }),
  refusals: [],
});

export const deliverAgain = defineEndpoint({
  method: 'POST',
  path: '/admin/deliver-again',
  who: 'admin',
  summary: 'Tries again to deliver one of them, or drops it.',
  input: z.object({ id: z.uuid(), drop: z.boolean().default(false) }),
  output: z.object({}),
  refusals: ['undelivered.notFound'],
});
