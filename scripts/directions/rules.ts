import type { Import, Module } from './modules.ts';

/** An import that goes where none may go. */
export interface Violation {
  file: string;
  target: string;
  /** The fault and the remedy. */
  why: string;
}

const isTest = (file: string): boolean => /\.(test|db\.test|spec)\.tsx?$/.test(file);
const wallOf = (file: string): string => file.split('/')[0] ?? '';
const within = (folder: string) => (file: string) => file.startsWith(`${folder}/`);
const serverFeatureOf = (file: string): string | null =>
  /^server\/features\/([^/]+)\//.exec(file)?.[1] ?? null;
const webFeatureOf = (file: string): string | null => /^web\/features\/([^/]+)\//.exec(file)?.[1] ?? null;
/** A feature's interface for others: its verbs, and its reads; those of a sub-folder may be there. */
const isFace = (file: string): boolean =>
  /^server\/features\/[^/]+\/(service|([^/]+\/)?queries)\.ts$/.test(file);
/**
 * Files that touch the database: `store.ts` writes and reads the feature's tables, `queries.ts` reads them
 * for others, `service.ts` owns transactions, `ports.ts` has conditions that others answer.
 */
const knowsDatabase = (file: string): boolean =>
  /^server\/features\/[^/]+\/([^/]+\/)?(store|queries|service|ports)\.ts$/.test(file);
const isPure = (file: string): boolean =>
  /^server\/features\/[^/]+\/([^/]+\/)?(rules\/|policy\.ts$)/.test(file);
const isDatabase = ({ target, ours }: Import): boolean =>
  ours ? target.startsWith('server/schema/') : /^(drizzle-orm|pg)(\/|$)/.test(target);

/** Decisions about orders in memory, which are loaded before and saved after them. */
const decides = (file: string): boolean => /^server\/features\/[^/]+\/decide\//.test(file);
const loadsOrSaves = (target: string): boolean =>
  /^server\/platform\/database\/|\/(store|locked-orders)\.ts$/.test(target);

const doesIo = ({ target, ours }: Import): boolean =>
  !ours &&
  (/^(drizzle-orm|pg|fastify|socket\.io|graphile-worker|nodemailer|pino)(\/|$)/.test(target) ||
    /^node:(fs|net|http|https|http2|dns|tls|dgram|child_process|worker_threads|cluster|readline|sqlite)(\/|$)/.test(
      target,
    ));

/** The directions of ARCHITECTURE.md, each import by itself. Returns why one may not be, or null. */
function whyNot(file: string, each: Import, importsOf: (file: string) => readonly Import[]): string | null {
  const { target, ours } = each;
  const [from, to] = [wallOf(file), wallOf(target)];
  if (from === 'contract' && !ours && target !== 'zod' && !isTest(file))
    return 'the contract is zod and nothing else';
  if (ours && from !== to) {
    if (['contract', 'locales', 'roads', 'stripe-sandbox'].includes(from)) return `${from} imports nobody`;
    if (from === 'web' && (to === 'server' || to === 'stripe-sandbox'))
      return 'the web app reaches the server by calls alone';
    if (from === 'web' && /^locales\/(server\.ts|\w+\/(emails|notices|sms)\.json)$/.test(target))
      return 'the web app does not load what the server writes to people';
    if (from === 'server' && to === 'web') return 'the server does not know the web app';
    if (['server', 'web'].includes(from) && ['scripts', 'e2e', 'bench'].includes(to))
      return 'the product does not rest on its tools';
  }
  if (isTest(file)) return null;
  const [feature, otherFeature] = [serverFeatureOf(file), serverFeatureOf(target)];
  if (ours && feature !== null && otherFeature !== null && feature !== otherFeature && !isFace(target))
    return `features meet at service.ts and queries.ts: export it from one of server/features/${otherFeature}`;
  if (feature !== null && isDatabase(each) && !knowsDatabase(file))
    return 'inside a feature only store.ts, queries.ts, service.ts and ports.ts know the database';
  if (decides(file) && ours && loadsOrSaves(target))
    return 'a decision changes orders in memory: what it needs is loaded before it, and saved after it';
  return ours ? whyNotInWeb(file, target, importsOf) : null;
}

/** The rooms of the web app that a room does not import, types included. `web/app` imports them all. */
const webRooms: Readonly<Record<string, readonly string[]>> = {
  core: ['app', 'pages', 'features', 'domain', 'map'],
  ui: ['app', 'pages', 'features', 'domain', 'map'],
  map: ['app', 'pages', 'features', 'domain'],
  domain: ['app', 'pages', 'features'],
  features: ['app', 'pages'],
  pages: ['app'],
};
const webRoomOf = (file: string): string | null => /^web\/([^/]+)\//.exec(file)?.[1] ?? null;

function whyNotInWeb(
  file: string,
  target: string,
  importsOf: (file: string) => readonly Import[],
): string | null {
  const [feature, otherFeature] = [webFeatureOf(file), webFeatureOf(target)];
  if (feature !== null && otherFeature !== null && feature !== otherFeature)
    return 'features of the web app meet in pages: what both show belongs in web/domain';
  const [room, targetRoom] = [webRoomOf(file), webRoomOf(target)];
  if (room !== null && targetRoom !== null && (webRooms[room] ?? []).includes(targetRoom))
    return `web/${targetRoom} is made of web/${room}, not the other way round: hand it in as a property`;
  if (room !== 'ui') return null;
  const knowsCarpooling = (each: string) => within('contract')(each);
  if (knowsCarpooling(target) || importsOf(target).some((deeper) => knowsCarpooling(deeper.target)))
    return within('web/ui')(target) ? null : 'web/ui knows nothing of carpooling: hand it in as a property';
  return null;
}

