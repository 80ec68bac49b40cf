import type { App } from '../../app-type.ts';
import { serveIndex, type IndexServer } from './processes/index-server.ts';
import type { SearchIndex } from './search-index.ts';

/** What this process asks about open orders. */
export const searchIndex = ({ matching }: App): SearchIndex => matching.index;

/** Lets other processes ask this one about the open orders that it holds. */
export const serveOwnIndex = (
  { matching, env, log }: App,
  at: { port: number; secret: string },
): Promise<IndexServer> => serveIndex(matching.own, { env, log }, at);

/** Reads the open orders that this process holds for others. */
export const warmOwnIndex = ({ matching }: App): Promise<void> => matching.own.warm();

export async function closeMatching({ matching: { own, index, assigner } }: App): Promise<void> {
  await Promise.all([own.close(), index.close(), assigner.close()]);
}
