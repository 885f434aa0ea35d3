import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pages } from '#app/pages.ts'
import { pages as deskPages } from '#desk/app/pages.ts'
import { matchPage } from '#kit/web/page.ts'
import { screenCatalogue } from './catalogue.ts'
import { deskScreenCatalogue } from './desk-catalogue.ts'
import { getScreenshotPath } from './screenshots.ts'

describe.each([
  ['the portal', pages, screenCatalogue],
  ['the desk', deskPages, deskScreenCatalogue],
] as const)('screen tests of %s', (_, table, areas) => {
  const screens = Object.values(areas).flat()

  test('every page in the table of pages has a screen test', () => {
    const shown = new Set(screens.map(({ at }) => matchPage(table, at).page))
    const missing = table.filter((page) => !shown.has(page))
    expect(missing.map(({ path, title }) => `${path} (${title})`)).toEqual([])
  })

  test('the address opened by every screen test belongs to an existing page', () => {
    const lost = screens.filter(({ at }) => matchPage(table, at).canonical !== null)
    expect(lost.map(({ name }) => name)).toEqual([])
  })

  test('no two screen tests in the same area use the same screenshot file name', () => {
    const pictures = Object.entries(areas).flatMap(([area, own]) =>
      own.map(({ name }) => getScreenshotPath(area, name, { width: 390, scheme: 'light' })),
    )
    expect(pictures.filter((picture, index) => pictures.indexOf(picture) !== index)).toEqual([])
  })
})

test('every area of screen tests has its own test file', () => {
  const files = readdirSync(import.meta.dirname)
  expect(files.filter((file) => file.endsWith('.e2e.ts')).toSorted()).toEqual(
    // Add the `messages` area here, because emails and text messages have no page in the portal.
    [...Object.keys(screenCatalogue), ...Object.keys(deskScreenCatalogue), 'messages']
      .map((area) => `${area}.e2e.ts`)
      .toSorted(),
  )
})
