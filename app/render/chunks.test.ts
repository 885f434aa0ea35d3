import { expect, test } from 'vitest'
import { findChunks } from './chunks.ts'

const manifest = {
  'app/entry.tsx': {
    file: 'entry.js',
    imports: ['_react.js', '_kit.js'],
    dynamicImports: ['features/a/Page.tsx'],
    css: ['entry.css'],
  },
  'features/a/Page.tsx': {
    file: 'page.js',
    imports: ['_kit.js', '_form.js', 'app/entry.tsx'],
    css: ['page.css'],
    dynamicImports: ['_phone.js'],
  },
  '_form.js': { file: 'form.js', imports: ['_kit.js'], css: ['form.css', 'kit.css'] },
  '_kit.js': { file: 'kit.js', imports: ['_react.js'], css: ['kit.css'] },
  '_react.js': { file: 'react.js' },
  '_phone.js': { file: 'phone.js' },
}

test('a page’s files are the entry script, the page’s chunk and everything they import, with imported files first', () => {
  expect(findChunks(manifest, ['app/entry.tsx', 'features/a/Page.tsx'])).toEqual({
    scripts: ['react.js', 'kit.js', 'entry.js', 'form.js', 'page.js'],
    styles: ['kit.css', 'entry.css', 'form.css', 'page.css'],
  })
})

test('a page’s dynamic imports are not loaded with the page', () => {
  expect(findChunks(manifest, ['app/entry.tsx']).scripts).toEqual(['react.js', 'kit.js', 'entry.js'])
})

test('requesting the chunks of a page that is not in the build’s manifest throws an error', () => {
  expect(() => findChunks(manifest, ['features/b/Page.tsx'])).toThrow('no chunk for features/b/Page.tsx')
})
