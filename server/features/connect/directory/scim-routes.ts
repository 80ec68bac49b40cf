import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isPermitted } from '#contract/admin/roles.ts';
import { minuteSeconds } from '#contract/define.ts';
import type { App } from '../../../app-type.ts';
import { networkOf } from '../../../platform/http/network.ts';
import type { RateLimits } from '../../../platform/http/rate-limits.ts';
import { hidden } from '../../../platform/http/web-app.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { isApiKey, type AuthenticateKey } from '../../../platform/security/api-key.ts';
import { securityEventOf } from '../../../platform/security/security-log.ts';
import type { DirectoryCaller } from './require-right.ts';
import { listGroups, createGroup, readGroup, replaceGroup, patchGroup, removeGroup } from './groups.ts';
import { mostResults, resourceTypes, schemaIds, schemas, serviceProviderConfig } from './rules/schemas.ts';
import { ScimError, scimErrorBody } from './rules/scim-error.ts';
import { readGroupBody, readOperations, readUserBody } from './scim-bodies.ts';
import type { Page } from './store.ts';
import { listUsers, createUser, readUser, replaceUser, patchUser, removeUser } from './users.ts';
import { scimPath } from './view.ts';

const mediaType = 'application/scim+json';

export interface ScimOptions {
  app: App;
  authenticateKey: AuthenticateKey;
  limits: RateLimits;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller over SCIM; null outside of it. */
    directoryCaller: DirectoryCaller | null;
  }
}

/**
 * SCIM 2.0 (RFC 7643, 7644): outside of the contract's calls, because directories speak the standard. Every
 * request needs an API key with the scope `scim`, whose person may manage people by directory.
 */
export async function serveScim(http: FastifyInstance, options: ScimOptions): Promise<void> {
  http.decorateRequest('directoryCaller', null);
  await http.register(
    async (scim) => {
      scim.addContentTypeParser(
        mediaType,
        { parseAs: 'string' },
        scim.getDefaultJsonParser('error', 'error'),
      );
      scim.addHook('onRequest', async (request) => {
        request.directoryCaller = await callerOf(options, request);
      });
      scim.addHook('preValidation', async ({ params }) => {
        if (Object.values(params as Record<string, string>).some((each) => each.includes('\0')))
          throw new ScimError(404, null, 'There is no such thing.');
      });
      scim.setErrorHandler((error, request, reply) => answerError(error, request, reply));
      serveDescription(scim, `${options.app.env.publicUrl}${scimPath}`);
      serveUsers(scim, options.app);
      serveGroups(scim, options.app);
    },
    { prefix: scimPath },
  );
}

async function callerOf(
  { authenticateKey, limits, app: { security } }: ScimOptions,
  request: FastifyRequest,
): Promise<DirectoryCaller> {
  const network = networkOf(request.ip);
  const token = (request.headers.authorization ?? '').replace(/^Bearer /i, '');
  let userId: string | null = null;
  try {
    if (!isApiKey(token)) throw new ScimError(401, null, 'An API key with the scope scim is needed.');
    const caller = await authenticateKey(token, network);
    userId = caller.userId;
    const { id, scopes, callsPerMinute } = caller.key;
    if (!scopes.includes('scim')) throw scopeMissing();
    if (!isPermitted(caller.staffRole, 'people.provision')) throw notPermitted();
    const limit = { per: 'caller', most: callsPerMinute, withinSeconds: minuteSeconds } as const;
    limits.countInProcess({ path: 'key', limits: [limit], userId: id, address: network });
    return { userId, staffRole: caller.staffRole };
  } catch (error) {
    const path = scimPath;
    if (error instanceof Refusal) {
      const event = securityEventOf(path, error);
      if (event !== null) security.note(event, { path, reason: error.reason, network, userId });
    }
    throw error;
  }
}

const scopeMissing = () =>
  new Refusal('key.scope', 'This API key needs the scope scim.', { code: 403, data: { scope: 'scim' } });
const notPermitted = () =>
  new Refusal('access.denied', 'The person of this API key may not manage people by directory.', {
    code: 403,
  });

/** Every trouble as RFC 7644 says it, with its HTTP status. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = scimErrorOf(error);
  if (known.status >= 500) request.log.error({ err: error, url: scimPath }, 'a request over SCIM failed');
  if (known.status === 401) void reply.header('www-authenticate', 'Bearer');
  if (error instanceof Refusal && typeof error.data?.['retryAfterSeconds'] === 'number')
    void reply.header('retry-after', String(error.data['retryAfterSeconds']));
  return send(reply.code(known.status), scimErrorBody(known));
}

function scimErrorOf(error: unknown): ScimError {
  if (error instanceof ScimError) return error;
  if (error instanceof Refusal) {
    // 400 means "no valid session" to the app; here it is a key that is not valid.
    if (error.code === 400) return new ScimError(401, null, error.message);
    if (error.code === 422) return new ScimError(400, 'invalidValue', error.message);
    return new ScimError(error.code, error.code === 409 ? 'uniqueness' : null, error.message);
  }
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500;
  if (status >= 400 && status < 500)
    return new ScimError(status, status === 400 ? 'invalidSyntax' : null, 'We couldn’t read the request.');
  return new ScimError(500, null, 'Sameway could not answer this request.');
}

const send = (reply: FastifyReply, body: object): FastifyReply =>
  reply.header('cache-control', 'no-store').type(`${mediaType}; charset=utf-8`).send(body);

const listOf = (resources: readonly object[], total: number, startIndex: number) => ({
  schemas: [schemaIds.list],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

function serveDescription(scim: FastifyInstance, baseUrl: string): void {
  const lists = {
    ResourceTypes: resourceTypes(baseUrl),
    Schemas: schemas(baseUrl),
  } as const;
  scim.get('/ServiceProviderConfig', hidden, (_, reply) => send(reply, serviceProviderConfig(baseUrl)));
  for (const [name, all] of Object.entries(lists)) {
    scim.get(`/${name}`, hidden, (_, reply) => send(reply, listOf(all, all.length, 1)));
    scim.get<{ Params: { id: string } }>(`/${name}/:id`, hidden, ({ params }, reply) => {
      const found = all.find(({ id }) => id === params.id);
      if (found === undefined) throw new ScimError(404, null, 'There is no such description.');
      return send(reply, found);
    });
  }
}

/** The query of a list; numbers that are none count as not given. */
const question = z.object({
  filter: z.string().max(1000).default(''),
  startIndex: z.coerce.number().int().max(10_000_000).catch(1).default(1),
  count: z.coerce.number().int().catch(mostResults).default(mostResults),
  excludedAttributes: z.string().max(1000).default(''),
});

