import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'web',
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
