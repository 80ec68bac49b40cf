import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// For work on the web app: `API_URL=http://127.0.0.1:3020 npx vite` serves it live and passes calls on.
const api = process.env['API_URL'];
const callsOfTheServer =
  '^/(access|address|admin|alert|app|car|contact|demo|event|feedback|files|im|live|notification|order|payment|region|review|series|tag|test-money|upload|user)/';

export default defineConfig({
  root: 'web',
  server: {
    host: '127.0.0.1',
    proxy:
      api === undefined ? {} : { [callsOfTheServer]: { target: api }, '/live': { target: api, ws: true } },
  },
  plugins: [react(), tailwind()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Files, never data: addresses, so that the strict content security policy needs no exceptions.
    assetsInlineLimit: 0,
    // The map engine is one lazy chunk of this size by nature; everything else stays far below.
    chunkSizeWarningLimit: 1200,
  },
});
