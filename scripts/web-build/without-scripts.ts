/**
 * Leaves only what works before the app's scripts run: links, and buttons that lead to an address, as links.
 * Other controls take no tap that would be lost.
 */
export function withoutScripts(html: string): string {
  return html
    .replaceAll(
      /<button\b([^>]*)\sdata-leads="([^"]*)"([^>]*)>(.*?)<\/button>/gs,
      (...[, before, to, after, inner]) => {
        const attributes = `${before}${after}`.replace(/\stype="button"/, '');
        return `<a href="${to}" data-leads=""${attributes}>${inner}</a>`;
      },
    )
    .replaceAll(/<(button|input|select|textarea|label)\b/g, '<$1 inert=""')
    .replaceAll(/<!--.*?-->|<template\b[^>]*><\/template>|<link\b[^>]*>/g, '');
}
