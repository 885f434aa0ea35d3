import { expect, test } from 'vitest'
import { createWordFilter } from './match-words.ts'

const names = [
  '5 GB Prepay Plan, $22.00, 30 days',
  '15 GB Prepay Plan, $5.00, 7 days',
  'Waiata Tūī, 500 MB, $6.00',
  'plan-30-5gb',
]

test.each([
  ['', names],
  ['5 GB', [names[0], names[3]]],
  ['5gb', [names[0], names[3]]],
  ['5 g', [names[0], names[1]]],
  ['GB plan', [names[0], names[1]]],
  ['plan 30 days', [names[0]]],
  ['$6', [names[2]]],
  ['TUI waiata', [names[2]]],
  ['tu\u0304', [names[2]]],
  ['\u200btūī', [names[2]]],
  ['15 GB $22', []],
])('the search text %j finds the names whose words begin with its words', (query, found) => {
  expect(names.filter(createWordFilter(query))).toEqual(found)
})

test('a search text of any length and content is accepted', () => {
  for (const query of ['('.repeat(10_000), '5 '.repeat(10_000), '\ud800', '[*'])
    expect(names.filter(createWordFilter(query)).length).toBeLessThanOrEqual(names.length)
})
