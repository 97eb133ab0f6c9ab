/**
 * A script for the page: notes when the page is drawn for the last time, which is when it has a heading and what
 * matches `content`, and nothing is still being loaded.
 */
export function noteDrawing(content: string): string {
  return `(() => {
    const isDrawn = () =>
      document.querySelector('h1') && !document.querySelector('.skeleton') &&
      document.querySelector(${JSON.stringify(content)});
    let was = false;
    new MutationObserver(() => {
      const is = Boolean(isDrawn());
      if (is && !was) {
        requestAnimationFrame(() => {
          // After the frame.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => { globalThis.drawnAt = performance.now(); };
          port2.postMessage(0);
        });
      }
      if (!is) globalThis.drawnAt = undefined;
      was = is;
    }).observe(document, { subtree: true, childList: true, attributes: true });
  })()`;
}

/**
 * A script for the page: makes `count` conversations of those that the service sends. They arrive read already, because
 * to read a text of 40 MB is not to draw.
 */
export function multiplyConversations(count: number): string {
  return `(() => {
    const { fetch: fetched, JSON: { parse } } = globalThis;
    const mark = '"many conversations"';
    let many;
    globalThis.fetch = async (request, ...rest) => {
      const response = await fetched(request, ...rest);
      const { pathname } = new URL(request.url ?? request, location.href);
      if (!pathname.endsWith('/conversations')) return response;
      many = parse(await response.text());
      const given = many.data.conversations;
      many.data.conversations = Array.from({ length: ${count} }, (_, each) => ({
        ...given[each % given.length], phone: '+4915' + (200000000 + each),
      }));
      return new Response(mark, { headers: { 'content-type': 'application/json' } });
    };
    JSON.parse = (text, ...rest) => {
      if (text !== mark) return parse(text, ...rest);
      performance.mark('arrived');
      return many;
    };
  })()`;
}
