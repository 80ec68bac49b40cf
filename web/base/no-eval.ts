import { z } from 'zod';

// The content security policy allows no code made from text. Zod would try once, and the browser would report it on every
// page: it is told before the first schema is made, so this file is the first that `main.tsx` imports.
z.config({ jitless: true });
