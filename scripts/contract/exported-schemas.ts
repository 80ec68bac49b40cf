import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const folder = path.resolve(import.meta.dirname, '..', '..', 'contract');

/** The schemas that the contract exports by name. @throws Error if two exports have one name. */
export async function exportedSchemas(): Promise<Map<z.ZodType, string>> {
  const names = new Map<z.ZodType, string>();
  for await (const file of glob('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] })) {
    const module = (await import(pathToFileURL(path.join(folder, file)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      if (!(value instanceof z.ZodType) || names.has(value)) continue;
      if ([...names.values()].includes(name))
        throw new Error(`Two schemas of the contract are called ${name}`);
      names.set(value, name);
    }
  }
  return names;
}
