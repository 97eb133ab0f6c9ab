import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The gallery is only for development, and no part of a build. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/gallery/',
  plugins: [react(), tailwindcss()],
  server: { host: '127.0.0.1' },
});
