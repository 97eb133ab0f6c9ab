import { beforeEach } from 'vitest';
import './styles.css';

declare module 'vitest' {
  interface ProvidedContext {
    /** See `vitest.config.ts`. */
    hasPackagedBrowser: boolean;
  }
}

beforeEach(() => {
  document.title = 'Components';
  document.documentElement.lang = 'en';
  document.documentElement.dir = 'ltr';
  document.documentElement.dataset.theme = 'light';
});
