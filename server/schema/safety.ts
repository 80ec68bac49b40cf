import { doublePrecision, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { rides } from './rides.ts';

/** The people who may watch a ride: a contact, or a holder of the link. Only a hash of the link is stored. */
export const tripShares = pgTable(
  'trip_shares',
  {
    id: uuid('id').primaryKey(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    ownerId: deletedWith('owner_id', () => users.id).notNull(),
    toId: deletedWith('to_id', () => users.id),
    secretHash: text('secret_hash').notNull().unique(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    index('trip_shares_ride').on(t.rideId, t.ownerId),
    index('trip_shares_owner').on(t.ownerId),
    index('trip_shares_to').on(t.toId),
  ],
);

/** The contact to notify in an emergency. */
export const trustedContacts = pgTable('trusted_contacts', {
  ownerId: deletedWith('owner_id', () => users.id).primaryKey(),
  name: text('name').notNull(),
  phone: text('phone').notNull(),
  email: text('email').notNull(),
});

/** Emergencies that were raised, for the admins who handle them. */
export const alarms = pgTable(
  'alarms',
  {
    id: uuid('id').primaryKey(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    personId: deletedWith('person_id', () => users.id).notNull(),
    lon: doublePrecision('lon'),
    lat: doublePrecision('lat'),
    at: instantColumn('at').notNull(),
  },
  (t) => [index('alarms_person').on(t.personId)],
);
