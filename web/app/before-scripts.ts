/*
 * Part of the HTML; runs before the page is first painted: the HTML holds the first screen of a guest
 * (web/app/first-screens.tsx), and only this browser knows whether its person sees that one. Starts the app.
 * It imports nothing.
 */

const kept = (name: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(`sameway.${name}`) ?? 'null');
  } catch {
    return null;
  }
};

const page = document.documentElement;
const { pathname, search } = location;

interface KeptPlan {
  value?: { from?: unknown; to?: unknown };
}

/**
 * Whether the plan on this page leads anywhere yet. A visit that chose no place keeps one as well, with the
 * time that the page filled in.
 */
function holdsPlan(): boolean {
  const drafts = kept('drafts') as Record<string, KeptPlan | undefined> | null;
  const plan = drafts?.[pathname === '/' ? 'plan.driver' : 'plan.passenger']?.value;
  return (plan?.from ?? plan?.to ?? null) !== null;
}

/** Where the app will draw something else than the HTML holds: the page shows its bare frame. */
function drawsOther(): boolean {
  const session = kept('session') as { accessToken?: string } | null;
  const preferred = navigator.languages[0]?.toLowerCase().startsWith('zh') === true ? 'zh' : 'en';
  return (
    (session?.accessToken ?? '') !== '' ||
    (kept('language') ?? preferred) !== page.lang.slice(0, 2) ||
    (pathname !== '/intro' && holdsPlan()) ||
    (pathname === '/' && search === '' && kept('startSide') === 'passenger')
  );
}

let isStarted = false;

/** Loads the app: its scripts wait in a template. */
function startApp(): void {
  if (isStarted) return;
  isStarted = true;
  const { content } = document.getElementById('app-scripts') as HTMLTemplateElement;
  document.head.append(document.importNode(content, true));
}

/** A paint that has not come by then is not waited for, nor one that the browser does not tell of. */
const longestMs = 2000;

/**
 * The style sheet and the font of what the HTML shows would share the line with 170 kB of scripts, and the
 * paint would wait for what they do.
 */
function startAfterPaint(): void {
  setTimeout(startApp, longestMs);
  const paints = new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) startApp();
  });
  paints.observe({ type: 'paint', buffered: true });
}

const isOther = drawsOther();
if (isOther || document.hidden) startApp();
else startAfterPaint();

if (isOther) page.classList.add('draws-other');
else if (pathname === '/' && !search.includes('choose=') && kept('introSeen') !== true)
  page.classList.add('first-visit');

// A tap on the introduction counts, though the app that would note it is not there yet.
addEventListener('click', ({ target }) => {
  const link = (target as Element).closest('a[data-leads]');
  if (link === null) return;
  try {
    localStorage.setItem('sameway.introSeen', 'true');
    const { side } = (link as HTMLElement).dataset;
    if (side !== undefined) localStorage.setItem('sameway.startSide', JSON.stringify(side));
  } catch {
    // A private window keeps nothing: the link leads on all the same.
  }
});
