import fs from 'node:fs';
import path from 'node:path';

/**
 * The file with the setup link of a new installation, which only the operator can read, until the link is
 * used.
 */
export const linkFile = (dataDir: string): string => path.join(dataDir, 'setup-token');

/** Null if there is no readable file. */
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
