import { beforeEach } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import './styles.css';

declare module 'vitest' {
  interface ProvidedContext {
    /** See `vitest.config.ts`. */
    hasPackagedBrowser: boolean;
  }
}

// The library registers this for the first file only, because all files share its modules.
beforeEach(cleanup);

beforeEach(() => {
  document.title = 'Components';
  document.documentElement.lang = 'en';
  document.documentElement.dir = 'ltr';
  document.documentElement.dataset.theme = 'light';
});
