import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../pages.ts'
import { withoutPreloads } from './first-pages.ts'
import { pagesBelow } from './page-modules.ts'

test('every page of the table has a beginning, those that share all their modules one', () => {
  const found = pagesBelow(join(import.meta.dirname, '../..'))
  expect(found).toContainEqual(['features/auth/web/public-only.needs.ts', 'features/auth/web/login.page.tsx'])
  expect(found).toContainEqual(['kit/web/screens/not-found.page.tsx'])
  expect(found.filter(([needs]) => needs === 'features/dashboard/web/dashboard.needs.ts')).toHaveLength(1)
  // Two lines of the dashboard, all others have modules of their own, or share but one of two.
  expect(pages.length - found.length).toBeLessThan(5)
})

const deps = 'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["a.js","b.css"])))=>i.map(i=>d[i]);\n'

test('a beginning imports its page as it is written, without what Vite adds', () => {
  expect(
    withoutPreloads(
      `${deps}import{n as e,t}from"./base.js";t({needs:()=>e(()=>import(\`./a.js\`),__vite__mapDeps([0,1])),` +
        'load:()=>e(()=>import(`./c.js`).then(e=>e.t),[])});',
    ),
  ).toBe('import{n as e,t}from"./base.js";t({needs:()=>import(`./a.js`),load:()=>import(`./c.js`).then(e=>e.t)});')
})

test('what Vite adds in another way is a fault', () => {
  expect(() => withoutPreloads(`${deps}t({load:()=>e(()=>fetch(1),__vite__mapDeps([0]))})`)).toThrow('not understood')
})
