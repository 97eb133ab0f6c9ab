import { el } from './dom.js';
import { store } from './store.js';

/** Samples, so that a tester can send something at once. */
export const sampleLocation = {
  type: 'location',
  location: {
    latitude: 52.5163,
    longitude: 13.3777,
    name: 'Brandenburg Gate',
    address: 'Pariser Platz, Berlin',
  },
};

export function sampleContact() {
  const name = store.phones.get(store.phone)?.name ?? 'A friend';
  return {
    type: 'contacts',
    contacts: [
      {
        name: { formatted_name: name, first_name: name.split(' ')[0] },
        phones: [{ phone: `+${store.phone}`, type: 'CELL', wa_id: store.phone }],
      },
    ],
  };
}

/** Draws a landscape as a sample photo. */
export async function samplePhoto() {
  const canvas = el('canvas', { width: '960', height: '640' });
  const paint = canvas.getContext('2d');
  const sky = paint.createLinearGradient(0, 0, 0, 640);
  sky.addColorStop(0, '#2b2a6b');
  sky.addColorStop(0.55, '#d9738f');
  sky.addColorStop(1, '#ffd79a');
  paint.fillStyle = sky;
  paint.fillRect(0, 0, 960, 640);
  paint.fillStyle = '#fff3cf';
  paint.beginPath();
  paint.arc(660, 360, 64, 0, Math.PI * 2);
  paint.fill();
  const hills = ['#7a4a7d', '#4b3569', '#241d45'];
  hills.forEach((colour, row) => {
    paint.fillStyle = colour;
    paint.beginPath();
    paint.moveTo(0, 640);
    for (let x = 0; x <= 960; x += 8) {
      paint.lineTo(x, 400 + row * 70 + Math.sin(x / (90 + row * 30) + row * 2) * (40 - row * 8));
    }
    paint.lineTo(960, 640);
    paint.fill();
  });
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
  return new File([blob], 'evening.jpg', { type: 'image/jpeg' });
}
