/** A file's type by its bytes; ignores its name and the type its sender claims. */
export type Content = 'jpeg' | 'png' | 'webp' | 'heic' | 'other';

const starts = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

const heicBrands = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1'];

export function contentOf(bytes: Buffer): Content {
  if (starts(bytes, 0, '\xff\xd8\xff')) return 'jpeg';
  if (starts(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'png';
  if (starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP')) return 'webp';
  if (starts(bytes, 4, 'ftyp') && heicBrands.some((brand) => starts(bytes, 8, brand))) return 'heic';
  return 'other';
}

const pages = ['<script', '<!doctype html', '<html', '<?php', '<svg'];
const endOfZip = Buffer.from('PK\x05\x06', 'latin1');
const endOfZipLength = 22;

/**
 * Whether a picture is also another file: a page, a program, an archive or a document that another reader
 * would find in the same bytes. Redrawing would make it harmless, but the upload is refused.
 */
export function hidesAnotherFile(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').toLowerCase();
  if (pages.some((page) => text.includes(page))) return true;
  // PDF readers search for this within the first kilobyte, archive readers for a matching end record.
  if (text.slice(0, 1024).includes('%pdf-')) return true;
  for (let at = bytes.indexOf(endOfZip); at !== -1; at = bytes.indexOf(endOfZip, at + 1)) {
    if (
      at + endOfZipLength <= bytes.length &&
      bytes.readUInt16LE(at + 20) === bytes.length - at - endOfZipLength
    )
      return true;
  }
  return false;
}
