import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OutputOf, InputOf } from '#contract/define.ts';
import type { Ride } from '#contract/rides/views.ts';
import type {
  raiseAlarm as raiseCall,
  saveTrustedContact as saveCall,
  TrustedContact,
} from '#contract/safety/endpoints.ts';
import type { App } from '../../app-type.ts';
import { refuseField } from '../../platform/refusal.ts';
import { streetOf } from '../geo/service.ts';
import { contactDetailsOf, type ContactDetails, parsePhone } from '../identity/service.ts';
import { whereIsCar } from '../trips/service.ts';
import { nameOf, newShare, tripOn } from './share-trip.ts';
import { emergencyEmail, type Emergency, emergencySms } from './rules/emails.ts';
import * as store from './store.ts';

/**
 * Counted in the command, after the trip is checked: a refused alarm must not use up one that is needed
 * later.
 */
const alarmTries = { most: 5, withinSeconds: 600 };

/**
 * Records an emergency and notifies the trusted contact, with a link to follow the trip. Refuses
 * `share.notRiding`.
 */
export async function raiseAlarm(
  app: App,
  { id, lon, lat }: z.output<typeof raiseCall.input>,
  personId: string,
): Promise<OutputOf<typeof raiseCall>> {
  const { db, transact, tries, outbox, clock, env } = app;
  const { ride } = await tripOn(app, id, personId);
  await tries.count(`alarm:${personId}`, alarmTries);
  const trusted = await store.trustedOf(db, personId);
  const own = (await contactDetailsOf(app, [personId])).get(personId);
  const car = (await whereIsCar(app, id, personId)).position;
  const at =
    lon !== null && lat !== null ? { lon, lat } : car === null ? null : { lon: car.lon, lat: car.lat };
  const { row, path } = newShare(app, { rideId: id, ownerId: personId, toId: null });
  const language = own?.language ?? 'en';
  const emergency: Emergency = {
    ...describe(app, ride, { own, at }),
    name: await nameOf(app, personId),
    link: `${env.publicUrl}${path}`,
  };
  await transact('raise alarm', async (tx) => {
    const where = { lon: at?.lon ?? null, lat: at?.lat ?? null };
    await store.insertAlarm(tx, { id: randomUUID(), rideId: id, personId, at: clock.now(), ...where });
    if (trusted === null) return;
    await store.insertShare(tx, row);
    if (trusted.phone !== '')
      await outbox.text(tx, { to: trusted.phone, ...emergencySms(language, emergency) });
    if (trusted.email !== '')
      await outbox.post(tx, { to: trusted.email, ...emergencyEmail(language, emergency) });
  });
  const told: OutputOf<typeof raiseCall>['told'] = [];
  if (trusted !== null && trusted.phone !== '') told.push('sms');
  if (trusted !== null && trusted.email !== '') told.push('email');
  return { told, name: trusted?.name ?? '' };
}

/** The facts for the trusted contact: person, place and car. */
function describe(
  app: App,
  { vehicle, driver }: Ride,
  { own, at }: { own: ContactDetails | undefined; at: Emergency['at'] },
): Omit<Emergency, 'name' | 'link'> {
  const place = at === null ? { name: '', detail: '' } : streetOf(app, at);
  return {
    phone: own?.phoneVerified === true ? own.phone : '',
    place: [place.name, place.detail].filter(Boolean).join(', '),
    at,
    plate: vehicle?.plate ?? '',
    car: vehicle === null ? '' : `${vehicle.color} ${vehicle.brand} ${vehicle.model}`,
    driverName: driver.name,
  };
}

const none: TrustedContact = { name: '', phone: '', email: '' };

/** The contact to notify in an emergency; empty fields where the person has named none. */
export async function readTrustedContact(app: App, personId: string): Promise<TrustedContact> {
  const row = await store.trustedOf(app.db, personId);
  return row === null ? none : { name: row.name, phone: row.phone, email: row.email };
}

/**
 * Stores the trusted contact; an empty name removes it. Refuses `access.phoneInvalid`, and
 * `safety.unreachable` for a contact with neither a number nor an email.
 */
export async function saveTrustedContact(
  { transact }: App,
  input: Required<InputOf<typeof saveCall>>,
  personId: string,
): Promise<TrustedContact> {
  if (input.name === '') {
    await transact('remove trusted contact', (tx) => store.dropTrusted(tx, personId));
    return none;
  }
  const number = input.phone === '' ? null : parsePhone(input.phone);
  if (input.phone !== '' && number === null)
    throw refuseField('access.phoneInvalid', 'phone', 'Please enter a valid phone number.');
  const { name, email } = input;
  const phone = number?.phone ?? '';
  if (phone === '' && email === '')
    throw refuseField('safety.unreachable', 'phone', 'Please enter a phone number or an email.');
  await transact('save trusted contact', (tx) =>
    store.keepTrusted(tx, { ownerId: personId, name, phone, email }),
  );
  return { name, phone, email };
}
