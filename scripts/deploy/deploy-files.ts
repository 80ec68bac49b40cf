import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';

/** Reads the files of `deploy/` as their tools do. */
const deploy = path.resolve(import.meta.dirname, '..', '..', 'deploy');

export const deployFile = (name: string): string => path.join(deploy, name);
export const readDeployFile = (name: string): string => fs.readFileSync(deployFile(name), 'utf8');

type Variables = Record<string, string>;

export interface ComposeService {
  image?: string;
  environment?: Variables;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  restart?: string;
  secrets?: string[];
  volumes?: string[];
  networks?: string[];
  healthcheck?: unknown;
}

export interface Compose {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
}

/** compose.yaml for the domain ride.example.com. */
export function readCompose(): Compose {
  const text = readDeployFile('compose/compose.yaml').replaceAll(/\$\{DOMAIN:[^}]*\}/g, 'ride.example.com');
  return parse(text, { merge: true }) as Compose;
}

/** The settings of a file with examples, including those that are commented out. */
export const readExamples = (name: string): Variables =>
  parseEnv(readDeployFile(name).replaceAll(/^#(?=[A-Z_]+=)/gm, '')) as Variables;

/** The settings that a systemd unit gives its process. @param instance the value of `%i` */
export function readUnit(name: string, instance: string): { variables: Variables; credentials: string[] } {
  const lines = readDeployFile(`systemd/${name}`).replaceAll('%i', instance).split('\n');
  const of = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  const variables = Object.fromEntries(
    of('Environment')
      .flatMap((words) => words.split(' '))
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
  return { variables, credentials: of('LoadCredential').map((each) => each.split(':')[0]!) };
}

/** Example values of secrets, for settings that come from files. */
const secretValues: Variables = {
  DATABASE_URL: 'postgres://sameway_calls:secret@database:5432/sameway',
  DATABASE_MIGRATION_URL: 'postgres://sameway:secret@database:5432/sameway',
};

/** The same variables, with each secret's file replaced by an existing one in the test's folder. */
export function withSecretFiles(variables: Variables): Variables {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-deploy-'));
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (!name.endsWith('_FILE')) return [name, value];
      const file = path.join(folder, name);
      fs.writeFileSync(file, secretValues[name.slice(0, -5)] ?? 'a-secret-of-thirty-two-characters');
      return [name, file];
    }),
  );
}
