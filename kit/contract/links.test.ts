import { expect, test } from 'vitest'
import { isSafeLink, buildTelLink } from './links.ts'

test.each([
  '/',
  '/activate/',
  '/demo/#plans',
  '/help?topic=sim',
  'https://fantail.example',
  'https://fantail.example/faq?a=b#c',
  'mailto:hello@fantail.example',
  'mailto:hello@fantail.example?subject=Roaming',
  'tel:+6493001234',
  'tel:0800326824',
])('the link address %s is safe', (address) => expect(isSafeLink(address)).toBe(true))

test.each([
  '',
  'plans',
  '#plans',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' /plans',
  'http://fantail.example',
  'https:fantail.example',
  'https://',
  'https:///evil.example',
  'https://[/',
  'https://example.nz:port/',
  'https://a b.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'mailto:',
  'tel:',
  'tel:help',
  'blob:https://evil.example/x',
])('the link address %j is not safe', (address) => expect(isSafeLink(address)).toBe(false))

test.each([
  ['0800 326 824', 'tel:0800326824'],
  ['+64 (3) 300-1234', 'tel:+6433001234'],
])('the phone number %s becomes the link %s', (phone, link) => expect(buildTelLink(phone)).toBe(link))
