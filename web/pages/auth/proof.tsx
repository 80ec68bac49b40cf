import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { loadWords } from '../../core/i18n.ts';
import { queryClient } from '../../core/query-client.ts';
import { ProofDialog } from '../../features/access/proof-dialog.tsx';

/** All calls of a moment wait for one proof. */
let asked: Promise<boolean> | null = null;

/**
 * Sees to what a call of the app lacks; true where it may be made again. A proof is asked for over the page
 * that is open, beside the app and not in it: no page has to load it. A person whose role needs a second
 * factor is led to where they get one.
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
