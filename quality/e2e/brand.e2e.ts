import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { BrandAssets } from '#kit/contract/brand.ts'
import type { Brand } from '#kit/contract/bootstrap.ts'
import { readProvider } from '#app/provider/read-provider.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { readPdfColours, readPdf } from '#quality/support/pdf-text.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { inspectPage } from './inspect-page.ts'
import { expectFaults, usePortal } from './use-portal.ts'

const folder = join(import.meta.dirname, '../../demo/providers/tui')
const portal = usePortal({ env: () => ({ PROVIDER_DIR: folder }) })
let brand: Brand
let look: BrandAssets
beforeAll(() => {
  ;({ brand, look } = readProvider(folder, portal.world().deps.market))
})

const rgb = (colour: string): string =>
  `rgb(${[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).join(', ')})`

const paintOf = (page: Page) =>
  page.evaluate(() => {
    const button = document.querySelector('main button[type="submit"]') ?? document.body
    const { backgroundColor: background, color } = getComputedStyle(button)
    return { paper: getComputedStyle(document.body).backgroundColor, background, color }
  })

const picturesOf = (page: Page, address: string) =>
  page.evaluate(
    (src) =>
      [...document.images]
        .filter((image) => image.getAttribute('src') === src)
        .map(({ naturalWidth, width, alt }) => ({ came: naturalWidth > 0, width, alt })),
    address,
  )

async function openReady(path: string, scheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await portal.open('desktop', { colorScheme: scheme })
  await page.goto(path)
  await page.locator('main button[type="submit"]:enabled').first().waitFor()
  return page
}

describe.each(['/login/', '/activate/'])('the page %s for a second brand', (path) => {
  test('a second brand’s pages show its own name and mark, and no trace of the first brand', async () => {
    const page = await openReady(path)
    expect(await page.title()).toMatch(new RegExp(` · ${brand.name}$|^${brand.name}$`))
    await page
      .getByRole('banner')
      .getByRole('link', { name: `${brand.name}, home` })
      .waitFor()
    expect(await page.getByRole('banner').innerText()).toContain(brand.shortName)
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
    const marks = await picturesOf(page, brand.mark)
    // Each page shows the brand's mark at the top and bottom. The login page also has a larger mark above its form.
    expect(marks.map(({ width }) => width)).toEqual(path === '/login/' ? [32, 80, 32] : [32, 32])
    for (const mark of marks) expect(mark).toMatchObject({ came: true, alt: '' })
    expect(await page.content()).not.toMatch(/fantail/i)
    expect(await page.locator('meta[name="description"]').getAttribute('content')).toBe(brand.description)
  })

  test.each(['light', 'dark'] as const)(
    'a second brand’s pages have its own colours in the %s theme',
    async (scheme) => {
      const page = await openReady(path, scheme)
      const { paper, brand: main, 'brand-ink': ink } = look.colours
      expect(await paintOf(page)).toEqual({
        paper: rgb(paper[scheme]),
        background: rgb(main[scheme]),
        color: rgb(ink[scheme]),
      })
    },
  )

  test('a second brand’s pages pass the layout and accessibility checks', async () => {
    const page = await openReady(path)
    await inspectPage(page)
    expect(await page.title()).toContain(brand.name)
  })
})

test('in forced-colours mode, system colours replace a brand’s colour for lines', async () => {
  const page = await portal.open('phone', { forcedColors: 'active' })
  await page.goto('/login/')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--line-strong'))).toBe(
    'CanvasText',
  )
})

test('the Not Found page shows the brand’s own phone number', async () => {
  const page = await portal.open('phone')
  expectFaults(page, new URL('/nowhere/', portal.world().url).href)
  const answer = await page.goto('/nowhere/')
  expect(answer?.status()).toBe(404)
  await page.getByRole('main').getByRole('link', { name: brand.help.phone }).waitFor()
})

test('a brand’s logo, favicon, robots.txt and manifest are served with the right headers and content', async () => {
  const { url } = portal.world()
  const drawing = await fetch(new URL('/static/brand/icon.svg', url))
  expect(drawing.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'")
  expect(drawing.headers.get('x-content-type-options')).toBe('nosniff')
  expect((await fetch(new URL('/favicon.ico', url))).headers.get('content-type')).toBe('image/png')
  expect(await (await fetch(new URL('/robots.txt', url))).text()).toContain('Allow: /login/$\n')
  const manifest = (await (await fetch(new URL('/static/site.webmanifest', url))).json()) as Record<string, string>
  expect(manifest).toMatchObject({
    name: brand.name,
    background_color: look.colours.paper.light,
    theme_color: look.colours.brand.light,
  })
})

test('a second brand’s emails and invoices carry its own name and colours', async () => {
  const { visitor, email, service } = await makeSubscriber(portal.world(), { plan: 'song-30-12gb' })
  const [mail] = await pollUntil(async () => {
    const mails = (await portal.world().mailTo(email)).filter(({ html }) => html.includes('<table'))
    return mails.length > 0 && mails
  })
  expect(mail?.html).toContain(`background:${look.colours.brand.light};color:${look.colours['brand-ink'].light}`)
  expect(mail?.html).toContain(brand.name)
  expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toMatch(/fantail/i)

  const file = new URL(`/documents/${service.id}/${service.orderCode}.pdf`, portal.world().url)
  const pdf = Buffer.from(
    await (
      await fetch(file, {
        headers: {
          cookie: visitor
            .cookies()
            .map((cookie) => cookie.join('='))
            .join('; '),
        },
      })
    ).arrayBuffer(),
  )
  expect(readPdfColours(pdf)).toContain(look.colours.brand.light)
  expect(readPdf(pdf).lines[0]).toBe(brand.name)
  expect(readPdf(pdf).lines.join('\n')).not.toMatch(/fantail/i)
})
