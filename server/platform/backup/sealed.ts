import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

// Layout: the mark, a salt, a random prefix of all nonces; then pieces of 64 KiB, each with its tag. The
// nonce of a piece is that prefix, the number of the piece, and whether it is the last one: pieces cannot be
// changed, moved or left out, and a truncated file is detected (the STREAM construction of Hoang,
// Reyhanitabar, Rogaway and Vizár, 2015, with AES-256-GCM).
const mark = Buffer.from('SAMEWAY-SEALED-1');
const saltBytes = 16;
const startBytes = 7;
const pieceBytes = 65_536;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/** The data was not encrypted with this key, or was changed afterwards. */
export class DecryptionError extends Error {}

/**
 * Derives the key with a second of work, which slows down guessing, once for each salt. A process encrypts
 * all its files with one salt; seven random bytes in each file keep their nonces apart.
 */
function keyOf(secret: string, salt: Buffer): Buffer {
  const name = createHash('sha256').update(salt).update(secret).digest('hex');
  let key = keys.get(name);
  if (key === undefined) {
    key = scryptSync(secret, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 });
    keys.set(name, key);
  }
  return key;
}
const keys = new Map<string, Buffer>();
const ownSalt = randomBytes(saltBytes);

function nonceOf(start: Buffer, piece: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  start.copy(nonce);
  nonce.writeUInt32BE(piece, startBytes);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Splits a stream into pieces of one size; the last one may be shorter or empty. */
abstract class InPieces extends Transform {
  readonly #size: number;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #count = 0;

  constructor(size: number) {
    super();
    this.#size = size;
  }

  protected abstract turn(piece: Buffer, number: number, isLast: boolean): Buffer;

  /** Reads the header before the first piece, once it is complete; null for none. */
  protected begin(bytes: Buffer): Buffer | null {
    return bytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      this.#kept.push(chunk);
      this.#keptBytes += chunk.length;
      // Only with more than one piece: a full piece may be the last.
      if (this.#keptBytes > this.#size) this.#giveWhole();
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      const rest = this.begin(Buffer.concat(this.#kept));
      if (rest === null) throw new DecryptionError('The file ends before its first piece.');
      this.push(this.turn(rest, this.#count, true));
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  #giveWhole(): void {
    let bytes = this.begin(Buffer.concat(this.#kept));
    if (bytes === null) return;
    while (bytes.length > this.#size) {
      this.push(this.turn(bytes.subarray(0, this.#size), this.#count++, false));
      bytes = bytes.subarray(this.#size);
    }
    this.#kept = [bytes];
    this.#keptBytes = bytes.length;
  }
}

class Sealing extends InPieces {
  readonly #key: Buffer;
  readonly #start = randomBytes(startBytes);

  constructor(secret: string) {
    super(pieceBytes);
    this.#key = keyOf(secret, ownSalt);
    this.push(Buffer.concat([mark, ownSalt, this.#start]));
  }

  protected turn(piece: Buffer, number: number, isLast: boolean): Buffer {
    const cipher = createCipheriv(algorithm, this.#key, nonceOf(this.#start, number, isLast));
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  }
}

class Unsealing extends InPieces {
  readonly #secret: string;
  #opened: { key: Buffer; start: Buffer } | null = null;

  constructor(secret: string) {
    super(pieceBytes + tagBytes);
    this.#secret = secret;
  }

  protected override begin(bytes: Buffer): Buffer | null {
    if (this.#opened !== null) return bytes;
    const headBytes = mark.length + saltBytes + startBytes;
    if (bytes.length < headBytes) return null;
    if (!bytes.subarray(0, mark.length).equals(mark)) throw new DecryptionError('This is no sealed backup.');
    const salt = bytes.subarray(mark.length, mark.length + saltBytes);
    this.#opened = {
      key: keyOf(this.#secret, salt),
      start: bytes.subarray(mark.length + saltBytes, headBytes),
    };
    return bytes.subarray(headBytes);
  }

  protected turn(piece: Buffer, number: number, isLast: boolean): Buffer {
    const { key, start } = this.#opened!;
    if (piece.length < tagBytes) throw new DecryptionError('The file was cut off.');
    const decipher = createDecipheriv(algorithm, key, nonceOf(start, number, isLast));
    decipher.setAuthTag(piece.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(piece.subarray(0, -tagBytes)), decipher.final()]);
    } catch (error) {
      throw new DecryptionError('The key is another one, or the file was changed or cut off.', {
        cause: error,
      });
    }
  }
}

/** Encrypts a stream with a secret. */
export const seal = (secret: string): Transform => new Sealing(secret);

/** Decrypts a stream. Fails with `DecryptionError` if a byte differs from what was written. */
export const unseal = (secret: string): Transform => new Unsealing(secret);
