import { describe, expect, test } from 'vitest';
import { applyStatuses, contactOrigins } from '#contract/contacts/endpoints.ts';
import { shortcutLabels } from '#contract/geo/endpoints.ts';
import { licenseStatuses } from '#contract/licenses/endpoints.ts';
import { paymentStates } from '#contract/payments/views.ts';
import { stages, stateLabels } from '#contract/rides/moves.ts';
import { priceKinds, roles, visibilities } from '#contract/rides/views.ts';
import { genders } from '#contract/user/endpoints.ts';
import { words as en } from '#locales/en.ts';
import { words as zh } from '#locales/zh.ts';

/** Every text of a language by its dotted place. */
function texts(bundle: object, prefix = ''): [place: string, text: string][] {
  return Object.entries(bundle).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [[`${prefix}${key}`, value]]
      : texts(value as object, `${prefix}${key}\u0000`),
  );
}
const english = texts(en);
const chinese = new Map(texts(zh));
const han = /\p{Script=Han}/u;

/**
 * What the specification has a person read, in its sections 5 and 8, and everywhere in the catalog that it is
 * read; figures in braces.
 */
test.each<[sentence: string, ...places: string[]]>([
  ['Please verify the starting point.', 'sentences.Please verify the starting point.'],
  ['Email format error.', 'reasons.access.emailInvalid', 'sentences.Email format error.'],
  ['Only emails from allowed domains ({{domains}}) are supported.', 'reasons.access.domainNotAllowed'],
  ['Please choose an image first.', 'reasons.upload.none', 'sentences.Please choose an image first.'],
  ['Please add a vehicle first.', 'reasons.order.vehicleMissing', 'sentences.Please add a vehicle first.'],
  ['Too many selected photos.', 'reasons.upload.tooMany'],
  ['Maximum size is {{size}}.', 'contacts.book.tooLarge', 'reasons.upload.tooLarge'],
  [
    'Please select a departure time in the future.',
    'reasons.order.timePast',
    'sentences.Please select a departure time in the future.',
  ],
  [
    'There is an existing ride at the same departure time, so choose a different time.',
    'reasons.order.overlap',
  ],
  [
    'Please offer more than $5 per person to the driver.',
    'reasons.order.offerTooLow',
    'sentences.Please offer more than $5 per person to the driver.',
  ],
  ['The maximum transaction amount allowed is {{amount}}.', 'reasons.order.amountTooHigh'],
  ['Please leave a message.', 'sentences.Please leave a message.'],
  ['A reason is required when denying license photos.', 'reasons.license.reasonMissing'],
  ['Invalid QR Code.', 'contacts.scan.invalid', 'reasons.contact.qrInvalid', 'sentences.Invalid QR Code.'],
  ['Unable to contact.', 'contacts.person.unable', 'reasons.contact.unable'],
  [
    'A connected payment account must be verified to accept in-app payments; otherwise the cost must be set to zero.',
    'payments.setup.text',
    'payments.price.needsAccount',
    'sentences.A connected payment account must be verified to accept in-app payments; otherwise the cost must be set to zero.',
  ],
  ['Server Error', 'common.trouble.server'],
  ['Payment failed, please try again.', 'payments.result.declined', 'reasons.payment.failed'],
  [
    'The connected payment account is not ready: set it up in the payment menu or set the cost to zero.',
    'payments.need.driver.driverAccount',
    'reasons.order.accountNotReady',
  ],
  [
    'Payment method not ready: the passenger has not submitted a payment method, and a reminder was sent.',
    'payments.need.driver.card',
  ],
  ['You cannot edit the time, address or cost because the ride is already matched.', 'reasons.order.matched'],
  ['Failed to locate position, enter manually.', 'common.position.manually'],
  ['Positioning failed.', 'common.position.failed'],
  ['Failed to delete or set a default payment method.', 'reasons.payment.methodFailed'],
  ['Failed to save notification settings, please try again.', 'settings.notifications.saveFailed'],
  [
    'Payment registration failed, please try again.',
    'payments.cards.notAdded',
    'reasons.payment.registrationFailed',
  ],
  ['The ride has ended, no more messages can be sent.', 'chat.closed', 'reasons.room.closed'],
])('“%s” stands to the letter, and in Chinese', (sentence, ...places) => {
  for (const place of places) {
    const [at, text] = english.find(([each]) => each.replaceAll('\u0000', '.') === place) ?? [place];
    expect([place, text]).toEqual([place, sentence]);
    expect(chinese.get(at)).toMatch(han);
  }
});

/** The texts of a list's word in both languages. */
const under =
  (namespace: string, ...path: string[]) =>
  (name: string) => {
    const place = [namespace, ...path, name].join('\u0000');
    return [english.find(([at]) => at === place)?.[1], chinese.get(place)];
  };

