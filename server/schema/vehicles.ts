import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { vehicleColors, vehicleTypes } from '#contract/vehicles/endpoints.ts';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { pictures } from './pictures.ts';

export const vehicles = pgTable(
  'vehicles',
  {
    id: uuid('id').primaryKey(),
    ownerId: deletedWith('owner_id', () => users.id).notNull(),
    plate: text('plate').notNull(),
    brand: text('brand').notNull(),
    model: text('model').notNull(),
    type: text('type', { enum: vehicleTypes }).notNull(),
    year: integer('year').notNull(),
    color: text('color', { enum: vehicleColors }).notNull(),
    seats: integer('seats').notNull(),
    /** Remains after removal, because past rides name it. */
    deletedAt: instantColumn('deleted_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    index('vehicles_owner').on(t.ownerId),
    uniqueIndex('vehicles_owner_plate')
      .on(t.ownerId, t.plate)
      .where(sql`deleted_at is null`),
  ],
);

export const licenses = pgTable(
  'licenses',
  {
    id: uuid('id').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    status: text('status', { enum: ['Reviewing', 'Accepted', 'Reject'] }).notNull(),
    result: text('result').notNull().default(''),
    frontId: uuid('front_id').references(() => pictures.id, { onDelete: 'set null' }),
    backId: uuid('back_id').references(() => pictures.id, { onDelete: 'set null' }),
    createdAt: instantColumn('created_at').notNull(),
    decidedAt: instantColumn('decided_at'),
    decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    // With the state, so that many people's are read from the index alone.
    index('licenses_standing').on(t.userId, t.createdAt, t.status),
    index('licenses_decided')
      .on(t.decidedAt)
      .where(sql`decided_at is not null`),
    // A picture that is deleted finds its license by it.
    index('licenses_front').on(t.frontId),
    index('licenses_back').on(t.backId),
    uniqueIndex('licenses_one_waiting')
      .on(t.userId)
      .where(sql`status = 'Reviewing'`),
  ],
);
