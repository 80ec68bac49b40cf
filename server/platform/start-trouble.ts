import fs from 'node:fs';
import path from 'node:path';

/** Less free space than this, and what failed failed for want of it: PostgreSQL takes 16 MB at a time. */
const fullBelowBytes = 48 * 1024 * 1024;

/**
 * The cause of a failed start, in one sentence with the remedy, for troubles of the machine
 * and not of the code: a full disk, a folder that may not be written. Null for everything else.
 */
export function troubleOfMachine(error: unknown, dataFolder: string): string | null {
  const causes = causesOf(error);
  const freeBytes = freeBytesAt(dataFolder);
  const isFull = causes.some(
    ({ code, message }) =>
      code === 'ENOSPC' || code === 'EDQUOT' || code === '53100' || /No space left on device/.test(message),
  );
  if (isFull || (freeBytes !== null && freeBytes < fullBelowBytes))
    return `The disk that holds ${dataFolder} is full${freeBytes === null ? '' : ` (${Math.floor(freeBytes / 1024 / 1024)} MB free)`}. Free 1 GB there, or name a folder on another disk: DATA_DIR=/srv/sameway npm start`;
  for (const { code, path: file } of causes) {
    const why = whyNoFile[code ?? ''];
    if (why !== undefined && file !== undefined)
      return `${file} cannot be written: ${why}. Make it writable, or name another folder: DATA_DIR=/srv/sameway npm start`;
  }
  return null;
}

/** A trouble that one sentence explains, without a stack. */
export class CannotStart extends Error {}

/** Runs a step whose errors are sentences for the person who starts the server. */
export async function explained<T>(step: () => T | Promise<T>, dataFolder: string): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    throw new CannotStart(troubleOfMachine(error, dataFolder) ?? sentence, { cause: error });
  }
}

/** The words by which a start that failed ends: a sentence, else the stack of the error at the bottom. */
export function lastWords(error: unknown, dataFolder: string): string {
  const root = error instanceof CannotStart ? error : rootOf(error);
  const text =
    troubleOfMachine(error, dataFolder) ??
    (root instanceof CannotStart || !(root instanceof Error) ? String(root) : root.stack);
  return text?.replace(/^Error: /, '') ?? '';
}

/** The error at the bottom: those above repeat its words, with what was asked of the database among them. */
export function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  return root;
}

const whyNoFile: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a file is in the place of a folder',
  EEXIST: 'a file, or a link to nothing, is in the place of a folder',
};

interface Cause {
  code: string | undefined;
  path: string | undefined;
  message: string;
}

function causesOf(error: unknown): Cause[] {
  const found: Cause[] = [];
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const { code, path: file } = each as NodeJS.ErrnoException;
    found.push({ code, path: file, message: each.message });
  }
  return found;
}

/** Null where the system does not say. */
function freeBytesAt(folder: string): number | null {
  for (let each = path.resolve(folder); ; each = path.dirname(each)) {
    if (fs.existsSync(each)) {
      const { bavail, bsize } = fs.statfsSync(each);
      return bavail * bsize;
    }
    if (each === path.dirname(each)) return null;
  }
}
