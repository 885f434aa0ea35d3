import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type SuiteName, suites } from './suites.ts'

const page = readFileSync('docs/conformance.md', 'utf8')
const examples = [...page.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
// The documentation shows a shortened key, which this test replaces with a complete one.
const withKey = (text: string): string => text.replace('10001|a1b2c3', `10001|${'ab'.repeat(256)}`)

test.each([
  ['network', 0],
  ['gateway', 1],
  ['mail', 2],
  ['sms', 3],
] as const)('the example of a %s file in docs/conformance.md is valid', (name, index) => {
  const faults: string[] = []
  const read = suites[name].read('example.json', withKey(examples[index] ?? ''), (line) => faults.push(line), '.')
  expect(faults).toEqual([])
  expect(read).not.toBeNull()
})

test('docs/conformance.md describes exactly the steps in the conformance suites', () => {
  const rows = page.split('## What each step means')[1]?.split('\n## ')[0] ?? ''
  const told = [...rows.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '))
  const steps = (Object.keys(suites) as SuiteName[]).flatMap((name) => suites[name].steps)
  expect(told.toSorted()).toEqual(steps.toSorted())
})
