/**
 * Creates an element. Strings become text, never markup, so no message can inject code.
 * @param {string} tag a tag with optional classes: `div.row.wide`
 * @param {Record<string, unknown>} [props] `on...` are listeners, `data` a map, others attributes
 * @param {...(Node | string | null | undefined | false | Array<Node | string>)} children
 */
export function el(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const node = document.createElement(name);
  if (classes.length > 0) node.className = classes.join(' ');
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'data') Object.assign(node.dataset, value);
    else if (key === 'value') node.value = value;
    else node.setAttribute(key, value === true ? '' : String(value));
  }
  node.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

const drawings = {
  add: 'M12 5v14M5 12h14',
  back: 'M15 5l-7 7 7 7',
  send: 'M4 12l16-8-5 17-3.5-6.5z M11.5 14.5L20 4',
  power: 'M12 3v8 M6.3 7.2a8 8 0 1 0 11.4 0',
  sliders: 'M4 7h9 M17 7h3 M4 17h3 M11 17h9 M15 4.5v5 M9 14.5v5',
  attach:
    'M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.4 3.4 0 0 1 4.8 4.8L10 17a1.7 1.7 0 0 1-2.4-2.4l7.4-7.4',
  photo:
    'M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5z M4 16l4.5-4.5 4 4 3-3L20 17 M15 9.2h.010',
  file: 'M7 3.5h7l4 4v13H7z M14 3.5v4h4 M10 12h5 M10 15.5h5',
  pin: 'M12 21s-6.5-5.8-6.5-11a6.5 6.5 0 0 1 13 0c0 5.2-6.5 11-6.5 11z M12 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6z',
  person:
    'M12 12a3.7 3.7 0 1 0 0-7.4 3.7 3.7 0 0 0 0 7.4z M5 20c.6-3.7 3.5-5.5 7-5.5s6.4 1.8 7 5.5',
  smile:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z M8.5 14c.8 1.3 2 2 3.5 2s2.7-.7 3.5-2 M9.3 9.7h.010 M14.7 9.7h.010',
  reply: 'M9 7L4.5 11.5 9 16 M5 11.5h8.5a6 6 0 0 1 6 6',
  copy: 'M9 9h10v11H9z M15 9V4.5H5V15h4',
  link: 'M14 5h5v5 M19 5l-8 8 M17 14v5H5V7h5',
  close: 'M6 6l12 12 M18 6L6 18',
  tick: 'M5 12.5l4.5 4.5L19 7.5',
  ticks: 'M2.5 12.5L7 17l9.5-9.5 M12 15.5l1.5 1.5L23 7.5',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z M12 7.5V12l3 2',
  warning: 'M12 4.5l8.5 15h-17z M12 10.5v4 M12 17h.010',
  list: 'M8 7h12 M8 12h12 M8 17h12 M4 7h.010 M4 12h.010 M4 17h.010',
  trash: 'M5 7h14 M9 7V4.5h6V7 M7 7l1 13h8l1-13',
};

/** Creates a decorative icon. The button around it has the accessible name. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', drawings[name]);
  svg.append(path);
  return svg;
}

const waiting = new Set();

/**
 * Renders a part of the page with `draw(part)`. While something in it is pressed, waits until it is
 * released, because a replaced button would never be clicked.
 */
export function drawUnpressed(id, part, draw) {
  if (!document.getElementById(id).matches(':active')) return draw(part);
  const key = `${id} ${part}`;
  if (waiting.has(key)) return;
  waiting.add(key);
  requestAnimationFrame(() => {
    waiting.delete(key);
    drawUnpressed(id, part, draw);
  });
}

/** Creates a round button with only an icon. */
export function iconButton(name, label, onclick, props = {}) {
  return el(
    'button.icon-button',
    { type: 'button', 'aria-label': label, title: label, onclick, ...props },
    icon(name),
  );
}

/** Creates a circle with initials. The same text always has the same colour. */
export function avatar(name, seed = name) {
  const letters = name.match(/\p{L}/gu)
    ? name
        .split(/\s+/)
        .map((word) => [...word][0])
        .filter(Boolean)
    : [...seed.slice(-2)];
  let hue = 0;
  for (const letter of seed) hue = (hue * 31 + letter.codePointAt(0)) % 8;
  return el(
    `span.avatar.tint-${hue}`,
    { 'aria-hidden': 'true' },
    letters.slice(0, 2).join('').toUpperCase(),
  );
}

/** Runs an action and shows its error in a toast. Returns whether it succeeded. */
export async function attempt(act) {
  try {
    await act();
    return true;
  } catch (error) {
    toast(error.message);
    return false;
  }
}

/** Shows a short notice for a few seconds. */
export function toast(text) {
  const note = el('div.toast', {}, text);
  document.getElementById('toasts').append(note);
  setTimeout(() => note.remove(), 4000);
}
