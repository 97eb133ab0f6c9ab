import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText } from '../../platform/values/texts/fold-text.ts';
import type { MatchKind } from '../schema.ts';
import { fillPlaceholders, unknownPlaceholders } from './fill-placeholders.ts';
import { matchesKeyword, wordsOf } from './match-keyword.ts';
import { rankBots } from './rank-bots.ts';

const matches = (match: MatchKind, text: string, keyword: string) =>
  matchesKeyword(match, wordsOf(foldText(text)), foldText(keyword));

test.each([
  ['HOURS', 'hours'],
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['ΩΡΑΡΙΟ', 'ωράριο'],
  ['ΤΙΜΉ', 'ΤΙΜΗ'],
  ['ПРИВЕТ', 'привет'],
  ['İNDİRİM', 'indirim'],
  ['FIYATI', 'fiyatı'],
  ['ＨＥＬＬＯ', 'hello'],
  ['Zoe\u0308', 'Zoë'],
  ['Zoe\u200d\u0308', 'Zoë'],
  ['  two \n words\u00a0here ', 'two words here'],
  ['❤️', '❤'],
  ['👍🏽', '👍'],
  ['می\u200cخواهم', 'میخواهم'],
  ['سـعـر', 'سعر'],
  ['مرحباً', 'مرحبا'],
  ['كَمِ السِّعْرُ', 'كم السعر'],
  ['رحمٰن', 'رحمن'],
  ['قيمت', 'قیمت'],
  ['كتاب', 'کتاب'],
  ['١٢٣٠', '1230'],
  ['۴۵۶', '456'],
  ['७०', '70'],
  ['৮৯', '89'],
  ['٣', '３'],
  ['what’s up', "What's up"],
  ['ﬁne', 'fine'],
  ['ｶﾀｶﾅ', 'カタカナ'],
])('%j is equal to %j', (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

test('a letter with a hamza is another letter', () => {
  expect(foldText('سأل')).not.toBe(foldText('سال'));
  expect(foldText('سا\u0654ل')).toBe(foldText('سأل'));
});

test.each<[MatchKind, string, string]>([
  ['exact', ' Opening  HOURS ', 'opening hours'],
  ['exact', '👍🏿', '👍'],
  ['starts_with', 'order 1042 please', 'Order'],
  ['starts_with', 'Order', 'order'],
  ['starts_with', '#order', '#'],
  ['starts_with', '価格を教えて', '価格'],
  ['contains', 'What is the PRICE?', 'price'],
  ['contains', 'price', 'price'],
  ['contains', 'the cats, and a cat', 'cat'],
  ['contains', 'the cat’s', 'cat'],
  ['contains', 'Какая цена?', 'ЦЕНА'],
  ['contains', 'Ποια η τιμή;', 'ΤΙΜΉ'],
  ['contains', 'Ποια οδός.Ευχαριστώ', 'ΟΔΟΣ'],
  ['contains', 'كم السعر؟', 'السعر'],
  ['contains', 'مرحباً بكم', 'مرحبا'],
  ['contains', 'مرحبا بكم', 'مرحباً'],
  ['contains', 'आज की कीमत', 'कीमत'],
  ['contains', '这个多少钱啊', '多少钱'],
  ['contains', 'この商品の値段はいくらですか', '値段'],
  ['contains', 'ราคาเท่าไหร่ครับ', 'เท่าไหร่'],
  ['contains', 'ລາຄາເທົ່າໃດ', 'ເທົ່າໃດ'],
  ['contains', 'តម្លៃប៉ុន្មាន', 'ប៉ុន្មាន'],
  ['contains', 'ဈေးဘယ်လောက်လဲ', 'ဘယ်လောက်'],
  ['contains', '가격이 얼마예요', '가격'],
  ['contains', '请问iPhone多少钱', 'iphone'],
  ['contains', 'yes👍please', '👍'],
  ['contains', 'C++ or C#?', 'c#'],
  ['contains', 'is it 20% off?', '20%'],
])('%s: %j matches the keyword %j', (match, text, keyword) => {
  expect(matches(match, text, keyword)).toBe(true);
});

test.each<[MatchKind, string, string]>([
  ['exact', 'hours please', 'hours'],
  ['exact', '', 'hours'],
  ['starts_with', 'first order', 'order'],
  ['starts_with', 'ordering', 'order'],
  ['contains', 'concatenate', 'cat'],
  ['contains', 'cats', 'cat'],
  ['contains', 'Бесценно', 'цен'],
  ['contains', 'ατίμητος', 'τιμή'],
  ['contains', 'المهم', 'مهم'],
  ['contains', 'कीमती', 'कीमत'],
  ['contains', 'order 10425', '1042'],
  ['contains', 'naïve', 'nai'],
  ['contains', 'e\u0301te\u0301', 'ete'],
  ['contains', '这个多少钱', '便宜'],
  ['contains', 'ที่', 'ท'],
  ['contains', '𞤀𞤣𞤤𞤢𞤥', '𞤤𞤢𞤥'],
  ['starts_with', 'hours', '\u200d'],
  ['contains', 'hours', '\u200d'],
  ['any', 'hours', ''],
])('%s: %j does not match the keyword %j', (match, text, keyword) => {
  expect(matches(match, text, keyword)).toBe(false);
});

const bots = [
  { id: 1, match: 'any', keywords: [] },
  { id: 2, match: 'first_message', keywords: [] },
  { id: 3, match: 'contains', keywords: ['order'] },
  { id: 4, match: 'contains', keywords: ['order', 'order status'] },
  { id: 5, match: 'starts_with', keywords: ['my order'] },
  { id: 6, match: 'starts_with', keywords: ['my'] },
  { id: 7, match: 'exact', keywords: ['my order status', 'my order'] },
  { id: 8, match: 'exact', keywords: ['MY ORDER'] },
] satisfies { id: number; match: MatchKind; keywords: string[] }[];

const ranked = (texts: string[], isFirst = false) =>
  rankBots([...bots].reverse(), { texts, isFirst }).map(({ bot }) => bot.id);

test('the more specific bot comes first: by its match, its longest keyword, its age', () => {
  expect(ranked(['My order'], true)).toEqual([7, 8, 5, 6, 3, 4, 2, 1]);
  expect(ranked(['my order status'])).toEqual([7, 5, 6, 4, 3, 1]);
  expect(ranked(['the order'])).toEqual([3, 4, 1]);
  expect(ranked(['hello'], true)).toEqual([2, 1]);
  expect(ranked(['hello'])).toEqual([1]);
  const short = { id: 1, match: 'contains' as const, keywords: ['👍👍'] };
  const long = { id: 2, match: 'contains' as const, keywords: ['yes'] };
  const found = rankBots([short, long], { texts: ['yes 👍👍'], isFirst: false });
  expect(found.map(({ bot }) => bot)).toEqual([long, short]);
  // A picture has no text.
  expect(ranked([])).toEqual([1]);
});

test('a keyword may be in the text or the payload of a tapped button', () => {
  expect(ranked(['Bestellung', 'my order'])[0]).toBe(7);
  expect(rankBots(bots, { texts: ['Yes', 'my order'], isFirst: false })[0]).toEqual({
    bot: bots[6],
    keyword: 'my order',
  });
});

test('placeholders are filled once, a missing value is empty or its default', () => {
  const values = {
    firstname: 'Bea',
    message: 'I am {{lastname}} $& $1',
    lastname: null,
    city: ' ',
  };
  expect(fillPlaceholders('{{firstname}} {{ FirstName }}: {{message}}', values)).toBe(
    'Bea Bea: I am {{lastname}} $& $1',
  );
  expect(fillPlaceholders('Dear {{lastname}}{{city|your city}}.', values)).toBe('Dear your city.');
  expect(fillPlaceholders('{{firstname|friend}} {{lastname | friend }}', values)).toBe(
    'Bea friend',
  );
});

test('any text is filled like in a simple implementation, including spaces and nested braces', () => {
  // Simple, but too slow for long texts.
  const rule = /\{\{\s*([^{}|]*?)\s*(?:\|([^{}]*))?\}\}/g;
  const values = { firstname: 'Bea', city: '{{firstname}}', phone: null };
  const unit = fc.constantFrom(...'{}| \n\u00a0é', '{{', '}}', 'City', 'firstname', 'constructor');
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const text = units.join('');
      const filled = text.replace(rule, (_all, name: string, fallback = '') => {
        const value = new Map<string, string | null>(Object.entries(values)).get(
          name.toLowerCase(),
        );
        return value || fallback.trim();
      });
      expect(fillPlaceholders(text, values)).toBe(filled);
      const unknown = [...text.matchAll(rule)].filter(
        ([, name]) => !['firstname', 'city'].includes(name!.toLowerCase()),
      );
      expect(unknownPlaceholders(text)).toEqual(unknown.map(([whole]) => whole));
    }),
    { numRuns: 2_000 },
  );
});

test('ten thousand keywords that nearly match a long text do not stop the process', () => {
  const bots = Array.from({ length: 200 }, (_, id) => ({
    id,
    match: 'contains' as const,
    keywords: Array.from({ length: 50 }, (_, length) => 'a'.repeat(length + 1)),
  }));
  // If each of these took seconds, the test would time out.
  const texts = Array.from({ length: 40 }, () => 'a'.repeat(4_096));
  expect(rankBots(bots, { texts, isFirst: false })).toEqual([]);
});
