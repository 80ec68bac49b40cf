import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The files of a key and its certificate. */
export interface Certificate {
  key: string;
  chain: string;
  /** A folder with both in one file, as HAProxy reads it. */
  both: string;
}

/** Makes a key and a certificate for two days, with `openssl`. @throws Error if that fails */
export function makeCertificate(folder: string, host: string): Certificate {
  const at = (name: string) => path.join(folder, name);
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-keyout', at('key.pem'), '-out', at('chain.pem')];
  const made = spawnSync('openssl', ['req', ...kind, '-subj', `/CN=${host}`, ...files], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`);
  fs.mkdirSync(at('certs'), { recursive: true });
  const both = fs.readFileSync(at('chain.pem'), 'utf8') + fs.readFileSync(at('key.pem'), 'utf8');
  fs.writeFileSync(at('certs/both.pem'), both);
  return { key: at('key.pem'), chain: at('chain.pem'), both: at('certs') };
}
