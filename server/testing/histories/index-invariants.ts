import { ordersForMatching, type BuiltApp } from '../../app.ts';
import type { Change } from '../../features/matching/engine/engine.ts';
import { allOpenOrders } from '../../features/matching/store.ts';

const rowsAtOnce = 500;

/** By id, what an index has been given of each open order. */
type Contents = Map<string, string>;

const followed = new Map<BuiltApp, Contents>();

function apply(contents: Contents, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.kind === 'gone') contents.delete(change.id);
    else contents.set(change.kind === 'ride' ? change.ride.id : change.request.id, JSON.stringify(change));
  }
}

async function openOrders({ platform }: BuiltApp): Promise<Contents> {
  const contents: Contents = new Map();
  for await (const changes of allOpenOrders(platform.db, ordersForMatching, rowsAtOnce))
    apply(contents, changes);
  return contents;
}

/** Follows an index from the first call on: until then it is what it was built as. */
async function contentsOf(app: BuiltApp): Promise<Contents> {
  const { own } = app.platform.matching;
  await own.warm();
  const known = followed.get(app);
  if (known !== undefined) return known;
  const contents = await openOrders(app);
  const { engine } = (await own['following'])!;
  const take = engine.take.bind(engine);
  engine.take = (changes) => {
    apply(contents, changes);
    take(changes);
  };
  followed.set(app, contents);
  return contents;
}

/** The index of each process has exactly what it would have if it were built now. */
export async function wrongIndex(apps: readonly BuiltApp[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [process, app] of apps.entries()) {
    const [has, is] = [await contentsOf(app), await openOrders(app)];
    for (const id of new Set([...has.keys(), ...is.keys()]))
      if (has.get(id) !== is.get(id))
        wrong.push(`the index of process ${process} has ${has.get(id)}, and not ${is.get(id)}`);
  }
  return wrong;
}
