import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { testColours } from '#quality/support/test-brand-assets.ts'
import { toSafeJson, renderDocument, joinHtml, type DocumentParts } from './document.ts'
import { buildPageTime } from '#quality/support/zone-clock.ts'

const bootstrap: Bootstrap = {
  layout: {
    menus: { header: [], footer: [] },
    roaming_link_text: '',
    roaming_link_url: '',
    plan_selection_terms: ['</script><script>alert(1)</script>'],
    faq_url: '',
    order_sim_url: '',
    copyright: '',
  },
  market: {
    code: 'AU',
    zone: 'Australia/Sydney',
    currency: 'AUD',
    phoneRegion: 'AU',
    country: 'Australia',
    taxLabel: 'GST',
    taxPart: [1, 11],
  },
  brand: {
    name: 'Tom & Co',
    shortName: 'Tom',
    mark: '/static/brand/mark.svg',
    description: 'Plans "by Tom" <3',
    help: { phone: '', hours: '' },
  },
  ...buildPageTime('2026-11-21T00:00:00.000Z', 'Australia/Sydney'),
  card: { gateway: 'adyen', publicKey: '10001|ABC', types: ['visa', 'mc', 'amex'] },
}

const parts: DocumentParts = {
  title: 'Plans <30 days> · Tom & Co',
  html: '<main>Kia ora</main>',
  state: { queries: [], page: { title: 'Plans <30 days>', params: {} }, rendered: true },
  bootstrap,
  style: ':root{--ink:#000}',
  paper: testColours.paper,
  needsScript: 'Please switch scripts on.',
  links: {
    styles: [{ url: '/static/build/a.css' }],
    contained: [{ url: '/static/build/part.css', integrity: 'sha384-p' }],
    scripts: [{ url: '/static/build/a.js', integrity: 'sha384-a' }],
    preloads: [{ url: '/static/build/b.js' }],
  },
}

const textOf = (of: DocumentParts): string => joinHtml(renderDocument(of))

test('data embedded in a document is preserved unchanged and cannot close the script element that contains it', () => {
  const stringUnit = fc.constantFrom(
    '<',
    '>',
    '/',
    '!',
    '-',
    'script',
    '\u2028',
    '\u2029',
    '\ud800',
    '"',
    '\\',
    'u003c',
    'ō',
  )
  const property = fc.property(fc.jsonValue({ stringUnit }), (value) => {
    const data = toSafeJson(value)
    expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify(value)))
    expect(data).not.toMatch(/[<\u2028\u2029]/)
  })
  fc.assert(property)
  expect(toSafeJson('</script>\u2028\u2029<!--')).toBe('"\\u003c/script>\\u2028\\u2029\\u003c!--"')
})

test('each document contains the data that it was rendered with', () => {
  const dataIn = (html: string) => JSON.parse(/id="bootstrap">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
  const later = { ...bootstrap, serverTime: '2026-11-21T00:00:01.000Z' }
  for (const each of [bootstrap, later]) expect(dataIn(textOf({ ...parts, bootstrap: each }))).toEqual(each)
})

test('a document links to its files with their integrity hashes', () => {
  const html = textOf(parts)
  expect(html).toContain('<link rel="stylesheet" href="/static/build/a.css">')
  expect(html).toContain(
    '<script type="module" src="/static/build/a.js" integrity="sha384-a" fetchpriority="low"></script>',
  )
  expect(html).toContain('<link rel="modulepreload" href="/static/build/b.js" fetchpriority="low">')
  expect(html).toContain('<html lang="en-AU">')
})

test('a document’s theme colours are the brand’s background colours for light and dark mode', () => {
  const { light, dark } = testColours.paper
  expect(
    [...textOf(parts).matchAll(/name="theme-color" content="(.*?)" media="\(prefers-color-scheme: (.*?)\)"/g)].map(
      (found) => found.slice(1),
    ),
  ).toEqual([
    [light, 'light'],
    [dark, 'dark'],
  ])
})

test('a style sheet that the inline style already contains is linked but disabled', () => {
  expect(textOf(parts)).toContain('<link rel="stylesheet" href="/static/build/part.css" disabled>')
})

test('a document’s title and description are HTML-escaped', () => {
  expect(textOf(parts)).toContain('<title>Plans &lt;30 days&gt; · Tom &amp; Co</title>')
  expect(textOf(parts)).toContain('<meta name="description" content="Plans &quot;by Tom&quot; &lt;3">')
})

test('a document’s inline style sheet comes before all linked style sheets', () => {
  const html = textOf(parts)
  expect(html).toContain('<style>:root{--ink:#000}</style>')
  expect(html.indexOf('<style>')).toBeLessThan(html.indexOf('<link rel="stylesheet"'))
})

test('a document contains no inline code and only one inline style sheet, and each script element is a file or data', () => {
  const html = textOf(parts)
  const scripts = [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
  expect(scripts).toHaveLength(3)
  for (const attributes of scripts) expect(attributes).toMatch(/ src="\/static\/build\/|type="application\/json"/)
  expect(html.replace(`<style>${parts.style}</style>`, '')).not.toMatch(/<style| style=| on\w+=/)
})

test('without JavaScript, a document shows a message before its content', () => {
  const html = textOf(parts)
  expect(html).toContain('<body>\n<noscript>Please switch scripts on.</noscript>\n<div id="root">')
})
