/**
 * The jobs of a process: `web` answers calls and sockets, `worker` reads the event log, works on the queue
 * and runs the scheduler, `matching` answers the others' questions about all open orders.
 */
export const processRoles = ['web', 'worker', 'matching'] as const;
export type ProcessRole = (typeof processRoles)[number];
export type Roles = ReadonlySet<ProcessRole>;

/** Matching processes that hold the same open orders; a question goes to any of them. */
export interface MatchingReplicas {
  /** The region whose orders they hold; null for those of all regions. */
  region: string | null;
  urls: readonly string[];
}

/** @returns null where a word of the list is no role, or there is none. */
export function parseRoles(list: string): Roles | null {
  const words = list.split(',').map((word) => word.trim());
  const roles = processRoles.filter((role) => words.includes(role));
  return words.every((word) => processRoles.some((role) => role === word)) ? new Set(roles) : null;
}

/**
 * Replicas as `MATCHING_URLS` lists them: `http://a:3030,http://b:3030`, or with a list for each region
 * `porto=http://a:3030,http://b:3030;lisboa=http://c:3030`.
 * @returns null where it is no such list.
 */
export function parseMatchingUrls(text: string): MatchingReplicas[] | null {
  const groups = text
    .split(';')
    .map((group) => group.trim())
    .filter((group) => group !== '')
    .map((group): MatchingReplicas => {
      const [, region, list = ''] = /^(?:([a-z0-9-]+)\s*=)?(.*)$/s.exec(group)!;
      const urls = list.split(',').map((url) => url.trim().replace(/\/+$/, ''));
      return { region: region ?? null, urls };
    });
  const isSound = groups.every(({ urls }) =>
    urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? '')),
  );
  return isSound && groups.length > 0 ? groups : null;
}

export interface RoleSettings {
  ROLES: Roles;
  REGION: string;
  REDIS_URL?: string | undefined;
  LIVE_ADAPTER: 'memory' | 'postgres';
  MATCHING_URLS?: MatchingReplicas[] | undefined;
  MATCHING_PORT?: number | undefined;
  MATCHING_SECRET?: string | undefined;
  MATCHING_REGIONS: readonly string[];
}

/** The fault in the given roles, as `VARIABLE: what is missing`; null where there is none. */
export function troubleWithRoles(env: RoleSettings): string | null {
  const { ROLES: roles, MATCHING_URLS: groups, MATCHING_PORT: port } = env;
  const serves = roles.has('web') || roles.has('worker');
  const hasBoth = roles.has('web') && roles.has('worker');
  if (serves && !hasBoth && env.REDIS_URL === undefined && env.LIVE_ADAPTER === 'memory')
    return 'ROLES: where web and worker are processes of their own, they need REDIS_URL (or LIVE_ADAPTER=postgres) to tell people what has happened';
  if (!serves && port === undefined)
    return 'MATCHING_PORT: a process for matching alone needs a port to answer on';
  if (port !== undefined && !roles.has('matching'))
    return 'MATCHING_PORT: only a process with the role matching answers on it';
  if ((port !== undefined || groups !== undefined) && env.MATCHING_SECRET === undefined)
    return 'MATCHING_SECRET: MATCHING_PORT and MATCHING_URLS need it beside them, the same for all processes';
  const regions = regionNames(env.REGION);
  const unknown = env.MATCHING_REGIONS.find((name) => !regions.includes(name));
  if (unknown !== undefined) return `MATCHING_REGIONS: REGION does not name ${unknown}`;
  return groups === undefined ? null : troubleWithGroups(groups, regions);
}

function troubleWithGroups(groups: readonly MatchingReplicas[], regions: readonly string[]): string | null {
  if (groups.length === 1 && groups[0]!.region === null) return null;
  const named = groups.map(({ region }) => region);
  const isEach = named.length === regions.length && regions.every((region) => named.includes(region));
  return isEach ? null : 'MATCHING_URLS: expected one list for all regions, or one for each region of REGION';
}

/** The packs that `REGION` names, each once. */
export const regionNames = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

/** Orders of the named regions, or those of all others. */
export interface RegionPart {
  isIn: boolean;
  names: readonly string[];
}
