import { appVersion } from '#contract/app/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { exportPictures } from '../../pictures/service.ts';
import { personalTables, type PersonalTable } from '../rules/personal-tables.ts';
import { exportReadme } from '../rules/readme.ts';
import { idsAbout, namesAround, piecesOf, readRowsAbout, type Row } from '../store.ts';
import { ArchiveParts, Archive } from './archive.ts';
import type { Attempt } from './store.ts';

/** Rows of a table are lines. */
const between = ',\n  ';

/** Finding a person, a room or a move by other rows costs the database as much as reading this many rows. */
const rowsToFindOne = 3;
/** Reading a picture from the file store and sending it on counts as this many rows. */
const rowsOfPicture = 50;

/**
 * Writes everything about a person into the file store, in parts: each table is read in pages, in short
 * transactions of its own. Between these it can be left for as long as wanted: it holds no connection. Throws
 * `AttemptOver` where the attempt is.
 * @yields what it has cost since it went on, in rows that were read
 * @returns the bytes of the archive
 */
export async function* writeArchive(app: App, attempt: Attempt): AsyncGenerator<number, number> {
  const { db, clock } = app;
  const { userId } = attempt;
  const archive = new Archive();
  const parts = new ArchiveParts(app, attempt, archive);
  const at = clock.now().toISOString();
  const readme = archive.addText('README.txt');
  await readme.write(exportReadme(at));
  await readme.end();

  const data = archive.addText('data.json');
  const people = await namesAround(db, userId);
  const head = { product: 'Sameway', version: appVersion, exportedAt: at, people };
  await data.write(JSON.stringify(head, null, 1).slice(0, -2));
  yield rowsToFindOne * Object.keys(people).length;
  const orders = new Set<string>();
  for (const [table, entries] of exportedTables) {
    let separator = `,\n "${table}": [\n  `;
    const write = async (rows: readonly Row[]) => {
      if (rows.length === 0) return;
      await data.write(separator + rows.map((row) => JSON.stringify(row)).join(between));
      separator = between;
    };
    for (const personal of entries)
      for await (const rows of readEach(app, personal, { userId, orders, write })) {
        await parts.writeFull();
        yield rows;
      }
    await data.write(separator === between ? '\n ]' : `,\n "${table}": []`);
  }
  await data.write('\n}\n');
  await data.end();

  for await (const { name, bytes } of exportPictures(app, userId)) {
    archive.addStored(`pictures/${name}`, bytes);
    await parts.writeFull();
    yield rowsOfPicture;
  }
  archive.end();
  await parts.writeRest();
  return parts.bytes;
}

/** Reads the rows of a table about a person, one piece after another. @yields as `writeArchive` */
async function* readEach(
  { db, longRead }: App,
  personal: PersonalTable | 'account',
  about: { userId: string; orders: Set<string>; write: (rows: readonly Row[]) => Promise<void> },
): AsyncGenerator<number> {
  const { userId, orders, write } = about;
  const ids = new Set<string>();
  const orderColumn = personal === 'account' ? undefined : personal.orderColumn;
  if (personal !== 'account')
    for await (const found of idsAbout(db, personal, { userId, orders })) {
      for (const id of found) ids.add(id);
      yield rowsToFindOne * found.length;
    }
  const take = (rows: readonly Row[]) => {
    if (orderColumn !== undefined) for (const row of rows) orders.add(String(row[orderColumn]));
    return write(rows);
  };
  // Of a room all lines are read, and those that others have written are left out.
  const rowsToReadOne = personal !== 'account' && personal.within === 'rooms' ? rowsToFindOne : 1;
  for (const piece of piecesOf(personal, ids))
    yield rowsToReadOne * (await longRead((tx) => readRowsAbout(tx, personal, { userId, piece }, take)));
}

/** The tables in an export, each with all that it is read by; last, what is found by the person's orders. */
const exportedTables: ReadonlyMap<string, readonly (PersonalTable | 'account')[]> = (() => {
  const found = new Map<string, (PersonalTable | 'account')[]>([['account', ['account']]]);
  const isLast = ({ within }: PersonalTable) => Number(within === 'orders');
  for (const personal of personalTables.toSorted((a, b) => isLast(a) - isLast(b)))
    if (personal.hidden !== null) found.set(personal.table, [...(found.get(personal.table) ?? []), personal]);
  return found;
})();
