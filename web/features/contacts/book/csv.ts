import { mostEntries, tidyName, type BookEntry } from './entry.ts';

const mostCells = 200;
const phoneHead = /phone|mobile|\btel\b|telephone|cell|手机|电话|號碼|号码/i;
const nameHead = /^(name|full name|display name|file as|姓名|名称|联系人|名字)$/i;
const givenHead = /^(first|given)[ _-]?name$|^名$/i;
const familyHead = /^(last|family|sur)[ _-]?name$|^surname$|^姓$/i;
const notValue = /type|label|标签|类型/i;
const numberLike = /^[+＋(]?[\d\s().\-/–]{6,30}$/;

/**
 * The people of a table exported by Google, Outlook, a phone or by hand; those without a number are left out.
 */
export function readCsv(text: string): BookEntry[] {
  const [head = [], ...body] = rowsOf(text.replace(/^\uFEFF/, ''));
  const heads = head.map((cell) => cell.trim());
  const phones = indexes(heads, (cell) => phoneHead.test(cell) && !notValue.test(cell));
  if (phones.length === 0) return [head, ...body].flatMap(entryByLook);
  const find = (like: RegExp) => heads.findIndex((cell) => like.test(cell));
  const [whole, given, family] = [find(nameHead), find(givenHead), find(familyHead)];
  return body.flatMap((row) => {
    const cell = (index: number) => row[index]?.trim() ?? '';
    const parts = [cell(given), cell(family)];
    const joined = /\p{Script=Han}/u.test(parts.join('')) ? parts.toReversed().join('') : parts.join(' ');
    // Google puts several numbers of a kind into one cell.
    const numbers = phones.flatMap((index) => cell(index).split(':::')).map((each) => each.trim());
    return entry(cell(whole) || joined, numbers);
  });
}

/** Without heads: what looks like a number is one, and the first other word is the name. */
function entryByLook(row: string[]): BookEntry[] {
  const cells = row.map((cell) => cell.trim());
  const name = cells.find((cell) => cell !== '' && !numberLike.test(cell) && !cell.includes('@')) ?? '';
  return entry(
    name,
    cells.filter((cell) => numberLike.test(cell)),
  );
}

function entry(name: string, given: string[]): BookEntry[] {
  const numbers = given
    .filter((each) => /\d{5}/.test(each.replaceAll(/\D/g, '')))
    .map((each) => each.slice(0, 40));
  return numbers.length === 0 ? [] : [{ name: tidyName(name), numbers: numbers.slice(0, 50) }];
}

const indexes = (cells: readonly string[], fits: (cell: string) => boolean): number[] =>
  cells.flatMap((cell, index) => (fits(cell) ? [index] : []));

/** RFC 4180, with the comma, the semicolon or the tab that the first line uses most. */
function rowsOf(text: string): string[][] {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const counted = [',', ';', '\t'].map((each) => [each, first.split(each).length] as const);
  const delimiter = counted.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    if (row.length < mostCells) row.push(cell);
    cell = '';
  };
  for (let at = 0; at < text.length && rows.length <= mostEntries; at++) {
    const letter = text[at]!;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === delimiter) endCell();
    else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text[at + 1] === '\n') at += 1;
      endCell();
      rows.push(row);
      row = [];
    } else cell += letter;
  }
  if (cell !== '' || row.length > 0) {
    endCell();
    rows.push(row);
  }
  return rows;
}