/** The lists of the specification, as it spells them, and the contract's. */
const lists: readonly [what: string, specified: readonly string[], ours: readonly string[]][] = [
  [
    'ride states',
    [
      'matching',
      'requesting',
      'joined',
      'waiting',
      'inviting',
      'departed',
      'ongoing',
      'picking',
      'picked',
      'missed',
      'finished',
      'cancel',
      'rejected',
      'expired',
      'full',
      'waiting for passenger acceptance',
      'driver reached',
    ],
    stateLabels,
  ],
  ['stage groups', ['Matching', 'In Progress', 'Completed', 'Joined', 'Requesting'], stages],
  ['visibilities', ['all users', 'all contacts', 'private', 'tags'], visibilities],
  ['roles', ['driver', 'passenger'], roles],
  ['costs', ['perPerson', 'perCar'], priceKinds],
  ['review states of a license', ['Reviewing', 'Accepted', 'Reject'], licenseStatuses],
  ['apply statuses', ['pending', 'accepted', 'denied'], applyStatuses],
  ['origins', ['DIRECT', 'PHONE_NUMBER', 'FTF_QRCODE', 'PHONE_CONTACT', 'INVITE'], contactOrigins],
  ['labels of shortcuts', ['home', 'work', 'other', 'labeled'], shortcutLabels],
  ['genders', ['male', 'female', 'prefer not to say'], genders],
  [
    'payment states',
    [
      'succeeded',
      'processing',
      'requires_payment_method',
      'requires_confirmation',
      'requires_action',
      'requires_capture',
      'canceled',
    ],
    paymentStates,
  ],
];

/** Verbs that read as commands or as half a word: a chip tells what is. The others begin with a capital. */
const shownStates: Partial<Record<string, string>> = {
  picking: 'Picking up',
  picked: 'Picked up',
  cancel: 'Canceled',
};

describe('the lists of the specification', () => {
  test.each(lists)('%s are the contract’s', (_what, specified, ours) => {
    expect(ours.toSorted()).toEqual(specified.toSorted());
  });

  test.each<[what: string, names: readonly string[], read: (name: string) => (string | undefined)[]]>([
    ['stage groups', stages, under('rides', 'stage')],
    ['review states of a license', licenseStatuses, under('people', 'license')],
  ])('%s are read as they are spelled, and in Chinese', (_what, names, read) => {
    for (const name of names) expect(read(name)).toEqual([name, expect.stringMatching(han)]);
  });

  test.each(stateLabels)('the state %s is read as it is spelled but for three, and in Chinese', (state) => {
    const shown = shownStates[state] ?? state[0]!.toUpperCase() + state.slice(1);
    expect(under('rides', 'state')(state)).toEqual([shown, expect.stringMatching(han)]);
  });

  test.each<[what: string, names: readonly string[], read: (name: string) => (string | undefined)[]]>([
    ['payment states', paymentStates, under('payments', 'state')],
    ['origins', contactOrigins, under('contacts', 'origins')],
    ['labels of shortcuts', shortcutLabels, under('geo', 'label')],
    ['genders', genders, under('people', 'profile', 'genders')],
  ])('%s are told in words, in both languages', (_what, names, read) => {
    for (const name of names)
      expect(read(name)).toEqual([expect.stringMatching(/\w/), expect.stringMatching(han)]);
  });

  test.each<[label: string, ...place: string[]]>([
    ['Name', 'people', 'profile', 'name'],
    ['First name', 'people', 'profile', 'firstName'],
    ['Last name', 'people', 'profile', 'lastName'],
    ['Gender', 'people', 'profile', 'gender'],
    ['Phone number', 'people', 'profile', 'phone'],
    ['Email', 'people', 'profile', 'email'],
    ['Interests', 'people', 'profile', 'interests'],
    ['Rating', 'people', 'account', 'rating'],
    ['Shared miles', 'people', 'account', 'miles'],
    ['Tags', 'people', 'account', 'tags'],
    ['Available seats', 'planning', 'driver', 'seats'],
    ['Seats needed', 'planning', 'passenger', 'seats'],
    ['Flight number', 'planning', 'more', 'flight'],
  ])('%s is a label, in Chinese too', (label, ...place) => {
    const at = place.join('\u0000');
    expect([english.find(([each]) => each === at)?.[1], chinese.get(at)]).toEqual([
      label,
      expect.stringMatching(han),
    ]);
  });

  test('titles are spelled as the specification spells them', () => {
    const titles = Object.values((en['common'] as { titles: Record<string, string> }).titles);
    const specified = [
      'Plan your ride',
      'Rides',
      'Ride Detail',
      'Vehicles',
      'Driver License',
      'Contacts',
      'Discover',
    ];
    expect(titles).toEqual(expect.arrayContaining(specified));
  });
});
