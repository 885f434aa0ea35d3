import { expect, test } from 'vitest'
import { firstPageEntry } from '#app/render/chunks.ts'
import { findWeightFaults, weigh, type Budget } from './page-weights.ts'

const manifest = {
  '_entry.js': { file: 'entry.js', imports: ['_react.js'], dynamicImports: ['pages.ts'], css: ['entry.css'] },
  [firstPageEntry(['login.tsx'])]: { file: 'first.js', imports: ['_entry.js'], dynamicImports: ['login.tsx'] },
  [firstPageEntry(['wizard.ts', 'sim.tsx'])]: {
    file: 'first.js',
    imports: ['_entry.js'],
    dynamicImports: ['wizard.ts', 'sim.tsx'],
  },
  [firstPageEntry(['wizard.ts', 'pay.tsx'])]: {
    file: 'first.js',
    imports: ['_entry.js'],
    dynamicImports: ['wizard.ts', 'pay.tsx'],
  },
  [firstPageEntry(['sim.tsx'])]: { file: 'first.js', imports: ['_entry.js'], dynamicImports: ['sim.tsx'] },
  'pages.ts': { file: 'pages.js', dynamicImports: ['login.tsx', 'sim.tsx', 'pay.tsx', 'wizard.ts'] },
  'login.tsx': { file: 'login.js', imports: ['_entry.js', '_form.js'], css: ['login.css'] },
  'sim.tsx': { file: 'sim.js', imports: ['_form.js'], dynamicImports: ['_phone.js'] },
  'pay.tsx': { file: 'pay.js', imports: ['_form.js'], dynamicImports: ['_seal.js', '_phone.js'] },
  'wizard.ts': { file: 'wizard.js' },
  '_form.js': { file: 'form.js', css: ['form.css'] },
  '_react.js': { file: 'react.js' },
  '_phone.js': { file: 'phone.js', imports: ['_form.js'] },
  '_seal.js': { file: 'seal.js' },
}

const sizes: Record<string, number> = {
  'react.js': 67_500,
  'entry.js': 15_900,
  'first.js': 100,
  'pages.js': 3_000,
  'form.js': 4_000,
  'login.js': 2_000,
  'sim.js': 1_000,
  'pay.js': 3_000,
  'wizard.js': 500,
  'phone.js': 9_000,
  'seal.js': 26_000,
  'entry.css': 3_000,
  'form.css': 2_000,
  'login.css': 1_500,
}
const brandSheet = 400

const pages = [
  { path: '/login/', componentModule: 'login.tsx' },
  { path: '/activate/', componentModule: 'sim.tsx', loaderModule: 'wizard.ts' },
  { path: '/activate/checkout/', componentModule: 'pay.tsx', loaderModule: 'wizard.ts' },
  { path: /^\/services\/(?<uuid>[^/]+)\/$/, componentModule: 'sim.tsx' },
]

const limits: Budget[] = [
  { paths: ['/login/'], script: 90_000 },
  { paths: ['/activate/', '/activate/checkout/'], script: 105_000, withLater: true },
]

const sizeOf = (file: string): number => sizes[file] ?? 0
const styleOf = (files: readonly string[]): number => files.reduce((sum, file) => sum + sizeOf(file), brandSheet)
const build = { manifest, pages, beginningOf: firstPageEntry, sizeOf, styleOf }
const weights = weigh(build, limits)
const weightOf = (path: string) => weights.find((weight) => weight.path === path)

test('a page’s script weight includes its imports, and its style weight is that of its inlined style sheet', () => {
  expect(weightOf('/login/')).toEqual({
    path: '/login/',
    script: 89_500,
    style: 6_900,
    own: 6_000,
    files: 5,
    lazy: 0,
    limit: 90_000,
    styleLimit: 6_000,
  })
})

test('if a size budget includes lazily loaded code, each lazily loaded file counts once towards the page’s weight', () => {
  expect(weightOf('/activate/')).toMatchObject({
    script: 98_000,
    style: 5_400,
    own: 5_500,
    lazy: 9_000,
    limit: 105_000,
  })
  expect(weightOf('/activate/checkout/')).toMatchObject({ script: 126_000, own: 7_500, lazy: 26_000 })
})

test('if a size budget includes lazily loaded code, the code that this loads in turn is included too', () => {
  const deeper = {
    ...manifest,
    '_phone.js': { ...manifest['_phone.js'], dynamicImports: ['_deep.js'] },
    '_deep.js': { file: 'deep.js' },
  }
  const heavy = (file: string): number => (file === 'deep.js' ? 30_000 : sizeOf(file))
  const found = weigh({ ...build, manifest: deeper, sizeOf: heavy }, limits)
  expect(found.find(({ path }) => path === '/activate/')).toMatchObject({ script: 128_000, lazy: 30_000 })
})

test('for a page without a size budget, lazily loaded code does not count towards the script weight', () => {
  expect(weightOf('^/services/(?<uuid>[^/]+)/$')).toMatchObject({ script: 88_500, lazy: 9_000, limit: null })
})

test('every page that exceeds a size limit is reported in one sentence', () => {
  expect(findWeightFaults(weights, limits).sort()).toEqual([
    '/activate/checkout/: a part loaded later 26.0 KB, above the limit of 25 KB',
    '/activate/checkout/: script 126.0 KB, above the limit of 105 KB',
    '/login/: style 6.9 KB, above the limit of 6 KB',
  ])
})

test('a size budget for a page that does not exist is reported', () => {
  const dashboard: Budget = { paths: ['/'], script: 96_000 }
  expect(findWeightFaults(weights, [dashboard])).toContain('/: has a budget, but there is no such page')
})

test('weighing a page throws an error if the page is missing from the build', () => {
  expect(() => weigh({ ...build, pages: [{ path: '/new/' }] }, limits)).toThrow('/new/')
})

test('a single size budget may apply to every page', () => {
  const every: Budget[] = [{ paths: 'every', script: 89_000 }]
  const found = weigh(build, every)
  expect(found.map(({ limit }) => limit)).toEqual(pages.map(() => 89_000))
  expect(findWeightFaults(found, every)).toContain('/login/: script 89.5 KB, above the limit of 89 KB')
})
