import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { loadWords } from '../../core/i18n.ts';
import { queryClient } from '../../core/query-client.ts';
import { ProofDialog } from '../../features/access/proof-dialog.tsx';

/** Calls made at the same time wait for one confirmation. */
let asked: Promise<boolean> | null = null;

/**
 * Provides what a refused call lacks; true if the call can be repeated. The confirmation opens over the
 * current page, outside the app, so that no page has to load it. A person whose role needs a second factor is
 * taken to the page where they add one.
 */
export async function provide(reason: string): Promise<boolean> {
  if (reason === 'access.secondFactorNeeded') location.assign('/pages/account/security');
  if (reason !== 'session.stepUp') return false;
  asked ??= show().finally(() => {
    asked = null;
  });
  return asked;
}

async function show(): Promise<boolean> {
  await loadWords(['access', 'security']);
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  const isProved = await new Promise<boolean>((settle) => {
    root.render(
      <QueryClientProvider client={queryClient}>
        <ProofDialog onSettled={settle} />
      </QueryClientProvider>,
    );
  });
  root.unmount();
  host.remove();
  return isProved;
}
