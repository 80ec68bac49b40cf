import { z } from 'zod/v4';

// The content security policy allows no code made from text. Zod would try once, and the browser would report
// it on every page: this setting prevents it before the first schema is made. So that no part of the app can
// be first, the build replaces `zod` by this file (vite.config.ts).
z.config({ jitless: true });

export * from 'zod/v4';
