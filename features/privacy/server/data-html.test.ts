import { expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { writeHtml } from './data-html.ts'

const page = async (code: 'NZ' | 'AU'): Promise<string> => {
  const lines: string[] = []
  const parts = writeHtml({ market: markets[code], brandName: 'Fantail Mobile' }, '2026-12-27T22:00:00Z', [])
  for await (const line of parts) lines.push(line)
  return lines.join('')
}

test('the page with a customer’s data names the time zone once, at the top', async () => {
  expect(await page('AU')).toContain('<p>As of Mon 28 Dec, 9:00 am. Times are in Sydney time.</p>')
  expect(await page('NZ')).toContain('<p>As of Mon 28 Dec, 11:00 am. Times are in New Zealand time.</p>')
})
