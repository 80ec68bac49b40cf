import { sql } from 'drizzle-orm';
import { customType, doublePrecision, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn, placeColumns } from './columns.ts';
import { users } from './identity.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Everything that can be found by typing: towns, postcodes, streets, addresses, named places, airports. */
export const places = pgTable(
  'places',
  {
    id: text('id').primaryKey(),
    /** Region pack the row comes from, `cities` for towns beyond it, or `world` for airports. */
    pack: text('pack').notNull(),
    kind: text('kind', { enum: ['town', 'street', 'address', 'place', 'airport'] }).notNull(),
    name: text('name').notNull(),
    /** Short, official, local and former names. */
    otherNames: text('other_names')
      .array()
      .notNull()
      .default(sql`'{}'`),
    category: text('category').notNull().default(''),
    street: text('street').notNull().default(''),
    town: text('town').notNull().default(''),
    postcode: text('postcode').notNull().default(''),
    lon: doublePrecision('lon').notNull(),
    lat: doublePrecision('lat').notNull(),
    /** 0 to 1: how likely people mean this one among others of the name. */
    importance: doublePrecision('importance').notNull(),
    /** House numbers along a street, for interpolation; null elsewhere. */
    range: jsonb('range'),
    /** The words as people abbreviate and spell them out, lower case. */
    words: text('words').notNull(),
    nameVector: tsvector('name_vector')
      .notNull()
      .generatedAlwaysAs(
        sql`setweight(to_tsvector('simple', words), 'A') || setweight(to_tsvector('simple', town || ' ' || postcode), 'C')`,
      ),
  },
  (t) => [
    index('places_name_vector').using('gin', t.nameVector),
    index('places_named_vector')
      .using('gin', t.nameVector)
      .with({ fastupdate: false })
      .where(sql`kind <> 'address'`),
    index('places_words_trgm').using('gin', sql`words gin_trgm_ops`),
    index('places_lon_lat').on(t.lon, t.lat),
    index('places_pack').on(t.pack),
  ],
);

export const shortcuts = pgTable(
  'shortcuts',
  {
    id: uuid('id').primaryKey(),
    ownerId: deletedWith('owner_id', () => users.id).notNull(),
    label: text('label', { enum: ['home', 'work', 'other', 'labeled'] }).notNull(),
    labelText: text('label_text').notNull().default(''),
    ...placeColumns('at'),
    position: integer('position').notNull().default(0),
    /**
     * Within this distance its owner is notified of new orders; null if they do not want to be. Triggers keep
     * it as the owner's settings and the label say.
     */
    shownWithinMetres: integer('shown_within_metres'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    index('shortcuts_owner').on(t.ownerId),
    index('shortcuts_told')
      .using('gist', sql`point(at_lon, at_lat)`)
      .where(sql`shown_within_metres is not null`),
  ],
);
