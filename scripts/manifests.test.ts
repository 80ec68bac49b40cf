import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

test.each(['manifest.webmanifest', 'manifest.zh.webmanifest'])(
  '%s names the page for what is shared, and how it is encoded in its address',
  (name) => {
    const file = path.join(import.meta.dirname, '../web/public', name);
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({
      share_target: {
        action: '/pages/address/share',
        method: 'GET',
        enctype: 'application/x-www-form-urlencoded',
        params: { title: 'title', text: 'text', url: 'url' },
      },
    });
  },
);
