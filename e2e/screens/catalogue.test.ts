import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pages } from '#app/pages.ts'
import { matchPage } from '#kit/web/page.ts'
import { catalogue } from './catalogue.ts'
import { pictureOf } from './pictures.ts'

const screens = Object.values(catalogue).flat()

test('every page of the portal is among the screens', () => {
  const shown = new Set(screens.map(({ at }) => matchPage(pages, at).page))
  const missing = pages.filter((page) => !shown.has(page))
  expect(missing.map(({ path, title }) => `${path} (${title})`)).toEqual([])
})

test('every screen is where a page is', () => {
  const lost = screens.filter(({ at }) => matchPage(pages, at).canonical !== null)
  expect(lost.map(({ name }) => name)).toEqual([])
})

test('no two screens of an area share their pictures', () => {
  const pictures = Object.entries(catalogue).flatMap(([area, own]) =>
    own.map(({ name }) => pictureOf(area, name, { width: 320, scheme: 'light' })),
  )
  expect(pictures.filter((picture, index) => pictures.indexOf(picture) !== index)).toEqual([])
})

test('every area is looked at', () => {
  const files = readdirSync(import.meta.dirname)
  expect(files.filter((file) => file.endsWith('.e2e.ts')).toSorted()).toEqual(
    // Messages have no page of the portal.
    [...Object.keys(catalogue), 'messages'].map((area) => `${area}.e2e.ts`).toSorted(),
  )
})
