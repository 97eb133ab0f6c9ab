import { formatMoney } from '../texts/format.ts';
import type { MessageBody } from './message-view.ts';
import { field, list, text } from './read-json.ts';

type OrderBody = Extract<MessageBody, { kind: 'order' }>;

/** Reads an order as WhatsApp writes it: the price of an item is that of one piece. */
export function readOrder(order: unknown): OrderBody {
  const lines = list(field(order, 'product_items')).map((item) => {
    const quantity = Number(field(item, 'quantity')) || 1;
    const cost = Number.parseFloat(text(field(item, 'item_price'))) * quantity;
    const currency = text(field(item, 'currency'));
    return { name: text(field(item, 'product_retailer_id')), quantity, cost, currency };
  });
  const currency = lines[0]?.currency ?? '';
  const isAlike = lines.length > 1 && lines.every((line) => line.currency === currency);
  const sum = lines.reduce((all, { cost }) => all + cost, 0);
  return {
    kind: 'order',
    items: lines.map(({ name, quantity, cost, currency }) => ({
      name,
      quantity,
      price: priceOf(cost, currency),
    })),
    total: isAlike ? priceOf(sum, currency) : '',
    text: text(field(order, 'text')),
  };
}

function priceOf(cost: number, currency: string): string {
  return Number.isFinite(cost) ? formatMoney(cost, currency) : '';
}
