// The label of a button can be read on every accent color.
import { expect, test } from 'vitest';
import { contrastOf, labelColorOn, readableContrast } from './contrast.js';

test.each([
  ['#ffffff', '#000000', 21],
  ['#777777', '#ffffff', 4.48],
  ['#1a73e8', '#1A73E8', 1],
  ['#0a0a0a', '#ffffff', 19.8],
])('%s and %s contrast %d to 1', (one, other, ratio) => {
  expect(contrastOf(one, other)).toBeCloseTo(ratio, 2);
});

test('the label contrasts enough with every color', () => {
  const steps = Array.from({ length: 16 }, (_, step) => (step * 17).toString(16).padStart(2, '0'));
  const colors = steps.flatMap((red) =>
    steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)),
  );
  const weakest = Math.min(...colors.map((color) => contrastOf(color, labelColorOn(color))));
  expect(['#1a73e8', '#767676', '#777777'].map(labelColorOn)).toEqual(['#ffffff', '#ffffff', '#000000']);
  expect(colors).toHaveLength(4_096);
  expect(weakest).toBeGreaterThanOrEqual(readableContrast);
});
