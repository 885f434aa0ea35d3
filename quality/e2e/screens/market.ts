import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { World } from '#quality/support/world.ts'
import { foreignIn, wordsOn } from '../foreign-words.ts'
import { picturesFolder } from './pictures.ts'

/**
 * Whose screens are looked at. In `npm test` Australia's, since nothing of New Zealand may be on them; what people do there is
 * tried in New Zealand by the other files. For pictures it is the one that was asked for.
 */
const market = process.env['MARKET'] ?? (picturesFolder ? 'NZ' : 'AU')
export const marketShown = { env: () => ({ MARKET: market }) }

/** No word or number of another country is on it. */
export async function expectAtHome(page: Page): Promise<void> {
  if (market === 'AU') expect(foreignIn(await wordsOn(page)), 'words of New Zealand').toEqual([])
}

/** Nor in any mail or text that a world has sent. */
export async function expectMessagesAtHome(world: World): Promise<void> {
  if (market !== 'AU') return
  const { body } = await world.visitor().get('/demo/api/messages/')
  for (const { subject, text, html } of body as { subject: string; text: string; html: string }[])
    expect([subject, foreignIn(`${subject}\n${text}\n${html.replaceAll(/<[^>]*>/g, ' ')}`)]).toEqual([subject, []])
}
