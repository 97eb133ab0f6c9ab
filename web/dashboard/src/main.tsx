import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from '../../parts/behaviour/problem.ts';
import { ToastArea } from '../../parts/overlays/toast-area.tsx';
import { onRefusal } from './api/problems.ts';
import { createDashboardRouter } from './router.tsx';
import { listenForSignOut, sessionQuery } from './session.ts';
import './styles.css';

// Radix adds a style element when a dialog opens, with the nonce that the content security policy allows.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content;
Object.assign(globalThis, { __webpack_nonce__: nonce });

const queries = new QueryClient({
  defaultOptions: {
    // A change that is made while the browser is offline fails immediately, instead of happening later. And a service
    // on the same machine or network responds even if the browser believes that it is offline.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5_000,
      retry: (count, error) =>
        count < 2 && !(error instanceof Problem && error.status >= 400 && error.status < 500),
    },
  },
});
const router = createDashboardRouter(queries);

// The shell around the pages then leads to the sign-in.
onRefusal((refusal) => {
  if (refusal === 'signed-out') queries.setQueryData(sessionQuery.queryKey, null);
  // The person may no longer be a member or an owner of the tenant.
  else void queries.invalidateQueries(sessionQuery);
});

listenForSignOut(() => void queries.invalidateQueries(sessionQuery));

createRoot(document.getElementById('root') as HTMLElement, {
  // A `Problem` is shown on the page, so it is not logged.
  onCaughtError: (error) => error instanceof Problem || console.error(error),
}).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <ToastArea />
    </QueryClientProvider>
  </StrictMode>,
);
