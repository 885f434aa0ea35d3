import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findMisspelledLabels, plain, extractShownTexts, parseSpecifiedLabels } from './specified-labels.ts'

const labels = parseSpecifiedLabels(readFileSync(new URL('specified-labels.txt', import.meta.url), 'utf8'))
const sources = globSync('{features,kit,app}/**/*.{ts,tsx}').filter((path) => !path.includes('.test.'))
const forCustomers = sources.filter((path) =>
  /^(?:features\/[^/]+|kit)\/web\/|\.mail\.ts$/.test(path.replaceAll('\\', '/')),
)

test('every label in the specification appears word for word in Fantail’s source', () => {
  const product = plain(sources.map((path) => readFileSync(path, 'utf8')).join('\n'))
  const lowerCase = product.toLowerCase()
  expect(labels.length).toBeGreaterThan(100)
  // CSS puts these labels in capitals, so the source may contain them in lower case.
  const isThere = (text: string): boolean =>
    text === text.toUpperCase() ? lowerCase.includes(plain(text).toLowerCase()) : product.includes(plain(text))
  expect(labels.filter(({ text }) => !isThere(text))).toEqual([])
})

test('pages and emails use the glossary’s terms', () => {
  expect(forCustomers.length).toBeGreaterThan(200)
  const misspelt = forCustomers.flatMap((path) =>
    extractShownTexts(readFileSync(path, 'utf8')).flatMap((text) =>
      findMisspelledLabels(text, labels).map((fault) => `${path}: ${fault}: ${text}`),
    ),
  )
  expect(misspelt).toEqual([])
})

describe('checking customer-facing text against the glossary', () => {
  test.each([
    ['Sign in to continue', 'Sign in: write log in'],
    ['Buy add-ons for this number', 'add-ons: write Add-On'],
    ['Auto renewal is off', 'Auto renew: write auto-renewal'],
    ['Put the Sim card in', 'Sim card: write SIM'],
    ['We sent you an e-mail', 'e-mail: write email'],
    ['Your mobile number', 'mobile number: write phone number'],
  ])('the wording check rejects "%s"', (text, fault) => expect(findMisspelledLabels(text, labels)).toEqual([fault]))

  test.each(['Log in to continue', 'Activate New Sim', 'Disable Auto Renewal', 'Your Add-On ends today', 'Logout'])(
    'the wording check accepts "%s"',
    (text) => expect(findMisspelledLabels(text, labels)).toEqual([]),
  )

  test('the wording check reads string literals and the text in JSX elements, but not comments', () =>
    expect(
      extractShownTexts("// One comment\nconst a = 'Two words'\nconst b = <p>Three more words</p>\nconst c = 'one'"),
    ).toEqual(['Two words', 'Three more words']))
})
