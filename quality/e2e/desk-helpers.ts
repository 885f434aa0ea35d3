import type { Locator } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { applyViewport, expectValidPage } from './inspect-page.ts'
import type { Portal, Size } from './use-portal.ts'
import { resizePage } from './resize-page.ts'

export function collectCaseTimes(): string[] {
  const diary: string[] = []
  afterAll(() => console.log(diary.join('\n')))
  return diary
}

export type Desk = Awaited<ReturnType<typeof sitAt>>

export async function sitAt(portal: Portal, diary: string[], name: RegExp, size: Size = 'desktop') {
  const page = await portal.open(size, { baseURL: portal.world().deskUrl ?? '' })
  await page.goto('/sign-in/')
  await page.getByRole('button', { name }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  const count = { keys: 0, presses: 0, away: 0, began: performance.now() }
  const seen = [new URL(page.url()).pathname]
  page.on('framenavigated', (frame) => {
    const { pathname } = new URL(frame.url())
    if (frame === page.mainFrame() && pathname !== seen.at(-1)) seen.push(pathname)
  })

  const key = async (what: string): Promise<void> => {
    count.keys++
    await page.keyboard.press(what)
  }
  const type = async (text: string): Promise<void> => {
    count.keys += text.length
    await page.keyboard.type(text)
  }
  const isOn = (there: Locator): Promise<boolean> => there.evaluate((element) => element === document.activeElement)
  const reach = async (there: Locator): Promise<void> => {
    await there.waitFor()
    for (let tabs = 0; tabs < 40 && !(await isOn(there)); tabs++) await key('Tab')
    expect(await isOn(there), 'by Tab to what is to be pressed').toBe(true)
  }
  return {
    page,
    key,
    type,
    reach,
    async enter(there: Locator): Promise<void> {
      await reach(there)
      await key('Enter')
    },
    async choose(list: Locator, label: string): Promise<void> {
      await reach(list)
      const getSelectedOption = () => list.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
      for (const letter of label.slice(0, 8)) if ((await getSelectedOption()) !== label) await type(letter)
      expect(await getSelectedOption()).toBe(label)
    },
    /** Runs a step without counting its duration, because a person would not have to wait for it. */
    async aside<T>(act: () => Promise<T>): Promise<T> {
      const began = performance.now()
      try {
        return await act()
      } finally {
        count.away += performance.now() - began
      }
    },
    async press(there: Locator): Promise<void> {
      count.presses++
      await there.click()
    },
    tell(what: string): void {
      const seconds = ((performance.now() - count.began - count.away) / 1_000).toFixed(1)
      diary.push(`${what}: ${seconds} s, ${count.presses} presses, ${count.keys} keys, ${seen.length} pages`)
    },
  }
}

export async function find({ page, key, type }: Desk, text: string): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Number, name, e-mail, order' })
  // Keep pressing the shortcut, because it only works once the page's script has loaded.
  await expect.poll(async () => (await box.count()) > 0 || (await key('Control+k'), false)).toBe(true)
  await type(text)
  await expect.poll(() => page.getByRole('listbox', { name: 'Found' }).getAttribute('aria-busy')).toBe('false')
  await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor()
  await key('Enter')
}

export async function openCustomerFromTask({ page, enter }: Desk, why: string, name: string): Promise<void> {
  await enter(page.getByRole('button', { name: why, exact: true }))
  await page.getByRole('heading', { name: 'What happened' }).waitFor()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

export const inspectDesk = ({ page, aside }: Desk): Promise<void> =>
  aside(async () => {
    const usual = page.viewportSize()
    await applyViewport(page, { width: 1280, scheme: 'dark' })
    await expectValidPage(page, `${page.url()}, 1280 px, dark`)
    await page.emulateMedia({ colorScheme: 'light' })
    await resizePage(page, { width: 360, height: 740 })
    await expectValidPage(page, `${page.url()}, 360 px, light`)
    await page.emulateMedia({ colorScheme: null })
    if (usual) await resizePage(page, usual)
  })
