/*
 * Runs before the page is first painted, without waiting for the app: the HTML holds the first screen of a
 * guest (web/app/first-screens.tsx), and only this browser knows whether its person sees that one. Stands
 * alone: it imports nothing.
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

if (drawsOther()) page.classList.add('draws-other');
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
