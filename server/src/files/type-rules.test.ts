// Detection of content types, and inline rendering.
import { describe, expect, test } from 'vitest';
import { isAllowed, isInlineType, typeOf } from './type-rules.js';

const judged = (text: string | Uint8Array, declared = 'application/octet-stream', recognised?: string) =>
  typeOf(recognised, Buffer.from(text), true, declared);

describe('the signature takes precedence over the declared type', () => {
  test.each(['text/html', 'image/svg+xml', 'text/plain', ''])('declared as %j', (declared) => {
    expect(judged('\u0089PNG…', declared, 'image/png')).toBe('image/png');
  });
});

describe('HTML and SVG are detected', () => {
  test.each([
    ['<!DOCTYPE html><p>x', 'text/html'],
    ['<!doctype HTML public "x">', 'text/html'],
    ['  \n<HTML>', 'text/html'],
    ['\ufeff<html>', 'text/html'],
    ['<!-- a comment --><script>alert(1)</script>', 'text/html'],
    ['<!-- one --> <!-- two -->\n<body onload=x>', 'text/html'],
    ['<iframe/src=x>', 'text/html'],
    ['<img src=x onerror=alert(1)>', 'text/html'],
    ['<a\nhref=x>', 'text/html'],
    ['<html xmlns="http://www.w3.org/1999/xhtml">', 'text/html'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['<SVG>', 'image/svg+xml'],
    ['<svg:svg xmlns:svg="x">', 'image/svg+xml'],
    ['<?xml version="1.0"?>\n<!-- x --><svg>', 'image/svg+xml'],
    ['<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "y"><svg>', 'image/svg+xml'],
    ['<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg>', 'image/svg+xml'],
    ['<?xml version="1.0"?><?xml-stylesheet href="x"?><svg>', 'image/svg+xml'],
    ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', 'application/xhtml+xml'],
    ['<?xml version="1.0"?><note/>', 'application/xml'],
  ])('%j is %s for any declared type', (text, type) => {
    for (const declared of ['text/plain', 'image/png', 'application/json', 'application/octet-stream']) {
      expect(judged(text, declared)).toBe(type);
      if (type !== 'text/html') expect(judged(text, declared, 'application/xml')).toBe(type);
    }
  });
});

describe('UTF-16 text is detected like other text, even if its byte order mark looks like another type', () => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  test.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['<html>', 'text/html'],
    ['<?xml version="1.0"?><note/>', 'application/xml'],
    ['<html xmlns="http://www.w3.org/1999/xhtml">', 'text/html'],
    ['a\tb', 'text/plain'],
    ['\u0000', 'application/octet-stream'],
    ['\ud800', 'application/octet-stream'],
  ])('%j: %s', (text, type) => {
    for (const bytes of [utf16(text), utf16(text).swap16()]) {
      for (const recognised of [undefined, 'audio/mpeg']) {
        expect(judged(bytes, 'audio/mpeg', recognised)).toBe(type);
      }
    }
  });
});

test.each([
  ['UTF-16 that is cut within a character', [0xff, 0xfe, 0x3c], 'application/xml'],
  ['UTF-16 with a single surrogate', [0xfe, 0xff, 0xd8, 0x00], 'application/xml'],
])('XML in %s keeps the type of its signature', (_, bytes, type) => {
  expect(judged(Uint8Array.from(bytes), 'text/plain', 'application/xml')).toBe(type);
});

describe('a text', () => {
  test.each([
    ['text/csv', 'text/csv'],
    ['text/markdown', 'text/markdown'],
    ['application/json', 'application/json'],
    ['text/calendar', 'text/calendar'],
    ['text/html', 'text/plain'],
    ['text/javascript', 'text/plain'],
    ['application/xhtml+xml', 'text/plain'],
    ['image/svg+xml', 'text/plain'],
    ['image/png', 'text/plain'],
    ['application/octet-stream', 'text/plain'],
    ['', 'text/plain'],
  ])('declared as %j is %s', (declared, type) => {
    expect(judged('a,b\n1,2\n', declared)).toBe(type);
  });

  test('may be cut within a character at the end of the inspected bytes, and nowhere else', () => {
    const cut = Buffer.from('a€').subarray(0, 3);
    expect(typeOf(undefined, cut, false, 'text/csv')).toBe('text/csv');
    expect(typeOf(undefined, cut, true, 'text/csv')).toBe('application/octet-stream');
  });
});

describe('unknown bytes are application/octet-stream', () => {
  test.each([
    [[]],
    [[0, 1, 2]],
    [[0xff, 0xfe, 0x3c]],
    [[0xff]],
    [[0xff, 0x61]],
    [[0xfe, 0x61]],
    [[0x61, 0, 0x62]],
    [[0xc3, 0x28]],
  ])('%j', (bytes) => {
    for (const declared of ['text/plain', 'text/html', 'image/png', 'image/svg+xml']) {
      expect(judged(Uint8Array.from(bytes), declared)).toBe('application/octet-stream');
    }
  });
});

test.each([
  ['image/png', true],
  ['image/jpeg', true],
  ['image/gif', true],
  ['image/webp', true],
  ['image/avif', true],
  ['audio/mpeg', true],
  ['video/mp4', true],
  ['image/svg+xml', false],
  ['text/html', false],
  ['application/xhtml+xml', false],
  ['application/xml', false],
  ['application/pdf', false],
  ['text/plain', false],
  ['application/octet-stream', false],
])('%s is inline: %s', (type, shown) => {
  expect(isInlineType(type)).toBe(shown);
});

test.each([
  [null, 'text/html', true],
  [['image/*'], 'image/svg+xml', true],
  [['image/*'], 'imagex/png', false],
  [['image/png', 'application/pdf'], 'application/pdf', true],
  [['image/png', 'application/pdf'], 'image/jpeg', false],
])('content types %j allow %s: %s', (allowed, type, verdict) => {
  expect(isAllowed(allowed, type)).toBe(verdict);
});
