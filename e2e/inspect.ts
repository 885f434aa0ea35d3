import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectNoSideways } from './portal.ts'

const looks = [
  { viewport: { width: 320, height: 640 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
] as const

/** The page as it stands, on the narrowest screen in the light and on a wide one in the dark: nothing sideways, and nothing that axe finds wrong. */
export async function inspect(page: Page): Promise<void> {
  const usual = page.viewportSize()
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await expectNoSideways(page)
    // Legacy mode: without frames there is nothing to gather from them in a page of its own.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' and ')}`)
    expect(found, `${page.url()} in the ${colorScheme}, ${viewport.width} px wide`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
  if (usual) await page.setViewportSize(usual)
}
