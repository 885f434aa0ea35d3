import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAsset, immutableCache } from './assets.ts'
import { inlineStyle, pageStyles } from './inline-style.ts'

const files = { 'entry.css': '.entry{}', 'form.css': '.form{}' }
const assets = new Map(
  Object.entries(files).map(([name, text]) => [`/build/${name}`, createAsset(name, Buffer.from(text), immutableCache)]),
)
const styleOf = pageStyles(':root{--ink:#000}', assets, '/build/')

test('a page’s inline style contains the brand’s colours first, followed by the page’s style sheets in order', () => {
  expect(styleOf(['entry.css', 'form.css']).text).toBe(':root{--ink:#000}.entry{}.form{}')
  expect(styleOf(['entry.css']).text).toBe(':root{--ink:#000}.entry{}')
})

test('the Content-Security-Policy allows a page’s style sheet by its hash', () => {
  const { text, source } = styleOf(['entry.css'])
  expect(source).toBe(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  expect(styleOf(['form.css']).source).not.toBe(source)
})

test('a page’s style sheet is built only once', () => expect(styleOf(['entry.css'])).toBe(styleOf(['entry.css'])))

test('building the inline style fails if a style sheet is missing or contains a closing style tag', () => {
  expect(() => styleOf(['other.css'])).toThrow('other.css')
  expect(() => inlineStyle('.a::after{content:"</STYLE>"}')).toThrow('ends its element')
})
