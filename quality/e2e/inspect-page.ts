import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { devToolsOf } from './dev-tools.ts'
import { expectNoOverflow } from './use-portal.ts'
import { resizePage } from './resize-page.ts'

/** A screen's width in pixels, and its colour scheme. */
export type Look = { width: 320 | 390 | 768 | 1280; scheme: 'light' | 'dark' }

const viewportHeights = { 320: 640, 390: 844, 768: 1024, 1280: 860 }

export const viewportOf = (width: Look['width']) => ({ width, height: viewportHeights[width] })

/** The two most telling looks. The wide one is first, because screens are opened at that width. */
export const quickViewports: Look[] = [
  { width: 1280, scheme: 'dark' },
  { width: 320, scheme: 'light' },
]

// The last set of WCAG rules includes the one about target sizes.
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

// axe without Playwright's builder, which would load it twice for each look and return every check that passed.
const axe = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Loads axe with DevTools. Unlike with `page.evaluate`, the browser need not parse it again in each document. */
async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in window)) return
  const devTools = await devToolsOf(page)
  await devTools.send('Runtime.evaluate', { expression: axe })
}

type Axe = {
  run(
    options: object,
  ): Promise<{ violations: { id: string; help: string; nodes: { html: string; any: { message: string }[] }[] }[] }>
}

export async function dress(page: Page, { width, scheme }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await resizePage(page, viewportOf(width))
}

/** Expects no trace of a missing value in the markup: a class without a rule, or a word that only a program would write. */
async function expectNoMissingValues(page: Page, name: string): Promise<void> {
  const found = await page.evaluate(() => {
    const missing = /\b(?:undefined|NaN)\b|\[object Object\]/
    const words = [document.body.innerText, document.title].filter((text) => missing.test(text))
    const elements = [...document.querySelectorAll('*')].filter((element) =>
      ['class', 'href', 'src', 'id', 'title', 'alt', 'aria-label', 'aria-valuetext', 'placeholder', 'd', 'x', 'y'].some(
        (attribute) => missing.test(element.getAttribute(attribute) ?? ''),
      ),
    )
    return [...words, ...elements.map((element) => (element.cloneNode() as Element).outerHTML)]
  })
  expect(found, `${name}: nothing is undefined`).toEqual([])
}

/**
 * Expects no horizontal scrolling, no missing values, and no violation that axe finds on the page as it stands. `name` describes the page
 * in a failure. `exempt` lists rules that do not apply to it.
 */
export async function expectValidPage(page: Page, name: string, exempt: readonly string[] = []): Promise<void> {
  await expectNoOverflow(page)
  await expectNoMissingValues(page, name)
  await injectAxe(page)
  const violations = await page.evaluate(async (runOnly) => {
    // The page has no frames, and none of these rules reads the text of style sheets.
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
  await resizePage(page, viewportOf(768))
  await expectNoOverflow(page)
}

export async function inspectPage(page: Page): Promise<void> {
  const usual = page.viewportSize()
  for (const look of quickViewports) {
    await dress(page, look)
    await expectValidPage(page, `${page.url()} in the ${look.scheme}, ${look.width} px wide`)
  }
  await page.emulateMedia({ colorScheme: null })
  if (usual) await resizePage(page, usual)
}
