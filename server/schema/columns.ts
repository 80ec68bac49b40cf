import { boolean, doublePrecision, text, timestamp, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core';

/** A UTC instant. */
export const instantColumn = (name: string) =>
  timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

/** The id of another row: this one is deleted with it. */
export const deletedWith = (name: string, of: () => AnyPgColumn) =>
  uuid(name).references(of, { onDelete: 'cascade' });

/** The four columns of a place, for example `from_name`, `from_detail`, `from_lon`, `from_lat`. */
export const placeColumns = <P extends string>(prefix: P) =>
  ({
    [`${prefix}Name`]: text(`${prefix}_name`).notNull(),
    [`${prefix}Detail`]: text(`${prefix}_detail`).notNull(),
    [`${prefix}Lon`]: doublePrecision(`${prefix}_lon`).notNull(),
    [`${prefix}Lat`]: doublePrecision(`${prefix}_lat`).notNull(),
  }) as PlaceColumns<P>;

const requiredText = () => text().notNull();
const requiredNumber = () => doublePrecision().notNull();
type PlaceColumns<P extends string> = Record<`${P}Name` | `${P}Detail`, ReturnType<typeof requiredText>> &
  Record<`${P}Lon` | `${P}Lat`, ReturnType<typeof requiredNumber>>;

/**
 * The region pack in which a thing began when it was published: a key to divide tables by. It stays when a
 * place is changed later. Empty where no pack was loaded.
 */
export const regionColumn = () => ({ regionId: text('region_id').notNull().default('') });

/**
 * An order's preferences on pets, large luggage, quiet, and women with women
 * (`contract/rides/preferences.ts`).
 */
export const preferenceColumns = () => ({
  pets: boolean('pets').notNull().default(false),
  luggage: boolean('luggage').notNull().default(false),
  quiet: boolean('quiet').notNull().default(false),
  women: boolean('women').notNull().default(false),
});
