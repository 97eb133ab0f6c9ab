import { phone as t } from '../../../texts/phone.ts';
import type { NewMessage } from '../network.ts';
import { toJpeg } from './to-photo.ts';

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

/** The contact card of the phone's owner. */
export function sampleContact(phone: string, owner = t('aFriend')): NewMessage {
  return {
    type: 'contacts',
    contacts: [
      {
        name: { formatted_name: owner, first_name: owner.split(' ')[0] },
        phones: [{ phone: `+${phone}`, type: 'CELL', wa_id: phone }],
      },
    ],
  };
}

/** An order from a catalogue of the business. */
export const sampleOrder = {
  type: 'order',
  order: {
    catalog_id: '1029384756',
    text: 'Can it arrive by Friday?',
    product_items: [
      { product_retailer_id: 'mug-blue', quantity: 2, item_price: 12, currency: 'EUR' },
      { product_retailer_id: 'tea-green', quantity: 1, item_price: 9, currency: 'EUR' },
    ],
  },
};

/** Draws a landscape as a sample photo. */
export function samplePhoto(): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = 960;
  canvas.height = 640;
  const paint = canvas.getContext('2d');
  if (paint) paintEvening(paint);
  return toJpeg(canvas, 'evening');
}

function paintEvening(paint: CanvasRenderingContext2D): void {
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
  for (const [row, color] of hills.entries()) {
    paint.fillStyle = color;
    paint.beginPath();
    paint.moveTo(0, 640);
    for (let x = 0; x <= 960; x += 8) {
      paint.lineTo(x, 400 + row * 70 + Math.sin(x / (90 + row * 30) + row * 2) * (40 - row * 8));
    }
    paint.lineTo(960, 640);
    paint.fill();
  }
}
