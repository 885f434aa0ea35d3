import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { unusedProperties, removeUnusedProperties } from './browser-contracts.ts'

const contract = `
export const planSchema = v.object({ output: v.string() })
export const choosePlan = endpoint({
  method: 'POST',
  path: '/api/plan/:id/',
  summary: 'Chooses, or "endpoint({ output })"',
  params: v.object({ id: v.string() }),
  body: v.object({ plan: v.string(), output: v.string() }),
  output: planSchema,
  statuses: { 202: planSchema },
})
export const readPlan = endpoint({ output: planSchema as Schema, method: 'GET', path: '/api/plan/', summary: 'Reads' })
`

test('the build removes endpoint properties that browsers do not use, and leaves other code unchanged', () => {
  expect(removeUnusedProperties(contract)).toBe(`
export const planSchema = v.object({ output: v.string() })
export const choosePlan = endpoint({ method: 'POST', path: '/api/plan/:id/' })
export const readPlan = endpoint({ method: 'GET', path: '/api/plan/' })
`)
})

test('browser code does not read any endpoint property that the build removes', () => {
  const names = globSync('{desk/features/*,features/*,kit/contract}/*.contract.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/export const (\w+) = endpoint\(/g)].map(([, name]) => name),
  )
  expect(names).toContain('submitPlan')
  const read = new RegExp(`\\b(?:${names.join('|')})\\.(?:${[...unusedProperties].join('|')})\\b`)
  const readers = globSync('{desk/features/*,features/*,desk/app,kit,app}/web/**/*.{ts,tsx}').filter(
    (path) => !/\.test\.tsx?$/.test(path),
  )
  expect(readers.length).toBeGreaterThan(300)
  expect(readers.filter((path) => read.test(readFileSync(path, 'utf8')))).toEqual([])
  // A form must not take its schema from an endpoint's declaration, not even through a variable that holds the endpoint.
  const byAnotherName = new RegExp(`\\bschema: [\\w.]+\\.(?:${[...unusedProperties].join('|')})\\b`)
  expect(readers.filter((path) => byAnotherName.test(readFileSync(path, 'utf8')))).toEqual([])
})

test.each(globSync('features/*/*.contract.ts'))(
  '%s still parses after the build removes the properties that browsers do not read',
  (path) => {
    const source = readFileSync(path, 'utf8')
    const left = stripTypeScriptTypes(removeUnusedProperties(source))
    expect(left).not.toMatch(/\bsummary: /)
    expect(left.match(/\bendpoint\(\{/g)?.length).toBe(source.match(/\bendpoint\(\{/g)?.length)
  },
)
