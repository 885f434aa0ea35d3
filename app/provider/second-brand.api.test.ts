/* @module-tag slow */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { markets } from '#kit/server/markets.ts'
import { readPlanRoles } from '#demo/plan-roles.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { readPdf } from '#quality/support/pdf-text.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { readProvider } from './read-provider.ts'

const folder = 'demo/providers/tui'
const tui = readProvider(folder, markets.NZ)
const world = useWorld({ pages: 'built', env: { PROVIDER_DIR: folder, DEMO_CUSTOMERS: 'all' } })

const song = async () => (await readPlanRoles(world().db))!.usual.unique_id

function bootstrapOf(html: string): Bootstrap {
  const [, data = ''] = /<script type="application\/json" id="bootstrap">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(data)
}

describe('a second provider’s brand', () => {
  test('a second provider’s pages show its own names, menus and wording', async () => {
    const { body: html } = await world().visitor().get('/login/')
    const { brand, layout } = bootstrapOf(html)
    expect({ brand, layout }).toEqual({ brand: tui.brand, layout: tui.layout })
    expect(html).toMatch(/<title>[^<]* · Tūī Telecom<\/title>/)
    for (const text of ['Where it works', 'Good to know', tui.layout.copyright, 'href="tel:0800884835"'])
      expect(html).toContain(text)
    expect(html).toContain('href="mailto:kiaora@tui.example"')
  })

  test('a second provider’s pages use its own images, colours and web manifest', async () => {
    const visitor = world().visitor()
    const { body: html } = await visitor.get('/login/')
    expect(decodeURIComponent(/<img src="([^"]*)"/.exec(html)?.[1] ?? '')).toBe(
      `data:image/svg+xml,${readFileSync(`${folder}/mark.svg`, 'utf8')}`,
    )
    expect((await visitor.get('/static/brand/icon.svg')).body).toBe(readFileSync(`${folder}/icon.svg`, 'utf8'))
    expect(html).toMatch(/<style>:root\{[^}]*--brand:light-dark\(#3d32a8,#aaa2ff\)/)
    const manifest = JSON.parse((await visitor.get('/static/site.webmanifest')).body)
    expect(manifest).toMatchObject({
      name: 'Tūī Telecom',
      short_name: 'Tūī',
      theme_color: '#3d32a8',
      background_color: '#f7f6fb',
    })
    for (const { src } of manifest.icons) expect((await visitor.get(src)).status).toBe(200)
  })

  test('a second provider sells only its own plans', async () => {
    const products = (await world().visitor().get('/api/products/')).body
    expect(Object.keys(products).sort()).toEqual(tui.catalogue.products.map(({ unique_id }) => unique_id).sort())
    expect(
      (await world().visitor().get('/api/products/filters/')).body.map(({ length }: { length: number }) => length),
    ).toEqual([7, 30, 180])
  })

  test('a second provider’s emails and invoices contain its own names', async () => {
    const { visitor, email, services } = await makeCustomer(world(), { card: true, plan: await song() })
    const [service] = services
    expect(world().deps.mailFrom).toBe('"Tūī Telecom" <hello@tui.example>')
    // The welcome email is sent separately after the sign-up is committed, so it may arrive after the activation has finished.
    const mails = await pollUntil(async () => {
      const all = await world().mailTo(email)
      return all.some(({ subject }) => subject === 'Welcome to Tūī Telecom: please confirm your email') && all
    })
    for (const { text, html } of mails) {
      expect(text).toContain('Tūī Telecom\nhttp')
      expect(html).toContain('#3d32a8')
      expect(text).toContain('Need a person? 0800 884 835, weekdays 7 am to 7 pm\n')
      expect(text + html).not.toMatch(/fantail/i)
    }
    const { body: invoice } = await visitor.get(`/api/account/invoices/${service?.id}/${service?.orderCode}/`)
    expect(invoice).toMatchObject({
      total_price: '29.00',
      issuer: { name: 'Tūī Telecom Limited Partnership', tax_label: 'GST number', tax_number: '49-091-850' },
    })
    const pdf = await fetch(new URL(`/documents/${service?.id}/${service?.orderCode}.pdf`, world().url), {
      headers: { cookie: `fantail=${visitor.cookie('fantail')}` },
    })
    const words = JSON.stringify(readPdf(Buffer.from(await pdf.arrayBuffer())))
    expect(words).toContain('Tūī Telecom')
    expect(words).not.toMatch(/fantail/i)
  })

  test.each([
    '/',
    '/login/',
    '/activate/',
    '/forgot-password/',
    '/nowhere/',
    '/static/site.webmanifest',
    '/api/openapi.json',
  ])('a second provider’s %s does not mention Fantail', async (path) => {
    const { body, status } = await world().visitor().get(path)
    expect([200, 302, 404]).toContain(status)
    expect(JSON.stringify(body)).not.toMatch(/fantail/i)
  })

  test('a second provider’s dashboard does not mention Fantail', async () => {
    const { visitor } = await makeCustomer(world(), { services: 1, plan: await song() })
    const { body, status } = await visitor.get('/')
    expect(status).toBe(200)
    expect(body).toContain('Song 12 GB')
    expect(body).not.toMatch(/fantail/i)
  })

  test('a demo for a second provider has six customers, and vouchers for that provider’s plans', async () => {
    const { customers, vouchers } = (await world().visitor().get('/demo/api/fixtures/')).body
    const titles = new Set(tui.catalogue.products.map(({ title, length_days }) => `${title}, ${length_days} days`))
    expect(customers).toHaveLength(6)
    expect(vouchers.length).toBeGreaterThan(5)
    for (const { plan } of vouchers) expect(titles).toContain(plan)
  })
})
