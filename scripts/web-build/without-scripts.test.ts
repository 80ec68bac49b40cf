import { expect, test } from 'vitest';
import { withoutScripts } from './without-scripts.ts';

test('a button that leads to an address is a link; other controls take no tap that would be lost', () => {
  expect(
    withoutScripts(
      '<button type="button" class="x" data-leads="/" data-side="driver"><span>Drive</span></button>' +
        '<button type="button">Next</button><label>Day<input type="date"/></label><a href="/e">Events</a>',
    ),
  ).toBe(
    '<a href="/" data-leads="" class="x" data-side="driver"><span>Drive</span></a>' +
      '<button inert="" type="button">Next</button><label inert="">Day<input inert="" type="date"/></label>' +
      '<a href="/e">Events</a>',
  );
});
