import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { World } from '#quality/support/world.ts'
import { foreignIn, wordsOn } from '../foreign-words.ts'
import { picturesFolder } from './pictures.ts'

/**
 * The country whose screens are checked. `npm test` uses Australia, because nothing of New Zealand may be on its screens; the other files
 * test in New Zealand. Pictures are taken of the requested country.
 */
const market = process.env['MARKET'] ?? (picturesFolder ? 'NZ' : 'AU')
export const marketShown = { env: () => ({ MARKET: market }) }

export async function expectAtHome(page: Page): Promise<void> {
  if (market === 'AU') expect(foreignIn(await wordsOn(page)), 'words of New Zealand').toEqual([])
}

export async function expectMessagesAtHome(world: World): Promise<void> {
  if (market !== 'AU') return
  const { body } = await world.visitor().get('/demo/api/messages/')
  for (const { subject, text, html } of body as { subject: string; text: string; html: string }[])
    expect([subject, foreignIn(`${subject}\n${text}\n${html.replaceAll(/<[^>]*>/g, ' ')}`)]).toEqual([subject, []])
}
