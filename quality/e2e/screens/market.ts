import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { World } from '#quality/support/world.ts'
import { findForeignWords, readAllText } from '../foreign-words.ts'
import { screenshotFolder } from './screenshots.ts'

/**
 * The country whose screens are checked. `npm test` checks the Australian screens, because nothing about New Zealand may appear on them;
 * all other tests run for New Zealand. Screenshots show whichever country is requested.
 */
const market = process.env['MARKET'] ?? (screenshotFolder ? 'NZ' : 'AU')
export const marketOptions = { env: () => ({ MARKET: market }) }

export async function expectLocalWords(page: Page): Promise<void> {
  if (market === 'AU') expect(findForeignWords(await readAllText(page)), 'words of New Zealand').toEqual([])
}

export async function expectLocalMessages(world: World): Promise<void> {
  if (market !== 'AU') return
  const { body } = await world.visitor().get('/demo/api/messages/')
  for (const { subject, text, html } of body as { subject: string; text: string; html: string }[])
    expect([subject, findForeignWords(`${subject}\n${text}\n${html.replaceAll(/<[^>]*>/g, ' ')}`)]).toEqual([
      subject,
      [],
    ])
}
