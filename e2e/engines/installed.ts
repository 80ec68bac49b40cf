import fs from 'node:fs';
import path from 'node:path';

/** Where the first of these programs that is installed lies; null where none is. */
export function firstInstalled(...names: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return files.find((file) => fs.existsSync(file)) ?? null;
}