/**
 * All violations of the directions by the given modules: single imports, input and output where there is
 * none, circles.
 */
export function findViolations(modules: readonly Module[]): Violation[] {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  const importsOf = (file: string) => byFile.get(file)?.imports ?? [];
  const single = modules.flatMap(({ file, imports }) =>
    imports.flatMap((each): Violation[] => {
      const why = whyNot(file, each, importsOf);
      return why === null ? [] : [{ file, target: each.target, why }];
    }),
  );
  const impure = modules
    .filter(({ file }) => isPure(file) && !isTest(file))
    .flatMap(({ file }): Violation[] => {
      const found = pathToIo(file, importsOf);
      return found === null
        ? []
        : [{ file, target: found.join(' → '), why: 'rules and policies do no input or output' }];
    });
  return [
    ...single,
    ...impure,
    ...stateOfOthers(modules),
    ...circlesOfFiles(modules),
    ...circlesOfFeatures(modules),
  ];
}

/** Reads of the state or of the ports of another feature, both named after it on the app. */
function stateOfOthers(modules: readonly Module[]): Violation[] {
  const features = new Set(modules.map(({ file }) => serverFeatureOf(file)));
  return modules.flatMap(({ file, readOfApp }): Violation[] => {
    const feature = serverFeatureOf(file);
    if (feature === null || isTest(file)) return [];
    return readOfApp
      .filter((name) => name !== feature && features.has(name))
      .map((name) => ({
        file,
        target: `app.${name}`,
        why: `the app's state and ports of ${name} are its own: ask server/features/${name}/service.ts`,
      }));
  });
}

/**
 * The path by which a file reaches a module that does input or output when it runs; null where it does not.
 */
function pathToIo(file: string, importsOf: (file: string) => readonly Import[]): string[] | null {
  const seen = new Set<string>([file]);
  const waiting: string[][] = [[file]];
  for (let way = waiting.shift(); way !== undefined; way = waiting.shift()) {
    for (const each of importsOf(way.at(-1) ?? '')) {
      if (each.typeOnly || seen.has(each.target)) continue;
      seen.add(each.target);
      const longer = [...way, each.target];
      if (doesIo(each)) return longer.slice(1);
      if (each.ours) waiting.push(longer);
    }
  }
  return null;
}

function circlesOfFiles(modules: readonly Module[]): Violation[] {
  const graph = new Map(
    modules.map(({ file, imports }) => [
      file,
      imports.filter(({ ours, target }) => ours && target !== file).map(({ target }) => target),
    ]),
  );
  return circles(graph).map(([file = '', ...rest]) => ({
    file,
    target: [...rest, file].join(' → '),
    why: 'a circle of files: move what both need into a third',
  }));
}

function circlesOfFeatures(modules: readonly Module[]): Violation[] {
  const graph = new Map<string, string[]>();
  for (const { file, imports } of modules) {
    const feature = serverFeatureOf(file);
    if (feature === null || isTest(file)) continue;
    const others = imports.flatMap(({ target, ours }) => (ours ? (serverFeatureOf(target) ?? []) : []));
    graph.set(feature, [...(graph.get(feature) ?? []), ...others.filter((other) => other !== feature)]);
  }
  return circles(graph).map(([feature = '', ...rest]) => ({
    file: `server/features/${feature}`,
    target: [...rest, feature].join(' → '),
    why: 'a circle of features: the lower one tells by a signal, the upper one listens',
  }));
}

/** One circle for each knot of a graph (Tarjan's strongly connected parts, then a shortest way round). */
export function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, { index: number; low: number; open: boolean }>();
  const stack: string[] = [];
  const knots: string[][] = [];
  const visit = (node: string): { index: number; low: number; open: boolean } => {
    const mark = { index: order.size, low: order.size, open: true };
    order.set(node, mark);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      const known = order.get(next);
      if (known === undefined) mark.low = Math.min(mark.low, visit(next).low);
      else if (known.open) mark.low = Math.min(mark.low, known.index);
    }
    if (mark.low === mark.index) {
      const knot = stack.splice(stack.indexOf(node));
      for (const each of knot) {
        const closed = order.get(each);
        if (closed !== undefined) closed.open = false;
      }
      if (knot.length > 1) knots.push(knot);
    }
    return mark;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return knots.map((knot) => wayRound(graph, new Set(knot)));
}

function wayRound(graph: ReadonlyMap<string, readonly string[]>, knot: ReadonlySet<string>): string[] {
  const [start = ''] = [...knot].toSorted();
  const seen = new Set<string>();
  const waiting = [[start]];
  for (let way = waiting.shift(); way !== undefined; way = waiting.shift()) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way;
      if (!knot.has(next) || seen.has(next)) continue;
      seen.add(next);
      waiting.push([...way, next]);
    }
  }
  return [start];
}
