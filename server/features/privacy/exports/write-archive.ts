import { appVersion } from '#contract/app/endpoints.ts';
import type { PrivacyContext } from '../context.ts';
import { personalTables, type PersonalTable } from '../rules/personal-tables.ts';
import { exportReadme } from '../rules/readme.ts';
import { namesAround, readRowsAbout } from '../store.ts';
import { Archive } from './archive.ts';
import { ArchiveParts } from './archive-parts.ts';
import type { Attempt } from './store.ts';

/** Rows of a table are lines. */
const between = ',\n  ';

/**
 * Writes everything about a person into the file store, in parts: each table is read in pages, in a short
 * transaction of its own. Throws `AttemptOver` where the attempt is.
 * @returns the bytes of the archive
 */
export async function writeArchive(
  { pictures, platform }: PrivacyContext,
  attempt: Attempt,
): Promise<number> {
  const { db, longRead, clock } = platform;
  const { userId } = attempt;
  const archive = new Archive();
  const parts = new ArchiveParts(platform, attempt, archive);
  const at = clock.now().toISOString();
  const readme = archive.addText('README.txt');
  await readme.write(exportReadme(at));
  await readme.end();

  const data = archive.addText('data.json');
  const people = await namesAround(db, userId);
  const head = { product: 'Sameway', version: appVersion, exportedAt: at, people };
  await data.write(JSON.stringify(head, null, 1).slice(0, -2));
  for (const [table, entries] of exportedTables) {
    let separator = `,\n "${table}": [\n  `;
    for (const personal of entries)
      await longRead((tx) =>
        readRowsAbout(tx, personal, userId, async (rows) => {
          if (rows.length === 0) return;
          await data.write(separator + rows.map((row) => JSON.stringify(row)).join(between));
          separator = between;
        }),
      );
    await data.write(separator === between ? '\n ]' : `,\n "${table}": []`);
    await parts.writeFull();
  }
  await data.write('\n}\n');
  await data.end();

  for await (const { name, bytes } of pictures.exportOf(userId)) {
    archive.addStored(`pictures/${name}`, bytes);
    await parts.writeFull();
  }
  archive.end();
  await parts.writeRest();
  return parts.bytes;
}

/** The tables in an export, each with all that it is read by. */
const exportedTables: ReadonlyMap<string, readonly (PersonalTable | 'account')[]> = (() => {
  const found = new Map<string, (PersonalTable | 'account')[]>([['account', ['account']]]);
  for (const personal of personalTables)
    if (personal.hidden !== null) found.set(personal.table, [...(found.get(personal.table) ?? []), personal]);
  return found;
})();
