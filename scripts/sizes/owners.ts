/**
 * The folder that alone writes the tables of a file of `server/schema`; below it, tables of the file that
 * belong to another. A file that is missing here is an error, so that a new one gets its owner. Triggers
 * (`server/migrations`) are not checked.
 */
const ownerOf: Readonly<Record<string, { folder: string; except?: Readonly<Record<string, string>> }>> = {
  alerts: { folder: 'server/features/alerts' },
  audit: { folder: 'server/platform/security' },
  chat: { folder: 'server/features/chat' },
  columns: { folder: 'server/schema' },
  commutes: { folder: 'server/features/commutes' },
  connect: { folder: 'server/features/connect' },
  contacts: { folder: 'server/features/contacts' },
  'event-places': { folder: 'server/features/events' },
  events: { folder: 'server/features/events' },
  exports: { folder: 'server/features/privacy' },
  geo: { folder: 'server/features/geo' },
  identity: { folder: 'server/features/identity' },
  // Questions, tries and reports about a day that is disputed or unknown decide the booking:
  // `orders/reports`, `orders/unclear`.
  trips: {
    folder: 'server/features/trips',
    except: {
      rideQuestions: 'server/features/orders',
      contactAttempts: 'server/features/orders',
      driverReports: 'server/features/orders',
    },
  },
  moderation: { folder: 'server/features/moderation' },
  // The platform sends to devices, and forgets one at the word of its push service.
  notifications: {
    folder: 'server/features/notifications',
    except: { pushDevices: 'server/platform' },
  },
  payments: { folder: 'server/features/payments' },
  pictures: { folder: 'server/features/pictures' },
  platform: { folder: 'server/platform' },
  reviews: { folder: 'server/features/reviews' },
  rides: { folder: 'server/features/orders' },
  safety: { folder: 'server/features/safety' },
  'stripe-sandbox': { folder: 'stripe-sandbox' },
  vehicles: {
    folder: 'server/features/drivers/vehicles',
    except: { licenses: 'server/features/drivers/licenses' },
  },
};

/** A table: how code and database call it, and the folder that alone writes it. */
export interface Table {
  variable: string;
  name: string;
  /** The file of `server/schema` without its ending. */
  schema: string;
  owner: string;
}

/**
 * The tables that a file of `server/schema` declares, or the one of `stripe-sandbox`.
 * @throws Error for a file without an owner.
 */
export function tablesOf(schema: string, source: string): Table[] {
  const owner = ownerOf[schema];
  if (owner === undefined)
    throw new Error(`server/schema/${schema}.ts has no owner in scripts/sizes/owners.ts.`);
  return [...source.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)].map(
    ([, variable = '', name = '']) => ({
      variable,
      name,
      schema,
      owner: owner.except?.[variable] ?? owner.folder,
    }),
  );
}
