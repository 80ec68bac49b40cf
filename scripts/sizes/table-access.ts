import path from 'node:path';
import { parseSync, Visitor, type ESTree } from 'vite';
import type { Table } from './owners.ts';

/** The tables of other owners that a file writes and reads, each as often as it does so. */
export interface Foreign {
  writes: string[];
  reads: string[];
}

/** A table with a name that only the running code knows; a write to it counts as foreign. */
const unnamed = 'unnamed';

const writers = ['insert', 'update', 'delete'];
const readers = ['from', '$count', 'join', 'innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin'];
/** A table in SQL, or several of which it is one (`a|b`). */
const target = String.raw`(?:only\s+)?(?:public\.)?"?([\w?|]+)"?`;
const writingSql = new RegExp(
  String.raw`\b(?:insert\s+into|merge\s+into|delete\s+from|truncate(?:\s+table)?)\s+${target}` +
    String.raw`|\bupdate\s+${target}(?:\s+(?!set\b)(?:as\s+)?\w+)?\s+set\b`,
  'gi',
);
const readingSql = new RegExp(String.raw`(?<!\bdelete\s+)\b(?:from|join|using)\s+${target}`, 'gi');
const isSql = /^[\s(]*(?:select|with|insert|update|delete|merge|truncate)\b/i;

/**
 * A file's writes and reads past the owners of tables: by drizzle, also under another name, as a member of
 * the whole schema, or as one of several tables, and by SQL, in any template or text. A table that is handed
 * in, or whose name is put together, could be any; writing it counts too, and so does exporting one, which
 * would hide who writes it.
 */
export function foreignAccess(file: string, source: string, tables: readonly Table[]): Foreign {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const foreign: Foreign = { writes: [], reads: [] };
  const known = new KnownTables(file, tables);
  const add = (to: string[], found: readonly (Table | undefined)[]) => {
    for (const table of found)
      if (table !== undefined && !file.startsWith(`${table.owner}/`)) to.push(table.name);
  };
  const addFromSql = (text: string) => {
    const named = (pattern: RegExp) =>
      [...text.matchAll(pattern)].flatMap(([, first, second]) =>
        (first ?? second ?? '').toLowerCase().split('|'),
      );
    const writes = named(writingSql);
    foreign.writes.push(...writes.filter((name) => name === '?').map(() => unnamed));
    add(foreign.writes, writes.map(known.byName));
    add(foreign.reads, named(readingSql).map(known.byName));
  };
  new Visitor({
    ImportDeclaration: (node) => known.learnImport(node),
    VariableDeclarator: (node) => known.learnVariable(node),
    ExportNamedDeclaration({ source: from, specifiers, exportKind }) {
      const schema = exportKind === 'type' ? undefined : schemaOf(file, from?.value ?? '');
      const names = specifiers.map(({ local }) => (local.type === 'Identifier' ? local.name : ''));
      if (schema !== undefined)
        add(
          foreign.writes,
          names.map((name) => known.find(schema, name)),
        );
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name } = callee.property;
      if (first === undefined || (!writers.includes(name) && !readers.includes(name))) return;
      const found = known.tablesOf(first);
      add(writers.includes(name) ? foreign.writes : foreign.reads, found);
      if (writers.includes(name) && found.length === 0 && isDatabase(callee.object))
        foreign.writes.push(unnamed);
    },
    TemplateLiteral({ quasis, expressions }) {
      addFromSql(
        quasis
          .map(({ value }, at) => {
            const expression = expressions[at];
            if (expression === undefined) return value.raw;
            const names = known.tablesOf(expression).map(({ name }) => name);
            return value.raw + (names.length === 0 ? '?' : names.join('|'));
          })
          .join(''),
      );
    },
    Literal({ value }) {
      if (typeof value === 'string' && isSql.test(value)) addFromSql(value);
    },
  }).visit(program);
  return foreign;
}

/** The schema file that a module specifier of a file names; undefined for other modules. */
function schemaOf(file: string, specifier: string): string | undefined {
  const module = path.posix.join(path.posix.dirname(file), specifier);
  const [, ours, wall] = /^server\/schema\/([\w-]+)\.ts$|^(stripe-sandbox)\/schema\.ts$/.exec(module) ?? [];
  return ours ?? wall;
}

/**
 * Whether an expression is a connection or a transaction, by its name; a set or a map has methods of the same
 * names.
 */
function isDatabase(node: ESTree.Expression | ESTree.Super): boolean {
  if (node.type === 'Identifier') return /^(?:tx|db)$/.test(node.name);
  if (node.type === 'CallExpression') return isDatabase(node.callee);
  if (node.type !== 'MemberExpression') return false;
  return (
    (node.property.type === 'Identifier' && /^(?:tx|db)$/.test(node.property.name)) || isDatabase(node.object)
  );
}

/** The tables that names of one file stand for. */
class KnownTables {
  private readonly names = new Map<string, Table[]>();
  private readonly schemas = new Map<string, string>();
  private readonly file: string;
  private readonly tables: readonly Table[];

  constructor(file: string, tables: readonly Table[]) {
    this.file = file;
    this.tables = tables;
  }

  readonly byName = (name: string): Table | undefined => this.tables.find((table) => table.name === name);

  find(schema: string, variable: string): Table | undefined {
    return this.tables.find((table) => table.schema === schema && table.variable === variable);
  }

  learnImport({ source, specifiers }: ESTree.ImportDeclaration): void {
    const schema = schemaOf(this.file, source.value);
    if (schema === undefined) return;
    for (const each of specifiers) {
      if (each.type === 'ImportNamespaceSpecifier') this.schemas.set(each.local.name, schema);
      if (each.type !== 'ImportSpecifier' || each.imported.type !== 'Identifier') continue;
      const table = this.find(schema, each.imported.name);
      if (table !== undefined) this.names.set(each.local.name, [table]);
    }
  }

  learnVariable({ id, init }: ESTree.VariableDeclarator): void {
    const found = init === null || id.type !== 'Identifier' ? [] : this.tablesOf(init);
    if (id.type === 'Identifier' && found.length > 0) this.names.set(id.name, found);
  }

  /** The tables that an expression may be; none where it is no table, or one that is not known here. */
  tablesOf(node: ESTree.Node): Table[] {
    switch (node.type) {
      case 'Identifier':
        return this.names.get(node.name) ?? [];
      case 'MemberExpression': {
        const schema = node.object.type === 'Identifier' ? this.schemas.get(node.object.name) : undefined;
        if (schema === undefined || node.property.type !== 'Identifier') return [];
        return [this.find(schema, node.property.name)].filter((table) => table !== undefined);
      }
      case 'ConditionalExpression':
        return [...this.tablesOf(node.consequent), ...this.tablesOf(node.alternate)];
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        return this.tablesOf(node.expression);
      default:
        return [];
    }
  }
}
