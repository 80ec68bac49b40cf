import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

const SAY_EVERY_MS = 2_000;

/**
 * Downloads a file, saying how far it is.
 * @throws Error with one sentence when no server answers, the answer is a refusal, or it breaks off.
 */
export async function fetchFile(url: string, file: string, say: (sentence: string) => void): Promise<void> {
  say(`Downloading ${url} …`);
  const response = await fetch(url).catch((error: unknown) => {
    throw new Error(`${url} cannot be reached (${reasonOf(error)}).`, { cause: error });
  });
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}, not with a file.`);
  const whole = Number(response.headers.get('content-length')) || null;
  let bytes = 0;
  let saidAt = performance.now();
  const source = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  source.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    say(`${megabytes(bytes)}${whole === null ? '' : ` of ${megabytes(whole)}`} …`);
  });
  await pipeline(source, createWriteStream(file)).catch((error: unknown) => {
    throw new Error(`${url} broke off after ${megabytes(bytes)} (${reasonOf(error)}).`, { cause: error });
  });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The cause of a "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || (cause as NodeJS.ErrnoException).code || error.message;
}
