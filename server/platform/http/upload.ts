import type { FastifyMultipartBaseOptions } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { maxPictureBytes, maxPictureSize } from '#contract/pictures/endpoints.ts';
import { busy, refuseField, Refusal } from '../refusal.ts';

/** The limits of a multipart request; a file beyond the size is cut off silently and seen by `truncated`. */
export const uploadLimits = {
  throwFileSizeLimit: false,
  limits: { fileSize: maxPictureBytes, files: 2, fields: 10, fieldSize: 1000, parts: 12, headerPairs: 100 },
} satisfies FastifyMultipartBaseOptions & { throwFileSizeLimit: boolean };

/** Room for the rest of a request that carries a file of the largest size. */
const spareBytes = 20_000;

export const tooLarge = () =>
  refuseField('upload.tooLarge', 'file', `Maximum size is ${maxPictureSize}.`, { size: maxPictureSize });
/** Maximum uploads at a time: each keeps its whole file in memory. */
const mostAtOnce = { perPerson: 4, inAll: 24 };

/**
 * Lets an upload in, or refuses `server.busy` where too many are under way.
 * @returns what the upload calls at its end.
 */
export type UploadGate = (userId: string) => () => void;

/** Counts uploads from before their first byte is read until they are answered. */
export function createUploadGate(): UploadGate {
  const open = new Map<string, number>();
  let all = 0;
  return (userId) => {
    const own = open.get(userId) ?? 0;
    if (own >= mostAtOnce.perPerson || all >= mostAtOnce.inAll) throw busy();
    open.set(userId, own + 1);
    all += 1;
    return () => {
      all -= 1;
      const left = (open.get(userId) ?? 1) - 1;
      if (left === 0) open.delete(userId);
      else open.set(userId, left);
    };
  };
}

const unreadable = () => refuseField('input.invalid', 'file', 'We couldn’t read this form.');
const none = () => refuseField('upload.none', 'file', 'Please choose an image first.');
const tooMany = () => refuseField('upload.tooMany', 'file', 'Too many selected photos.');

/**
 * The one file of a multipart request, and its other fields as text.
 * Refuses `upload.none`, `upload.tooMany`, `upload.tooLarge`.
 */
export async function readUpload(
  request: FastifyRequest,
): Promise<{ fields: Record<string, string>; file: Buffer }> {
  if (!request.isMultipart()) throw none();
  if (Number(request.headers['content-length'] ?? 0) > maxPictureBytes + spareBytes) throw tooLarge();
  const fields: Record<string, string> = {};
  const files: { bytes: Buffer; truncated: boolean }[] = [];
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') files.push({ bytes: await part.toBuffer(), truncated: part.file.truncated });
      else if (typeof part.value === 'string') fields[part.fieldname] = part.value;
    }
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Refusal) throw error;
    if ('code' in error && error.code === 'FST_FILES_LIMIT') throw tooMany();
    // With a status, the error is a limit of the HTTP server; without one, the form is malformed.
    throw 'statusCode' in error ? error : unreadable();
  }
  const [first, second] = files;
  if (second !== undefined) throw tooMany();
  if (first === undefined || (first.bytes.length === 0 && !first.truncated)) throw none();
  if (first.truncated) throw tooLarge();
  return { fields, file: first.bytes };
}
