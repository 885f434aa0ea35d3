import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { codingOf, compressPage } from './compress.ts'

const page = `<!doctype html><p>${'Kia ora. '.repeat(400)}</p>\n`

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, GZIP;q=0.5', 'gzip'],
  ['identity', null],
  [undefined, null],
] as const)('for %s it is %s', (accepted, coding) => {
  expect(codingOf(accepted)).toBe(coding)
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('%s holds the page, and is shorter', async (accepted, unpack) => {
  const { body, coding } = await compressPage(page, accepted)
  expect(coding).toBe(accepted)
  expect(body.length).toBeLessThan(page.length / 4)
  expect(
    unpack(body as Buffer)
      .toString()
      .startsWith(page),
  ).toBe(true)
})

test('who takes no coding gets the page as it is', async () => {
  expect(await compressPage(page, undefined)).toEqual({ body: page, coding: null })
})

test('the same page has many lengths', async () => {
  const lengths = await Promise.all(
    Array.from({ length: 40 }, async () => (await compressPage(page, 'br')).body.length),
  )
  expect(new Set(lengths).size).toBeGreaterThan(10)
})
