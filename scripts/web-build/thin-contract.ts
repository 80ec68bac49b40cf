import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const contractFolder = path.resolve(import.meta.dirname, '..', '..', 'contract');
/** Begins the id of a module without schemas; the file it is made from follows. */
const thin = '\0thin:';

/**
 * Gives the web app the contract without its schemas: of a call only what a browser needs to make it, of
 * lists and figures their values. What checks an input comes, with zod, with the pages that import a schema
 * by its name. The types stay those of the contract.
 */
export function thinContract(): Plugin {
  return {
    name: 'sameway-thin-contract',
    apply: 'build',
    resolveId: (source) => (source.startsWith(thin.slice(1)) ? `\0${source}` : null),
    async load(id) {
      if (!id.startsWith(thin)) return null;
      const exports = await exportsOf(id.slice(thin.length));
      return { code: thinModule(exports), moduleSideEffects: false };
    },
    transform: {
      // Once types are gone: what is imported then is used.
      order: 'post',
      async handler(code, id) {
        if (id.startsWith('\0') || id.includes('node_modules') || hasSchemas(id)) return null;
        let written = code;
        for (const [statement, names = '', source = ''] of code.matchAll(named)) {
          const file = contractFile(source, id);
          if (file === null || !hasSchemas(file)) continue;
          const exports = await exportsOf(file);
          const missing = schemaOfCall(code, names, exports);
          if (missing !== null)
            this.error(`${id} reads ${missing}, which no browser has: name it in contract/form-inputs.ts.`);
          written = written.replace(statement, () => separate(names, file, exports));
        }
        return written === code ? null : { code: written, map: null };
      },
    },
  };
}

const named = /import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["'];?/g;

/** The contract's file that an import means; null for any other module. */
function contractFile(source: string, importer: string): string | null {
  if (source.startsWith('#contract/')) return path.join(contractFolder, source.slice('#contract/'.length));
  const file = source.startsWith('.') ? path.resolve(path.dirname(importer), source) : '';
  return file.startsWith(contractFolder + path.sep) ? file : null;
}

const known = new Map<string, boolean>();
/** Whether a file of the contract holds schemas: then it works with zod, or with what other such files do. */
function hasSchemas(file: string): boolean {
  if (!file.startsWith(contractFolder + path.sep)) return false;
  const has = known.get(file) ?? /from '(zod|.*\/endpoints\.ts)'/.test(fs.readFileSync(file, 'utf8'));
  known.set(file, has);
  return has;
}

type Exports = Readonly<Record<string, unknown>>;

const exportsOf = async (file: string): Promise<Exports> =>
  (await import(pathToFileURL(file).href)) as Exports;

/** One import as two: what is plain data from the thin module, schemas and functions from the file itself. */
function separate(names: string, file: string, exports: Exports): string {
  const parts = { [`${thin.slice(1)}${file}`]: [] as string[], [file]: [] as string[] };
  for (const name of names.split(',').map((each) => each.trim()))
    if (name !== '')
      parts[literalOf(exports[name.split(' as ')[0]!]) === null ? file : `${thin.slice(1)}${file}`]!.push(
        name,
      );
  return Object.entries(parts)
    .filter(([, each]) => each.length > 0)
    .map(([source, each]) => `import { ${each.join(', ')} } from ${JSON.stringify(source)};`)
    .join(' ');
}

/** The source of a module with those exports of a file of the contract that are plain data. */
export const thinModule = (exports: Exports): string =>
  Object.entries(exports)
    .flatMap(([name, value]) => {
      const literal = literalOf(value);
      return literal === null ? [] : [`export const ${name} = ${literal};`];
    })
    .join('\n');

interface Call {
  method: unknown;
  path: unknown;
  who: unknown;
  takesFile?: unknown;
}

const isCall = (value: object): value is Call =>
  'method' in value && 'path' in value && 'input' in value && 'refusals' in value;

/** A value as source text; null for what is more than data, such as a schema or a function. */
function literalOf(value: unknown): string | null {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  if (typeof value === 'number' || value instanceof RegExp) return String(value);
  if (Array.isArray(value)) {
    const items = value.map(literalOf);
    return items.includes(null) ? null : `[${items.join(', ')}]`;
  }
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return null;
  if (isCall(value)) {
    const { method, path, who, takesFile } = value;
    return JSON.stringify({ method, path, who, takesFile });
  }
  const fields = Object.entries(value).map(([name, each]) => [JSON.stringify(name), literalOf(each)]);
  return fields.some(([, each]) => each === null)
    ? null
    : `{ ${fields.map((field) => field.join(': ')).join(', ')} }`;
}

/** The first schema of an imported call that a module reads, such as `login.input`; null for none. */
function schemaOfCall(code: string, names: string, exports: Exports): string | null {
  for (const name of names.split(',').map((each) => each.trim())) {
    const [exported = '', local = exported] = name.split(' as ');
    const value = exports[exported];
    if (typeof value !== 'object' || value === null || !isCall(value)) continue;
    const read = new RegExp(`\\b${local}\\.(input|output)\\b`).exec(code);
    if (read !== null) return read[0];
  }
  return null;
}
