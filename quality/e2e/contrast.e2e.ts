import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { computeContrast, type Rgb, rgbOf } from '#kit/contract/colours.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { addSessionCookies } from './account.ts'
import { computeEdgeContrast, takeScreenshot } from './pixels.ts'
import { usePortal } from './use-portal.ts'

/*
 * These tests check the contrast of borders and of the labels of disabled controls. axe checks all other text, and the keyboard tests check
 * the focus outline.
 */

const portal = usePortal()

let customer: Subscriber
beforeAll(async () => {
  customer = await makeSubscriber(portal.world())
})

/** The style guide shows every control in every state. Graphics that appear on only one page are checked on that page. */
const places = (): [path: string, ready: (page: Page) => Locator][] => [
  [
    '/styleguide/?part=forms',
    (page) => page.getByRole('textbox', { name: 'With two errors', exact: false }).and(page.locator('[aria-invalid]')),
  ],
  [
    '/styleguide/?part=controls',
    (page) => page.getByRole('region', { name: 'Menu, popup, disclosure and help', exact: true }),
  ],
  [`/services/${customer.service.id}/detail/`, (page) => page.getByText(/^Updated \d/)],
]

const bordered = 'main :is(input:not([type="range"]), select, textarea, button, a[href])'

async function edgesOf(page: Page): Promise<{ kind: string; name: string; contrast: number }[]> {
  const boxes = await page.locator(bordered).evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { borderLeftColor, borderLeftStyle, borderLeftWidth } = getComputedStyle(element)
      const hasEdge =
        element.matches('[type="radio"], [type="checkbox"]') ||
        (borderLeftStyle !== 'none' && parseFloat(borderLeftWidth) > 0 && borderLeftColor !== 'rgba(0, 0, 0, 0)')
      // A disabled control does not need a visible border.
      if (!hasEdge || !element.checkVisibility() || element.matches(':disabled, [aria-disabled="true"]')) return []
      const { x, y, width, height } = element.getBoundingClientRect()
      const { type } = element as HTMLInputElement | HTMLButtonElement
      const name =
        element.getAttribute('aria-label') ??
        (element as HTMLInputElement).labels?.[0]?.textContent ??
        element.textContent
      return [{ kind: type || 'link', name: name.trim(), box: { x: x + scrollX, y: y + scrollY, width, height } }]
    }),
  )
  const picture = await takeScreenshot(page)
  return boxes.map(({ box, ...control }) => ({ ...control, contrast: computeEdgeContrast(picture, box) }))
}

async function disabledLabels(page: Page): Promise<{ label: string; contrast: number }[]> {
  const found = await page.locator('main :is(:disabled, [aria-disabled="true"])').evaluateAll((elements) =>
    elements
      // Skip checkboxes and switches, because their labels are next to them rather than inside.
      .filter((element) => element.checkVisibility() && !element.matches('[type="checkbox"], [type="radio"]'))
      .map((element) => {
        const { color } = getComputedStyle(element)
        let opacity = 1
        let ground = ''
        for (let at: Element | null = element; at; at = at.parentElement) {
          const style = getComputedStyle(at)
          if (!ground) opacity *= Number(style.opacity)
          if (!ground && style.backgroundColor.startsWith('rgb(')) ground = style.backgroundColor
        }
        return { label: element.getAttribute('aria-label') ?? element.textContent.trim(), color, ground, opacity }
      }),
  )
  return found.map(({ label, color, ground, opacity }) => {
    const [ink, paper] = [rgbOf(color), rgbOf(ground)]
    if (!ink || !paper) throw new Error(`${label}: ${color} on ${ground}`)
    return {
      label,
      contrast: computeContrast(
        ink.map((part, index) => part * opacity + paper[index]! * (1 - opacity)) as unknown as Rgb,
        paper,
      ),
    }
  })
}

test.each(['light', 'dark'] as const)(
  'the edges of controls and the labels of disabled controls have enough contrast in the %s theme',
  async (colorScheme) => {
    const page = await portal.reopen()
    await page.emulateMedia({ colorScheme })
    await addSessionCookies(page.context(), customer, portal.world().url)
    const edges: Awaited<ReturnType<typeof edgesOf>> = []
    const labels: Awaited<ReturnType<typeof disabledLabels>> = []
    for (const [path, ready] of places()) {
      await page.goto(path)
      await ready(page).waitFor()
      edges.push(...(await edgesOf(page)))
      labels.push(...(await disabledLabels(page)))
    }
    expect(edges.filter(({ contrast }) => contrast < 3)).toEqual([])
    expect(labels.filter(({ contrast }) => contrast < 3)).toEqual([])
    expect([...new Set(edges.map(({ kind }) => kind))].toSorted()).toEqual([
      'button',
      'checkbox',
      'email',
      'link',
      'password',
      'radio',
      'select-one',
      'submit',
      'text',
    ])
    expect(labels.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Disabled because of errors', 'Continue', 'Usage details', 'Back', 'Later week']),
    )
  },
)
