import { parseSync, Visitor } from 'vite';

/**
 * The folder that alone writes the tables of a file of `server/schema`; below it, tables of the file that belong to another. A file
 * that is missing here is an error, so that a new one gets its owner.
 */
const ownerOf: Readonly<Record<string, { folder: string; except?: Readonly<Record<string, string>> }>> = {
  alerts: { folder: 'server/features/alerts' },
  audience: { folder: 'server/features/orders' },
  audit: { folder: 'server/platform/security' },
  chat: { folder: 'server/features/chat' },
  columns: { folder: 'server/schema' },
  commutes: { folder: 'server/features/discover' },
  contacts: { folder: 'server/features/contacts' },
  'event-places': { folder: 'server/features/events' },
  events: { folder: 'server/features/events' },
  feedback: { folder: 'server/features/moderation' },
  geo: { folder: 'server/features/geo' },
  identity: { folder: 'server/features/identity' },
  trips: { folder: 'server/features/trips' },
  notifications: { folder: 'server/features/notifications' },
  payments: { folder: 'server/features/payments' },
  pictures: { folder: 'server/features/pictures' },
  platform: { folder: 'server/platform' },
  reviews: { folder: 'server/features/reviews' },
  rides: { folder: 'server/features/orders' },
  safety: { folder: 'server/features/safety' },
  strikes: { folder: 'server/features/moderation' },
  'stripe-sandbox': { folder: 'stripe-sandbox' },
  vehicles: { folder: 'server/features/drivers' },
};

/** A table: how code and database call it, and the folder that alone writes it. */
export interface Table {
  variable: string;
  name: string;
  /** The file of `server/schema` without its ending. */
  schema: string;
  owner: string;
}

/** The tables that a file of `server/schema` declares, or the one of `stripe-sandbox`. @throws Error for a file without an owner. */
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

/** How often a file writes tables whose owner is another folder, by drizzle or by SQL. */
export function foreignWrites(file: string, source: string, tables: readonly Table[]): number {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const imported = new Map<string, Table>();
  const isForeign = (table: Table | undefined) => table !== undefined && !file.startsWith(`${table.owner}/`);
  let count = 0;
  new Visitor({
    ImportDeclaration(node) {
      const [, ours, wall] =
        /\/schema\/([\w-]+)\.ts$|(stripe-sandbox)\/schema\.ts$/.exec(node.source.value) ?? [];
      const schema = ours ?? wall;
      if (schema === undefined) return;
      for (const each of node.specifiers) {
        if (each.type !== 'ImportSpecifier' || each.imported.type !== 'Identifier') continue;
        const { name } = each.imported;
        const table = tables.find((one) => one.schema === schema && one.variable === name);
        if (table !== undefined) imported.set(each.local.name, table);
      }
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (!['insert', 'update', 'delete'].includes(callee.property.name)) return;
      if (first?.type === 'Identifier' && isForeign(imported.get(first.name))) count++;
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return;
      const text = quasi.quasis.map(({ value }) => value.raw).join(' ? ');
      for (const [, inserted, updated, deleted] of text.matchAll(
        /\binsert into (\w+)|\bupdate (\w+)(?: (?!set\b)(?:as )?\w+)? set\b|\bdelete from (\w+)/gi,
      )) {
        const name = (inserted ?? updated ?? deleted)?.toLowerCase();
        if (isForeign(tables.find((table) => table.name === name))) count++;
      }
    },
  }).visit(program);
  return count;
}
