import { expect, test } from 'vitest'
import { buildClearSiteDataHeaders } from './headers.ts'

test.each([
  ['https://fantail.example', true],
  ['https://fantail.example:8443', true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', true],
  ['http://fantail.example', false],
  ['http://localhost.fantail.example', false],
  ['http://192.0.2.7:3000', false],
])('sends Clear-Site-Data to a browser that uses %s: %s', (publicUrl, isTold) => {
  expect(buildClearSiteDataHeaders(publicUrl)).toEqual(isTold ? { 'clear-site-data': '"cache", "storage"' } : {})
})
