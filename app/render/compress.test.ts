import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chooseCoding } from './content-coding.ts'
import { compressPage } from './compress.ts'

const html = `<!doctype html><p>${'Kia ora, Māui. '.repeat(400)}</p>\n`
const page = { head: html.slice(0, 1_000), own: html.slice(1_000, -1_000), end: html.slice(-1_000) }
const withoutPadding = (text: string): string => text.replace(/<!-- [\da-f]* -->\n/, '')

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, GZIP;q=0.5', 'gzip'],
  ['identity', null],
  [undefined, null],
] as const)('the Accept-Encoding %s chooses the encoding %s', (accepted, coding) => {
  expect(chooseCoding(accepted, { br: true, gzip: true })).toBe(coding)
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a page compressed as %s has the same content and is shorter', async (accepted, unpack) => {
  const { body, coding } = await compressPage(page, accepted)
  expect(coding).toBe(accepted)
  expect(body.length).toBeLessThan(html.length / 4)
  expect(withoutPadding(unpack(body).toString())).toBe(html)
})

test('a client that accepts both gzip and Brotli gets the page compressed as gzip', async () => {
  for (const accepted of ['gzip, deflate, br, zstd', 'br;q=1, gzip;q=0.5'])
    expect(await compressPage(page, accepted)).toMatchObject({ coding: 'gzip' })
})

test('a client that does not accept compression gets the page uncompressed', async () => {
  const { body, coding } = await compressPage(page, undefined)
  expect([body.toString(), coding]).toEqual([html, null])
})

test('compressed copies of the same page have different lengths, because of random padding', async () => {
  const lengths = await Promise.all(
    Array.from({ length: 40 }, async () => (await compressPage(page, 'br')).body.length),
  )
  expect(new Set(lengths).size).toBeGreaterThan(10)
})
