import { el, icon } from './dom.js';
import { outsideLink } from './rich-text.js';

/** Renders an image, video, audio, file, location or contact inside a bubble. */
export function mediaOf(type, content, purpose) {
  if (type === 'location') return place(content);
  if (type === 'contacts') return contacts(content);
  const address =
    content.link ?? (content.id ? `/simulator/media/${encodeURIComponent(content.id)}` : null);
  if (!address) return el('p.unsupported', {}, `A message of type ${type}`);
  if (type === 'image' || type === 'sticker')
    return picture(type, address, content.caption ?? purpose);
  if (type === 'video') {
    return withFallback(
      el('video.media', { src: address, controls: true, preload: 'metadata' }),
      'Video',
      address,
    );
  }
  if (type === 'audio') {
    return withFallback(
      el('audio.sound', { src: address, controls: true, preload: 'metadata' }),
      'Voice message',
      address,
    );
  }
  return file(address, content.filename ?? address.split('/').pop() ?? 'Document');
}

function picture(type, address, description) {
  const image = el('img', {
    src: address,
    alt: description,
    loading: 'lazy',
    class: type === 'sticker' ? 'sticker' : 'media',
  });
  return withFallback(image, 'Photo', address);
}

// The URL may exist only in a test. Show it instead of a broken image.
function withFallback(node, kind, address) {
  const frame = el('div.media-frame', {}, node);
  node.addEventListener(
    'error',
    () => {
      frame.replaceChildren(
        el(
          'div.media-missing',
          {},
          icon(kind === 'Photo' ? 'photo' : 'file'),
          el('span', {}, kind),
          outsideLink(address, address),
        ),
      );
    },
    { once: true },
  );
  return frame;
}

function file(address, name) {
  const body = [
    el('span.file-icon', {}, icon('file')),
    el('span.file-name', { dir: 'auto' }, name),
  ];
  if (/^https?:/i.test(address)) {
    const link = outsideLink(address, ...body);
    link.className = 'file';
    return link;
  }
  return el('a.file', { href: address, download: name }, ...body);
}

function place({ latitude, longitude, name, address }) {
  const point = `${latitude}, ${longitude}`;
  const map = `https://www.openstreetmap.org/?mlat=${encodeURIComponent(latitude)}&mlon=${encodeURIComponent(longitude)}#map=15/${encodeURIComponent(latitude)}/${encodeURIComponent(longitude)}`;
  const link = outsideLink(
    map,
    el('span.place-map', {}, icon('pin')),
    el(
      'span.place-words',
      {},
      el('strong', { dir: 'auto' }, name || 'Location'),
      el('span', { dir: 'auto' }, address || point),
    ),
  );
  link.className = 'place';
  return link;
}

function contacts(list) {
  return el(
    'ul.contacts',
    {},
    (Array.isArray(list) ? list : []).map((one) =>
      el(
        'li',
        {},
        el('span.file-icon', {}, icon('person')),
        el(
          'span',
          {},
          el('strong', { dir: 'auto' }, one.name?.formatted_name ?? 'Contact'),
          el('span', {}, one.phones?.[0]?.phone ?? ''),
        ),
      ),
    ),
  );
}
