import { expect, test } from 'vitest'
import { formatHelp } from './help.ts'

const terminal = { dataDir: '.data', print: () => {}, printError: () => {}, ask: async () => false }

test.each([
  ['operator', 'npm run operator --'],
  ['start', 'operator'],
  [undefined, 'operator'],
])('the usage line of the operator tool under the npm script %s starts with “%s”', (script, command) => {
  const [usage] = formatHelp({ ...terminal, environment: { npm_lifecycle_event: script } }, [], [])
  expect(usage).toBe(`Usage: ${command} COMMAND`)
})
