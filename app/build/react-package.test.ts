import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { unasked, withoutStacks } from './react-package.ts'

const client = createRequire(import.meta.url).resolve('react-dom/client')

test('no stack is kept of what is made while a script is read, and of everything else there is', () => {
  const made: { early?: Error; later?: () => Error } = {}
  const { stackTraceLimit } = Error
  const script = withoutStacks('made.early = Error("early"); made.later = () => Error("later")')
  new Function('made', script)(made)
  expect(made.early).toBeInstanceOf(Error)
  expect(made.early?.stack).toBeUndefined()
  expect(Error.stackTraceLimit).toBe(stackTraceLimit)
  expect(made.later?.().stack).toContain('\n')
})

test('React makes errors as it is read, which is why', () => {
  const code = readFileSync(client.replace(/client\.js$/, 'cjs/react-dom-client.production.js'), 'utf8')
  expect(code).toMatch(/^var SuspenseException = Error\(/m)
})

test('the entries of the package ask the developer tools, and ours do not', () => {
  for (const path of [client, client.replace(/client\.js$/, 'index.js')]) {
    const code = readFileSync(path, 'utf8')
    expect(code.match(/^\s*checkDCE\(\);/m)).not.toBeNull()
    expect(unasked(code)).not.toMatch(/^\s*checkDCE\(\);/m)
    expect(unasked(code)).toContain("require('./cjs/react-dom")
  }
})
