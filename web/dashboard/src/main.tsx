import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from '../../parts/problem.ts';
import { ToastArea } from '../../parts/toast-area.tsx';
import { onRefusal } from './api/problems.ts';
import { createDashboardRouter } from './router.tsx';
import { sessionQuery } from './session.ts';
import './styles.css';

// Radix adds a style element when a dialog opens; this is how it learns what the policy allows.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content;
Object.assign(globalThis, { __webpack_nonce__: nonce });

const queries = new QueryClient({
  defaultOptions: {
    // What was pressed while a browser is offline, or thinks so, is refused at once and not done by
    // itself later; and a service on the same machine or network answers all the same.
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

// The shell, which stands around every page that can learn it so, then leads to the sign-in.
onRefusal((refusal) => {
  if (refusal === 'signed-out') queries.setQueryData(sessionQuery.queryKey, null);
  // One may be no member of the tenant any more, or no owner.
  else void queries.invalidateQueries(sessionQuery);
});

createRoot(document.getElementById('root') as HTMLElement, {
  // What the page says in words is no fault of its own.
  onCaughtError: (error) => error instanceof Problem || console.error(error),
}).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <ToastArea />
    </QueryClientProvider>
  </StrictMode>,
);
