import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from '../parts/buttons/button.tsx';
import { ToastArea } from '../parts/overlays/toast-area.tsx';
import { ExampleList } from './example-list.tsx';
import { exampleFiles } from './examples.ts';
import './styles.css';

const page = document.documentElement;

function switchTheme() {
  page.dataset.theme = page.dataset.theme === 'dark' ? 'light' : 'dark';
}

function switchDirection() {
  page.dir = page.dir === 'rtl' ? 'ltr' : 'rtl';
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <main className="mx-auto max-w-4xl p-6">
      <header className="mb-8 flex flex-wrap items-center gap-2">
        <h1 className="me-auto text-2xl font-semibold">Gallery</h1>
        <Button onClick={switchTheme}>Light or dark</Button>
        <Button onClick={switchDirection}>Left to right or right to left</Button>
      </header>
      {exampleFiles.map((file) => (
        <ExampleList key={file.name} {...file} />
      ))}
    </main>
    <ToastArea />
  </StrictMode>,
);
