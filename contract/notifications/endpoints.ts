import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { person } from '../user/endpoints.ts';
import { cents, offset, reasonLength, someOf, words } from '../units.ts';

/**
 * Kinds of notifications. While the app is open, chat messages and changes show live regardless of these
 * choices.
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
  'license',
  'nearby',
  'support',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The channels of notifications out of the app: to subscribed devices, by email, by text message. */
export const notificationChannels = ['push', 'email', 'sms'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** The carriers of push messages to the phone app: Google's service to Android, Apple's to iOS. */
export const phoneCarriers = ['fcm', 'apns'] as const;
export type PhoneCarrier = (typeof phoneCarriers)[number];

/** Kinds whose email the feature itself writes and sends regardless of the choices: about the account. */
export const alwaysEmailed: readonly NotificationKind[] = ['license', 'support'];

/**
 * Kinds emailed regardless of the choices, at least once: without the passenger's answer the seat is lost.
 */
export const emailsAlways: readonly NotificationKind[] = ['paymentNeeded'];

/** The radius around a place that counts as near it, in meters. */
export const nearbyMetres = [1_600, 5_000, 10_000, 25_000] as const;
/** Which orders near a place are notified. */
export const nearbyOrders = ['both', 'rides', 'requests'] as const;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time.');

const kindChoices = z.object({ push: z.boolean(), email: z.boolean(), sms: z.boolean() });

export const notificationChoices = z.object({
  /**
   * Whether the person wants emails and text messages about rides at all, as worded in `/pages/legal/optin`;
   * for push, the browser asks.
   */
  agreed: z.boolean(),
  /** An email goes out even if a push message has reached a device. */
  emailsBesidePush: z.boolean(),
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
    license: kindChoices,
    nearby: kindChoices,
    support: kindChoices,
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
  /** The saved places around which new rides or requests are notified, and the radius. */
  location: z.object({
    nearHome: z.boolean(),
    nearWork: z.boolean(),
    /** All other saved places. */
    nearOther: z.boolean(),
    of: z.enum(nearbyOrders),
    withinMetres: z.union(nearbyMetres.map((metres) => z.literal(metres))),
  }),
});
export type NotificationChoices = z.output<typeof notificationChoices>;

const byEmail = { push: true, email: true, sms: false };
const byPush = { push: true, email: false, sms: false };

/**
 * The defaults, until a person has chosen: a push message where a device is subscribed, else an email. A text
 * message needs a choice, and with it the recorded consent.
 */
export const firstChoices: NotificationChoices = {
  agreed: true,
  emailsBesidePush: false,
  kinds: {
    ask: byEmail,
    answer: byEmail,
    invitation: byEmail,
    joined: byEmail,
    change: byEmail,
    reminder: byEmail,
    onTheWay: byPush,
    reached: byEmail,
    paymentNeeded: byEmail,
    receipt: byEmail,
    review: byPush,
    chat: byEmail,
    contact: byPush,
    event: byEmail,
    alert: byEmail,
    license: byEmail,
    nearby: { push: false, email: false, sms: false },
    support: byEmail,
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
  summary: 'The person’s notification settings: channels for each kind, and quiet hours.',
  input: z.object({}),
  output: z.object({
    choices: notificationChoices,
    /** The latest consent to messages; null before the first. */
    consent: z.object({ given: z.boolean(), version: z.string(), at: z.iso.datetime() }).nullable(),
    /** The number for text messages: empty until a phone number is verified. */
    phone: z.string(),
    email: z.string(),
    push: z.object({
      /** The installation's public key, for a browser's subscription. */
      publicKey: z.string(),
      /** The phones that this installation can reach. */
      phones: someOf(z.enum(phoneCarriers)),
      /** The number of the person's subscribed devices. */
      devices: z.int(),
    }),
  }),
  refusals: [],
});

export const saveSettings = defineEndpoint({
  method: 'POST',
  path: '/notification/save-settings',
  who: 'user',
  summary:
    'Saves the notification settings. The server records consent and its withdrawal with the version of the opt-in text.',
  input: notificationChoices,
  output: notificationChoices,
  refusals: ['notification.phoneUnverified'],
});

/** The question in a notification, and the state of its answer. */
export const newsAnswer = z.object({
  to: z.enum(['ask', 'invitation', 'change']),
  /** The id of the booking, or of the proposed change. */
  id: z.string(),
  /** The name of the person who asks, invites or proposes. */
  name: z.string(),
  state: z.enum(['open', 'accepted', 'declined', 'over']),
  /** The passenger's share of that booking: the amount authorized when an invitation is accepted. */
  holdCents: cents,
});
export type NewsAnswer = z.output<typeof newsAnswer>;

/** A notification in the center; several about one thing (messages of a room) are one entry. */
export const newsLine = z.object({
  id: z.uuid(),
  kind: z.enum(notificationKinds),
  title: z.string(),
  text: z.string(),
  /** The page it opens, a path of the app. */
  path: z.string(),
  at: z.iso.datetime(),
  read: z.boolean(),
  /** When its ride leaves, or gets to the person; null where it is not about a ride. */
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
  summary: 'The notifications, newest first, in the requested language.',
  input: z.object({
    language: z.enum(['en', 'zh']).default('en'),
    offset,
    size: z.coerce.number().int().min(1).max(mostAtOnce).default(20),
  }),
  output: unread.extend({ news: z.array(newsLine).max(mostAtOnce), total: z.int() }),
  refusals: [],
});

export const countNews = defineEndpoint({
  method: 'GET',
  path: '/notification/unread-count',
  who: 'user',
  summary: 'The number of unread notifications; `/im/unread-count` counts chat messages.',
  input: z.object({}),
  output: unread,
  refusals: [],
});

export const readNews = defineEndpoint({
  method: 'POST',
  path: '/notification/read',
  who: 'user',
  summary:
    'Marks notifications as read: by id, all that lead to a page, or all. The server no longer sends those by email, text message or push.',
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
    'Reports that the open app showed notifications: they stay unread, and the server does not send them by other channels.',
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
  summary: 'Turns on push messages for this browser until its session ends.',
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
  summary: 'Turns off push messages for one of the caller’s browsers.',
  input: z.object({ endpoint: pushEndpoint }),
  output: z.object({ devices: z.int() }),
  refusals: [],
});

/** The token a phone has from its carrier, as the carrier writes it. */
const phoneToken = z
  .string()
  .min(32)
  .max(1000)
  .regex(/^[\w:.-]+$/);

export const connectPhone = defineEndpoint({
  method: 'POST',
  path: '/notification/connect-phone',
  who: 'user',
  summary: 'Turns on push messages for this phone app until its session ends.',
  input: z.object({ carrier: z.enum(phoneCarriers), token: phoneToken }),
  output: z.object({ devices: z.int() }),
  refusals: ['notification.phoneCarrier'],
});

export const disconnectPhone = defineEndpoint({
  method: 'POST',
  path: '/notification/disconnect-phone',
  who: 'user',
  summary: 'Turns off push messages for one of the caller’s phone apps.',
  input: z.object({ token: phoneToken }),
  output: z.object({ devices: z.int() }),
  refusals: [],
});

/** The content of an unsubscribe link: the kind of email, and a signed token of its recipient. */
export const unsubscribeInput = z.object({ kind: z.enum(notificationKinds), code: z.string().max(300) });

export const unsubscribe = defineEndpoint({
  method: 'POST',
  path: '/notification/unsubscribe',
  who: 'guest',
  summary: 'Unsubscribes from one kind of email without signing in, with the code from an email.',
  input: unsubscribeInput.extend({ all: z.boolean().default(false) }),
  output: z.object({}),
  refusals: ['notification.linkOver'],
});

/** The signed token of an answer link: it names one notification and the person whom it asks. */
const answerCode = z.string().max(300);
/** As many links as a person follows, and far fewer than are needed to guess one. */
const answerLimit = { per: 'caller', most: 120, withinSeconds: hourSeconds } as const;

/** The question of an answer link, with the current facts of its order. */
export const question = z.object({
  answer: newsAnswer,
  /** The person who asks; null where their account is gone. */
  asker: person.nullable(),
  /** The order of the person who is asked. */
  path: z.string(),
  /** Null where the order can no longer be seen. */
  order: z
    .object({
      from: z.string(),
      to: z.string(),
      departsAt: z.iso.datetime(),
      timeZone: z.string(),
      price: z.object({ cents, per: z.enum(['share', 'most', 'person', 'car']) }).nullable(),
      /** A change's new values; the time and the price of the booking itself are as agreed. */
      proposal: z.object({ departsAt: z.iso.datetime(), cents, isOtherWay: z.boolean() }).nullable(),
    })
    .nullable(),
});
export type Question = z.output<typeof question>;

export const readQuestion = defineEndpoint({
  method: 'GET',
  path: '/notification/question',
  who: 'guest',
  summary: 'What an email’s answer link asks, without signing in. Reading it answers nothing.',
  limits: [answerLimit],
  input: z.object({ code: answerCode }),
  output: question,
  refusals: ['question.notFound'],
});

export const answerQuestion = defineEndpoint({
  method: 'POST',
  path: '/notification/answer',
  who: 'guest',
  summary:
    'Answers a request, an invitation or a proposed change with the code of an email’s link, once, without signing in.',
  limits: [answerLimit],
  input: z.object({
    code: answerCode,
    accept: z.boolean(),
    /** Needed to decline a passenger’s request. */
    reason: words(reasonLength).default(''),
  }),
  output: z.object({
    question,
    /** The passenger still has to pay for the seat before they have joined. */
    awaitsPayment: z.boolean(),
  }),
  refusals: [
    'question.notFound',
    'question.given',
    'question.over',
    'booking.notFound',
    'booking.moved',
    'booking.reasonMissing',
    'ride.full',
    'ride.closed',
    'ride.changing',
    'request.closed',
    'match.noFit',
    'order.overlap',
    'payment.blocked',
    'payment.passengerBlocked',
    'change.notFound',
    'change.moved',
  ],
});

/** The tasks in the queue: emails, text messages, push messages, and signals that a listener hears late. */
export const deliveryTasks = ['letter', 'text', 'push', 'deliver'] as const;
export type DeliveryTask = (typeof deliveryTasks)[number];

/** An email, text message, push or signal that failed in all its tries. */
export const undelivered = z.object({
  id: z.uuid(),
  task: z.enum(deliveryTasks),
  /** The recipient: an address, a number, a push service; for a signal its listener. */
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
  permission: 'deliveries.read',
  summary: 'Messages that could not be delivered, newest first.',
  input: z.object({
    offset,
    size: z.coerce.number().int().min(1).max(mostAtOnce).default(20),
  }),
  output: z.object({ undelivered: z.array(undelivered).max(mostAtOnce), total: z.int() }),
  refusals: [],
});

export const deliverAgain = defineEndpoint({
  method: 'POST',
  path: '/admin/deliver-again',
  who: 'admin',
  permission: 'deliveries.repeat',
  summary: 'Sends an undelivered message again, or discards it.',
  input: z.object({ id: z.uuid(), drop: z.boolean().default(false) }),
  output: z.object({}),
  refusals: ['undelivered.notFound'],
});
