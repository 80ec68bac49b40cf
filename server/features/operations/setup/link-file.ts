import fs from 'node:fs';
import path from 'node:path';

/** Where the link of a new installation lies until it is used, for its operator alone. */
export const linkFile = (dataDir: string): string => path.join(dataDir, 'setup-token');

/** Null where there is none that can be read. */
export function readLinkFile(dataDir: string): string | null {
  try {
    return fs.readFileSync(linkFile(dataDir), 'utf8').trim();
  } catch {
    return null;
  }
}

export function writeLinkFile(dataDir: string, token: string): void {
  fs.mkdirSync(dataDir, { recursive: true });
  fs.rmSync(linkFile(dataDir), { force: true });
  fs.writeFileSync(linkFile(dataDir), `${token}\n`, { mode: 0o600 });
}

export const removeLinkFile = (dataDir: string): void => fs.rmSync(linkFile(dataDir), { force: true });