interface Question {
  filter: string;
  page: Page;
  withMembers: boolean;
}

function readQuestion(query: unknown): Question {
  const asked = question.safeParse(query);
  if (!asked.success) throw new ScimError(400, 'invalidFilter', 'We couldn’t read the question.');
  const { filter, startIndex, count, excludedAttributes } = asked.data;
  const withMembers = !excludedAttributes
    .toLowerCase()
    .split(',')
    .some((each) => each.trim() === 'members');
  // RFC 7644: below 1 is 1, and a negative count is 0.
  const page = {
    offset: Math.max(1, startIndex) - 1,
    size: Math.min(Math.max(0, count), mostResults),
  };
  return { filter, page, withMembers };
}

type ById = { Params: { id: string } };

const callerIn = ({ directoryCaller }: FastifyRequest): DirectoryCaller => {
  if (directoryCaller === null) throw new ScimError(401, null, 'An API key is needed.');
  return directoryCaller;
};

/** One kind of resource: its list, and how one is made, read and changed. */
interface Resource<Body> {
  readBody: (body: unknown) => Body;
  list: (asked: Question) => Promise<{ resources: readonly object[]; total: number }>;
  create: (caller: DirectoryCaller, body: Body) => Promise<{ meta: { location: string } }>;
  read: (id: string, asked: Question) => Promise<object>;
  replace: (caller: DirectoryCaller, id: string, body: Body) => Promise<object>;
  patch: (
    caller: DirectoryCaller,
    id: string,
    operations: ReturnType<typeof readOperations>,
  ) => Promise<object>;
  remove: (caller: DirectoryCaller, id: string) => Promise<void>;
}

function serveResource<Body>(scim: FastifyInstance, path: '/Users' | '/Groups', of: Resource<Body>): void {
  scim.get(path, hidden, async ({ query }, reply) => {
    const asked = readQuestion(query);
    const { resources, total } = await of.list(asked);
    return send(reply, listOf(resources, total, asked.page.offset + 1));
  });
  scim.post(path, hidden, async (request, reply) => {
    const made = await of.create(callerIn(request), of.readBody(request.body));
    return send(reply.code(201).header('location', made.meta.location), made);
  });
  scim.get<ById>(`${path}/:id`, hidden, async ({ params, query }, reply) =>
    send(reply, await of.read(params.id, readQuestion(query))),
  );
  scim.put<ById>(`${path}/:id`, hidden, async (request, reply) =>
    send(reply, await of.replace(callerIn(request), request.params.id, of.readBody(request.body))),
  );
  scim.patch<ById>(`${path}/:id`, hidden, async (request, reply) =>
    send(reply, await of.patch(callerIn(request), request.params.id, readOperations(request.body))),
  );
  scim.delete<ById>(`${path}/:id`, hidden, async (request, reply) => {
    await of.remove(callerIn(request), request.params.id);
    return reply.code(204).send();
  });
}

const serveUsers = (scim: FastifyInstance, app: App): void =>
  serveResource(scim, '/Users', {
    readBody: readUserBody,
    async list({ filter, page }) {
      const { users, total } = await listUsers(app, filter, page);
      return { resources: users, total };
    },
    create: (caller, sent) => createUser(app, caller, sent),
    read: (id) => readUser(app, id),
    replace: (caller, id, sent) => replaceUser(app, caller, id, sent),
    patch: (caller, id, operations) => patchUser(app, caller, id, operations),
    remove: (caller, id) => removeUser(app, caller, id),
  });

const serveGroups = (scim: FastifyInstance, app: App): void =>
  serveResource(scim, '/Groups', {
    readBody: readGroupBody,
    async list({ filter, withMembers, page }) {
      const { groups, total } = await listGroups(app, { filter, withMembers }, page);
      return { resources: groups, total };
    },
    create: (caller, sent) => createGroup(app, caller, sent),
    read: (id, { withMembers }) => readGroup(app, id, withMembers),
    replace: (caller, id, sent) => replaceGroup(app, caller, id, sent),
    patch: (caller, id, operations) => patchGroup(app, caller, id, operations),
    remove: (caller, id) => removeGroup(app, caller, id),
  });
