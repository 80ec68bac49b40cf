/** The shape of a page's frame: the layout of the shell, and whether the tabs are there. */
export interface PageShape {
  layout: string;
  isTab: boolean;
}

/**
 * The shell and the shape of a page, drawn by the style sheet alone (web/ui/frame.css): the first screen's
 * first paint waits for no script. The app draws over it what it has at the same places.
 */
export const frameOf = ({ layout, isTab }: PageShape): string =>
  `<div class="frame frame-${layout}${isTab ? ' frame-tab' : ''}" aria-hidden="true">` +
  '<div class="frame-nav"><img src="/icon.svg" alt="" width="44" height="44" /></div>' +
  '<div class="frame-page"><i></i><i></i><i></i></div></div>';
