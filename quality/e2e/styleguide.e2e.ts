import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { pollUntil } from '#quality/support/poll-until.ts'
import { type Size, usePortal } from './use-portal.ts'
import { resizePage } from './resize-page.ts'

const portal = usePortal()

const regions = {
  foundations: ['Colours', 'Type', 'Space, corners and shadow', 'Motion', 'Logo and icons'],
  controls: [
    'Buttons',
    'Choice cards and prices',
    'Switches',
    'Slider',
    'Tabs',
    'Dialog and side panel',
    'Menu, popup, disclosure and help',
  ],
  forms: ['Example form', 'Field states', 'PIN'],
  feedback: ['Banners', 'Toasts', 'Progress', 'Loading and errors', 'Tables', 'Summary', 'Text from the provider'],
  screens: ['Navigation', 'Long-running work', 'Full-page states'],
}
type Part = keyof typeof regions

async function open(part: Part, size: Size = 'desktop'): Promise<Page> {
  const page = await portal.open(size)
  await page.goto(`/styleguide/?part=${part}`)
  await page.getByRole('region', { name: regions[part].at(-1), exact: true }).waitFor()
  return page
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
const focused = (page: Page): Promise<string | undefined> => page.evaluate(() => document.activeElement?.textContent)
const background = (page: Page): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

test.each(Object.keys(regions) as Part[])('the style guide’s %s part shows all of its regions', async (part) => {
  const page = await open(part)
  const calls: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url())
  })
  const named = await page
    .locator('main section')
    .evaluateAll((sections) => sections.map((section) => section.querySelector('h2')?.textContent))
  expect(named).toEqual(regions[part])
  expect(calls).toEqual([])
})

test('the style guide needs no horizontal scrolling when its text is enlarged to 200%', async () => {
  const page = await portal.open('phone')
  for (const part of Object.keys(regions) as Part[]) {
    await resizePage(page, { width: 640, height: 860 })
    await page.goto(`/styleguide/?part=${part}`)
    await page.getByRole('region', { name: regions[part].at(-1), exact: true }).waitFor()
    await page.getByRole('radio', { name: '200%' }).check()
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `width of ${part}`).toBe(640)
  }
})

test('the portal uses the text size set in the browser', async () => {
  const page = await open('foundations')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('16px')
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  await session.send('Page.setFontSizes', { fontSizes: { standard: 24 } })
  await pollUntil(
    async () => (await page.evaluate(() => getComputedStyle(document.querySelector('main p')!).fontSize)) === '24px',
  )
})

describe('choosing a theme in the style guide', () => {
  test('a theme chosen in the style guide overrides the system’s theme', async () => {
    const page = await open('foundations')
    await page.emulateMedia({ colorScheme: 'light' })
    const byDay = await background(page)
    const ratio = () => page.getByRole('row', { name: /ink-2 on paper/ }).textContent()
    const ratioByDay = await ratio()
    await page.getByRole('radio', { name: 'Dark' }).check()
    const byNight = await background(page)
    expect(byNight).not.toBe(byDay)
    await pollUntil(async () => (await ratio()) !== ratioByDay)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('radio', { name: 'System' }).check()
    expect(await background(page)).toBe(byNight)
    await page.getByRole('radio', { name: 'Light' }).check()
    expect(await background(page)).toBe(byDay)
  })

  test('a theme chosen in the style guide does not affect other pages', async () => {
    const page = await open('foundations')
    await page.emulateMedia({ colorScheme: 'light' })
    const byDay = await background(page)
    await page.getByRole('radio', { name: 'Dark' }).check()
    expect(await background(page)).not.toBe(byDay)
    await page.getByRole('link', { name: 'Login' }).click()
    await page.getByRole('heading', { level: 1, name: 'Welcome Back' }).waitFor()
    expect(await background(page)).toBe(byDay)
  })
})

test('adjacent colours have enough contrast in the light and the dark theme', async () => {
  const page = await open('foundations')
  for (const theme of ['Light', 'Dark']) {
    await page.getByRole('radio', { name: theme }).check()
    const ratios = page.getByRole('table', { name: 'Contrast of adjacent colours' }).getByRole('row')
    await pollUntil(async () => !(await ratios.nth(1).textContent())?.includes('–'))
    expect(await ratios.filter({ hasText: /too low|–/ }).allTextContents(), `in the ${theme} theme`).toEqual([])
  }
})

describe('using the style guide by keyboard', () => {
  test.each([
    ['Open a dialog', 'desktop'],
    ['Open the side panel', 'desktop'],
    ['Open the side panel', 'phone'],
  ] as const)('“%s” on a %s opens a dialog, and closing it with Escape returns the focus', async (name, size) => {
    const page = await open('controls', size)
    await page.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
    const window = page.getByRole('dialog')
    await window.waitFor()
    expect(await window.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await window.waitFor({ state: 'hidden' })
    expect(await focused(page)).toBe(name)
  })

  test('tabs and menus in the style guide can be operated by keyboard', async () => {
    const page = await open('controls')
    await page.getByRole('tab', { name: 'Data' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('tabpanel', { name: 'SMS' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('i')
    await page.keyboard.press('Enter')
    await page.getByText('You chose “Invoices”.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('More actions')
  })
})

describe('toast notifications', () => {
  const boxOf = async (page: Page, text: string) =>
    (await page.getByRole('status').filter({ hasText: text }).locator('> *').boundingBox())!

  test('a toast notification leaves the height of the page unchanged, and disappears by itself', async () => {
    const page = await open('feedback')
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    const before = await height()
    await press(page, 'Show for 1.5 seconds')
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    expect(await height()).toBe(before)
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor({ state: 'detached' })
  })

  test('a toast notification never covers the element that has the focus', async () => {
    const page = await open('feedback', 'phone')
    const button = page.getByRole('button', { name: 'Show for 8 seconds' })
    for (const block of ['end', 'start'] as const) {
      await button.evaluate((element, to) => element.scrollIntoView({ block: to, behavior: 'instant' }), block)
      await button.dispatchEvent('click')
      await button.focus()
      const [toast, control] = [await boxOf(page, 'Auto-renewal is on'), (await button.boundingBox())!]
      expect(
        toast.y + toast.height <= control.y || control.y + control.height <= toast.y,
        `${block}: ${toast.y} and ${control.y}`,
      ).toBe(true)
    }
    await page
      .getByRole('status')
      .filter({ hasText: 'Auto-renewal is on' })
      .getByRole('button', { name: 'Close' })
      .click()
    expect(await focused(page)).toBe('Show for 8 seconds')
  })
})

test('the server renders only placeholders for the later parts of the style guide', async () => {
  const page = await portal.open('phone')
  const answer = await page.request.get('/styleguide/?part=controls')
  expect(answer.status()).toBe(200)
  const html = await answer.text()
  expect(html).toContain('Loading')
  expect(html).not.toContain('Choice cards')
})
