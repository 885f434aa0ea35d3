import { expect, test } from 'vitest'
import { colourNames } from '#kit/contract/brand.ts'
import { testColours, testBrandAssets } from '#quality/support/test-brand-assets.ts'
import { brandAssets, createBrandStyleSheet } from './brand.ts'
import { robots } from './robots.ts'

const brand = {
  name: 'Tom & Co',
  shortName: 'Tom',
  mark: '/static/brand/mark-1a2b3c4d.svg',
  description: '',
  help: { phone: '', hours: '' },
}

test('the brand’s style sheet defines every brand colour for light and dark mode', () => {
  const given = Object.fromEntries(
    [...createBrandStyleSheet(testColours).matchAll(/--([a-z0-9-]+):light-dark\((.*?),(.*?)\)/g)].map(
      ([, name, light, dark]) => [name, { light, dark }],
    ),
  )
  expect(given).toEqual(testColours)
  expect(Object.keys(given)).toEqual([...colourNames])
})

test('the brand’s style sheet shortens colours, and omits a dark-mode value that equals the light-mode one', () => {
  const sheet = createBrandStyleSheet({
    ...testColours,
    paper: { light: '#ffffff', dark: '#0d1514' },
    sun: { light: '#aabbcc', dark: '#aabbcc' },
  })
  expect(sheet).toContain('{--paper:light-dark(#fff,#0d1514);')
  expect(sheet.match(/--sun:.*?;/g)).toEqual(['--sun:#abc;'])
})

test('a brand’s assets include its style sheet and its background colours', () => {
  expect(brandAssets(brand, testBrandAssets)).toMatchObject({
    colours: createBrandStyleSheet(testColours),
    paper: testColours.paper,
  })
})

test('brand files keep their names, only the logo may be cached forever, and an icon is also served as the favicon', () => {
  const { assets } = brandAssets(brand, testBrandAssets)
  for (const [name, body] of testBrandAssets.files) {
    expect(assets.get(`/static/brand/${name}`)).toMatchObject({
      body,
      cache: name.startsWith('mark') ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
    })
  }
  expect(assets.get('/favicon.ico')).toMatchObject({
    type: 'image/png',
    body: testBrandAssets.files.get('icon-192.png'),
  })
})

test('the web manifest has the brand’s name and colours', () => {
  const { assets } = brandAssets(brand, testBrandAssets)
  expect(JSON.parse(String(assets.get('/static/site.webmanifest')?.body))).toMatchObject({
    name: 'Tom & Co',
    short_name: 'Tom',
    background_color: testColours.paper.light,
    theme_color: testColours.brand.light,
  })
})

// RFC 9309: the longest matching rule in robots.txt decides.
test.each([
  ['/login/', true],
  ['/activate/', true],
  ['/activate/plans/', true],
  ['/static/brand/mark.svg', true],
  ['/', false],
  ['/login/?redirect_url=/services/1/', false],
  ['/activate/checkout/', false],
  ['/account/', false],
  ['/services/renew/', false],
  ['/password-reset/1/secret', false],
  ['/api/account/', false],
])('robots.txt allows crawling %s: %s', (path, allowed) => {
  const rules = [...String(robots()).matchAll(/^(Allow|Disallow): (.*?)(\$?)$/gm)].map(([, verb, start = '', end]) => ({
    verb,
    start,
    whole: end === '$',
  }))
  const fitting = rules.filter(({ start, whole }) => (whole ? path === start : path.startsWith(start)))
  expect(fitting.toSorted((a, b) => b.start.length - a.start.length)[0]?.verb).toBe(allowed ? 'Allow' : 'Disallow')
})
