import { parseSync, Visitor } from 'vite';

/**
 * The routes that the web app's router declares, each with `page('/…', …)`, or `panel` where it has no page
 * of its own.
 */
export function readRoutes(file: string, source: string): Set<string> {
  const routes = new Set<string>();
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type !== 'Identifier' || !['page', 'panel'].includes(callee.name)) return;
      if (first?.type === 'Literal' && typeof first.value === 'string') routes.add(first.value);
    },
  }).visit(parseSync(file, source).program);
  return routes;
}
