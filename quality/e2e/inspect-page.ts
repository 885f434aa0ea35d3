import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { getDevTools } from './dev-tools.ts'
import { expectNoOverflow } from './use-portal.ts'
import { resizePage } from './resize-page.ts'

/** The width of a viewport in pixels, and a colour scheme. */
export type Look = { width: 320 | 390 | 768 | 1280; scheme: 'light' | 'dark' }

const viewportHeights = { 320: 640, 390: 844, 768: 1024, 1280: 860 }

export const toViewport = (width: Look['width']) => ({ width, height: viewportHeights[width] })

/** The two viewports that reveal the most faults. The wide one comes first, because screens are opened at that width. */
export const quickViewports: Look[] = [
  { width: 1280, scheme: 'dark' },
  { width: 320, scheme: 'light' },
]

// `wcag22aa` includes the rule about the size of touch targets.
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

// Inject axe directly. Playwright's builder for axe would load it twice for each viewport, and would also return every check that passed.
const axe = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Loads axe through DevTools. With `page.evaluate`, the browser would have to parse axe again in every document. */
async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in window)) return
  const devTools = await getDevTools(page)
  await devTools.send('Runtime.evaluate', { expression: axe })
}

type Axe = {
  run(
    options: object,
  ): Promise<{ violations: { id: string; help: string; nodes: { html: string; any: { message: string }[] }[] }[] }>
}

export async function applyViewport(page: Page, { width, scheme }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await resizePage(page, toViewport(width))
}

/** Checks that no missing value shows up in the page, such as `undefined` in its text or attributes. */
async function expectNoMissingValues(page: Page, name: string): Promise<void> {
  const found = await page.evaluate(() => {
    const missingValuePattern = /\b(?:undefined|NaN)\b|\[object Object\]/
    const words = [document.body.innerText, document.title].filter((text) => missingValuePattern.test(text))
    const elements = [...document.querySelectorAll('*')].filter((element) =>
      ['class', 'href', 'src', 'id', 'title', 'alt', 'aria-label', 'aria-valuetext', 'placeholder', 'd', 'x', 'y'].some(
        (attribute) => missingValuePattern.test(element.getAttribute(attribute) ?? ''),
      ),
    )
    return [...words, ...elements.map((element) => (element.cloneNode() as Element).outerHTML)]
  })
  expect(found, `${name}: traces of missing values`).toEqual([])
}

/**
 * Checks the page in its current state: it must not scroll horizontally, show missing values or break any axe rule. `name` describes the
 * page in failure messages. `exempt` lists rules that do not apply to it.
 */
export async function expectValidPage(page: Page, name: string, exempt: readonly string[] = []): Promise<void> {
  await expectNoOverflow(page)
  await expectNoMissingValues(page, name)
  await injectAxe(page)
  const violations = await page.evaluate(async (runOnly) => {
    // Skip frames and style sheets: the page has no frames, and none of these rules looks at a style sheet's text.
    const found = await (window as unknown as { axe: Axe }).axe.run({
      runOnly,
      resultTypes: ['violations'],
      iframes: false,
      preload: false,
    })
    return found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, any }) => [html, ...any.map(({ message }) => message)].join(' ← ')),
    }))
  }, rules)
  const found = violations
    .filter(({ id }) => !exempt.includes(id))
    .map(({ id, help, nodes }) => `${id} (${help}): ${nodes.join(' and ')}`)
  expect(found, `${name}`).toEqual([])
}

export async function expectToFitTablet(page: Page): Promise<void> {
  await resizePage(page, toViewport(768))
  await expectNoOverflow(page)
}

export async function inspectPage(page: Page): Promise<void> {
  const usual = page.viewportSize()
  for (const look of quickViewports) {
    await applyViewport(page, look)
    await expectValidPage(page, `${page.url()} in the ${look.scheme}, ${look.width} px wide`)
  }
  await page.emulateMedia({ colorScheme: null })
  if (usual) await resizePage(page, usual)
}
