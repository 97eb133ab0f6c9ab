import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ToastArea } from '../../parts/overlays/toast-area.tsx';
import { showProblem } from '../../parts/overlays/toasts.ts';
import { App } from './app.tsx';
import './phone.css';
import { start } from './store.ts';
import { followTheme } from './theme.ts';

// Radix adds a style element when a dialog opens, and needs the nonce that the policy allows.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content;
Object.assign(globalThis, { __webpack_nonce__: nonce });

followTheme();
start().catch(showProblem);

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
    <ToastArea />
  </StrictMode>,
);
