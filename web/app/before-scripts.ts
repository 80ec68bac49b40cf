/*
 * Stands in the HTML and runs before the page is first painted: the HTML holds the first screen of a guest
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

/** Where the app will draw something else than the HTML holds: the bare frame of the page stands instead. */
function drawsOther(): boolean {
  const session = kept('session') as { accessToken?: string } | null;
  const preferred = navigator.languages[0]?.toLowerCase().startsWith('zh') === true ? 'zh' : 'en';
  return (
    (session?.accessToken ?? '') !== '' ||
    (kept('language') ?? preferred) !== page.lang.slice(0, 2) ||
    kept('drafts') !== null ||
    (pathname === '/' && search === '' && kept('side') === 'passenger')
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

/** A paint that has not come by then is not waited for. */
const longestMs = 2000;

/** The style sheet and the font of what the HTML shows would share the line with 170 kB of scripts. */
function startAfterPaint(): void {
  // Before the next paint, and after it; never in a tab in the background, which paints nothing.
  requestAnimationFrame(() => setTimeout(startApp));
  setTimeout(startApp, longestMs);
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
    if (side !== undefined) localStorage.setItem('sameway.side', JSON.stringify(side));
  } catch {
    // A private window keeps nothing: the link leads on all the same.
  }
});
