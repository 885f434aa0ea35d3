import { beforeAll, describe, expect, test } from 'vitest'
import type { Bootstrap, Layout } from '#kit/contract/bootstrap.ts'
import { cardTypes } from '#kit/contract/card-types.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { markets } from '#kit/server/markets.ts'
import { joinHtml } from '#app/render/document.ts'
import { createRenderer } from '../render.ts'
import type { Renderer } from '../render/renderer.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { openJson } from '#kit/server/config/json-file.ts'
import { parseLayout } from './layout.ts'
import { buildPageTime } from '#quality/support/zone-clock.ts'

const attacks = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><b onclick=alert(1)>',
  "'--><style>*{}</style>",
  '&lt;i&gt;\u2028',
]

const hostile: Layout = {
  ...fantailProvider.layout,
  menus: {
    header: attacks.map((text, at) => ({ text, url: `/a${at}"'<b>` })),
    footer: attacks.map((title) => ({ title, items: attacks.map((text, at) => ({ text, url: `/b${at}"'<b>` })) })),
  },
  roaming_link_text: attacks[0] ?? '',
  plan_selection_terms: attacks,
  copyright: attacks.join(' '),
}
const anonymous: Api = { call: () => Promise.reject(new ApiError(401, {})) }
const { brand, look } = fantailProvider
const card = { gateway: 'adyen', publicKey: '10001|ABC', types: cardTypes }
const bootstrap: Bootstrap = {
  layout: hostile,
  market: markets.NZ,
  brand,
  ...buildPageTime('2026-11-21T00:00:00.000Z'),
  card,
}

let renderer: Renderer
beforeAll(async () => {
  renderer = await createRenderer({ mode: 'built', brand, look })
})

test('markup in layout.json is accepted as plain text', () => {
  const faults: string[] = []
  const file = openJson('layout.json', JSON.stringify(hostile), (line) => faults.push(line))
  expect(parseLayout(file)).toEqual(hostile)
  expect(faults).toEqual([])
})

describe.each(['/login/', '/activate/', '/nowhere/'])('%s', (url) => {
  test('a page shows markup from layout.json as plain text and runs none of it', async () => {
    const page = await renderer.render({ url, api: anonymous, bootstrap, onError: (error) => console.error(error) })
    const html = 'own' in page ? joinHtml(page) : ''
    expect(html).toContain('&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).toContain('&amp;lt;i&amp;gt;')
    expect(html).not.toMatch(/<script>|<img src=x|<b[ >]/)
    expect(html.match(/<style/g)).toHaveLength(1)
    expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/)
    const scripts = [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
    for (const attributes of scripts)
      expect(attributes).toMatch(/^ type="module" src="\/static\/build\/|^ type="application\/json" id="/)
    const [, data = ''] = /<script type="application\/json" id="bootstrap">(.*?)<\/script>/s.exec(html) ?? []
    expect(JSON.parse(data)).toEqual(bootstrap)
  })
})
