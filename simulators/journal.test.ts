import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDataDir } from './network/test-network.ts'
import { openJournal } from './journal.ts'

test('entries appended to a journal can be read after it has been reopened', async () => {
  const path = join(await makeDataDir(), 'deep', 'journal.jsonl')
  const first = openJournal<{ n: number; text: string }>(path)
  expect(first.entries).toEqual([])
  first.append({ n: 1, text: 'kōwhai\nwith a line break' })
  first.close()

  const second = openJournal<{ n: number; text: string }>(path)
  second.append({ n: 2, text: '' })
  second.close()

  const third = openJournal(path)
  third.close()
  expect(third.entries).toEqual([
    { n: 1, text: 'kōwhai\nwith a line break' },
    { n: 2, text: '' },
  ])
})

test('an incomplete last line in a journal is dropped, and the next entry starts on a new line', async () => {
  const path = join(await makeDataDir(), 'journal.jsonl')
  await writeFile(path, '{"n":1}\n{"n":')
  const journal = openJournal<{ n: number }>(path)
  expect(journal.entries).toEqual([{ n: 1 }])
  journal.append({ n: 3 })
  journal.close()
  expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":3}\n')
})

test('opening a journal with a damaged line before the end throws an error with the line number', async () => {
  const path = join(await makeDataDir(), 'journal.jsonl')
  await appendFile(path, '{"n":1}\nnonsense\n{"n":3}\n')
  expect(() => openJournal(path)).toThrow('line 2 is damaged')
})
