import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import type { World } from '#quality/support/world.ts'
import { findTimesWithoutZone } from '#quality/support/times-without-zone.ts'
import { findForeignWords, readAllText } from '../foreign-words.ts'
import { screenshotFolder } from './screenshots.ts'

/**
 * The country whose screens are checked. `npm test` checks the Australian screens, because nothing about New Zealand may appear on them;
 * all other tests run for New Zealand. Screenshots show whichever country is requested.
 */
const market = process.env['MARKET'] ?? (screenshotFolder ? 'NZ' : 'AU')
export const { zone } = market === 'AU' ? markets.AU : markets.NZ
export const marketOptions = { env: () => ({ MARKET: market }) }

export async function expectLocalWords(page: Page): Promise<void> {
  if (market !== 'AU') return
  const text = await readAllText(page)
  expect(findForeignWords(text), 'words of New Zealand').toEqual([])
  expect(findTimesWithoutZone(text), 'times without their zone').toEqual([])
}

export async function expectLocalMessages(world: World): Promise<void> {
  if (market !== 'AU') return
  const { body } = await world.visitor().get('/demo/api/messages/')
  for (const { subject, text, html } of body as { subject: string; text: string; html: string }[]) {
    const wholeText = `${subject}\n${text}\n${html.replaceAll(/<[^>]*>/g, ' ')}`
    expect([subject, findForeignWords(wholeText), findTimesWithoutZone(wholeText)]).toEqual([subject, [], []])
  }
}
